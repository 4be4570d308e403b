import { type Asset, parseAsset } from "../../../src/chain/asset.ts";
import type { ReadView, ViewCall } from "../../../src/chain/view.ts";
import { moveNode } from "../../../src/onchain/move-node.ts";
import type { Holding } from "../../../src/supply/schedule.ts";
import { noResource } from "./node.ts";

/** In the place of an address that the command before it prints. */
const POOL = "POOL";
const MARK = `0x${"f0".repeat(32)}`;

/** The commands that read a holding, or the supply (null), at a node and a ledger version: the same calls as the check's. */
export async function commandsOf(
  address: string,
  asset: Asset,
  holding: Holding | null,
  ledgerVersion: bigint,
): Promise<string> {
  const calls: ViewCall[] = [];
  // Answers only as much as leads to the next call.
  const record: ReadView = async (call) => {
    calls.push(call);
    const values = call.function.endsWith("::stake_pool_address") ? [MARK] : [];
    return { kind: "returned", values, ledgerVersion: null };
  };
  const node = moveNode("", ledgerVersion, { readView: record, readResource: noResource });
  await (holding === null ? node.supply(asset, ledgerVersion, 0) : node.balances(asset, [holding], ledgerVersion));
  return calls.map((call) => curlOf(address, call)).join("\n");
}

function curlOf(
  address: string,
  { function: name, typeArguments, arguments: values, ledgerVersion }: ViewCall,
): string {
  const body = JSON.stringify({ function: name, type_arguments: typeArguments, arguments: values }).replace(MARK, POOL);
  return `curl -sSf "${address}/view?ledger_version=${ledgerVersion}" -H "Content-Type: application/json" -d '${body}'`;
}

/** The asset as the API names it. */
export function assetOf(text: string): Asset {
  const asset = parseAsset(text);
  if (asset === undefined) throw new TypeError("the API names no asset");
  return asset;
}

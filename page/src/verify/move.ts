import { isRecord } from "../../../src/base/json.ts";
import type { Holding } from "../../../src/chain/holding.ts";
import type { ReadResource, ReadView, ViewCall } from "../../../src/chain/view.ts";
import { moveNode } from "../../../src/families/move/move-node.ts";
import { exchangeWith } from "./exchange.ts";
import type { BrowserNode, NodeInfo, ServedChain } from "./node.ts";

/** A check reads views only. */
const noResource: ReadResource = async () => ({ kind: "unavailable" });

const GONE = 410;

export function moveBrowserNode(address: string): BrowserNode {
  const { ask, record, firstFailure } = exchangeWith(address);
  const readView: ReadView = async ({ function: name, typeArguments, arguments: values, ledgerVersion }) => {
    const body = { function: name, type_arguments: typeArguments, arguments: values };
    const answer = await ask(`/view?ledger_version=${ledgerVersion}`, body);
    if ("kind" in answer) return { kind: "unavailable" };
    if (answer.status === GONE) record({ kind: "gone" });
    if (answer.status !== 200 || !Array.isArray(answer.value)) return { kind: "refused", status: answer.status };
    return { kind: "returned", values: answer.value, ledgerVersion: null };
  };
  return {
    firstFailure,
    info: async () => {
      const answer = await ask("");
      if ("kind" in answer) return answer;
      if (answer.status !== 200) return record({ kind: "status", status: answer.status });
      return infoOf(answer.value) ?? record({ kind: "not_a_node" });
    },
    chain: ({ newest }) => moveNode("", newest, { readView, readResource: noResource }),
  };
}

function infoOf(value: unknown): NodeInfo | undefined {
  if (!isRecord(value)) return undefined;
  const { chain_id: chainId, ledger_version: newest, oldest_ledger_version: oldest } = value;
  const isVersion = (text: unknown): text is string => typeof text === "string" && /^\d{1,20}$/.test(text);
  if (typeof chainId !== "number" || !Number.isInteger(chainId) || !isVersion(newest)) return undefined;
  return { kind: "info", chainId, newest: BigInt(newest), oldest: isVersion(oldest) ? BigInt(oldest) : 0n };
}

/** Placeholder of the address that the command before it prints. */
const POOL = "POOL";
const MARK = `0x${"f0".repeat(32)}`;

/** Writes the commands that read a holding, or the supply (null), at a node: the same calls as the check's. */
export async function moveCommands(
  address: string,
  { version: ledgerVersion, asset }: ServedChain,
  holding: Holding | null,
): Promise<string> {
  const calls: ViewCall[] = [];
  // Answers just enough that the next call is made.
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

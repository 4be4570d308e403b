import { familyOf } from "../../../src/families/family.ts";
import { chainsIn } from "../chain-nodes.ts";
import { type SupplyBreakdown, units } from "../documents.ts";
import type { ServedChain } from "./node.ts";

/** Finds the chain in this service's answer. Returns a text if the answer has no figures of it. */
export function servedChain(breakdown: SupplyBreakdown, id: string): ServedChain | string {
  const row = chainsIn(breakdown).find(({ chain }) => chain === id);
  if (row === undefined) return `This service does not name ${id} among its chains.`;
  const { family, chain_id: chainId, asset: text, ledger_version: version, block_hash: block, as_of: readAt } = row;
  if (row.minted_supply === null || version === null || readAt === null)
    return `This service has no figures of ${id} now: ${row.unavailable ?? "it was never read"}.`;
  const asset = familyOf(family).asset.parse(text);
  if (asset === undefined) throw new TypeError("the API names no asset of the chain");
  return { id, family, chainId, asset, version: BigInt(version), block, readAt, minted: units(row.minted_supply) };
}

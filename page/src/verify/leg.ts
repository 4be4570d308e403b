import { family } from "virtual:site";
import { NATIVE_CHAIN } from "../../../src/supply/schedule.ts";
import { type SupplyBreakdown, units } from "../documents.ts";
import { familyTerms } from "./family.ts";
import type { Leg } from "./node.ts";

/** That chain in this service's answer; a text where it has no figures of it. */
export function legIn(breakdown: SupplyBreakdown, id: string): Leg | string {
  const chains = chainsIn(breakdown);
  if (chains.length === 0)
    return {
      id: NATIVE_CHAIN,
      family,
      asset: familyTerms(family).assetOf(breakdown.asset),
      chainId: "chain_id" in breakdown ? (breakdown.chain_id ?? null) : null,
      version: BigInt(breakdown.ledger_version),
      block: "block_hash" in breakdown ? (breakdown.block_hash ?? null) : null,
      readAt: breakdown.as_of,
      minted: units(breakdown.minted_supply),
    };
  const row = chains.find(({ chain }) => chain === id);
  if (row === undefined) return `This service does not name ${id} among its chains.`;
  const { family: of, chain_id: chainId, asset, ledger_version: at, block_hash: block, as_of: readAt } = row;
  if (row.minted_supply === null || at === null || readAt === null)
    return `This service has no figures of ${id} now: ${row.unavailable ?? "it was never read"}.`;
  const known = { id, family: of, chainId, block, readAt, minted: units(row.minted_supply) };
  return { ...known, asset: familyTerms(of).assetOf(asset), version: BigInt(at) };
}

/** Empty: the token is on one. */
export function chainsIn(breakdown: SupplyBreakdown) {
  return "chains" in breakdown ? (breakdown.chains ?? []) : [];
}

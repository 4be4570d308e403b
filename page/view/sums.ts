import type { AllocationsView } from "../../src/supply/allocations.ts";
import type { Token } from "../../src/supply/schedule.ts";
import { dayOf, exactOf, timeOf } from "./format.ts";

interface Amount {
  readonly base_units: string;
}

/** Members of `/api/supply-breakdown` that the sum on chain needs. */
interface ChainAmounts {
  readonly token: Token;
  readonly as_of: string;
  readonly total_supply: Amount;
  readonly non_circulating_supply: Amount;
  readonly circulating_supply_on_chain: Amount;
  readonly constants: readonly { readonly category: string }[];
}

/** Writes what each allocation has unlocked as a sum, from the body of `/api/allocations`. */
export function unlockedSum({ token, effective_from: from, allocations, unlocked }: AllocationsView): string {
  if (from === null) return "nothing, before the schedule's start";
  const parts = allocations
    .filter(({ unlocked: part }) => part.base_units !== "0")
    .map(({ label, unlocked: part }) => `${exact(part, token)} (${label})`);
  const sum = parts.length === 0 ? "" : `${parts.join(" + ")} = `;
  return `${sum}${exact(unlocked, token)} ${token.symbol}, in force since ${dayOf(from)}`;
}

/** Writes the subtraction of a reading of the chain, from the body of `/api/supply-breakdown`. */
export function chainSum(body: ChainAmounts): string {
  const { token, total_supply: total, non_circulating_supply: held, circulating_supply_on_chain: left } = body;
  // Burned constants are in no total already.
  const isStated = body.constants.some(({ category }) => category !== "burn");
  const holders = isStated ? "listed wallets and constants" : "listed wallets";
  const subtraction = `${exact(total, token)} (total) − ${exact(held, token)} (${holders})`;
  return `${subtraction} = ${exact(left, token)} ${token.symbol}, read on ${timeOf(Date.parse(body.as_of))}`;
}

function exact({ base_units: units }: Amount, { decimals }: Token): string {
  return exactOf(BigInt(units), decimals);
}

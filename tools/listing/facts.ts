import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { amountDecimals } from "../../src/onchain/reading.ts";
import { hasUnwatchedLocks } from "../../src/supply/above-plan.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { ComparedReading } from "../chain-reading.ts";

/** Circulating supply on chain on one UTC day. */
export interface RecordedDay {
  readonly day: string;
  readonly baseUnits: BaseUnits;
  readonly ledgerVersion: string;
}

/** Facts from which the sheets are made: the schedule and one reading, at its instant. */
export interface Facts {
  readonly schedule: Schedule;
  readonly reading: ComparedReading;
  readonly atMs: number;
  /** Origin of the deployment. */
  readonly url: string;
  /** URL of a wallet's page, with `{address}` in it; null: the brand names no explorer. */
  readonly explorer: string | null;
  /** Days that the deployment recorded before the reading, oldest first. */
  readonly recorded: readonly RecordedDay[];
}

/** Writes the maximum with all its decimals. */
export function maximumText({ maxSupply, token }: Pick<Schedule, "maxSupply" | "token">): string {
  return maxSupply === null ? NO_MAXIMUM : tokenText(maxSupply, token.decimals);
}

export const NO_MAXIMUM = "no maximum";

/** Writes an amount of the reading with all its decimals. */
export function chainText({ reading }: Facts, amount: BaseUnits): string {
  return tokenText(amount, amountDecimals(reading.reading));
}

/**
 * Names the address of the figure on chain. Where locks without a wallet have a figure of their own, it names both, each
 * with its meaning: a person gives the tracker one of them.
 */
export function circulatingAddress({ schedule, url }: Pick<Facts, "schedule" | "url">, query: string): string {
  const onChain = `${url}/api/circulating-supply-on-chain${query}`;
  if (!hasUnwatchedLocks(schedule)) return onChain;
  return `${onChain} (the total less the listed wallets, as above) or ${url}/api/circulating-supply-hybrid${query} (that less what the schedule locks in allocations without a wallet); give one`;
}

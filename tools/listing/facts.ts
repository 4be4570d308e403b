import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { amountDecimals } from "../../src/onchain/reading.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { ChainReading } from "../chain-reading.ts";

/** What circulated on chain on one UTC day. */
export interface Recorded {
  readonly day: string;
  readonly baseUnits: BaseUnits;
  readonly ledgerVersion: string;
}

/** What the sheets are made of: the schedule and one reading, at its instant. */
export interface Facts {
  readonly schedule: Schedule;
  readonly reading: ChainReading;
  readonly atMs: number;
  /** The deployment's origin. */
  readonly url: string;
  /** A wallet's page, with `{address}` in it; null: the operator names no explorer. */
  readonly explorer: string | null;
  /** What the deployment has recorded before that day, oldest first. */
  readonly recorded: readonly Recorded[];
}

/** An amount of the reading, exact. */
export function chainText({ reading }: Facts, amount: BaseUnits): string {
  return tokenText(amount, amountDecimals(reading.reading));
}

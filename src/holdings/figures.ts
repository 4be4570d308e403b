import type { BaseUnits } from "../chain/amount.ts";
import { decimalsOf, type Unit, unitOf } from "../figures.ts";
import type { CachedValue, FreshnessPolicy, Unavailable } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { freshSecondsOf } from "./reader.ts";
import type { Missing, Reading } from "./reading.ts";

/** An amount on chain, and where it was read. */
export interface ChainAmount {
  readonly baseUnits: BaseUnits;
  readonly decimals: number;
  readonly unit: Unit | undefined;
  readonly ledgerVersion: bigint;
  readonly confirmedBy: readonly string[];
}

/** A figure in a reading. */
export type ChainFigure = Pick<SwrValue<ChainAmount>, "name" | "policy" | "read" | "readWithin">;

/** Readings are served at once for an hour, and renewed meanwhile: nobody waits for the second node. */
export function readingFreshness(holdings: number): FreshnessPolicy {
  return {
    freshSeconds: freshSecondsOf(holdings),
    revalidateSeconds: 3_600,
    maxStaleSeconds: 3_600,
    sharedSeconds: 30,
  };
}

/** For health and history: waits for the renewal of what is not fresh, so that its failure is seen. */
export function waitingFor(policy: FreshnessPolicy): FreshnessPolicy {
  return { ...policy, revalidateSeconds: policy.freshSeconds };
}

/** The operator has to change the schedule, or a node to answer again. */
export const MISSING_RETRY_SECONDS = 60;

/** One figure of the readings of an asset. */
export function chainFigure(
  name: string,
  readings: SwrValue<Reading>,
  amountIn: (reading: Reading) => BaseUnits | Missing,
): ChainFigure {
  const figureIn = (current: CachedValue<Reading> | Unavailable): CachedValue<ChainAmount> | Unavailable => {
    if (current.kind === "unavailable") return current;
    const baseUnits = amountIn(current.value);
    if (typeof baseUnits !== "bigint")
      return { kind: "unavailable", reason: baseUnits.reason, retryAfterSeconds: MISSING_RETRY_SECONDS };
    const { ledgerVersion, confirmedBy } = current.value;
    const decimals = decimalsOf({ name }, current.value.decimals);
    return { ...current, value: { baseUnits, decimals, unit: unitOf({ name }), ledgerVersion, confirmedBy } };
  };
  return {
    name,
    policy: readings.policy,
    read: async (...when) => figureIn(await readings.read(...when)),
    readWithin: async (...when) => figureIn(await readings.readWithin(...when)),
  };
}

import { DAY_MS } from "../../../src/base/utc.ts";
import { addMonths, monthsBetween } from "../months.ts";

/** Begin, end and amount of an unlock. */
export type VestingPart = readonly [fromMs: number, toMs: number, units: bigint];
export const once = (atMs: number, units: bigint): VestingPart => [atMs, atMs, units];

/** Counts whole months from one day to another; undefined when the difference is not a whole number. */
export function monthsTo(fromMs: number, toMs: number): number | undefined {
  const months = monthsBetween(fromMs, toMs);
  return addMonths(fromMs, months) === toMs ? months : undefined;
}

/** Unlocks equal parts every few months; the parts before the cliff unlock together at the cliff. */
export function monthly(
  fromMs: number,
  months: number,
  every: number,
  cliff: number,
  units: bigint,
): readonly VestingPart[] {
  const [count, accrued] = [months / every, Math.floor(cliff / every)];
  const atCliff = (units * BigInt(accrued)) / BigInt(count);
  const left = count - accrued;
  const upTo = (part: number): bigint => ((units - atCliff) * BigInt(part)) / BigInt(left);
  const parts = Array.from({ length: left }, (_, part) =>
    once(addMonths(fromMs, (accrued + part + 1) * every), upTo(part + 1) - upTo(part)),
  );
  return [once(addMonths(fromMs, cliff), atCliff), ...parts];
}

/** Unlocks daily from the cliff on; at the cliff, everything that has accrued before it. */
export function daily(fromMs: number, toMs: number, cliffMs: number, units: bigint): readonly VestingPart[] {
  const [done, all] = [BigInt(Math.floor((cliffMs - fromMs) / DAY_MS)), BigInt(Math.floor((toMs - fromMs) / DAY_MS))];
  const atCliff = all === 0n ? units : (units * done) / all;
  return [once(cliffMs, atCliff), [cliffMs, toMs, units - atCliff]];
}

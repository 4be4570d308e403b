import type { FilePhase } from "../../../shared/schedule-file.ts";

/**
 * Rules for running totals at the steps 0, 1, 2, ...: each is the longest run of equal installments. With `roundedTo`
 * above 0 a run may differ from the totals by less than it: the sheet has rounded them.
 */
export function phasesOf(
  totals: readonly bigint[],
  roundedTo: bigint,
  text: (units: bigint) => string,
): readonly FilePhase[] {
  const phases: FilePhase[] = [];
  for (let last = 0; last < totals.length - 1; ) {
    const count = runAfter(totals, last, roundedTo);
    const units = (totals[last + count] ?? 0n) - (totals[last] ?? 0n);
    const amount = text(units);
    if (units > 0n)
      phases.push(
        count === 1
          ? { kind: "cliff", amount, month: last + 1 }
          : { kind: "installments", amount, first_month: last + 1, count, every_months: 1 },
      );
    last += count;
  }
  return phases;
}

/** How many of the next steps are equal installments. */
function runAfter(totals: readonly bigint[], last: number, roundedTo: bigint): number {
  const from = totals[last] ?? 0n;
  const first = (totals[last + 1] ?? from) - from;
  let longest = 1;
  for (let count = 2; last + count < totals.length; count += 1) {
    const whole = (totals[last + count] ?? 0n) - from;
    // Where nothing unlocks, or far more than before, another rule begins.
    const step = whole - ((totals[last + count - 1] ?? 0n) - from);
    if (distance(step, first) > 2n * roundedTo) break;
    if (isEven(totals, last, count, whole, roundedTo)) longest = count;
  }
  return longest;
}

function isEven(totals: readonly bigint[], last: number, count: number, whole: bigint, roundedTo: bigint): boolean {
  const from = totals[last] ?? 0n;
  for (let index = 1; index < count; index += 1) {
    const is = (totals[last + index] ?? 0n) - from;
    // To the base unit what the rule unlocks, or nearer to that than the sheet rounds.
    const difference = distance(is, (whole * BigInt(index)) / BigInt(count));
    if (difference !== 0n && difference >= roundedTo) return false;
  }
  return true;
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

import type { FilePhase } from "../../../src/supply/file/schedule-file.ts";

/**
 * Makes rules from the running totals at the steps 0, 1, 2, ... Each rule is the longest run of equal installments,
 * exact to the base unit.
 */
export function phasesOf(totals: readonly bigint[], text: (units: bigint) => string): readonly FilePhase[] {
  const steps = totals.flatMap((total, step) => (step > 0 && total !== totals[step - 1] ? [step] : []));
  const phases: FilePhase[] = [];
  for (let at = 0; at < steps.length; ) {
    const [first = 0, second = first + 1] = steps.slice(at, at + 2);
    const [count, every_months] = [runFrom(totals, steps.slice(at)), second - first];
    const amount = text((totals[first + (count - 1) * every_months] ?? 0n) - (totals[first - 1] ?? 0n));
    phases.push(
      count === 1
        ? { kind: "cliff", amount, month: first }
        : { kind: "installments", amount, first_month: first, count, every_months },
    );
    at += count;
  }
  return phases;
}

/**
 * Counts the unlocks at these steps that are equal installments. Two unlocks that are more than a month apart count as
 * one.
 */
function runFrom(totals: readonly bigint[], steps: readonly number[]): number {
  const [first = 0, second = 0] = steps;
  const before = totals[first - 1] ?? 0n;
  const unlocked = (count: number): bigint => (totals[steps[count - 1] ?? 0] ?? 0n) - before;
  let longest = 1;
  for (let count = 2; steps[count - 1] === first + (count - 1) * (second - first); count += 1) {
    // Rounded down, installments differ by one base unit.
    const difference = unlocked(count) - unlocked(count - 1) - unlocked(1);
    if (difference < -1n || difference > 1n) break;
    const whole = unlocked(count);
    const isEven = steps
      .slice(0, count)
      .every((_, at) => unlocked(at + 1) === (whole * BigInt(at + 1)) / BigInt(count));
    if (isEven) longest = count;
  }
  return longest === 2 && second > first + 1 ? 1 : longest;
}

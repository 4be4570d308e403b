import { phaseUnlocked } from "../../src/supply/circulating.ts";
import { bucketsOf, type Phase, type UnlockSchedule } from "../../src/supply/schedule.ts";

/** End of a time after the start in which allocations unlocked nothing. */
export interface Cliff {
  /** Step at which the first part unlocks. */
  readonly index: number;
  readonly months: number;
  readonly labels: readonly string[];
  /** Amount that unlocks of these allocations at that step. */
  readonly amount: bigint;
}

/** Cliffs of a schedule, the largest first. A vesting day by day that begins later jumps at no step and has none. */
export function cliffsOf(schedule: UnlockSchedule): readonly Cliff[] {
  const cliffs = new Map<string, Cliff>();
  for (const { label, genesis, phases } of bucketsOf(schedule)) {
    const found = genesis > 0n ? undefined : firstJump(phases);
    if (found === undefined || found.months < 1 || found.index > schedule.lastIndex) continue;
    const { index, months } = found;
    const amount = phases.reduce((sum, phase) => sum + phaseUnlocked(phase, schedule, index), 0n);
    const before = cliffs.get(`${index} ${months}`);
    cliffs.set(`${index} ${months}`, {
      index,
      months,
      labels: [...(before?.labels ?? []), label],
      amount: (before?.amount ?? 0n) + amount,
    });
  }
  return [...cliffs.values()].sort((one, other) => Number(other.amount - one.amount));
}

/** Step of the first jump and the months before it; undefined where the vesting begins day by day, or never. */
function firstJump(phases: readonly Phase[]): { readonly index: number; readonly months: number } | undefined {
  const jumps = phases.flatMap((phase) => {
    if (phase.kind === "never") return [];
    if (phase.kind === "cliff") return [{ index: phase.month, months: phase.month }];
    // An installment is for the time before it.
    if (phase.kind === "monthly") return [{ index: phase.firstMonth, months: phase.firstMonth - phase.everyMonths }];
    return [undefined];
  });
  if (jumps.includes(undefined)) return undefined;
  return jumps.flatMap((jump) => jump ?? []).sort((one, other) => one.index - other.index)[0];
}

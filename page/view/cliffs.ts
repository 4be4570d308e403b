import { phaseUnlocked } from "../../src/supply/circulating.ts";
import { bucketsOf, type Phase, type UnlockSchedule } from "../../src/supply/schedule.ts";

/** End of the time after the start in which some allocations unlock nothing. */
export interface Cliff {
  /** Step at which the first part unlocks. */
  readonly index: number;
  readonly months: number;
  readonly labels: readonly string[];
  /** Amount of these allocations that unlocks at that step. */
  readonly amount: bigint;
}

/** Lists the cliffs of a schedule, the largest first. Vesting day by day jumps at no step, so it has none. */
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

/** Finds the step of the first jump and the months before it; undefined if the vesting begins day by day, or never. */
function firstJump(phases: readonly Phase[]): { readonly index: number; readonly months: number } | undefined {
  const jumps = phases.flatMap((phase) => {
    if (phase.kind === "never") return [];
    if (phase.kind === "cliff") return [{ index: phase.month, months: phase.month }];
    // An installment is paid for the time before it.
    if (phase.kind === "monthly") return [{ index: phase.firstMonth, months: phase.firstMonth - phase.everyMonths }];
    return [undefined];
  });
  if (jumps.includes(undefined)) return undefined;
  return jumps.flatMap((jump) => jump ?? []).sort((one, other) => one.index - other.index)[0];
}

import { DAY_MS } from "../base/utc.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { daysBetween, stepIndexAt, stepMs } from "./calendar.ts";
import { type Bucket, bucketsOf, hasUnlocks, type Phase, type Schedule, type UnlockSchedule } from "./schedule.ts";

/** Figures in force from one step to the next. */
export interface SupplyStep {
  /** Number of steps since the start, at most the schedule's last. */
  readonly index: number;
  readonly effectiveFromMs: number;
  /** Time of the next step; null after the last step. */
  readonly nextStepMs: number | null;
  readonly circulating: BaseUnits;
  /** Circulating amount of each bucket; empty for a schedule of figures only. */
  readonly buckets: readonly { readonly id: string; readonly circulating: BaseUnits }[];
}

/**
 * Returns the step in force at an instant; undefined before the start, and without an unlock schedule. The last step
 * stays in force forever.
 */
export function stepAt(schedule: Schedule, instantMs: number): SupplyStep | undefined {
  if (!hasUnlocks(schedule)) return undefined;
  const index = stepIndexAt(schedule.calendar, instantMs);
  return index === -1 ? undefined : stepOf(schedule, Math.min(index, schedule.lastIndex));
}

/** Returns the scheduled circulating supply at an instant; 0 before the start. */
export function circulatingAt(schedule: Schedule, instantMs: number): BaseUnits {
  return stepAt(schedule, instantMs)?.circulating ?? 0n;
}

/** Whether a phase counts days, so that the figure of a day may differ from that of the month's step. */
export function hasDayPhases(schedule: Schedule): boolean {
  const phases = hasUnlocks(schedule) ? bucketsOf(schedule).flatMap((bucket) => bucket.phases) : [];
  return phases.some(({ kind }) => kind === "daily" || kind === "linear");
}

/**
 * Returns the figures of an instant's UTC day: phases that count days change each day, all others at their step. At
 * each step it equals {@link stepAt}; undefined before the start. Its `nextStepMs` is the beginning of the next day;
 * null after the last step.
 */
export function dayAt(schedule: UnlockSchedule, instantMs: number): SupplyStep | undefined {
  const step = stepAt(schedule, instantMs);
  if (step === undefined || step.nextStepMs === null) return step;
  const dayMs = dayStartMs(instantMs);
  const buckets = bucketAmountsAt(schedule, step.index, dayMs);
  const circulating = buckets.reduce((sum, bucket) => sum + bucket.circulating, 0n);
  return { index: step.index, effectiveFromMs: dayMs, nextStepMs: dayMs + DAY_MS, circulating, buckets };
}

/** Returns the first instant of an instant's UTC day. */
export function dayStartMs(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS) * DAY_MS;
}

/** Computes the step with an index from 0 to the schedule's last. */
export function stepOf(schedule: UnlockSchedule, index: number): SupplyStep {
  const { calendar, plan, lastIndex } = schedule;
  const buckets = bucketAmountsAt(schedule, index);
  return {
    index,
    effectiveFromMs: stepMs(calendar, index),
    nextStepMs: index < lastIndex ? stepMs(calendar, index + 1) : null,
    circulating:
      plan.kind === "table"
        ? (plan.figures[index] ?? 0n)
        : buckets.reduce((sum, bucket) => sum + bucket.circulating, 0n),
    buckets,
  };
}

/** Computes all steps, from the start to the last change; none without an unlock schedule. */
export function allSteps(schedule: Schedule): SupplyStep[] {
  if (!hasUnlocks(schedule)) return [];
  return Array.from({ length: schedule.lastIndex + 1 }, (_, index) => stepOf(schedule, index));
}

/** Computes the buckets' amounts at step `index`, or at a later instant before the next one. */
function bucketAmountsAt(schedule: UnlockSchedule, index: number, atMs?: number): SupplyStep["buckets"] {
  return bucketsOf(schedule).map(({ id, genesis, phases }) => ({
    id,
    circulating: genesis + unlockedBy(phases, schedule, index, atMs) + adjustedBy(schedule, id, index),
  }));
}

function adjustedBy({ adjustments }: UnlockSchedule, bucket: string, index: number): BaseUnits {
  return adjustments
    .filter((adjustment) => adjustment.bucket === bucket && adjustment.index <= index)
    .reduce((sum, { delta }) => sum + delta, 0n);
}

function unlockedBy(phases: readonly Phase[], schedule: UnlockSchedule, index: number, atMs?: number): BaseUnits {
  return phases.reduce((sum, phase) => sum + phaseUnlocked(phase, schedule, index, atMs), 0n);
}

/**
 * Computes the amount of a phase that is unlocked by step `index`; 0 for -1, which is before the start. Phases that
 * count days are computed at `atMs`, the step's own instant by default.
 */
export function phaseUnlocked(
  phase: Phase,
  { calendar }: UnlockSchedule,
  index: number,
  atMs = stepMs(calendar, index),
): BaseUnits {
  if (index < 0) return 0n;
  switch (phase.kind) {
    case "cliff":
      return index >= phase.month ? phase.amount : 0n;
    case "monthly":
      return cumulativeShare(phase.amount, Math.floor((index - phase.firstMonth) / phase.everyMonths) + 1, phase.count);
    case "daily": {
      const day = daysBetween(calendar.startMs, atMs);
      return cumulativeShare(phase.amount, Math.floor((day - phase.firstDay) / phase.everyDays) + 1, phase.count);
    }
    case "linear":
      return cumulativeShare(phase.amount, daysBetween(phase.fromMs, atMs), daysBetween(phase.fromMs, phase.toMs));
    case "never":
      return 0n;
  }
}

/**
 * Computes the amount of a bucket that must be locked from step `index` on, or at a later instant before the next one;
 * before the start all of it. Adjustments are ignored.
 */
export function lockedOf(
  { allocation, genesis, phases }: Bucket,
  schedule: UnlockSchedule,
  index: number,
  atMs?: number,
): BaseUnits {
  return index < 0 ? allocation : allocation - genesis - unlockedBy(phases, schedule, index, atMs);
}

/**
 * Computes floor(amount x done / count). The shares are cumulative, so rounding loses nothing and the last one
 * completes the amount.
 */
function cumulativeShare(amount: BaseUnits, done: number, count: number): BaseUnits {
  return (amount * BigInt(Math.min(Math.max(done, 0), count))) / BigInt(count);
}

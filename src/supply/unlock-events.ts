import { memoByObject } from "../base/memo.ts";
import { dayText } from "../base/utc.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { stepMs } from "./calendar.ts";
import { phaseUnlocked, stepOf } from "./circulating.ts";
import {
  type Adjustment,
  type Bucket,
  bucketsOf,
  hasUnlocks,
  type Phase,
  type Schedule,
  type UnlockSchedule,
} from "./schedule.ts";

/**
 * Kind of an unlock. `cliff`: all at once, including what circulates from the start. `linear`: the amount since the
 * previous step.
 */
export type UnlockKind = "cliff" | "installment" | "linear" | "adjustment";

/** Part of an event that belongs to one bucket and kind. Only adjustments can be negative. */
export interface UnlockPart {
  readonly bucket: Bucket;
  readonly kind: UnlockKind;
  readonly amount: BaseUnits;
  /** The adjustment; null for a scheduled unlock. */
  readonly adjustment: Adjustment | null;
}

/** A change of the circulating supply. All amounts up to an instant add up to the supply at that instant. */
export interface UnlockEvent {
  readonly atMs: number;
  readonly amount: BaseUnits;
  readonly cumulative: BaseUnits;
  /** Parts by bucket; empty for a schedule of figures only. */
  readonly parts: readonly UnlockPart[];
}

/**
 * Whether an adjustment changed figures that were already published; null: the file does not state when it was made.
 */
export function isRestated({ calendar }: UnlockSchedule, { index, publishedAt }: Adjustment): boolean | null {
  return publishedAt === null ? null : dayText(stepMs(calendar, index)) <= publishedAt;
}

/**
 * Lists all events of the schedule, oldest first; none without an unlock schedule. Steps without a change are left out.
 */
export const unlockEvents = memoByObject((schedule: Schedule): readonly UnlockEvent[] => {
  const events: UnlockEvent[] = [];
  if (!hasUnlocks(schedule)) return events;
  let before = 0n;
  for (let index = 0; index <= schedule.lastIndex; index += 1) {
    const cumulative = stepOf(schedule, index).circulating;
    const parts = partsAt(schedule, index);
    if (parts.length > 0 || cumulative !== before)
      events.push({ atMs: stepMs(schedule.calendar, index), amount: cumulative - before, cumulative, parts });
    before = cumulative;
  }
  return events;
});

export interface Unlock {
  readonly atMs: number;
  readonly amount: BaseUnits;
  /** Amounts by bucket; empty for a schedule of figures only. */
  readonly buckets: readonly { readonly bucket: Bucket; readonly amount: BaseUnits }[];
}

/**
 * Finds the first unlock after an instant, of all buckets or of one. Adjustments are ignored. undefined: there is none.
 */
export function nextPlannedUnlock(schedule: Schedule, afterMs: number, bucketId?: string): Unlock | undefined {
  for (const { atMs, amount, parts } of unlockEvents(schedule)) {
    if (atMs <= afterMs) continue;
    const amounts = new Map<Bucket, BaseUnits>();
    for (const { bucket, kind, amount: part } of parts)
      if (kind !== "adjustment" && (bucketId ?? bucket.id) === bucket.id)
        amounts.set(bucket, (amounts.get(bucket) ?? 0n) + part);
    const buckets = [...amounts].map(([bucket, part]) => ({ bucket, amount: part }));
    if (buckets.length > 0) return { atMs, amount: buckets.reduce((sum, each) => sum + each.amount, 0n), buckets };
    if (schedule.plan?.kind === "table") return { atMs, amount, buckets };
  }
  return undefined;
}

function partsAt(schedule: UnlockSchedule, index: number): UnlockPart[] {
  const adjusted = schedule.adjustments.filter((adjustment) => adjustment.index === index);
  return bucketsOf(schedule).flatMap((bucket) => [
    ...unlockedParts(bucket, schedule, index),
    ...adjusted
      .filter((adjustment) => adjustment.bucket === bucket.id)
      .map((adjustment): UnlockPart => ({ bucket, kind: "adjustment", amount: adjustment.delta, adjustment })),
  ]);
}

/** Makes one part for each kind: phases of one kind at one step are one unlock. */
function unlockedParts(bucket: Bucket, schedule: UnlockSchedule, index: number): UnlockPart[] {
  const amounts = new Map<UnlockKind, BaseUnits>([["cliff", index === 0 ? bucket.genesis : 0n]]);
  for (const phase of bucket.phases) {
    const kind = KINDS[phase.kind];
    const amount = phaseUnlocked(phase, schedule, index) - phaseUnlocked(phase, schedule, index - 1);
    if (kind !== null) amounts.set(kind, (amounts.get(kind) ?? 0n) + amount);
  }
  return [...amounts]
    .filter(([, amount]) => amount > 0n)
    .map(([kind, amount]) => ({ bucket, kind, amount, adjustment: null }));
}

const KINDS: Readonly<Record<Phase["kind"], UnlockKind | null>> = {
  cliff: "cliff",
  monthly: "installment",
  daily: "installment",
  linear: "linear",
  never: null,
};

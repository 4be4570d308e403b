import { dayText } from "../../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import { monthText, stepIndexAt, stepMs } from "../../../src/supply/calendar.ts";
import { stepOf } from "../../../src/supply/circulating.ts";
import type { FileBucket, FilePhase, ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import { stepIndexOfMonth } from "../../../src/supply/file/steps.ts";
import {
  type Bucket,
  hasUnlocks,
  type Phase,
  type Schedule,
  type UnlockSchedule,
} from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { unlockScheduleOf } from "../files.ts";
import { integerFlag } from "../flags.ts";
import type { ReviseFlags } from "./flags.ts";
import { shifted, splitPhase } from "./split.ts";

/** Part of the plan that a revision changes: a bucket, its phases, and the steps between two months. */
export interface Target {
  readonly bucket: Bucket;
  readonly bucketIndex: number;
  /** Phase by its number in the file, or all; undefined: every phase that is not complete. */
  readonly phase: number | "all" | undefined;
  /** Last step before the revision, which stays as it is. */
  readonly last: number;
  /** Last step that is revised; undefined: every later one. */
  readonly until: number | undefined;
}

/**
 * Finds the bucket `id`, its phase and the months that a revision changes. They begin at `--from`, or at the next step
 * without it.
 */
export function revisionScope(schedule: UnlockSchedule, id: string, flags: ReviseFlags, nowMs: number): Target {
  const buckets = revisableBuckets(schedule);
  const bucketIndex = buckets.findIndex((each) => each.id === id);
  const bucket = buckets[bucketIndex];
  if (bucket === undefined)
    throw new Refusal([`${id} is not the id of a bucket; there are ${buckets.map((each) => each.id).join(", ")}`]);
  const phase =
    flags.phase === undefined || flags.phase === "all" ? flags.phase : integerFlag("--phase", flags.phase, 0, 9999);
  if (typeof phase === "number" && bucket.phases[phase] === undefined)
    throw new Refusal([`--phase: ${id} has the phases 0 to ${bucket.phases.length - 1}, not ${phase}`]);
  const first = stepOfMonth(schedule, flags, "from") ?? stepIndexAt(schedule.calendar, nowMs) + 1;
  const until = stepOfMonth(schedule, flags, "until");
  if (until !== undefined && until < first) {
    const month = monthText(stepMs(schedule.calendar, first));
    throw new Refusal([`--until: ${flags.until} is before ${month}, the first month that changes`]);
  }
  return { bucket, bucketIndex, phase, last: first - 1, until };
}

/** Step of a month; undefined without the flag. */
function stepOfMonth({ calendar }: UnlockSchedule, flags: ReviseFlags, name: "from" | "until"): number | undefined {
  const month = flags[name];
  const index = month === undefined ? undefined : stepIndexOfMonth(calendar, month);
  if (index === -1) throw new Refusal([`--${name}: ${month} is not a month of the schedule, as YYYY-MM`]);
  return index;
}

export function revisableBuckets(schedule: Schedule): readonly Bucket[] {
  const { plan } = unlockScheduleOf(schedule);
  if (plan.kind === "buckets") return plan.buckets;
  throw new Refusal([
    "the schedule is a table of figures, without buckets",
    "Next: npm run schedule -- convert, which makes one bucket with the same figures; then run this command again",
  ]);
}

/** File with buckets, as {@link revisableBuckets} has checked. */
export type BucketFile = ScheduleFile & { readonly buckets: readonly FileBucket[] };

/** Replaces members of one bucket. */
export function withBucketAt(file: BucketFile, index: number, members: Partial<FileBucket>): BucketFile {
  return { ...file, buckets: file.buckets.map((each, at) => (at === index ? { ...each, ...members } : each)) };
}

/**
 * Replaces the target's phases. `revised` receives the part of a phase that is still to unlock, and returns its
 * replacement; null keeps it.
 */
export function withPhases(
  file: BucketFile,
  schedule: UnlockSchedule,
  { bucket, bucketIndex, phase: phaseNumber, last }: Target,
  revised: (rest: Phase, index: number) => readonly Phase[] | null,
): BucketFile {
  const filePhases = file.buckets[bucketIndex]?.phases ?? [];
  // Phases are revised from the last to the first, so that tokens are taken from the last unlocks first.
  const later = bucket.phases.map((phase, index) => ({ index, ...splitPhase(phase, schedule, last) })).toReversed();
  const revisedPhases = later.map(({ index, kept, rest }) => {
    const isOther = rest === null || (typeof phaseNumber === "number" && phaseNumber !== index);
    const more = isOther ? null : revised(rest, index);
    return more === null ? null : [...kept, ...more].map((phase) => phaseJson(phase, schedule.token.decimals));
  });
  const phases = revisedPhases
    .toReversed()
    .flatMap((each, index): readonly FilePhase[] => each ?? filePhases.slice(index, index + 1));
  if (revisedPhases.every((each) => each === null))
    throw new Refusal([
      `${bucket.id} has nothing left to unlock${typeof phaseNumber === "number" ? ` in phase ${phaseNumber}` : ""}`,
    ]);
  return withBucketAt(file, bucketIndex, { phases });
}

/** Moves unlocks after `target.last`, up to `target.until` if it is set, by a number of months. */
export function withShift(file: BucketFile, schedule: UnlockSchedule, target: Target, months: number): BucketFile {
  return withPhases(file, schedule, target, (rest) => {
    if (target.until === undefined) return [shifted(rest, schedule, months)];
    const { kept, rest: later } = splitPhase(rest, schedule, target.until);
    if (kept.length === 0) return null;
    return [...kept.map((each) => shifted(each, schedule, months)), ...(later === null ? [] : [later])];
  });
}

/** Sets the amount of monthly installments; a smaller last one completes the total. */
export function withAmount(file: BucketFile, schedule: UnlockSchedule, target: Target, each: BaseUnits): BucketFile {
  const { bucket, bucketIndex, phase: only, last } = target;
  if (only === "all") {
    let left = 0n;
    const without = withPhases(file, schedule, target, (rest) => {
      left += rest.amount;
      return [];
    });
    return withMorePhases(without, schedule, bucketIndex, installments(left, each, last + 1, 1));
  }
  const open = bucket.phases.flatMap((phase, index) =>
    (only === undefined || only === index) && splitPhase(phase, schedule, last).rest !== null ? [index] : [],
  );
  const [index, ...others] = open;
  if (others.length > 0)
    throw new Refusal([
      `--phase: ${bucket.id} has several incomplete phases, ${open.join(", ")}: name one; with all, everything that they have still to unlock becomes these installments, monthly from the next step on`,
    ]);
  if (index !== undefined && bucket.phases[index]?.kind !== "monthly")
    throw new Refusal([
      `phase ${index} of ${bucket.id} is not monthly installments, so its amounts follow from its dates; --phase all turns it into installments`,
    ]);
  return withPhases(file, schedule, { ...target, phase: index ?? only }, (rest) =>
    rest.kind === "monthly" ? installments(rest.amount, each, rest.firstMonth, rest.everyMonths) : null,
  );
}

/** Appends phases to a bucket. */
export function withMorePhases(
  file: BucketFile,
  { token }: UnlockSchedule,
  bucketIndex: number,
  more: readonly Phase[],
): BucketFile {
  const phases = [
    ...(file.buckets[bucketIndex]?.phases ?? []),
    ...more.map((phase) => phaseJson(phase, token.decimals)),
  ];
  return withBucketAt(file, bucketIndex, { phases });
}

/** Writes a phase in the file's form. */
function phaseJson(phase: Phase, decimals: number): FilePhase {
  const amount = tokenText(phase.amount, decimals);
  switch (phase.kind) {
    case "never":
      return { kind: "never", amount };
    case "cliff":
      return { kind: "cliff", amount, month: phase.month };
    case "monthly": {
      const { firstMonth: first_month, count, everyMonths: every_months } = phase;
      return { kind: "installments", amount, first_month, count, every_months };
    }
    case "daily": {
      const { firstDay: first_day, count, everyDays: every_days } = phase;
      return { kind: "installments", amount, first_day, count, every_days };
    }
    case "linear":
      return { kind: "linear", amount, from: dayText(phase.fromMs), to: dayText(phase.toMs) };
  }
}

/** Divides an amount into installments of `each`, the last of which may be smaller. */
function installments(left: BaseUnits, each: BaseUnits, firstMonth: number, everyMonths: number): readonly Phase[] {
  const count = Number(left / each);
  const remainder = left % each;
  const rule = { kind: "monthly", everyMonths } as const;
  return [
    ...(count === 0 ? [] : [{ ...rule, amount: each * BigInt(count), firstMonth, count }]),
    ...(remainder === 0n
      ? []
      : [{ ...rule, amount: remainder, firstMonth: firstMonth + count * everyMonths, count: 1 }]),
  ];
}

/** Lists passed steps at which the two schedules have different figures, in total or for a bucket. */
export function changedPast(before: Schedule, after: Schedule, nowMs: number): readonly string[] {
  if (!hasUnlocks(before) || !hasUnlocks(after)) return [];
  const last = stepIndexAt(before.calendar, nowMs);
  return Array.from({ length: last + 1 }, (_, index) => index).flatMap((index) => {
    const [was, is] = [before, after].map((schedule) => stepOf(schedule, Math.min(index, schedule.lastIndex)));
    if (was === undefined || is === undefined) return [];
    const isSame =
      was.circulating === is.circulating &&
      was.buckets.every(
        ({ id, circulating }) => is.buckets.find((each) => each.id === id)?.circulating === circulating,
      );
    const { decimals } = before.token;
    return isSame
      ? []
      : [
          `${monthText(was.effectiveFromMs)}: ${tokenText(was.circulating, decimals)} -> ${tokenText(is.circulating, decimals)}`,
        ];
  });
}

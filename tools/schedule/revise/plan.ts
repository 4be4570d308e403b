import { dayText } from "../../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../../src/chain/amount.ts";
import { monthText, stepIndexAt, stepMs } from "../../../src/supply/calendar.ts";
import { stepOf } from "../../../src/supply/circulating.ts";
import type { FileBucket, FilePhase, ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import { stepIndexOfMonth } from "../../../src/supply/file/steps.ts";
import type { Bucket, Phase, Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { wholeFlag } from "../flags.ts";
import type { ReviseFlags } from "./flags.ts";
import { shifted, splitPhase } from "./split.ts";

/** Which phases of which bucket a revision concerns, and from which step on. */
export interface Target {
  readonly bucket: Bucket;
  readonly bucketIndex: number;
  /** One phase, by its number in the file, or all; undefined: every phase that is not complete. */
  readonly phase: number | "all" | undefined;
  /** The last step that stays as it is. */
  readonly last: number;
  /** The last step that is revised; undefined: to the end. */
  readonly until: number | undefined;
}

/** The bucket of that id and the step before `from`; without `from`, the step in force now. */
export function targetOf(schedule: Schedule, id: string, flags: ReviseFlags, nowMs: number): Target {
  const buckets = revisableBuckets(schedule);
  const bucketIndex = buckets.findIndex((each) => each.id === id);
  const bucket = buckets[bucketIndex];
  if (bucket === undefined)
    throw new Refusal([`${id} is not the id of a bucket; there are ${buckets.map((each) => each.id).join(", ")}`]);
  const phase =
    flags.phase === undefined || flags.phase === "all" ? flags.phase : wholeFlag("--phase", flags.phase, 0, 9999);
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

/** The step of a month; undefined without the flag. */
function stepOfMonth({ calendar }: Schedule, flags: ReviseFlags, name: "from" | "until"): number | undefined {
  const month = flags[name];
  const index = month === undefined ? undefined : stepIndexOfMonth(calendar, month);
  if (index === -1) throw new Refusal([`--${name}: ${month} is no month of the schedule, as YYYY-MM`]);
  return index;
}

export function revisableBuckets({ plan }: Schedule): readonly Bucket[] {
  if (plan.kind === "buckets") return plan.buckets;
  throw new Refusal([
    "the schedule is a table of figures, without buckets",
    "Next: npm run schedule -- convert, which makes it one bucket with the same figures, then this command again",
  ]);
}

/** A file with buckets, which {@link revisableBuckets} has made sure of. */
export type BucketFile = ScheduleFile & { readonly buckets: readonly FileBucket[] };

/** The file with members of one of its buckets replaced. */
export function withBucketAt(file: BucketFile, index: number, members: Partial<FileBucket>): BucketFile {
  return { ...file, buckets: file.buckets.map((each, at) => (at === index ? { ...each, ...members } : each)) };
}

/** The file with the target's phases replaced; `revised` returns what a phase's rest becomes, or null: as is. */
export function withPhases(
  file: BucketFile,
  schedule: Schedule,
  { bucket, bucketIndex, phase: only, last }: Target,
  revised: (rest: Phase, index: number) => readonly Phase[] | null,
): BucketFile {
  const own = file.buckets[bucketIndex]?.phases ?? [];
  // From the last to the first: what is taken is taken from the last unlocks.
  const later = bucket.phases.map((phase, index) => ({ index, ...splitPhase(phase, schedule, last) })).toReversed();
  const made = later.map(({ index, kept, rest }) => {
    const isOther = rest === null || (typeof only === "number" && only !== index);
    const more = isOther ? null : revised(rest, index);
    return more === null ? null : [...kept, ...more].map((phase) => phaseJson(phase, schedule.token.decimals));
  });
  const phases = made.toReversed().flatMap((each, index): readonly FilePhase[] => each ?? own.slice(index, index + 1));
  if (made.every((each) => each === null))
    throw new Refusal([
      `${bucket.id} has nothing that is still to unlock${typeof only === "number" ? ` in phase ${only}` : ""}`,
    ]);
  return withBucketAt(file, bucketIndex, { phases });
}

/** What unlocks after the target's last step, and until its end if it has one, comes months later, or earlier. */
export function withShift(file: BucketFile, schedule: Schedule, target: Target, months: number): BucketFile {
  return withPhases(file, schedule, target, (rest) => {
    if (target.until === undefined) return [shifted(rest, schedule, months)];
    const { kept, rest: later } = splitPhase(rest, schedule, target.until);
    if (kept.length === 0) return null;
    return [...kept.map((each) => shifted(each, schedule, months)), ...(later === null ? [] : [later])];
  });
}

/** Monthly installments of a new amount; the last one, of what then remains, completes them. */
export function withAmount(file: BucketFile, schedule: Schedule, target: Target, each: BaseUnits): BucketFile {
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
      `--phase: ${bucket.id} has several phases that are not complete, ${open.join(", ")}: name one, or all: what they have still to unlock then comes in these installments, monthly from the next step on`,
    ]);
  if (index !== undefined && bucket.phases[index]?.kind !== "monthly")
    throw new Refusal([
      `phase ${index} of ${bucket.id} is not monthly installments: its amounts follow from its dates; --phase all makes installments of it`,
    ]);
  return withPhases(file, schedule, { ...target, phase: index ?? only }, (rest) =>
    rest.kind === "monthly" ? installments(rest.amount, each, rest.firstMonth, rest.everyMonths) : null,
  );
}

/** The file with further phases at the end of a bucket's. */
export function withMorePhases(
  file: BucketFile,
  { token }: Schedule,
  bucketIndex: number,
  more: readonly Phase[],
): BucketFile {
  const phases = [
    ...(file.buckets[bucketIndex]?.phases ?? []),
    ...more.map((phase) => phaseJson(phase, token.decimals)),
  ];
  return withBucketAt(file, bucketIndex, { phases });
}

/** A phase as the file has it. */
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

/** Installments of an amount until nothing is left. */
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

/** The steps that have passed and whose figure, or whose bucket's, one schedule has otherwise. */
export function changedPast(before: Schedule, after: Schedule, nowMs: number): readonly string[] {
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

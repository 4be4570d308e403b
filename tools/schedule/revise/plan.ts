import { stepIndexOfMonth } from "../../../schedule-format/calendar.ts";
import type { BaseUnits } from "../../../src/chain/amount.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { monthText, stepIndexAt, stepMs } from "../../../src/supply/calendar.ts";
import { stepOf } from "../../../src/supply/circulating.ts";
import type { Bucket, Phase, Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../command-line.ts";
import { wholeFlag } from "../flags.ts";
import { phaseJson, withAppended, withElements } from "./edit.ts";
import type { ReviseFlags } from "./flags.ts";
import { delayed, splitPhase } from "./split.ts";

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

/** The file's text with the target's phases replaced; `revised` returns what a phase's rest becomes, or null: as is. */
export function withPhases(
  text: string,
  schedule: Schedule,
  { bucket, bucketIndex, phase: only, last }: Target,
  revised: (rest: Phase, index: number) => readonly Phase[] | null,
): string {
  let found = text;
  // From the last to the first, so that the numbers of those before stay right.
  for (let index = bucket.phases.length - 1; index >= 0; index -= 1) {
    const phase = bucket.phases[index];
    if (phase === undefined || (typeof only === "number" && only !== index)) continue;
    const { kept, rest } = splitPhase(phase, schedule, last);
    const later = rest === null ? null : revised(rest, index);
    if (later === null) continue;
    const path = ["buckets", bucketIndex, "phases", index];
    found = withElements(
      found,
      path,
      [...kept, ...later].map((each) => phaseJson(each, schedule.token.decimals)),
    );
  }
  if (found === text)
    throw new Refusal([
      `${bucket.id} has nothing that is still to unlock${typeof only === "number" ? ` in phase ${only}` : ""}`,
    ]);
  return found;
}

/** What unlocks after the target's last step, and until its end if it has one, comes months later. */
export function withDelay(text: string, schedule: Schedule, target: Target, months: number): string {
  return withPhases(text, schedule, target, (rest) => {
    if (target.until === undefined) return [delayed(rest, schedule, months)];
    const { kept, rest: later } = splitPhase(rest, schedule, target.until);
    if (kept.length === 0) return null;
    return [...kept.map((each) => delayed(each, schedule, months)), ...(later === null ? [] : [later])];
  });
}

/** Monthly installments of a new amount; the last one, of what then remains, completes them. */
export function withAmount(text: string, schedule: Schedule, target: Target, each: BaseUnits): string {
  const { bucket, bucketIndex, phase: only, last } = target;
  if (only === "all") {
    let left = 0n;
    const without = withPhases(text, schedule, target, (rest) => {
      left += rest.amount;
      return [];
    });
    return installments(left, each, last + 1, 1)
      .map((phase) => phaseJson(phase, schedule.token.decimals))
      .reduce((found, phase) => withAppended(found, ["buckets", bucketIndex, "phases"], phase), without);
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
  return withPhases(text, schedule, { ...target, phase: index ?? only }, (rest) =>
    rest.kind === "monthly" ? installments(rest.amount, each, rest.firstMonth, rest.everyMonths) : null,
  );
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

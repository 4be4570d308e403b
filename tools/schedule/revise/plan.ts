import type { BaseUnits } from "../../../src/chain/amount.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { monthText, stepIndexAt } from "../../../src/supply/calendar.ts";
import { stepOf } from "../../../src/supply/circulating.ts";
import type { Bucket, Phase, Schedule } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../command-line.ts";
import { stepIndexOfMonth } from "../calendar.ts";
import { phaseJson, withElements } from "./edit.ts";
import { delayed, splitPhase } from "./split.ts";

/** Which phases of which bucket a revision concerns, and from which step on. */
export interface Target {
  readonly bucket: Bucket;
  readonly bucketIndex: number;
  /** One phase, by its number in the file; undefined: every phase that is not complete. */
  readonly phase: number | undefined;
  /** The last step that stays as it is. */
  readonly last: number;
}

/** The bucket of that id and the step before `from`; without `from`, the step in force now. */
export function targetOf(
  schedule: Schedule,
  id: string,
  { phase, from }: { readonly phase: number | undefined; readonly from: string | undefined },
  nowMs: number,
): Target {
  const buckets = bucketsOf(schedule);
  const bucketIndex = buckets.findIndex((each) => each.id === id);
  const bucket = buckets[bucketIndex];
  if (bucket === undefined)
    throw new Refusal([`${id} is not the id of a bucket; there are ${buckets.map((each) => each.id).join(", ")}`]);
  if (phase !== undefined && bucket.phases[phase] === undefined)
    throw new Refusal([`--phase: ${id} has the phases 0 to ${bucket.phases.length - 1}, not ${phase}`]);
  const first = from === undefined ? undefined : stepIndexOfMonth(schedule.calendar, from);
  if (first === -1) throw new Refusal([`--from: ${from} is no month of the schedule, as YYYY-MM`]);
  return { bucket, bucketIndex, phase, last: first === undefined ? stepIndexAt(schedule.calendar, nowMs) : first - 1 };
}

export function bucketsOf({ plan }: Schedule): readonly Bucket[] {
  if (plan.kind === "buckets") return plan.buckets;
  throw new Refusal(["the schedule is a table of figures, without buckets: edit the months that have not come yet"]);
}

/** The file's text with the target's phases replaced; `revised` returns what a phase's rest becomes, or null: as is. */
function withPhases(
  text: string,
  schedule: Schedule,
  { bucket, bucketIndex, phase: only, last }: Target,
  revised: (rest: Phase) => readonly Phase[] | null,
): string {
  let found = text;
  // From the last to the first, so that the numbers of those before stay right.
  for (let index = bucket.phases.length - 1; index >= 0; index -= 1) {
    const phase = bucket.phases[index];
    if (phase === undefined || (only !== undefined && only !== index)) continue;
    const { kept, rest } = splitPhase(phase, schedule, last);
    const later = rest === null ? null : revised(rest);
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
      `${bucket.id} has nothing that is still to unlock${only === undefined ? "" : ` in phase ${only}`}`,
    ]);
  return found;
}

export function withDelay(text: string, schedule: Schedule, target: Target, months: number): string {
  return withPhases(text, schedule, target, (rest) => [delayed(rest, schedule, months)]);
}

/** Monthly installments of a new amount; the last one, of what then remains, completes the phase. */
export function withAmount(text: string, schedule: Schedule, target: Target, each: BaseUnits): string {
  const { bucket, phase: only, last } = target;
  const open = bucket.phases.flatMap((phase, index) =>
    (only === undefined || only === index) && splitPhase(phase, schedule, last).rest !== null ? [index] : [],
  );
  const [index, ...others] = open;
  if (others.length > 0)
    throw new Refusal([`--phase: ${bucket.id} has several phases that are not complete, ${open.join(", ")}: name one`]);
  if (index !== undefined && bucket.phases[index]?.kind !== "monthly")
    throw new Refusal([
      `phase ${index} of ${bucket.id} is not monthly installments: its amounts follow from its dates`,
    ]);
  return withPhases(text, schedule, { ...target, phase: index ?? only }, (rest) => {
    if (rest.kind !== "monthly") return null;
    const count = Number(rest.amount / each);
    const remainder = rest.amount % each;
    const next = { ...rest, firstMonth: rest.firstMonth + count * rest.everyMonths, count: 1, amount: remainder };
    return [
      ...(count === 0 ? [] : [{ ...rest, amount: each * BigInt(count), count }]),
      ...(remainder === 0n ? [] : [next]),
    ];
  });
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

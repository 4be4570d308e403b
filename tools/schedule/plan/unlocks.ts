import { DAY_MS, dayText } from "../../../src/base/utc.ts";
import { type Calendar, stepMs } from "../../../src/supply/calendar.ts";
import type { FileBucket, FilePhase } from "../../../src/supply/file/schedule-file.ts";
import { calendarOf, stepIndexFrom } from "../../../src/supply/file/steps.ts";
import { CATEGORIES, type Category } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { phasesOf } from "./phases.ts";

/** Unlock at once or over a span. Every reader makes a list of these, and the schedule is written from it. */
export interface Unlock {
  readonly bucket: string;
  /** Begin and end of an even daily unlock; equal for an unlock at once. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Base units. */
  readonly units: bigint;
  /** Column or line that states the unlock. */
  readonly source: string;
}

/** Instant of tokens that never unlock. */
export const NEVER_MS = Number.POSITIVE_INFINITY;

export interface Plan {
  readonly start: string;
  readonly stepDay: number;
  readonly buckets: readonly FileBucket[];
  /** Running total at each step. */
  readonly figures: readonly bigint[];
  /** Sum of all unlocks, including tokens that never unlock. */
  readonly unlocking: bigint;
  /** Notes: where each bucket came from, and how far monthly steps lag behind. */
  readonly notes: readonly string[];
}

export interface PlanOptions {
  readonly startMs: number | undefined;
  readonly stepDay: number | undefined;
  readonly text: (units: bigint) => string;
  readonly categories?: ReadonlyMap<string, Category>;
}

/** Makes a plan of monthly steps from a list of unlocks. */
export function planOf(unlocks: readonly Unlock[], options: PlanOptions): Plan {
  // Schedules begin at the first midnight at which something is in force.
  const firstMs = unlocks.reduce((least, { fromMs }) => Math.min(least, fromMs), NEVER_MS);
  const startMs = options.startMs ?? Math.ceil(firstMs / DAY_MS) * DAY_MS;
  if (startMs === NEVER_MS) throw new Refusal(["none of these tokens ever unlock, so there is no schedule to write"]);
  const stepDay = options.stepDay ?? stepDayOf(unlocks.filter(isAtOnce), startMs);
  const steps = calendarOf(startMs, stepDay);
  const byLabel = Map.groupBy(unlocks, ({ bucket }) => bucket);
  const labels = [...byLabel.keys()];
  const ids = idsOf(labels);
  const notes: string[] = [];
  const buckets = labels.map((label, index) => {
    const unlocking = (byLabel.get(label) ?? []).filter(({ units }) => units > 0n);
    const category = options.categories?.get(label) ?? categoryOf(label);
    const id = ids[index] ?? "";
    notes.push(`"${label}" is the bucket ${id} of the category ${category}, from ${sourcesOf(unlocking)}`);
    const isShort = unlocking.filter(isSpan).length <= MAX_SPANS;
    const totals = totalsAt(isShort ? unlocking.filter(isAtOnce) : unlocking, steps);
    const spans = unlocking.filter((each) => each.fromMs === NEVER_MS || (isShort && isSpan(each)));
    const allocation = options.text(sum(unlocking.map(({ units }) => units)));
    const phases = [...phasesOf(totals, options.text), ...spans.map((each) => spanOf(each, options.text))];
    return { id, label, category, allocation, genesis: options.text(totals[0] ?? 0n), phases };
  });
  const figures = totalsAt(unlocks, steps);
  return {
    start: dayText(startMs),
    stepDay,
    buckets,
    figures,
    unlocking: sum(unlocks.map(({ units }) => units)),
    notes: [
      ...notes,
      ...delayNotes(unlocks.filter(isAtOnce), steps, options.text),
      ...stepNotes(figures, steps, options.text),
    ],
  };
}

/** Makes unique bucket ids of labels; an id that is taken gets a number. */
function idsOf(labels: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return labels.map((label, index) => {
    const wanted = idOf(label, index);
    let id = wanted;
    for (let number = index + 1; taken.has(id); number += 1) id = `${wanted}_${number}`;
    taken.add(id);
    return id;
  });
}

function sourcesOf(unlocks: readonly Unlock[]): string {
  const sources = [...new Set(unlocks.map(({ source }) => source))];
  const lines = sources.filter((source) => source.startsWith("line ")).map((source) => source.slice(5));
  const text = lines.length > 1 ? `lines ${lines.slice(0, 12).join(", ")}` : sources.slice(0, 12).join(", ");
  return `${text === "" ? "nothing: it has no tokens" : text}${sources.length > 12 ? `, and ${sources.length - 12} more` : ""}`;
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

function isAtOnce({ fromMs, toMs }: Unlock): boolean {
  return fromMs !== NEVER_MS && dayOf(fromMs) === dayOf(toMs);
}

function isSpan(unlock: Unlock): boolean {
  return unlock.fromMs !== NEVER_MS && !isAtOnce(unlock);
}

function spanOf({ fromMs, toMs, units }: Unlock, text: (units: bigint) => string): FilePhase {
  const amount = text(units);
  return fromMs === NEVER_MS
    ? { kind: "never", amount }
    : { kind: "linear", amount, from: dayText(fromMs), to: dayText(toMs) };
}

/** Limit of a bucket's spans. With more, the bucket has their sum at each step: the same figures in a short list. */
const MAX_SPANS = 12;

/** Finds the day of the month on which most tokens unlock after the start; equal days give the start's day. */
function stepDayOf(events: readonly Unlock[], startMs: number): number {
  const units = new Map<number, bigint>([[new Date(startMs).getUTCDate(), 0n]]);
  for (const event of events.filter(({ fromMs }) => fromMs > startMs)) {
    const day = new Date(Math.ceil(event.fromMs / DAY_MS) * DAY_MS).getUTCDate();
    units.set(day, (units.get(day) ?? 0n) + event.units);
  }
  const [day] = [...units].reduce((best, each) => (each[1] > best[1] ? each : best));
  // Steps fall on the 28th at the latest, so a later day becomes the 1st of the next month.
  return day <= 28 ? day : 1;
}

/** Computes the running total at each step up to the last one that changes it. */
function totalsAt(unlocks: readonly Unlock[], steps: Calendar): readonly bigint[] {
  const changes = new Map<number, bigint>();
  const add = (index: number, units: bigint) => changes.set(index, (changes.get(index) ?? 0n) + units);
  for (const unlock of unlocks)
    if (isAtOnce(unlock)) add(stepIndexFrom(steps, unlock.fromMs), unlock.units);
    else if (isSpan(unlock)) addSpan(unlock, steps, add);
  let total = 0n;
  return Array.from({ length: Math.max(0, ...changes.keys()) + 1 }, (_, index) => (total += changes.get(index) ?? 0n));
}

/** Adds a span's unlocks to the steps, by whole days. */
function addSpan({ fromMs, toMs, units }: Unlock, steps: Calendar, add: (index: number, units: bigint) => void): void {
  const days = (ms: number): bigint => BigInt(dayOf(ms) - dayOf(fromMs));
  const last = stepIndexFrom(steps, toMs);
  let before = 0n;
  for (let index = stepIndexFrom(steps, fromMs); index <= last; index += 1) {
    const done = (units * days(Math.min(stepMs(steps, index), toMs))) / days(toMs);
    add(index, done - before);
    before = done;
  }
}

/** Notes how late monthly steps show an unlock on another day, and how far a figure then lags. */
function delayNotes(events: readonly Unlock[], steps: Calendar, text: (units: bigint) => string): readonly string[] {
  const missed = new Map<number, bigint>();
  let mostDays = 0;
  for (const { fromMs, units } of events) {
    const index = stepIndexFrom(steps, fromMs);
    const days = Math.round((stepMs(steps, index) - fromMs) / DAY_MS);
    if (units === 0n || days === 0) continue;
    mostDays = Math.max(mostDays, days);
    missed.set(index, (missed.get(index) ?? 0n) + units);
  }
  if (missed.size === 0) return [];
  const [index, units] = [...missed].reduce((most, each) => (each[1] > most[1] ? each : most));
  return [
    `figures change on day ${steps.stepDay} of each month: unlocks on other days count up to ${mostDays} days late, and the figure is then up to ${text(units)} too low (before ${dayText(stepMs(steps, index))}); --step-day N sets another day`,
  ];
}

/** Notes the longest time without a change, and the largest rise. */
function stepNotes(figures: readonly bigint[], steps: Calendar, text: (units: bigint) => string): readonly string[] {
  const rise = (index: number): bigint => (figures[index] ?? 0n) - (figures[index - 1] ?? 0n);
  const changed = figures.flatMap((_, index) => (rise(index) > 0n ? [index] : []));
  const longest = changed.slice(1).reduce((most, index, at) => Math.max(most, index - (changed[at] ?? 0)), 0);
  if (longest < 2) return [];
  const to = changed.find((index, at) => index - (changed[at - 1] ?? index) === longest) ?? 0;
  const jump = changed.filter((index) => index > 0).reduce((most, index) => (rise(index) > rise(most) ? index : most));
  const [since, until, on] = [to - longest, to, jump].map((index) => dayText(stepMs(steps, index)));
  return [
    `the figure stays the same for up to ${longest} months (from ${since} to ${until}) and rises by up to ${text(rise(jump))} at once (on ${on})`,
  ];
}

/** Returns the category that equals the whole label. Any other label becomes `other`, which the operator may change. */
function categoryOf(label: string): Category {
  const name = label.trim().toLowerCase().replace(/[ -]+/g, "_");
  return CATEGORIES.find((category) => category === name) ?? "other";
}

/** Makes the id of a bucket from its label. */
function idOf(label: string, index: number): string {
  const id = label
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  return id === "" ? `bucket_${index + 1}` : id;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

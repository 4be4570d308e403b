import { DAY_MS, dayText } from "../../../src/base/utc.ts";
import { type Calendar, stepMs } from "../../../src/supply/calendar.ts";
import type { FileBucket, FilePhase } from "../../../src/supply/file/schedule-file.ts";
import { calendar, stepIndexFrom } from "../../../src/supply/file/steps.ts";
import { CATEGORIES, type Category } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { phasesOf } from "./phases.ts";

/** Unlock or span of a file. Every reader makes these, and the schedule is written from them. */
export interface Unlock {
  readonly bucket: string;
  /** Begin and end of an even unlock by the day; the same instant for an unlock at once. */
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
  /** Sum of all unlocks, with the tokens that never unlock. */
  readonly unlocking: bigint;
  /** Where each bucket came from, and what monthly steps lose. */
  readonly notes: readonly string[];
}

export interface PlanOptions {
  readonly startMs: number | undefined;
  readonly stepDay: number | undefined;
  readonly text: (units: bigint) => string;
  readonly categories?: ReadonlyMap<string, Category>;
}

/** Makes the schedule of a list of unlocks, as far as its steps see them. */
export function planOf(unlocks: readonly Unlock[], options: PlanOptions): Plan {
  // Schedules begin at the first midnight at which something is in force.
  const firstMs = unlocks.reduce((least, { fromMs }) => Math.min(least, fromMs), NEVER_MS);
  const startMs = options.startMs ?? Math.ceil(firstMs / DAY_MS) * DAY_MS;
  if (startMs === NEVER_MS) throw new Refusal(["nothing of it ever unlocks: there is no schedule to write"]);
  const stepDay = options.stepDay ?? stepDayOf(unlocks.filter(isAtOnce), startMs);
  const steps = calendar(startMs, stepDay);
  const byLabel = Map.groupBy(unlocks, ({ bucket }) => bucket);
  const labels = [...byLabel.keys()];
  const ids = idsOf(labels);
  const notes: string[] = [];
  const buckets = labels.map((label, index) => {
    const unlocking = (byLabel.get(label) ?? []).filter(({ units }) => units > 0n);
    const category = options.categories?.get(label) ?? categoryOf(label);
    const id = ids[index] ?? "";
    notes.push(`"${label}" is the bucket ${id} of the category ${category}, from ${sourcesOf(unlocking)}`);
    const isShort = unlocking.filter(isSpan).length <= MOST_SPANS;
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
      ...delayOf(unlocks.filter(isAtOnce), steps, options.text),
      ...stairOf(figures, steps, options.text),
    ],
  };
}

/** Ids of buckets by their labels; a label whose id is taken has a number behind it. */
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

/** Most spans of a bucket. With more, the bucket has their sum at each step: the same figures, and a short list. */
const MOST_SPANS = 12;

/** Finds the day of the month on which most unlocks after the start; the start's own where days are equal. */
function stepDayOf(events: readonly Unlock[], startMs: number): number {
  const units = new Map<number, bigint>([[new Date(startMs).getUTCDate(), 0n]]);
  for (const event of events.filter(({ fromMs }) => fromMs > startMs)) {
    const day = new Date(Math.ceil(event.fromMs / DAY_MS) * DAY_MS).getUTCDate();
    units.set(day, (units.get(day) ?? 0n) + event.units);
  }
  const [day] = [...units].reduce((best, each) => (each[1] > best[1] ? each : best));
  // No step is after the 28th: the 1st is the next one.
  return day <= 28 ? day : 1;
}

/** Computes the running total at each step that sees a change. */
function totalsAt(unlocks: readonly Unlock[], steps: Calendar): readonly bigint[] {
  const changes = new Map<number, bigint>();
  const add = (index: number, units: bigint) => changes.set(index, (changes.get(index) ?? 0n) + units);
  for (const unlock of unlocks)
    if (isAtOnce(unlock)) add(stepIndexFrom(steps, unlock.fromMs), unlock.units);
    else if (isSpan(unlock)) addSpan(unlock, steps, add);
  let total = 0n;
  return Array.from({ length: Math.max(0, ...changes.keys()) + 1 }, (_, index) => (total += changes.get(index) ?? 0n));
}

/** Adds what a span comes to at each step, by whole days. */
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

/** Says how late monthly steps show an unlock of another day, and how far behind a figure is. */
function delayOf(events: readonly Unlock[], steps: Calendar, text: (units: bigint) => string): readonly string[] {
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
    `figures change on day ${steps.stepDay} of each month: an unlock of another day counts up to ${mostDays} days late, the figure is up to ${text(units)} too low (before ${dayText(stepMs(steps, index))}); --step-day N says another day`,
  ];
}

/** Says how long nothing changes, and how far the figure then jumps. */
function stairOf(figures: readonly bigint[], steps: Calendar, text: (units: bigint) => string): readonly string[] {
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

/** Category that a label names with its whole text; any other is `other`, for the operator to set. */
function categoryOf(label: string): Category {
  const name = label.trim().toLowerCase().replace(/[ -]+/g, "_");
  return CATEGORIES.find((category) => category === name) ?? "other";
}

/** Makes the id of a bucket from its label. */
function idOf(label: string, index: number): string {
  const id = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  return id === "" ? `bucket_${index + 1}` : id;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

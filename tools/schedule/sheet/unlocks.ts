import { calendar, stepIndexFrom } from "../../../shared/calendar.ts";
import type { FileBucket, FilePhase } from "../../../shared/schedule-file.ts";
import { type Calendar, stepMs } from "../../../src/supply/calendar.ts";
import type { Category } from "../../../src/supply/schedule.ts";
import { DAY_MS, dayText } from "../../../src/utc.ts";
import { Refusal } from "../../command-line.ts";
import { phasesOf } from "./phases.ts";
import { categoryOf, idOf, sum } from "./reader.ts";

/** One unlock or span of a file, whatever its form: what every reader makes and the schedule is written from. */
export interface Unlock {
  readonly bucket: string;
  /** From here to there evenly by the day; at once where they are the same. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Base units. */
  readonly units: bigint;
  /** The column or line that it came from. */
  readonly source: string;
}

/** The instant of what never unlocks. */
export const NEVER_MS = Number.POSITIVE_INFINITY;

export interface Plan {
  readonly start: string;
  readonly stepDay: number;
  readonly buckets: readonly FileBucket[];
  /** The running total at each step, of what unlocks at once. */
  readonly figures: readonly bigint[];
  /** All of it, what never unlocks included. */
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

/** The schedule of a list of unlocks, as far as its steps see it. */
export function planOf(unlocks: readonly Unlock[], options: PlanOptions): Plan {
  // The first midnight at which something is in force.
  const firstMs = unlocks.reduce((least, { fromMs }) => Math.min(least, fromMs), NEVER_MS);
  const startMs = options.startMs ?? Math.ceil(firstMs / DAY_MS) * DAY_MS;
  if (startMs === NEVER_MS) throw new Refusal(["nothing of it ever unlocks: there is no schedule to write"]);
  const events = unlocks.filter(isAtOnce);
  const stepDay = options.stepDay ?? stepDayOf(events, startMs);
  const steps = calendar(startMs, stepDay);
  const labels = [...new Set(unlocks.map(({ bucket }) => bucket))];
  const notes: string[] = [];
  const buckets = labels.map((label, index) => {
    const all = unlocks.filter(({ bucket, units }) => bucket === label && units > 0n);
    const isLong = all.filter(isSpan).length > MOST_SPANS;
    const own = isLong ? all.flatMap((each) => (isSpan(each) ? sampled(each, steps) : [each])) : all;
    const category = options.categories?.get(label) ?? categoryOf(label);
    const id = uniqueId(labels, index);
    notes.push(`"${label}" is the bucket ${id} of the category ${category}, from ${sourcesOf(all)}`);
    const totals = totalsAt(own.filter(isAtOnce), steps);
    const allocation = options.text(sum(own.map(({ units }) => units)));
    const phases = [...phasesOf(totals, options.text), ...own.flatMap((each) => spanOf(each, options.text))];
    return { id, label, category, allocation, genesis: options.text(totals[0] ?? 0n), phases };
  });
  return {
    start: dayText(startMs),
    stepDay,
    buckets,
    figures: totalsAt(events, steps),
    unlocking: sum(unlocks.map(({ units }) => units)),
    notes: [...notes, ...lossOf(events, steps, options.text)],
  };
}

function uniqueId(labels: readonly string[], index: number): string {
  const id = idOf(labels[index] ?? "", index);
  return labels.slice(0, index).some((label, at) => idOf(label, at) === id) ? `${id}_${index + 1}` : id;
}

function sourcesOf(unlocks: readonly Unlock[]): string {
  const sources = [...new Set(unlocks.map(({ source }) => source))];
  const lines = sources.filter((source) => source.startsWith("line ")).map((source) => source.slice(5));
  const text = lines.length > 1 ? `lines ${lines.slice(0, 12).join(", ")}` : sources.slice(0, 12).join(", ");
  return `${text === "" ? "nothing: it has no tokens" : text}${sources.length > 12 ? `, and ${sources.length - 12} more` : ""}`;
}

type Event = Pick<Unlock, "fromMs" | "units">;

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

function isAtOnce({ fromMs, toMs }: Unlock): boolean {
  return fromMs !== NEVER_MS && dayOf(fromMs) === dayOf(toMs);
}

function isSpan(unlock: Unlock): boolean {
  return unlock.fromMs !== NEVER_MS && !isAtOnce(unlock);
}

function spanOf(unlock: Unlock, text: (units: bigint) => string): readonly FilePhase[] {
  const amount = text(unlock.units);
  if (unlock.fromMs === NEVER_MS) return [{ kind: "never", amount }];
  const [from, to] = [dayText(unlock.fromMs), dayText(unlock.toMs)];
  return isSpan(unlock) ? [{ kind: "linear", amount, from, to }] : [];
}

/** A bucket of more spans is told by what they come to at each step: the figures are the same, and the list is short. */
const MOST_SPANS = 12;

function sampled(span: Unlock, steps: Calendar): readonly Unlock[] {
  const [first = 0, last = 0] = [span.fromMs, span.toMs].map((ms) => stepIndexFrom(steps, ms));
  const days = (ms: number): bigint => BigInt(Math.max(0, dayOf(Math.min(ms, span.toMs)) - dayOf(span.fromMs)));
  const upTo = (index: number): bigint => (span.units * days(stepMs(steps, index))) / days(span.toMs);
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const fromMs = stepMs(steps, first + at);
    return { ...span, fromMs, toMs: fromMs, units: upTo(first + at) - (at === 0 ? 0n : upTo(first + at - 1)) };
  });
}

/** The day of the month on which most unlocks after the start; the start's own where days are equal. */
function stepDayOf(events: readonly Event[], startMs: number): number {
  const units = new Map<number, bigint>([[new Date(startMs).getUTCDate(), 0n]]);
  for (const event of events.filter(({ fromMs }) => fromMs > startMs)) {
    const day = new Date(Math.ceil(event.fromMs / DAY_MS) * DAY_MS).getUTCDate();
    units.set(day, (units.get(day) ?? 0n) + event.units);
  }
  const [day] = [...units].reduce((best, each) => (each[1] > best[1] ? each : best));
  // No step is after the 28th: the 1st is the next one.
  return day <= 28 ? day : 1;
}

/** Base units by the index of the step that sees them first. */
function bySteps(events: readonly Event[], steps: Calendar): ReadonlyMap<number, bigint> {
  const found = new Map<number, bigint>();
  for (const { fromMs, units } of events) {
    const index = stepIndexFrom(steps, fromMs);
    found.set(index, (found.get(index) ?? 0n) + units);
  }
  return found;
}

function totalsAt(events: readonly Event[], steps: Calendar): readonly bigint[] {
  const found = bySteps(events, steps);
  let total = 0n;
  return Array.from({ length: Math.max(0, ...found.keys()) + 1 }, (_, index) => (total += found.get(index) ?? 0n));
}

/** What monthly steps do not show: how late, how far behind, how long nothing changes, and how far it then jumps. */
function lossOf(events: readonly Event[], steps: Calendar, text: (units: bigint) => string): readonly string[] {
  const seenMs = (atMs: number): number => stepMs(steps, stepIndexFrom(steps, atMs));
  const late = events.filter(({ fromMs, units }) => units > 0n && seenMs(fromMs) >= fromMs + DAY_MS / 2);
  const days = late.map(({ fromMs }) => Math.round((seenMs(fromMs) - fromMs) / DAY_MS));
  const behind = largest([...bySteps(late, steps)]);
  const said =
    behind === undefined
      ? []
      : [
          `figures change on day ${steps.stepDay} of each month: an unlock of another day counts up to ${Math.max(...days)} days late, the figure is up to ${text(behind[1])} too low (before ${dayText(stepMs(steps, behind[0]))}); --step-day N says another day`,
        ];
  return [...said, ...stairOf(events, steps, text)];
}

/** The step at which most unlocks. */
function largest(changes: readonly (readonly [number, bigint])[]): readonly [number, bigint] | undefined {
  return changes.reduce<readonly [number, bigint] | undefined>(
    (most, each) => (most === undefined || each[1] > most[1] ? each : most),
    undefined,
  );
}

function stairOf(events: readonly Event[], steps: Calendar, text: (units: bigint) => string): readonly string[] {
  const changes = [...bySteps(events, steps)].filter(([, units]) => units > 0n).sort(([one], [other]) => one - other);
  const gaps = changes.slice(1).map(([index], at) => index - (changes[at]?.[0] ?? 0));
  const longest = Math.max(0, ...gaps);
  if (longest < 2) return [];
  const to = changes[gaps.indexOf(longest) + 1]?.[0] ?? 0;
  const [jump, units] = largest(changes.filter(([index]) => index > 0)) ?? [0, 0n];
  const day = (index: number): string => dayText(stepMs(steps, index));
  return [
    `the figure stays the same for up to ${longest} months (from ${day(to - longest)} to ${day(to)}) and rises by up to ${text(units)} at once (on ${day(jump)})`,
  ];
}

import { calendar, stepIndexFrom } from "../../../shared/calendar.ts";
import type { FileBucket, FilePhase } from "../../../shared/schedule-file.ts";
import { type Calendar, stepMs } from "../../../src/supply/calendar.ts";
import type { Category } from "../../../src/supply/schedule.ts";
import { DAY_MS, dayText } from "../../../src/utc.ts";
import { phasesOf } from "./phases.ts";
import { categoryOf, idOf } from "./reader.ts";

/** When an amount unlocks: at once, evenly by the day, in equal parts of months from a day on, or never. */
export type When =
  | { readonly kind: "once"; readonly atMs: number }
  | { readonly kind: "days"; readonly fromMs: number; readonly toMs: number }
  | {
      readonly kind: "parts";
      readonly fromMs: number;
      /** Months from there to the first part, and between parts. */
      readonly first: number;
      readonly every: number;
      readonly count: number;
    }
  | { readonly kind: "never" };

/** One unlock or span of a file, whatever its form: what every reader makes and the schedule is written from. */
export interface Unlock {
  readonly bucket: string;
  readonly when: When;
  /** Base units. */
  readonly units: bigint;
  /** The column or line that it came from. */
  readonly source: string;
}

export interface Plan {
  readonly start: string;
  readonly stepDay: number;
  readonly buckets: readonly FileBucket[];
  /** The running total at each step, of what unlocks at once or in parts. */
  readonly figures: readonly bigint[];
  /** Where each bucket came from, and what monthly steps lose. */
  readonly notes: readonly string[];
}

export interface PlanOptions {
  readonly startMs: number | undefined;
  readonly stepDay: number | undefined;
  readonly text: (units: bigint) => string;
  /** Of a bucket: the unit to which its file rounds equal installments. */
  readonly roundedTo?: ReadonlyMap<string, bigint>;
  readonly categories?: ReadonlyMap<string, Category>;
}

/** The schedule of a list of unlocks, as far as its steps see it. */
export function planOf(unlocks: readonly Unlock[], options: PlanOptions): Plan {
  // The first midnight at which something is in force.
  const firstMs = unlocks.reduce((least, { when }) => Math.min(least, beginOf(when)), Number.POSITIVE_INFINITY);
  const startMs = options.startMs ?? Math.ceil(firstMs / DAY_MS) * DAY_MS;
  const events = unlocks.flatMap(eventsOf);
  const stepDay = options.stepDay ?? stepDayOf(events, startMs);
  const steps = calendar(startMs, stepDay);
  const labels = [...new Set(unlocks.map(({ bucket }) => bucket))];
  const notes: string[] = [];
  const buckets = labels.map((label, index) => {
    const own = unlocks.filter(({ bucket, units }) => bucket === label && units > 0n);
    const category = options.categories?.get(label) ?? categoryOf(label);
    const id = uniqueId(labels, index);
    notes.push(`"${label}" is the bucket ${id} of the category ${category}, from ${sourcesOf(own)}`);
    return { id, label, category, ...rulesOf(own, steps, options, label, notes) };
  });
  return {
    start: dayText(startMs),
    stepDay,
    buckets,
    figures: totalsAt(events, steps),
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

interface Event {
  readonly atMs: number;
  readonly units: bigint;
}

/** What happens at an instant; a span by the day does not. */
function eventsOf({ when, units }: Unlock): readonly Event[] {
  if (when.kind === "once") return [{ atMs: when.atMs, units }];
  if (when.kind !== "parts") return [];
  const upTo = (part: number): bigint => (units * BigInt(part)) / BigInt(when.count);
  return Array.from({ length: when.count }, (_, part) => ({
    atMs: addMonths(when.fromMs, when.first + part * when.every),
    units: upTo(part + 1) - upTo(part),
  }));
}

function beginOf(when: When): number {
  if (when.kind === "never") return Number.POSITIVE_INFINITY;
  return when.kind === "once" ? when.atMs : when.fromMs;
}

/** The same day of a later month; at most the 28th, which every month has and figures can change on. */
export function addMonths(ms: number, months: number): number {
  if (months === 0) return ms;
  const day = new Date(ms);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, Math.min(day.getUTCDate(), 28));
}

/** The day of the month on which most unlocks after the start; the start's own where days are equal. */
function stepDayOf(events: readonly Event[], startMs: number): number {
  const units = new Map<number, bigint>([[Math.min(new Date(startMs).getUTCDate(), 28), 0n]]);
  for (const event of events.filter(({ atMs }) => atMs > startMs)) {
    const day = new Date(Math.ceil(event.atMs / DAY_MS) * DAY_MS).getUTCDate();
    if (day <= 28) units.set(day, (units.get(day) ?? 0n) + event.units);
  }
  return [...units].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Base units by the index of the step that sees them first. */
function bySteps(events: readonly Event[], steps: Calendar): ReadonlyMap<number, bigint> {
  const found = new Map<number, bigint>();
  for (const { atMs, units } of events) {
    const index = stepIndexFrom(steps, atMs);
    found.set(index, (found.get(index) ?? 0n) + units);
  }
  return found;
}

function totalsAt(events: readonly Event[], steps: Calendar): readonly bigint[] {
  const found = bySteps(events, steps);
  let total = 0n;
  return Array.from({ length: Math.max(0, ...found.keys()) + 1 }, (_, index) => (total += found.get(index) ?? 0n));
}

function rulesOf(
  own: readonly Unlock[],
  steps: Calendar,
  { text, roundedTo }: PlanOptions,
  label: string,
  notes: string[],
): Pick<FileBucket, "allocation" | "genesis" | "phases"> {
  const once = own.filter(({ when }) => when.kind === "once");
  const totals = totalsAt(once.flatMap(eventsOf), steps);
  const finest = roundedTo?.get(label) ?? 0n;
  const [exact, even] = [phasesOf(totals, 0n, text), phasesOf(totals, finest, text)];
  const isRounded = even.length < exact.length && even.length * 2 <= exact.length;
  if (isRounded)
    notes.push(
      `${label}: equal installments, which the sheet rounds; figures differ from it by less than ${text(finest)}`,
    );
  const spans = own.flatMap(({ when, units }) => phaseOf(when, text(units), steps));
  return {
    allocation: text(own.reduce((total, { units }) => total + units, 0n)),
    genesis: text(totals[0] ?? 0n),
    phases: [...(isRounded ? even : exact), ...spans],
  };
}

function phaseOf(when: When, amount: string, steps: Calendar): readonly FilePhase[] {
  switch (when.kind) {
    case "once":
      return [];
    case "never":
      return [{ kind: "never", amount }];
    case "days":
      return [{ kind: "linear", amount, from: dayText(when.fromMs), to: dayText(when.toMs) }];
    case "parts": {
      const month = stepIndexFrom(steps, addMonths(when.fromMs, when.first));
      if (when.count === 1) return [{ kind: "cliff", amount, month }];
      return [{ kind: "installments", amount, first_month: month, count: when.count, every_months: when.every }];
    }
  }
}

/** What monthly steps do not show: how late, how far behind, how long nothing changes, and how far it then jumps. */
function lossOf(events: readonly Event[], steps: Calendar, text: (units: bigint) => string): readonly string[] {
  const seenMs = (atMs: number): number => stepMs(steps, stepIndexFrom(steps, atMs));
  const late = events.filter(({ atMs, units }) => units > 0n && seenMs(atMs) >= atMs + DAY_MS / 2);
  const days = late.map(({ atMs }) => Math.round((seenMs(atMs) - atMs) / DAY_MS));
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

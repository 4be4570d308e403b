import { type BaseUnits, tokenText, wholeTokens } from "./amount.ts";
import { type Calendar, monthAfter, monthText, stepIndexFrom, stepIndexOfMonth, stepMs } from "./calendar.ts";
import { rows } from "./circulating.ts";
import type { ScheduleResult } from "./parse.ts";
import type { Adjustment, Bucket, Phase, Schedule, ScheduleError } from "./schedule.ts";

/** A file whose shapes are right and whose meaning is not judged yet. */
export interface Draft extends Omit<Schedule, "plan" | "adjustments" | "lastIndex"> {
  readonly plan:
    | { readonly kind: "buckets"; readonly buckets: readonly Bucket[] }
    | {
        readonly kind: "table";
        readonly table: readonly { readonly month: string; readonly circulating: BaseUnits }[];
      };
  readonly adjustments: readonly (Omit<Adjustment, "index"> & { readonly month: string })[];
}

/** The largest whole number that survives a reader's JSON.parse. */
const MAX_TOKENS = 2n ** 53n - 1n;
const MAX_INDEX = 2400;

/** Judges sums, order and bounds; the schedule when all of them hold. */
export function validateSchedule(draft: Draft): ScheduleResult {
  const faults: ScheduleError[] = [...capFaults(draft)];
  if (draft.plan.kind === "table") faults.push(...tableFaults(draft, draft.plan.table));
  else faults.push(...bucketFaults(draft, draft.plan.buckets), ...adjustmentFaults(draft, draft.plan.buckets));
  if (faults.length === 0) {
    const schedule = scheduleOf(draft);
    faults.push(...(schedule.lastIndex > MAX_INDEX ? [tooLong] : boundFaults(schedule)));
    if (faults.length === 0) return { kind: "schedule", schedule };
  }
  const [first, ...others] = faults;
  return { kind: "faults", faults: [first ?? tooLong, ...others] };
}

const tooLong: ScheduleError = { path: "", message: `unlocks for more than ${MAX_INDEX / 12} years after the start` };

function capFaults({ maxSupply, token }: Draft): ScheduleError[] {
  if (maxSupply === 0n) return [{ path: "max_supply", message: "must be more than 0" }];
  if (BigInt(wholeTokens(maxSupply, token.decimals)) <= MAX_TOKENS) return [];
  return [
    { path: "max_supply", message: `must be at most ${MAX_TOKENS} whole tokens, so that JSON readers keep it exact` },
  ];
}

function bucketFaults({ token, maxSupply }: Draft, buckets: readonly Bucket[]): ScheduleError[] {
  const faults: ScheduleError[] = [];
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  buckets.forEach(({ id, allocation, genesis, phases }, index) => {
    const path = `buckets[${index}]`;
    const first = buckets.findIndex((bucket) => bucket.id === id);
    if (first !== index) faults.push({ path: `${path}.id`, message: `${id} is also the id of buckets[${first}]` });
    const sum = phases.reduce((total, { amount }) => total + amount, genesis);
    if (sum !== allocation)
      faults.push({ path: `${path}.allocation`, message: `${text(allocation)} is not genesis + phases, ${text(sum)}` });
    phases.forEach((phase, at) => {
      if (phase.kind === "linear" && phase.toMs <= phase.fromMs)
        faults.push({ path: `${path}.phases[${at}].to`, message: "must be later than from" });
    });
  });
  const total = buckets.reduce((sum, { allocation }) => sum + allocation, 0n);
  if (total !== maxSupply)
    faults.push({
      path: "buckets",
      message: `allocations add up to ${text(total)}, not to max_supply ${text(maxSupply)}`,
    });
  return faults;
}

function adjustmentFaults({ adjustments, calendar }: Draft, buckets: readonly Bucket[]): ScheduleError[] {
  return adjustments.flatMap(({ month, bucket, delta }, index) => {
    const path = `adjustments[${index}]`;
    const faults: ScheduleError[] = [];
    if (stepIndexOfMonth(calendar, month) === -1)
      faults.push({ path: `${path}.month`, message: `${month} is before the start` });
    if (!buckets.some(({ id }) => id === bucket))
      faults.push({ path: `${path}.bucket`, message: `${bucket} is not the id of a bucket` });
    if (delta === 0n) faults.push({ path: `${path}.delta`, message: "must not be 0" });
    return faults;
  });
}

function tableFaults(
  { calendar, maxSupply, token }: Draft,
  table: Extract<Draft["plan"], { kind: "table" }>["table"],
): ScheduleError[] {
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  const firstMonth = monthText(calendar.startMs);
  if (table.length === 0) return [{ path: "table", message: "must hold at least one month" }];
  if (monthText(stepMs(calendar, 1)) === firstMonth)
    return [
      { path: "start", message: `must not precede step_day: the figure of ${firstMonth} holds from its step on` },
    ];
  const faults: ScheduleError[] = [];
  table.forEach(({ month, circulating }, index) => {
    const path = `table[${index}]`;
    const before = table[index - 1];
    const expected = before === undefined ? firstMonth : monthAfter(before.month);
    if (month > expected) faults.push({ path: `${path}.month`, message: `${month} where ${expected} is missing` });
    else if (month < expected && before === undefined)
      faults.push({ path: `${path}.month`, message: `${month} is before the start, ${firstMonth}` });
    else if (month === before?.month) faults.push({ path: `${path}.month`, message: `${month} is repeated` });
    else if (month < expected)
      faults.push({ path: `${path}.month`, message: `${month} is out of order, after ${before?.month}` });
    if (before !== undefined && circulating < before.circulating)
      faults.push({
        path: `${path}.circulating`,
        message: `${text(circulating)} falls below ${text(before.circulating)} of the month before`,
      });
    if (circulating > maxSupply)
      faults.push({
        path: `${path}.circulating`,
        message: `${text(circulating)} is over max_supply ${text(maxSupply)}`,
      });
  });
  return faults;
}

function scheduleOf({ plan, adjustments, ...rest }: Draft): Schedule {
  const placed = adjustments.map(({ month, ...entry }) => ({
    ...entry,
    index: stepIndexOfMonth(rest.calendar, month),
  }));
  if (plan.kind === "table") {
    const figures = plan.table.map(({ circulating }) => circulating);
    return { ...rest, plan: { kind: "table", figures }, adjustments: placed, lastIndex: figures.length - 1 };
  }
  const ends = plan.buckets.flatMap(({ phases }) => phases.map((phase) => endOf(phase, rest.calendar)));
  // Rows go on to the last adjustment too: a figure that will change is not the last one.
  const lastIndex = Math.max(0, ...ends, ...placed.map(({ index }) => index));
  return { ...rest, plan, adjustments: placed, lastIndex };
}

const DAY_MS = 86_400_000;

/** The first step on which a phase is complete; 0 for one that never unlocks. */
function endOf(phase: Phase, calendar: Calendar): number {
  switch (phase.kind) {
    case "cliff":
      return phase.month;
    case "monthly":
      return phase.firstMonth + (phase.count - 1) * phase.everyMonths;
    case "daily":
      return stepIndexFrom(
        calendar,
        calendar.startMs + (phase.firstDay + (phase.count - 1) * phase.everyDays) * DAY_MS,
      );
    case "linear":
      return stepIndexFrom(calendar, phase.toMs);
    case "never":
      return 0;
  }
}

/** Adjustments may take a bucket below nothing, or the whole over the maximum: named at the first step where it shows. */
function boundFaults(schedule: Schedule): ScheduleError[] {
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  for (const { effectiveFromMs, circulating, buckets } of rows(schedule)) {
    const month = monthText(effectiveFromMs);
    if (circulating > schedule.maxSupply)
      return [{ path: "adjustments", message: `circulating is ${text(circulating)} in ${month}, over max_supply` }];
    const below = buckets.find((bucket) => bucket.circulating < 0n);
    if (below !== undefined)
      return [{ path: "adjustments", message: `${below.id} is ${text(below.circulating)} in ${month}, below 0` }];
  }
  return [];
}

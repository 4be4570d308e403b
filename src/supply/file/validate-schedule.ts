import type { FileError } from "../../base/file/file-errors.ts";
import { DAY_MS, dayText } from "../../base/utc.ts";
import { type BaseUnits, tokenText } from "../../chain/amount.ts";
import { type Calendar, monthText, stepMs } from "../calendar.ts";
import { allSteps, dayAt, hasDayPhases } from "../circulating.ts";
import {
  type Adjustment,
  BURN,
  type Bucket,
  type Phase,
  type Schedule,
  type UnlockSchedule,
  type WalletList,
} from "../schedule.ts";
import { largestDocument } from "./document-size.ts";
import type { ScheduleResult } from "./schedule-result.ts";
import { monthAfter, stepIndexFrom, stepIndexOfMonth } from "./steps.ts";
import { chainErrors, type Families, walletErrors } from "./validate-places.ts";

/** Content of a file whose shape is valid and whose meaning is not validated yet. */
export type ScheduleDraft = UnlockDraft | WalletList;

export interface UnlockDraft extends Omit<UnlockSchedule, "plan" | "adjustments" | "lastIndex"> {
  readonly plan:
    | { readonly kind: "buckets"; readonly buckets: readonly Bucket[] }
    | {
        readonly kind: "table";
        readonly table: readonly { readonly month: string; readonly circulating: BaseUnits }[];
      };
  readonly adjustments: readonly (Omit<Adjustment, "index"> & { readonly month: string })[];
}

const MAX_INDEX = 2400;

/** Validates sums, order and bounds. Returns the schedule, or all errors. */
export function validateSchedule(draft: ScheduleDraft, families: Families): ScheduleResult {
  const errors: FileError[] = [
    ...maximumErrors(draft),
    ...constantErrors(draft),
    ...walletErrors(draft, families),
    ...chainErrors(draft),
  ];
  if (draft.plan === null) return result(draft, errors);
  errors.push(...planErrors(draft));
  if (errors.length > 0) return result(null, errors);
  const schedule = scheduleOf(draft);
  errors.push(...(schedule.lastIndex > MAX_INDEX ? [tooLong] : documentErrors(schedule)));
  return result(schedule, errors.length > 0 ? errors : boundErrors(schedule));
}

function result(schedule: Schedule | null, [first, ...others]: readonly FileError[]): ScheduleResult {
  if (schedule !== null && first === undefined) return { kind: "schedule", schedule };
  return { kind: "errors", errors: [first ?? tooLong, ...others] };
}

/** Members of a draft that its plan is checked against. */
type PlanTerms = Omit<UnlockDraft, "plan">;

function planErrors({ plan, ...draft }: UnlockDraft): FileError[] {
  if (plan.kind === "table") return tableErrors(draft, plan.table);
  return [...bucketErrors(draft, plan.buckets), ...adjustmentErrors(draft, plan.buckets)];
}

const tooLong: FileError = { path: "", message: `unlocks for more than ${MAX_INDEX / 12} years after the start` };

const MEBIBYTE = 1_048_576;
/** Maximum size of a document. Writing one takes up to ten times its size, and an isolate has 128 MB for everything. */
const MAX_DOCUMENT_BYTES = 4 * MEBIBYTE;

function documentErrors(schedule: UnlockSchedule): FileError[] {
  const { path, bytes } = largestDocument(schedule);
  if (bytes <= MAX_DOCUMENT_BYTES) return [];
  const size = `${path} would have up to ${(bytes / MEBIBYTE).toFixed(1)} MiB, at most ${MAX_DOCUMENT_BYTES / MEBIBYTE} MiB`;
  const remedy = "an isolate with more runs out of memory; list fewer or larger buckets, fewer unlocks, shorter names";
  return [{ path: schedule.plan.kind === "table" ? "table" : "buckets", message: `${size}: ${remedy}` }];
}

function maximumErrors({ maxSupply, mintedOnce }: ScheduleDraft): FileError[] {
  if (maxSupply === 0n) return [{ path: "max_supply", message: "must be more than 0" }];
  const message = "must not be true: without a maximum it is not known what was minted";
  return mintedOnce && maxSupply === null ? [{ path: "minted_once", message }] : [];
}

/** Finds constants without tokens, and those of a day after the file was published. */
function constantErrors({ constants = [], publishedAt }: ScheduleDraft): FileError[] {
  return constants.flatMap(({ amount, fromMs }, index) => {
    const path = `constants[${index}]`;
    const late = `must not be after published_at, ${publishedAt}: a constant states what has happened`;
    return [
      ...(amount > 0n ? [] : [{ path: `${path}.amount`, message: "must be more than 0" }]),
      ...(dayText(fromMs) > publishedAt ? [{ path: `${path}.date`, message: late }] : []),
    ];
  });
}

function bucketErrors({ token, maxSupply }: PlanTerms, buckets: readonly Bucket[]): FileError[] {
  const errors: FileError[] = [];
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  buckets.forEach(({ id, allocation, genesis, phases }, index) => {
    const path = `buckets[${index}]`;
    const first = buckets.findIndex((bucket) => bucket.id === id);
    if (first !== index) errors.push({ path: `${path}.id`, message: `${id} is also the id of buckets[${first}]` });
    const sum = phases.reduce((total, { amount }) => total + amount, genesis);
    if (sum !== allocation)
      errors.push({ path: `${path}.allocation`, message: `${text(allocation)} is not genesis + phases, ${text(sum)}` });
    phases.forEach((phase, at) => {
      if (phase.kind === "linear" && phase.toMs <= phase.fromMs)
        errors.push({ path: `${path}.phases[${at}].to`, message: "must be later than from" });
    });
  });
  const total = buckets.reduce((sum, { allocation }) => sum + allocation, 0n);
  if (total !== maxSupply)
    errors.push({
      path: "buckets",
      message: `allocations add up to ${text(total)}, not to max_supply ${text(maxSupply)}`,
    });
  return errors;
}

function adjustmentErrors({ adjustments, calendar }: PlanTerms, buckets: readonly Bucket[]): FileError[] {
  return adjustments.flatMap(({ month, bucket, delta, kind }, index) => {
    const path = `adjustments[${index}]`;
    const errors: FileError[] = [];
    if (stepIndexOfMonth(calendar, month) === -1)
      errors.push({ path: `${path}.month`, message: `${month} is before the start` });
    if (!buckets.some(({ id }) => id === bucket))
      errors.push({ path: `${path}.bucket`, message: `${bucket} is not the id of a bucket` });
    if (delta === 0n) errors.push({ path: `${path}.delta`, message: "must not be 0" });
    if (kind === BURN && delta > 0n)
      errors.push({ path: `${path}.delta`, message: "must have a minus sign: a burn takes away" });
    return errors;
  });
}

function tableErrors(
  { calendar, maxSupply, token }: PlanTerms,
  table: Extract<UnlockDraft["plan"], { kind: "table" }>["table"],
): FileError[] {
  const text = (amount: BaseUnits): string => tokenText(amount, token.decimals);
  const firstMonth = monthText(calendar.startMs);
  if (table.length === 0) return [{ path: "table", message: "must contain at least one month" }];
  if (monthText(stepMs(calendar, 1)) === firstMonth)
    return [
      { path: "start", message: `must not precede step_day: the figure of ${firstMonth} holds from its step on` },
    ];
  const errors: FileError[] = [];
  table.forEach(({ month, circulating }, index) => {
    const path = `table[${index}]`;
    const before = table[index - 1];
    const expected = before === undefined ? firstMonth : monthAfter(before.month);
    if (month > expected) errors.push({ path: `${path}.month`, message: `${month} where ${expected} is missing` });
    else if (month < expected && before === undefined)
      errors.push({ path: `${path}.month`, message: `${month} is before the start, ${firstMonth}` });
    else if (month === before?.month) errors.push({ path: `${path}.month`, message: `${month} is repeated` });
    else if (month < expected)
      errors.push({ path: `${path}.month`, message: `${month} is out of order, after ${before?.month}` });
    if (before !== undefined && circulating < before.circulating)
      errors.push({
        path: `${path}.circulating`,
        message: `${text(circulating)} falls below ${text(before.circulating)} of the month before; a burn or a correction needs a bucket: npm run schedule -- convert`,
      });
    if (circulating > maxSupply)
      errors.push({
        path: `${path}.circulating`,
        message: `${text(circulating)} is over max_supply ${text(maxSupply)}`,
      });
  });
  return errors;
}

function scheduleOf({ plan, adjustments, ...rest }: UnlockDraft): UnlockSchedule {
  const placed = adjustments.map(({ month, ...entry }) => ({
    ...entry,
    index: stepIndexOfMonth(rest.calendar, month),
  }));
  if (plan.kind === "table") {
    const figures = plan.table.map(({ circulating }) => circulating);
    return { ...rest, plan: { kind: "table", figures }, adjustments: placed, lastIndex: figures.length - 1 };
  }
  const ends = plan.buckets.flatMap(({ phases }) => phases.map((phase) => endOf(phase, rest.calendar)));
  // Steps continue to the last adjustment: a figure that will change is not the last one.
  const lastIndex = [...ends, ...placed.map(({ index }) => index)].reduce((last, index) => Math.max(last, index), 0);
  return { ...rest, plan, adjustments: placed, lastIndex };
}

/** Returns the first step at which a phase is complete; 0 for a phase that never unlocks. */
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

/**
 * Finds the first step at which adjustments make a bucket negative, or the supply exceed the maximum. Phases that count
 * days unlock until the next step, so the day before it is checked too.
 */
function boundErrors(schedule: UnlockSchedule): FileError[] {
  const text = (amount: BaseUnits): string => tokenText(amount, schedule.token.decimals);
  const countsDays = hasDayPhases(schedule);
  for (const { effectiveFromMs, nextStepMs, circulating, buckets } of allSteps(schedule)) {
    const month = monthText(effectiveFromMs);
    if (circulating > schedule.maxSupply)
      return [{ path: "adjustments", message: `circulating is ${text(circulating)} in ${month}, over max_supply` }];
    const below = buckets.find((bucket) => bucket.circulating < 0n);
    if (below !== undefined)
      return [{ path: "adjustments", message: `${below.id} is ${text(below.circulating)} in ${month}, below 0` }];
    const lastDay = countsDays && nextStepMs !== null ? dayAt(schedule, nextStepMs - 1) : undefined;
    if (lastDay !== undefined && lastDay.circulating > schedule.maxSupply) {
      const when = dayText(lastDay.effectiveFromMs);
      return [
        { path: "adjustments", message: `circulating is ${text(lastDay.circulating)} on ${when}, over max_supply` },
      ];
    }
  }
  return [];
}

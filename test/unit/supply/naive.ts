/**
 * A second, naive implementation of the schedule format, to compare the product with: rational arithmetic on the JSON
 * itself, days counted one by one, no formula shared with the product.
 */
export interface NaivePhase {
  readonly kind: "cliff" | "installments" | "linear" | "never";
  readonly amount: string;
  readonly month?: number;
  readonly first_month?: number;
  readonly first_day?: number;
  readonly count?: number;
  readonly every_months?: number;
  readonly every_days?: number;
  readonly from?: string;
  readonly to?: string;
}

export interface NaiveFile {
  readonly start: string;
  readonly step_day: number;
  readonly token: { readonly decimals: number };
  readonly buckets: readonly {
    readonly id: string;
    readonly genesis: string;
    readonly phases: readonly NaivePhase[];
  }[];
  readonly adjustments?: readonly { readonly month: string; readonly bucket: string; readonly delta: string }[];
}

/** Days of all steps from the start to `untilDay`, found by iterating over the calendar's days. */
export function naiveSteps(start: string, stepDay: number, untilDay: string): string[] {
  const [first, last] = [numberOf(start), numberOf(untilDay)];
  return [start, ...days.slice(first + 1, last + 1).filter((day) => Number(day.slice(8)) === stepDay)];
}

/** The calendar's days from the first to the last, counted one by one. */
export function naiveDays(first: string, last: string): string[] {
  numberOf(last);
  return days.slice(numberOf(first), numberOf(last) + 1);
}

/** Base units in circulation at step `index` of `steps`, or on a later day before the next step. */
export function naiveCirculating(
  file: NaiveFile,
  steps: readonly string[],
  index: number,
  today = steps[index] ?? "",
): bigint {
  const { decimals } = file.token;
  let sum = 0n;
  for (const bucket of file.buckets) {
    sum += units(bucket.genesis, decimals);
    for (const phase of bucket.phases) {
      const [done, parts] = progress(phase, file.start, today, index);
      sum += (units(phase.amount, decimals) * BigInt(done)) / BigInt(parts);
    }
  }
  for (const { month, delta } of file.adjustments ?? []) {
    const from = steps.findLastIndex((day) => day.startsWith(month));
    if (from <= index) sum += units(delta, decimals);
  }
  return sum;
}

/** Unlocked parts, and all parts. */
function progress(phase: NaivePhase, start: string, today: string, index: number): [number, number] {
  const { kind, count = 1 } = phase;
  if (kind === "never") return [0, 1];
  if (kind === "cliff") return [index >= (phase.month ?? 0) ? 1 : 0, 1];
  if (kind === "linear") {
    const [from = "", to = ""] = [phase.from, phase.to];
    const days = daysFrom(from, to);
    return [Math.min(daysFrom(from, today), days), days];
  }
  let done = 0;
  for (let part = 0; part < count; part += 1) {
    if (phase.first_month !== undefined) {
      if (index >= phase.first_month + part * (phase.every_months ?? 1)) done += 1;
    } else if (daysFrom(start, today) >= (phase.first_day ?? 0) + part * (phase.every_days ?? 1)) done += 1;
  }
  return [done, count];
}

function units(text: string, decimals: number): bigint {
  const sign = text.startsWith("-") ? -1n : 1n;
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
  return sign * BigInt(whole + fraction + "0".repeat(decimals - fraction.length));
}

/** The calendar so far, one day after another, and the place of each in it. */
const days = ["1990-01-01"];
const numbers = new Map(days.map((day, number) => [day, number]));

function numberOf(day: string): number {
  for (let last = days.at(-1) ?? ""; last < day; last = days.at(-1) ?? "") {
    numbers.set(dayAfter(last), days.length);
    days.push(dayAfter(last));
  }
  const number = numbers.get(day);
  if (number === undefined) throw new Error(`${day} is no day of the calendar`);
  return number;
}

const daysFrom = (from: string, to: string) => Math.max(0, numberOf(to) - numberOf(from));

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dayAfter(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const leap = month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0);
  const last = (MONTH_DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
  if (date < last) return written(year, month, date + 1);
  return month < 12 ? written(year, month + 1, 1) : written(year + 1, 1, 1);
}

function written(year: number, month: number, date: number): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}

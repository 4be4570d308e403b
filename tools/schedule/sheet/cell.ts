import { type DecimalMark, isDash, readNumber } from "./number.ts";

/** What a cell says, or why it says nothing. */
export type Said<Value> = { readonly value: Value } | { readonly reason: string };

/** A number of a sheet in base units, and the unit to which its cell is written. */
export interface SheetAmount {
  readonly units: bigint;
  readonly roundedTo: bigint;
}

/** A percentage as a fraction; `half` is half the unit of its last digit. */
export interface Percentage {
  readonly numerator: bigint;
  readonly half: bigint;
  readonly scale: bigint;
}

export type Duration = { readonly unit: "months" | "days"; readonly count: number };

/** How the cells of a sheet, or of one column of it, are written. */
export interface Writing {
  readonly mark: DecimalMark;
  readonly decimals: number;
  /** The column's title says base units. */
  readonly isBaseUnits: boolean;
}

export function readAmount(cell: string, { mark, decimals, isBaseUnits }: Writing): Said<SheetAmount> {
  const found = readNumber(cell, mark);
  if (found === undefined) return { reason: "is not an amount" };
  const places = isBaseUnits ? 0 : decimals;
  if (found.fraction > places) {
    const scale = 10n ** BigInt(found.fraction - places);
    if (found.digits % scale !== 0n) return { reason: `has more than ${places} digits after the point` };
    return { value: { units: found.digits / scale, roundedTo: 1n } };
  }
  const scale = 10n ** BigInt(places - found.fraction);
  return { value: { units: found.digits * scale, roundedTo: scale } };
}

const PERCENT_DIGITS = 18;

export function readPercentage(cell: string, mark: DecimalMark): Said<Percentage> {
  const text = cell.replace(/\s*%$/, "");
  const found = readNumber(text, mark);
  const isPercentage = (text !== cell && !isDash(text)) || found?.digits === 0n;
  if (found === undefined || !isPercentage || found.fraction > PERCENT_DIGITS || found.fraction < 0)
    return { reason: "is not a percentage such as 12.5%" };
  const unit = 10n ** BigInt(PERCENT_DIGITS - found.fraction);
  return { value: { numerator: found.digits * unit, half: unit / 2n, scale: 100n * 10n ** BigInt(PERCENT_DIGITS) } };
}

/** Whether `units` are this percentage of `whole`, as far as it is written. */
export function isShareOf(units: bigint, { numerator, half, scale }: Percentage, whole: bigint): boolean {
  return units * scale >= whole * (numerator - half) && units * scale <= whole * (numerator + half);
}

const UNITS: readonly (readonly [RegExp, Duration["unit"], number])[] = [
  [/^d(ays?)?$/i, "days", 1],
  [/^w(eeks?)?$/i, "days", 7],
  [/^(m|mo|mos|mths?|months?)$/i, "months", 1],
  [/^q(uarters?)?$/i, "months", 3],
  [/^y(rs?|ears?)?$/i, "months", 12],
];

/** The unit that a word names: `months`, `mo`, `y`. */
export function unitOf(word: string): { readonly unit: Duration["unit"]; readonly size: number } | undefined {
  const found = UNITS.find(([words]) => words.test(word));
  return found === undefined ? undefined : { unit: found[1], size: found[2] };
}

/** Ten years: a plain count above is of days, or of nothing that is known. */
const MAX_PLAIN_COUNT = 120;

/** `12`, `12 mo.`, `2.5y`, `180d`; a plain number is of the title's unit, else months. */
export function readDuration(cell: string, titleUnit: string | undefined, mark: DecimalMark): Said<Duration> {
  if (/^([-–—]|none|n\/?a)$/i.test(cell)) return { value: { unit: "months", count: 0 } };
  const [, number = "", word = ""] = /^([\d.,]+)[ -]?([a-z]*)\.?(?: linear)?$/i.exec(cell) ?? [];
  const found = readNumber(number, mark);
  const unit = unitOf(word === "" ? (titleUnit ?? "months") : word);
  if (found === undefined || unit === undefined) return { reason: "is not a number of months, days or years" };
  const count = Number(found.digits * BigInt(unit.size)) / 10 ** found.fraction;
  if (!Number.isInteger(count) || count > 100_000) return { reason: `is no whole number of ${unit.unit}` };
  if (word === "" && titleUnit === undefined && count > MAX_PLAIN_COUNT)
    return { reason: `has no unit: write ${cell}d or ${cell} months` };
  return { value: { unit: unit.unit, count } };
}

const EVERY: ReadonlyMap<string, number> = new Map([
  ["monthly", 1],
  ["every month", 1],
  ["bimonthly", 2],
  ["quarterly", 3],
  ["every quarter", 3],
  ["every 3 months", 3],
  ["semi-annually", 6],
  ["half-yearly", 6],
  ["every 6 months", 6],
  ["annually", 12],
  ["yearly", 12],
  ["every year", 12],
  ["every 12 months", 12],
]);

/** How often something unlocks, in months; 0 for every day, or evenly. */
export function readEvery(cell: string): number | undefined {
  const text = cell.toLowerCase();
  return /^(daily|every day|linear)$/.test(text) ? 0 : EVERY.get(text);
}

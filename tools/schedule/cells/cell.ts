import { type DecimalMark, isDash, readNumber } from "./number.ts";

/** Number of a sheet in base units, and the unit to which its cell is written. */
export interface SheetAmount {
  readonly units: bigint;
  readonly roundedTo: bigint;
}

/** Form in which the amounts of a column are written. */
export interface AmountForm {
  readonly mark: DecimalMark;
  readonly decimals: number;
  /** Unit of an amount in a mapping: `tokens`, `tokens x 1000`, `base_units`, `percent`, `fraction`. */
  readonly unit: string;
}

/** Result, or the reason why the cell has none. */
export type CellResult<Value> = { readonly value: Value } | { readonly reason: string };

/** Reads an amount by its unit; `whole`: base units that a percentage or a fraction is taken of. */
export function readAmount(cell: string, { mark, decimals, unit }: AmountForm, whole: bigint): CellResult<SheetAmount> {
  const isShare = unit === "percent" || unit === "fraction";
  const text = unit === "percent" ? cell.replace(/\s*%$/, "") : cell;
  const number = readNumber(text, mark);
  if (number === undefined) return { reason: isShare ? `is not a ${unit}` : "is not an amount" };
  const { digits, fraction } = number;
  if (isShare) return shareOf(digits, fraction + (unit === "percent" ? 2 : 0), whole);
  const multiple = BigInt(/^tokens x (\d+)$/.exec(unit)?.[1] ?? 1);
  const places = (unit === "base_units" ? 0 : decimals) - fraction;
  const scale = 10n ** BigInt(Math.abs(places));
  if (places >= 0) return { value: { units: digits * multiple * scale, roundedTo: multiple * scale } };
  if ((digits * multiple) % scale !== 0n)
    return { reason: `has more than ${unit === "base_units" ? 0 : decimals} digits after the point` };
  return { value: { units: (digits * multiple) / scale, roundedTo: 1n } };
}

function shareOf(digits: bigint, places: number, whole: bigint): CellResult<SheetAmount> {
  const scale = 10n ** BigInt(Math.max(0, places));
  const numerator = digits * 10n ** BigInt(Math.max(0, -places));
  if (numerator > scale) return { reason: "is more than all of it" };
  if ((whole * numerator) % scale !== 0n) return { reason: "comes to no whole number of base units; write tokens" };
  return { value: { units: (whole * numerator) / scale, roundedTo: whole / scale } };
}

export type CountUnit = "seconds" | "days" | "weeks" | "months" | "quarters" | "years";

/** Length of time in the two units that a calendar keeps exact, or in seconds. */
export interface Duration {
  readonly unit: "seconds" | "days" | "months";
  readonly count: number;
}

const UNITS: readonly (readonly [RegExp, CountUnit, Duration["unit"], number])[] = [
  [/^s(ec(ond)?s?)?$/i, "seconds", "seconds", 1],
  [/^d(ays?)?$/i, "days", "days", 1],
  [/^w(eeks?)?$/i, "weeks", "days", 7],
  [/^(m|mo|mos|mths?|months?)$/i, "months", "months", 1],
  [/^q(uarters?|tr)?$/i, "quarters", "months", 3],
  [/^y(rs?|ears?)?$/i, "years", "months", 12],
];

/** Finds the unit that a word names: `months`, `mo`, `y`. */
export function unitOf(word: string): CountUnit | undefined {
  return UNITS.find(([words]) => words.test(word))?.[1];
}

/** Two hundred years, which is more than a schedule can have. */
const MOST: Readonly<Record<Duration["unit"], number>> = { months: 2_400, days: 73_200, seconds: 6_400_000_000 };

/** Converts a count of a unit into a duration; undefined above 200 years, or where it is no whole number of its unit. */
export function durationOf(digits: bigint, fraction: number, unit: CountUnit): Duration | undefined {
  const [, , base, size] = UNITS.find(([, name]) => name === unit) ?? [];
  const count = Number(digits * BigInt(size ?? 1)) / 10 ** fraction;
  return base === undefined || !Number.isInteger(count) || count > MOST[base] ? undefined : { unit: base, count };
}

export const isNever = (cell: string): boolean => /^(never|locked)$/i.test(cell);
export const isNone = (cell: string): boolean => isDash(cell) || /^(none|n\/?a)$/i.test(cell);

/** Reads a length such as `12`, `12 mo.`, `2.5y`, `24 months linear`; `unit` is the column's, `cell`: each cell names its own. */
export function readDuration(cell: string, unit: CountUnit | "cell", mark: DecimalMark): CellResult<Duration> {
  const [, number = "", word = ""] = /^([\d.,]+)[ -]?([a-z]*)\.?(?: linear)?$/i.exec(cell) ?? [];
  const found = readNumber(number, mark);
  if (found === undefined) return { reason: "is not a length of time" };
  const named = word === "" ? undefined : unitOf(word);
  if (word !== "" && named === undefined) return { reason: "has a unit that is not known" };
  if (named !== undefined && unit !== "cell" && named !== unit) return { reason: `is not in ${unit}` };
  const taken = named ?? (unit === "cell" ? undefined : unit);
  // A length of 0 is the same in every unit.
  if (found.digits === 0n) return { value: { unit: "months", count: 0 } };
  if (taken === undefined) return { reason: "names no unit" };
  const duration = durationOf(found.digits, found.fraction, taken);
  return duration === undefined
    ? { reason: "is more than 200 years, or no whole number of months, days or seconds" }
    : { value: duration };
}

const EVERY: ReadonlyMap<string, number> = new Map([
  ["monthly", 1],
  ["every month", 1],
  ["every 2 months", 2],
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

/** Reads how often something unlocks: in months, by the day, as the mapping's `linear` declares, or all at once. */
export function readEvery(cell: string): number | "by_day" | "linear" | "at_once" | undefined {
  const text = cell.toLowerCase();
  if (/^(daily|every day)$/.test(text)) return "by_day";
  if (/^(linear|linearly|continuous)$/.test(text)) return "linear";
  if (/^(instant|immediate|at once|once|cliff)$/.test(text)) return "at_once";
  return EVERY.get(text);
}

import type { SheetAmount } from "./cell.ts";
import type { KnownColumn } from "./columns.ts";
import { sum } from "./reader.ts";

/** The figures of one bucket. */
export interface Series extends KnownColumn {
  readonly amounts: readonly SheetAmount[];
}

export type Reading = "cumulative" | "monthly";

/** What a series comes to: its last figure, or all of them. */
export function totalOf({ amounts }: Series, reading: Reading): bigint {
  return reading === "monthly" ? sum(amounts.map(({ units }) => units)) : (amounts.at(-1)?.units ?? 0n);
}

/** Running totals of its figures, whichever they are. */
export function running({ amounts }: Series, reading: Reading): readonly bigint[] {
  let total = 0n;
  return amounts.map(({ units }) => (total = reading === "monthly" ? total + units : units));
}

/** The row that is first above the one before. */
export function fallOf({ amounts }: Series): number {
  return amounts.findIndex(({ units }, row) => units < (amounts[row - 1]?.units ?? 0n));
}

/** Every selection of some columns, the empty one first; of more than twelve the first twelve. */
export function selectionsOf(columns: readonly Series[]): readonly (readonly Series[])[] {
  const some = columns.slice(0, 12);
  return Array.from({ length: 2 ** some.length }, (_, mask) => some.filter((_, at) => (mask >> at) % 2 === 1));
}

/** Of many columns only neighbours are added up. */
function addends(columns: readonly Series[]): readonly (readonly Series[])[] {
  if (columns.length <= 12) return selectionsOf(columns).slice(1);
  return columns.flatMap((_, from) => columns.slice(from).map((_, more) => columns.slice(from, from + more + 1)));
}

/**
 * Whether a column is, in every row and within rounding, the sum of others (of a single one: the same figures); or the
 * running total of what is unlocked in each month, or the change of what is in circulation.
 */
export function isExplained(whole: Series, parts: readonly Series[], reading: Reading): boolean {
  return addends(parts).some((some) => {
    const sums = rowSums(some);
    const [changes, figures] = reading === "monthly" ? [sums, whole.amounts] : [whole.amounts, sums];
    return matches(whole.amounts, sums) || (matches(figures, totals(changes)) && areChanges(changes, figures));
  });
}

/** Whether each is, as far as it is written, what its figure has more than the one before. */
function areChanges(changes: readonly SheetAmount[], figures: readonly SheetAmount[]): boolean {
  return figures.every((figure, row) => {
    const [change, before] = [changes[row] ?? figure, figures[row - 1] ?? { units: 0n, roundedTo: 0n }];
    return agree(change, { units: figure.units - before.units, roundedTo: figure.roundedTo + before.roundedTo });
  });
}

function rowSums(parts: readonly Series[]): readonly SheetAmount[] {
  return (parts[0]?.amounts ?? []).map((_, row) => ({
    units: sum(parts.map(({ amounts }) => amounts[row]?.units ?? 0n)),
    roundedTo: sum(parts.map(({ amounts }) => amounts[row]?.roundedTo ?? 0n)),
  }));
}

function totals(amounts: readonly SheetAmount[]): readonly SheetAmount[] {
  let [units, roundedTo] = [0n, 0n];
  return amounts.map((each) => {
    units += each.units;
    roundedTo += each.roundedTo;
    return { units, roundedTo };
  });
}

function matches(ones: readonly SheetAmount[], others: readonly SheetAmount[]): boolean {
  return ones.some(({ units }) => units > 0n) && ones.every((one, row) => isWithinRounding(one, others[row] ?? one));
}

/** Equal as far as both are written. */
function agree(one: SheetAmount, other: SheetAmount): boolean {
  return distance(one, other) * 2n <= one.roundedTo + other.roundedTo;
}

/** The same, and to a millionth in all. */
export function isWithinRounding(one: SheetAmount, other: SheetAmount): boolean {
  return agree(one, other) && distance(one, other) * 1_000_000n <= other.units;
}

function distance(one: SheetAmount, other: SheetAmount): bigint {
  return one.units > other.units ? one.units - other.units : other.units - one.units;
}

/** The first row in which a column that is the sum of all others in most rows is not. */
export function wrongSumOf(whole: Series, parts: readonly Series[]): { row: number; expected: bigint } | undefined {
  const sums = rowSums(parts);
  const counted = whole.amounts.flatMap(({ units }, row) => (units > 0n && sums[row] !== undefined ? [row] : []));
  const wrong = counted.filter((row) => {
    const [one, other] = [whole.amounts[row], sums[row]];
    return one !== undefined && other !== undefined && !isWithinRounding(one, other);
  });
  const [row] = wrong;
  if (parts.length < 2 || row === undefined || wrong.length * 2 >= counted.length) return undefined;
  return { row, expected: sums[row]?.units ?? 0n };
}

import { type DecimalMark, readNumber } from "../cells/number.ts";
import { type Candidate, isDecided } from "./candidates.ts";
import { isShare, type RowKind } from "./mapping.ts";
import { amountUnitOf } from "./vocabulary.ts";

/** Facts that the command line states of a sheet, which the mapping records. */
export interface SheetFacts {
  readonly decimals: number;
  /** Ticker of the token, which a title may name as the unit. */
  readonly symbol: string;
  /** Base units. */
  readonly maxSupply: bigint;
  readonly amounts: Reading | undefined;
  readonly gaps: "keep" | undefined;
  readonly rest: string | undefined;
  readonly start: string | undefined;
  readonly stepDay: number | undefined;
}

type Reading = "cumulative" | "monthly";

/** Result of comparing the amounts with the stated maximum. */
export interface Fit {
  /** Whether the amounts come to the maximum in exactly one way. */
  readonly isExact: boolean;
  readonly amounts: Reading | undefined;
  /** Unit of each column of amounts, by its letter, where the maximum decides it. */
  readonly units: ReadonlyMap<string, string>;
  /** Columns without which the others come to the maximum; they may not belong to the plan. */
  readonly doubtful: readonly string[];
}

/** Units that a column may have, in the order of preference where several give the same amounts. */
const UNITS = [
  ...["tokens", "fraction", "percent", "base_units"],
  ...["tokens x 1000", "tokens x 1000000", "tokens x 1000000000"],
];
const PLACES = 36;

/** Number as it is written, in units that all numbers of a sheet share. */
export function scaled(cell: string | undefined, mark: DecimalMark): bigint | undefined {
  const number = readNumber((cell ?? "").replace(/\s*%$/, ""), mark);
  if (number === undefined || number.fraction > PLACES) return undefined;
  return number.digits * 10n ** BigInt(PLACES - number.fraction);
}

/** Whether a person or a letter in a cell, as in 2.5k, states that a column is in tokens. */
export const isUnitStatedByCells = ({ given, cells }: Candidate): boolean =>
  (given.unit ?? null) !== null || cells.some((cell) => /\d ?[a-z]{1,2}$/i.test(cell));

/** Unit that a person, the cells or the title state. */
export function statedUnit(candidate: Candidate, mark: DecimalMark): string | undefined {
  const { kind, words, cells, given } = candidate;
  if (given.unit !== undefined && given.unit !== null) return given.unit;
  if (kind === "percent") return "percent";
  const byTitle = amountUnitOf(words);
  const numbers = cells.flatMap((cell) => readNumber(cell, mark) ?? []);
  if (numbers.every(({ digits }) => digits === 0n)) return byTitle ?? "tokens";
  // 0.1 under a percent sign may mean a tenth.
  if (byTitle === "percent" && numbers.every(({ digits, fraction }) => Number(digits) <= 10 ** fraction))
    return undefined;
  return byTitle ?? (isUnitStatedByCells(candidate) ? "tokens" : undefined);
}

/** Unit that is certain: a title that says tokens is not, because a column of millions may have that title too. */
function fixedUnit(candidate: Candidate, mark: DecimalMark): string | undefined {
  const stated = statedUnit(candidate, mark);
  return stated === "tokens" && !isUnitStatedByCells(candidate) ? undefined : stated;
}

/** Last amount and sum of a column as they are written, and whether an amount is below the one before. */
interface Totals extends Readonly<Record<Reading, bigint>> {
  readonly column: Candidate;
  readonly falls: boolean;
}

interface Way {
  readonly reading: Reading;
  /** Letter of the column that is left out. */
  readonly without: string | undefined;
  readonly units: ReadonlyMap<string, string>;
}

/** Compares every reading of the amounts with the maximum; the time grows with the number of cells. */
export function fitToMaximum(
  candidates: readonly Candidate[],
  rowKind: RowKind | null,
  mark: DecimalMark,
  facts: SheetFacts,
): Fit {
  const isPeriod = rowKind === "period";
  const columns = candidates.filter(
    ({ is, isNamed }) => is === "amount" || (isPeriod && (is === "circulating" || isNamed)),
  );
  const isCirculating = columns.some(({ is }) => is === "circulating");
  const reading = facts.amounts ?? (isCirculating ? "cumulative" : undefined);
  const none: Fit = { isExact: false, amounts: isPeriod ? reading : undefined, units: new Map(), doubtful: [] };
  const totals = columns.flatMap((each) => totalsOf(each, mark) ?? []);
  if (rowKind === null || columns.length === 0 || totals.length < columns.length) return none;
  if (!isPeriod && columns.length > 1) return none;
  const readings: readonly Reading[] = !isPeriod
    ? ["monthly"]
    : reading === undefined
      ? ["cumulative", "monthly"]
      : [reading];
  const waysBy = (list: readonly Reading[]) =>
    UNITS.flatMap((unit) => list.flatMap((each) => waysOf(totals, each, unit, mark, facts, isPeriod)));
  // Units of equal consequence are one way, of which the first is taken.
  const ways = [...Map.groupBy(waysBy(readings), ({ reading: how, without }) => `${how} ${without}`).values()].flatMap(
    ([way]) => way ?? [],
  );
  const [exact, ...others] = ways.filter(({ without }) => without === undefined);
  const doubtful = ways.flatMap(({ without }) => without ?? []);
  const taken = ({ reading: how, units }: Way) => ({ amounts: isPeriod ? how : undefined, units });
  if (exact !== undefined)
    return others.length + doubtful.length === 0 ? { ...none, ...taken(exact), isExact: true } : { ...none, doubtful };
  const [only] = ways;
  if (only !== undefined) return ways.length === 1 ? { ...none, ...taken(only), doubtful } : none;
  // Under such a title the figures are running totals, unless their rows add up to the maximum.
  const isSum = isCirculating && !columns.every(isDecided) && waysBy(["monthly"]).length > 0;
  return isSum ? { ...none, amounts: facts.amounts, doubtful: columns.map(({ letter }) => letter) } : none;
}

/** Combinations of reading and units with which all columns, or all but one undecided column, come to the maximum. */
function waysOf(
  totals: readonly Totals[],
  reading: Reading,
  unit: string,
  mark: DecimalMark,
  facts: SheetFacts,
  isPeriod: boolean,
): readonly Way[] {
  const units = new Map(totals.map(({ column }) => [column.letter, fixedUnit(column, mark) ?? unit]));
  const isAnyOpen = totals.some(({ column }) => fixedUnit(column, mark) === undefined);
  if (!isAnyOpen && unit !== UNITS[0]) return [];
  const amounts = totals.map((each) => each[reading] * factorOf(units.get(each.column.letter) ?? unit, facts));
  const falls = totals.map((each) => reading === "cumulative" && each.falls);
  const [whole, falling] = [amounts.reduce((sum, each) => sum + each, 0n), falls.filter(Boolean).length];
  const maximum = 100n * facts.maxSupply * 10n ** BigInt(PLACES);
  const all = whole === maximum && falling === 0 ? [{ reading, units, without: undefined }] : [];
  const some = totals.flatMap(({ column }, at): readonly Way[] => {
    const amount = amounts[at] ?? 0n;
    const isFit = amount > 0n && whole - amount === maximum && falling === Number(falls[at]);
    return isFit && isPeriod && totals.length > 1 && !isDecided(column)
      ? [{ reading, units, without: column.letter }]
      : [];
  });
  return [...all, ...some];
}

/** Hundredths of a base unit that one of the unit is. */
function factorOf(unit: string, { decimals, maxSupply }: SheetFacts): bigint {
  if (isShare(unit)) return unit === "percent" ? maxSupply : 100n * maxSupply;
  if (unit === "base_units") return 100n;
  return 100n * 10n ** BigInt(decimals) * BigInt(/^tokens x (\d+)$/.exec(unit)?.[1] ?? 1);
}

function totalsOf(column: Candidate, mark: DecimalMark): Totals | undefined {
  let [monthly, cumulative, falls] = [0n, 0n, false];
  for (const cell of column.cells) {
    const amount = scaled(cell, mark);
    if (amount === undefined) return undefined;
    falls ||= amount < cumulative;
    cumulative = amount;
    monthly += amount;
  }
  return { column, cumulative, monthly, falls };
}

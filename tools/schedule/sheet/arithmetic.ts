import { readAmount } from "../cells/cell.ts";
import type { DecimalMark } from "../cells/number.ts";
import { type Candidate, type Fit, isDecided, isUnitStatedByCells, type SheetFacts, statedUnit } from "./candidate.ts";
import type { RowKind } from "./mapping.ts";

/** In the order in which one of equal consequence is taken. */
const UNITS = [
  ...["tokens", "fraction", "percent", "base_units"],
  ...["tokens x 1000", "tokens x 1000000", "tokens x 1000000000"],
];

/** A column's last amount and the sum of its amounts, in base units. */
interface Totals {
  readonly cumulative: bigint;
  readonly monthly: bigint;
  readonly falls: boolean;
}

type Reading = "cumulative" | "monthly";

/** Compares every reading of the amounts with the maximum; the time grows with the number of cells. */
export function arithmeticOf(
  candidates: readonly Candidate[],
  rowKind: RowKind | null,
  mark: DecimalMark,
  facts: SheetFacts,
): Fit {
  const amounts = candidates.filter(
    ({ is, isNamed }) => is === "amount" || is === "circulating" || (isNamed && rowKind === "period"),
  );
  const counted = rowKind === "period" ? amounts : amounts.filter(({ is }) => is === "amount");
  const isOneFigure = counted.length === 1;
  const none: Fit = {
    isExact: false,
    amounts: undefined,
    units: new Map(),
    doubtful: [],
    total: undefined,
    isOneFigure,
  };
  if (rowKind === null || counted.length === 0 || (rowKind !== "period" && !isOneFigure)) return none;
  const fits = UNITS.flatMap((unit) => fitsOf(counted, unit, rowKind, mark, facts));
  // Of a unit that changes nothing the first one is taken.
  const ways = [
    ...new Map(fits.toReversed().map((each) => [`${each.reading} ${each.without}`, each])).values(),
  ].toReversed();
  const [exact, ...others] = ways.filter(({ without }) => without === undefined);
  const doubtful = ways.flatMap(({ without }) => without ?? []);
  if (exact !== undefined && others.length === 0 && doubtful.length === 0)
    return { ...none, isExact: true, amounts: exact.reading, units: exact.units, total: facts.maxSupply };
  const [only] = ways;
  if (exact === undefined && ways.length === 1 && only !== undefined)
    return { ...none, amounts: only.reading, units: only.units, doubtful };
  if (exact !== undefined) return { ...none, ...shortOf(counted, rowKind, mark, facts), doubtful };
  // Below the maximum a figure is in circulation by its title, unless its rows add up to the maximum.
  const asParts = counted.map((each) => (isDecided(each) ? each : { ...each, is: "amount" as const }));
  const isSum = UNITS.some((unit) => fitsOf(asParts, unit, rowKind, mark, facts).length > 0);
  return isSum && ways.length === 0
    ? { ...none, doubtful: counted.map(({ letter }) => letter) }
    : { ...none, ...shortOf(counted, rowKind, mark, facts) };
}

interface Way {
  readonly reading: Reading | undefined;
  /** The letter of the column that is left out. */
  readonly without: string | undefined;
  readonly units: ReadonlyMap<string, string>;
}

/** The unit that is stated, except the word tokens in a title: a column of millions may have it too. */
function fixedUnit(candidate: Candidate, mark: DecimalMark): string | undefined {
  const stated = statedUnit(candidate, mark);
  return stated === "tokens" && !isUnitStatedByCells(candidate) ? undefined : stated;
}

/** The readings with which the columns, or all of them but a named one, come to the maximum. */
function fitsOf(
  counted: readonly Candidate[],
  unit: string,
  rowKind: RowKind,
  mark: DecimalMark,
  facts: SheetFacts,
): readonly Way[] {
  const open = counted.filter((each) => fixedUnit(each, mark) === undefined);
  if (open.length === 0 && unit !== "tokens") return [];
  const totals = counted.map((each) => totalsOf(each, fixedUnit(each, mark) ?? unit, mark, facts));
  if (totals.some((each) => each === undefined)) return [];
  const known = totals.flatMap((each) => each ?? []);
  const isCirculating = counted.some(({ is }) => is === "circulating");
  const stated = facts.amounts ?? (isCirculating ? "cumulative" : undefined);
  const readings: readonly Reading[] =
    rowKind !== "period" ? ["monthly"] : stated === undefined ? ["cumulative", "monthly"] : [stated];
  const units = new Map(counted.map((each) => [each.letter, fixedUnit(each, mark) ?? unit]));
  return readings.flatMap((reading): readonly Way[] => {
    const whole = known.reduce((sum, each) => sum + each[reading], 0n);
    const falling = known.filter(({ falls }) => reading === "cumulative" && falls).length;
    const way = { reading: rowKind === "period" ? reading : undefined, units } as const;
    const all = whole === facts.maxSupply && falling === 0 ? [{ ...way, without: undefined }] : [];
    const some = counted.flatMap(({ letter, given }, index): readonly Way[] => {
      const own = known[index];
      if ((given?.is ?? null) !== null || own === undefined || counted.length === 1 || rowKind !== "period") return [];
      const isFit =
        whole - own[reading] === facts.maxSupply &&
        own[reading] > 0n &&
        falling - Number(reading === "cumulative" && own.falls) === 0;
      return isFit ? [{ ...way, without: letter }] : [];
    });
    return [...all, ...some];
  });
}

function totalsOf(
  { cells }: Candidate,
  unit: string,
  mark: DecimalMark,
  { decimals, maxSupply }: SheetFacts,
): Totals | undefined {
  let [monthly, last, falls] = [0n, 0n, false];
  for (const cell of cells) {
    if (cell === "") return undefined;
    const amount = readAmount(cell, { mark, decimals, unit }, maxSupply);
    if (!("value" in amount)) return undefined;
    falls ||= amount.value.units < last;
    last = amount.value.units;
    monthly += last;
  }
  return { cumulative: last, monthly, falls };
}

/** What the amounts come to below the maximum, where every unit is stated. */
function shortOf(counted: readonly Candidate[], rowKind: RowKind, mark: DecimalMark, facts: SheetFacts): Partial<Fit> {
  const isCirculating = counted.some(({ is }) => is === "circulating");
  const reading: Reading | undefined =
    rowKind !== "period" ? "monthly" : (facts.amounts ?? (isCirculating ? "cumulative" : undefined));
  const totals = counted.map((each) => totalsOf(each, statedUnit(each, mark) ?? "", mark, facts));
  const isStated = counted.every((each) => statedUnit(each, mark) !== undefined);
  const amounts = rowKind === "period" ? reading : undefined;
  if (reading === undefined || !isStated || totals.some((each) => each === undefined)) return { amounts };
  return { amounts, total: totals.reduce((sum, each) => sum + (each?.[reading] ?? 0n), 0n) };
}

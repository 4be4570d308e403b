import { basename } from "node:path";
import { tokenText } from "../../../src/chain/amount.ts";
import { readEvery } from "../cells/cell.ts";
import { type DecimalMark, decimalMarkOf } from "../cells/number.ts";
import { readPeriod } from "../cells/period.ts";
import type { SheetRows } from "../cells/rows.ts";
import { isDayOfMonthEnd } from "../months.ts";
import { arithmeticOf } from "./arithmetic.ts";
import { type Candidate, type Context, isDecided, type SheetFacts } from "./candidate.ts";
import { type ColumnMeaning, type MappedColumn, type Mapping, type RowKind, UNITS } from "./mapping.ts";
import { mappedColumn, scaled } from "./members.ts";
import { figureOf, type OpenPlace, openPlaces } from "./open-places.ts";
import { type Layout, layoutOf, mayLackTitles, outsideLine, tableBy } from "./table.ts";
import { isSumLabel, kindOf, meaningOf, wordsOf } from "./vocabulary.ts";

const RULE_MEANINGS: readonly ColumnMeaning[] = ["duration", "end", "cliff", "unlocked_at_start", "every", "start"];
/** Meanings that several columns may have. */
const REPEATED: readonly ColumnMeaning[] = ["ignored", "amount", "sum"];

/** A mapping, and what of it is open. */
export interface Proposal {
  readonly mapping: Mapping;
  readonly places: readonly OpenPlace[];
}

/**
 * The mapping of a sheet: what its titles, its cells or the stated maximum leave in doubt is `null`. `given`: a mapping
 * that a person has begun; its members stay as they are.
 */
export function proposeMapping(name: string, sheet: SheetRows, stated: SheetFacts, given?: Mapping): Proposal {
  const { rows, separator } = sheet;
  const facts = { ...stated, amounts: stated.amounts ?? given?.amounts ?? undefined };
  const layout = given === undefined ? layoutOf(name, rows) : layoutBy(name, rows, given);
  const cells = rows.flatMap((row) => row.cells.filter((cell) => readPeriod(cell) === undefined));
  const found = markIn(given) ?? (separator === undefined ? { mark: "." as const } : decimalMarkOf(cells, separator));
  const mark = "mark" in found ? found.mark : ".";
  const { candidates, rowKind } = meanings(layout, mark, facts.symbol, given);
  const sums = given === undefined ? sumLines(layout, candidates, rowKind, mark) : new Map<number, boolean>();
  const isRow = layout.lines.map((line) => !sums.has(line));
  const counted = candidates.map((each) => ({ ...each, cells: each.cells.filter((_, row) => isRow[row]) }));
  const fit = arithmeticOf(counted, rowKind, mark, facts);
  const context: Context = { candidates: counted, rowKind, mark, facts, fit };
  const columns = counted
    .map((each) => mappedColumn(each, context))
    .map((each, index) => {
      const own = given?.columns.find(({ column }) => column === each.column);
      const column = applicable(merged(each, own));
      const [cell = "", whole] = [counted[index]?.cells[0], facts.maxSupply];
      const means = column.of === "maximum" ? figureOf(cell, column.unit ?? "", whole, context) : undefined;
      return { ...column, ...(means === undefined ? {} : { means: `${JSON.stringify(cell)} is ${means}` }) };
    });
  // A note may have the unit that a column lacks.
  const isUnitOpen = columns.some(({ unit }, index) => unit === null && fit.units.has(counted[index]?.letter ?? ""));
  const isCertain = (line: number): boolean => fit.isExact && !isUnitOpen && !isSecondTitle(line, layout);
  // A column of words whose meaning is open may be the bucket of each row.
  const isRowsOpen = rowKind === "period" && counted.some(({ is, isNamed }) => is === undefined && !isNamed);
  const proposed: Mapping = {
    sheet: basename(name),
    max_supply: tokenText(facts.maxSupply, facts.decimals),
    rows: layout.mayLackTitles || isRowsOpen ? null : rowKind,
    titles: layout.titles,
    decimal_mark: "mark" in found ? (mark === "." ? "point" : "comma") : null,
    ...sheetMembers(context, columns),
    outside: [
      ...layout.outside.map((each) => ({ ...each, is: isCertain(each.line) ? ("ignored" as const) : null })),
      ...rows
        .filter(({ line }) => sums.has(line))
        .map((row) => ({ ...outsideLine(row), is: sums.get(row.line) === true ? ("sum" as const) : null })),
    ],
    columns,
  };
  const mapping = { ...merged(proposed, given), columns };
  return { mapping, places: openPlaces(mapping, context) };
}

/** What is given and decided stays; the rest is as proposed. */
function merged<Owner extends object>(proposed: Owner, given: Owner | undefined): Owner {
  const decided = Object.entries(given ?? {}).filter(
    ([member, value]) => value !== null && member !== "choices" && member !== "means",
  );
  return { ...proposed, ...Object.fromEntries(decided) };
}

function markIn(given: Mapping | undefined): { readonly mark: DecimalMark } | undefined {
  if (given === undefined || given.decimal_mark === null) return undefined;
  return { mark: given.decimal_mark === "comma" ? "," : "." };
}

/** Without the members that do not apply to the column's meaning and unit. */
function applicable(column: MappedColumn): MappedColumn {
  const { unit, is, title, cells } = column;
  if (is !== null && UNITS[is].length === 0) return { column: column.column, title, cells, is };
  const isShare = unit === "percent" || unit === "fraction";
  const applies: Readonly<Record<string, boolean>> = {
    of: isShare,
    whole: unit === "date",
    day: unit === "date" || unit === "serial",
    first: unit === null || UNITS.duration.some((each) => each === unit),
  };
  const members = Object.entries(column).filter(([member, value]) => value !== null || (applies[member] ?? true));
  return Object.fromEntries(members) as unknown as MappedColumn; // fewer of its optional members
}

function layoutBy(name: string, rows: SheetRows["rows"], given: Mapping): Layout {
  const { table } = tableBy(name, rows, given);
  const titles = rows.find(({ line }) => line === given.titles)?.cells ?? [];
  return { ...table, titles: given.titles, mayLackTitles: mayLackTitles(titles), outside: given.outside };
}

const isSecondTitle = (line: number, { titles, lines }: Layout): boolean => line > titles && line < (lines[0] ?? 0);

/** Every column's meaning by its title and cells, and what the rows are. */
function meanings({ columns }: Layout, mark: DecimalMark, symbol: string, given: Mapping | undefined) {
  const begun = new Map(given?.columns.map((each) => [each.column, each]));
  const first = columns.map((column): Candidate => {
    const [kind, words] = [kindOf(column, mark), wordsOf(column.title, symbol)];
    const own = begun.get(column.letter);
    if ((own?.is ?? null) !== null)
      return { ...column, kind, words, is: own?.is ?? undefined, isNamed: false, given: own };
    const is = kind === "empty" ? "ignored" : meaningOf(words, kind);
    return {
      ...column,
      kind,
      words,
      is,
      given: own,
      isNamed: kind === "numbers" && is === undefined && (column.title !== "" || columns.length === 2),
    };
  });
  const has = (list: readonly Candidate[], ...wanted: readonly ColumnMeaning[]): boolean =>
    list.some(({ is }) => is !== undefined && wanted.includes(is));
  const isRule = has(first, ...RULE_MEANINGS);
  const dated = first.filter(({ kind }) => kind === "dates");
  const settled = first.map((each): Candidate => {
    if (isDecided(each)) return each;
    if (each.is === "category" && !has(first, "bucket")) return { ...each, is: "bucket" };
    // `Months` beside a cliff is a length; beside figures it numbers the rows.
    if (each.is === "period" && isRule)
      return { ...each, is: each.kind === "numbers" ? meaningOf(each.words, "durations") : undefined };
    if (each.is === undefined && each.title === "" && each === dated[0] && dated.length === 1 && !isRule)
      return { ...each, is: "period" };
    return each;
  });
  const counts = Map.groupBy(settled, ({ is }) => is);
  const candidates = settled.map((each): Candidate => {
    const isDouble = each.is !== undefined && !REPEATED.includes(each.is) && (counts.get(each.is)?.length ?? 0) > 1;
    return isDouble && !isDecided(each) ? { ...each, is: undefined, isNamed: false } : each;
  });
  const period = candidates.find(({ is }) => is === "period");
  const isRepeated = period !== undefined && new Set(period.cells).size < period.cells.length;
  const isList = has(candidates, "bucket") || isRepeated;
  const rowKind: RowKind | null =
    given?.rows ?? (isRule ? "rule" : period === undefined ? null : isList ? "unlock" : "period");
  return { candidates, rowKind };
}

/** Lines whose first cell is a label of a sum, by a closed list, and whether one column has the sum of the others. */
function sumLines(
  { lines, columns }: Layout,
  candidates: readonly Candidate[],
  rowKind: RowKind | null,
  mark: DecimalMark,
): ReadonlyMap<number, boolean> {
  const labels = lines.map((_, row) => columns.map(({ cells }) => cells[row] ?? "").find((cell) => cell !== "") ?? "");
  const isLabelled = labels.map(isSumLabel);
  const numbers = candidates.flatMap(({ kind, is, cells }) => {
    if (!["numbers", "percent"].includes(kind) || is === "ignored" || is === "period") return [];
    const amounts = cells.map((cell) => scaled(cell.replace(/ *%$/, ""), mark));
    const others = amounts.filter((_, row) => !isLabelled[row]);
    const sums = [others.reduce<bigint>((total, each) => total + (each ?? 0n), 0n)];
    return [{ amounts, sums: rowKind === "period" ? [...sums, others.at(-1)] : sums }];
  });
  return new Map(
    lines.flatMap((line, row) => {
      const isSum = numbers.some(({ amounts, sums }) => sums[0] !== 0n && sums.includes(amounts[row] ?? -1n));
      return isLabelled[row] ? [[line, isSum] as const] : [];
    }),
  );
}

/** The members of the whole sheet that apply to its kind of rows. */
function sheetMembers({ candidates, rowKind, facts, fit }: Context, columns: readonly MappedColumn[]) {
  const { start, stepDay, rest, gaps, amounts } = facts;
  const column = (is: ColumnMeaning): MappedColumn | undefined => columns.find((each) => each.is === is);
  const cellsOf = (...wanted: readonly ColumnMeaning[]) =>
    columns.flatMap(({ is, unit }, index) =>
      is !== null && wanted.includes(is) && unit === "date" ? (candidates[index]?.cells ?? []) : [],
    );
  const period = candidates.find(({ letter }) => letter === column("period")?.column);
  const isNumbered = period !== undefined && column("period")?.first !== undefined;
  const needsStart = isNumbered || (rowKind === "rule" && column("start") === undefined);
  const isShort = fit.total !== undefined && fit.total < facts.maxSupply && !(rowKind === "period" && fit.isOneFigure);
  return {
    ...orderMember(cellsOf("period", "start", "end", "cliff")),
    ...(rowKind === "period" ? { amounts: amounts ?? fit.amounts ?? null } : {}),
    ...(rowKind === "period" && isMonthEnds(period?.cells ?? []) ? { month_end: null } : {}),
    ...(gaps === undefined ? {} : { gaps }),
    ...(rowKind === "rule" && needsLinear(candidates, columns) ? { linear: linearOf(columns) } : {}),
    ...(start !== undefined || needsStart ? { start: start ?? null } : {}),
    ...(stepDay === undefined ? {} : { step_day: stepDay }),
    ...(rest !== undefined || isShort ? { rest: rest ?? null } : {}),
  };
}

function orderMember(cells: readonly string[]) {
  const open = cells.flatMap((cell) => {
    const period = readPeriod(cell);
    return period?.kind === "either" ? [period] : [];
  });
  if (open.length === 0) return {};
  if (open.some(({ monthFirst }) => monthFirst === undefined)) return { dates: "day-first" as const };
  return { dates: open.some(({ dayFirst }) => dayFirst === undefined) ? ("month-first" as const) : null };
}

function isMonthEnds(cells: readonly string[]): boolean {
  const days = cells.map((cell) => readPeriod(cell));
  return days.length > 0 && days.every((each) => each?.kind === "day" && isDayOfMonthEnd(each.atMs));
}

/** Whether a row unlocks over time in a way that no column states. */
function needsLinear(candidates: readonly Candidate[], columns: readonly MappedColumn[]): boolean {
  const cells = (is: ColumnMeaning): readonly string[] =>
    candidates[columns.findIndex((each) => each.is === is)]?.cells ?? [];
  const [every, lengths, ends] = [cells("every"), cells("duration"), cells("end")];
  return [...(lengths.length > 0 ? lengths : ends)].some((cell, row) => {
    const stated = /^\d+$/.test(every[row] ?? "") ? 1 : readEvery(every[row] ?? "");
    return /[1-9]/.test(cell) && (stated === undefined || stated === "linear");
  });
}

/** Lengths in days and ends in Unix seconds unlock by the day; whether others do so by the day or by the month is open. */
function linearOf(columns: readonly MappedColumn[]): "by_day" | null {
  const spans = columns.filter(({ is }) => is === "duration" || is === "end");
  const isFine = ({ unit }: MappedColumn): boolean =>
    ["days", "weeks", "unix_seconds", "unix_milliseconds"].includes(unit ?? "");
  return spans.length > 0 && spans.every(isFine) ? "by_day" : null;
}

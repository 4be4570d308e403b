import { basename } from "node:path";
import { tokenText } from "../../../src/chain/amount.ts";
import { readEvery } from "../cells/cell.ts";
import { decimalMarkOf } from "../cells/number.ts";
import { readPeriod } from "../cells/period.ts";
import type { SheetRows } from "../cells/rows.ts";
import { fitToMaximum, type SheetFacts, scaled } from "./arithmetic.ts";
import { candidatesOf } from "./candidates.ts";
import type { MappedColumn, Mapping } from "./mapping.ts";
import { type Context, mappedColumn } from "./members.ts";
import { figureOf, type OpenPlace, openPlaces } from "./open-places.ts";
import { leavesRest } from "./read.ts";
import { type LayoutLine, layoutOf, refuseChanged, tableBy } from "./table.ts";

/** Mapping with its open places. */
export interface Proposal {
  readonly mapping: Mapping;
  readonly places: readonly OpenPlace[];
}

/**
 * Proposes the mapping of a sheet. A member that titles, cells and the stated maximum do not decide is `null`. `given`
 * is a mapping that a person has begun; its members stay unchanged.
 */
export function proposeMapping(name: string, sheet: SheetRows, stated: SheetFacts, given?: Mapping): Proposal {
  const { rows, separator } = sheet;
  if (given !== undefined) refuseChanged(name, rows, given);
  const facts = { ...stated, amounts: stated.amounts ?? given?.amounts ?? undefined };
  const layout = layoutOf(name, rows);
  const outside = given?.outside ?? layout.outside.map(({ line, text }) => ({ line, text, is: null }));
  const titles = given?.titles ?? layout.titles;
  const { table } = tableBy(rows, { titles, outside, columns: given?.columns ?? [] });
  const numbers = rows.flatMap(({ cells }) => cells.filter((cell) => readPeriod(cell) === undefined));
  const decimalMark = given?.decimal_mark ?? (separator === undefined ? "point" : decimalMarkOf(numbers, separator));
  const mark = decimalMark === "comma" ? "," : ".";
  const { candidates, rowKind } = candidatesOf(table, mark, facts.symbol, given);
  const fit = fitToMaximum(candidates, rowKind, mark, facts);
  const context: Context = { candidates, rowKind, mark, facts, fit, titles: layout.titles };
  const columns = candidates.map((each) => withMeaning(mappedColumn(each, context), each.cells, context));
  // A column of words without a known meaning may name the buckets, and then the rows are not periods.
  const isRowsOpen = rowKind === "period" && candidates.some(({ is, isNamed }) => is === undefined && !isNamed);
  const mapping: Mapping = {
    sheet: basename(name),
    max_supply: tokenText(facts.maxSupply, facts.decimals),
    rows: given?.rows ?? (isRowsOpen ? null : rowKind),
    titles: given?.titles ?? (layout.mayLackTitles ? null : layout.titles),
    decimal_mark: decimalMark,
    ...sheetMembers(context, columns, given),
    outside:
      given?.outside ??
      layout.outside.map((each) => ({ line: each.line, text: each.text, is: outsideIs(each, columns, context) })),
    columns,
  };
  const places = openPlaces(mapping, context);
  if (places.length > 0 || mapping.rest !== undefined || !leavesRest(name, sheet, mapping, facts.decimals))
    return { mapping, places };
  const short = { ...mapping, rest: null };
  return { mapping: short, places: openPlaces(short, context) };
}

/** Adds the amount of the first cell to a column of shares of the maximum, because 0.4 may mean 40 % or 0.4 %. */
function withMeaning(column: MappedColumn, cells: readonly string[], context: Context): MappedColumn {
  const cell = cells.find((each) => each !== "") ?? "";
  const figure =
    column.of === "maximum" ? figureOf(cell, column.unit ?? "", context.facts.maxSupply, context) : undefined;
  return figure === undefined ? column : { ...column, means: `${JSON.stringify(cell)} is ${figure}` };
}

/** Members of the whole sheet that apply to its kind of rows. */
function sheetMembers(
  { candidates, rowKind, facts, fit }: Context,
  columns: readonly MappedColumn[],
  given: Mapping | undefined,
) {
  const cellsOf = (...meanings: readonly MappedColumn["is"][]): readonly string[] =>
    columns.flatMap(({ is }, at) => (meanings.includes(is) ? (candidates[at]?.cells ?? []) : []));
  const isNumbered = columns.some(({ first }) => first !== undefined);
  const isStartless = rowKind === "rule" && !columns.some(({ is }) => is === "start");
  const members = {
    dates: dateOrder(columns.flatMap(({ unit }, at) => (unit === "date" ? (candidates[at]?.cells ?? []) : []))),
    amounts: facts.amounts ?? (rowKind === "period" ? (fit.amounts ?? null) : undefined),
    gaps: facts.gaps,
    linear: rowKind === "rule" && isLinear(cellsOf("every"), cellsOf("duration"), cellsOf("end")) ? null : undefined,
    start: facts.start ?? (isNumbered || isStartless ? null : undefined),
    step_day: facts.stepDay,
    rest: facts.rest,
  };
  const stated = Object.entries(members).map(([member, value]) => [
    member,
    given?.[member as keyof typeof members] ?? value,
  ]);
  return Object.fromEntries(stated.filter(([, value]) => value !== undefined)) as Partial<Mapping>; // its own members
}

/**
 * Order of day and month that the cells prove; null when they leave it open, undefined when no cell has two numbers.
 */
function dateOrder(cells: readonly string[]): Mapping["dates"] {
  const days = cells.flatMap((cell) => {
    const period = readPeriod(cell);
    return period?.kind === "either" ? [period] : [];
  });
  if (days.length === 0) return undefined;
  if (days.some(({ monthFirst }) => monthFirst === undefined)) return "day-first";
  return days.some(({ dayFirst }) => dayFirst === undefined) ? "month-first" : null;
}

/** Whether a row unlocks over time in a way that no column states. */
function isLinear(every: readonly string[], lengths: readonly string[], ends: readonly string[]): boolean {
  return [...(lengths.length > 0 ? lengths : ends)].some((cell, row) => {
    const stated = /^\d+$/.test(every[row] ?? "") ? 1 : readEvery(every[row] ?? "");
    return /[1-9]/.test(cell) && (stated === undefined || stated === "linear");
  });
}

/** Classifies a line outside the table: a sum by its label and figure, or a note, once the amounts are certain. */
function outsideIs(
  { kind, cells }: LayoutLine,
  columns: readonly MappedColumn[],
  context: Context,
): "sum" | "ignored" | null {
  const { candidates, mark, rowKind, fit } = context;
  if (kind === "titles") return null;
  // A note may state a unit that a column lacks.
  if (kind === "note") return fit.isExact && columns.every(({ unit }) => unit !== null) ? "ignored" : null;
  const isSum = candidates.some(({ kind: form, is, letter, cells: amounts }) => {
    if (!["numbers", "percent"].includes(form) || is === "ignored" || is === "period") return false;
    const read = amounts.map((cell) => scaled(cell, mark) ?? 0n);
    const [sum, last] = [read.reduce((total, each) => total + each, 0n), read.at(-1)];
    const figure = scaled(cells[letter], mark);
    return sum !== 0n && figure !== undefined && (figure === sum || (rowKind === "period" && figure === last));
  });
  return isSum ? "sum" : null;
}

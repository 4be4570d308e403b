import { Refusal } from "../../lib/command-line.ts";
import type { CsvRow } from "../../lib/csv.ts";
import { lettersOf } from "../cells/letters.ts";
import { readNumber } from "../cells/number.ts";
import { readNumbered, readPeriod } from "../cells/period.ts";
import type { Mapping } from "./mapping.ts";

/** A column of a sheet: its cells are those of the table's rows, in order. */
export interface Column {
  /** `A`, `B`, ..., `AA`. */
  readonly letter: string;
  readonly title: string;
  readonly cells: readonly string[];
}

/** The one table of a sheet. */
export interface Table {
  readonly columns: readonly Column[];
  /** The line of each row. */
  readonly lines: readonly number[];
}

/** Where the table of a sheet lies. */
export interface Layout extends Table {
  /** The line of the titles; 0: there are none. */
  readonly titles: number;
  /** Whether the line of the titles may be a row of the table. */
  readonly mayLackTitles: boolean;
  readonly outside: readonly { readonly line: number; readonly text: string }[];
}

/** More than a century of days. */
const MAX_ROWS = 50_000;

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== "").length;
const hasFigure = (cell: string): boolean => /\d|^[-–—]$/.test(cell);
const isFigure = (cell: string): boolean =>
  readNumber(cell, ".") !== undefined ||
  readNumber(cell, ",") !== undefined ||
  isDate(cell) ||
  readNumbered(cell) !== undefined;
const isDate = (cell: string): boolean => readPeriod(cell) !== undefined;
const textOf = (cells: readonly string[]): string =>
  cells
    .filter((cell) => cell !== "")
    .join(", ")
    .slice(0, 80);

/** Finds the table among the rows. Throws a Refusal for tables side by side, below one another, or turned. */
export function layoutOf(name: string, rows: readonly CsvRow[]): Layout {
  if (rows.length === 0) throw new Refusal([`${name}: has no rows`]);
  if (rows.length > MAX_ROWS)
    throw new Refusal([`${name}: has ${rows.length} rows, of at most ${MAX_ROWS}; keep those of the schedule`]);
  const width = widthOf(rows);
  // A corner may be empty.
  const first = rows.findIndex(({ cells }) => filled(cells) > 1 || (filled(cells) === 1 && cells[0] === ""));
  const [header, ...below] = first === -1 ? [] : rows.slice(first);
  if (header === undefined)
    throw new Refusal([`${name}: line ${rows[0]?.line ?? 0}: no row has two cells: there is no table`]);
  const isBare = width === 2 && header.cells.slice(0, 2).every(hasFigure) && isDate(header.cells[0] ?? "");
  const titles = isBare ? [] : header.cells;
  const [second] = below;
  const secondTitles = second !== undefined && below.length > 1 && isSecondTitles(second.cells) ? [second] : [];
  const body = (isBare ? [header, ...below] : below).filter((row) => !secondTitles.includes(row));
  const notes = body.filter(({ cells }) => filled(cells) === 1 && width > 1 && !cells.some(isFigure));
  const kept = body.filter((row) => !notes.includes(row));
  refuseShape(name, header.line, titles, kept);
  return {
    ...columnsOf(titles, kept, width),
    titles: isBare ? 0 : header.line,
    mayLackTitles: mayLackTitles(titles),
    outside: [...rows.slice(0, first), ...secondTitles, ...notes].map(outsideLine),
  };
}

/** Whether a line of titles has a number, as a row of the table has. */
export const mayLackTitles = (titles: readonly string[]): boolean =>
  titles.some((cell) => readNumber(cell, ".") !== undefined && /\d/.test(cell) && !isDate(cell));

export const outsideLine = ({ line, cells }: CsvRow) => ({ line, text: textOf(cells) });

/** The table as a mapping declares it, and its rows of sums. Throws a Refusal where the sheet is another one. */
export function tableBy(name: string, rows: readonly CsvRow[], { titles, outside, columns }: Mapping) {
  const left = new Map(outside.map((each) => [each.line, each]));
  const header = rows.find(({ line }) => line === titles);
  const body = rows.filter(({ line }) => line > titles && !left.has(line));
  const sumRows = rows.filter(({ line }) => left.get(line)?.is === "sum");
  const table = columnsOf(header?.cells ?? [], body, widthOf(rows));
  const mapped = new Map(columns.map((each) => [each.column, each]));
  const problems = [
    ...(titles !== 0 && header === undefined ? [`line ${titles}: has no titles`] : []),
    ...rows.flatMap((row) => {
      const [{ line, text }, known] = [outsideLine(row), left.get(row.line)];
      if (known === undefined && line < titles)
        return [`line ${line}: is above the titles, and not in "outside" of the mapping`];
      return known === undefined || known.text === text
        ? []
        : [`line ${line}: is "${text}" here and "${known.text}" in the mapping`];
    }),
    ...[...left.keys()]
      .filter((line) => !rows.some((row) => row.line === line))
      .map((line) => `line ${line}: is in the mapping alone`),
    ...table.columns.flatMap(({ letter, title }) => {
      const known = mapped.get(letter);
      if (known === undefined) return [`column ${letter} "${title}": is not in the mapping`];
      return titles === 0 || known.title === title
        ? []
        : [`column ${letter}: is "${title}" here and "${known.title}" in the mapping`];
    }),
    ...columns
      .filter(({ column }) => !table.columns.some(({ letter }) => letter === column))
      .map(({ column, title }) => `column ${column} "${title}": is in the mapping alone`),
  ];
  if (problems.length > 0)
    throw new Refusal([...problems.map((each) => `${name}: ${each}`), "make the mapping anew: leave --columns out"]);
  return { table, sums: columnsOf(header?.cells ?? [], sumRows, widthOf(rows)) };
}

function widthOf(rows: readonly CsvRow[]): number {
  return Math.max(0, ...rows.map(({ cells }) => cells.findLastIndex((cell) => cell !== "") + 1));
}

function columnsOf(titles: readonly string[], rows: readonly CsvRow[], width: number): Table {
  const columns = Array.from({ length: width }, (_, at) => ({
    letter: lettersOf(at),
    title: titles[at] ?? "",
    cells: rows.map(({ cells }) => cells[at] ?? ""),
  }));
  return {
    columns: columns.filter(({ title, cells }) => title !== "" || cells.some((cell) => cell !== "")),
    lines: rows.map(({ line }) => line),
  };
}

/** A row of words alone right below the titles: units, or the titles themselves. */
function isSecondTitles(cells: readonly string[]): boolean {
  return filled(cells) > 1 && !cells.some((cell) => hasFigure(cell));
}

function refuseShape(name: string, line: number, titles: readonly string[], rows: readonly CsvRow[]): void {
  const refuse = (at: number, what: string): never => {
    throw new Refusal([`${name}: line ${at}: ${what}`]);
  };
  if (rows.length === 0) refuse(line, "has titles and no rows below them");
  const across = titles.filter(
    (title) => isDate(title) || (readNumbered(title) !== undefined && /^m(onth)? ?\d/i.test(title)),
  );
  if (across.length > 1)
    refuse(line, `${across.slice(0, 3).join(", ")} stand across: turn rows and columns, a row per period`);
  const gap = titles.findIndex((title, at) => title === "" && at > 0 && rows.every(({ cells }) => !cells[at]));
  if (gap !== -1 && titles.slice(gap + 1).some((title) => title !== ""))
    refuse(line, `column ${lettersOf(gap)} is empty: two tables stand side by side; keep one of them in the sheet`);
  const second = rows.find(
    ({ cells }) =>
      filled(cells) > 1 && ((cells[0] !== "" && cells[0] === titles[0]) || !cells.some((cell) => hasFigure(cell))),
  );
  if (second !== undefined)
    refuse(
      second.line,
      `"${textOf(second.cells)}": words where figures are expected, as if a second table began; put each table into a sheet of its own`,
    );
}

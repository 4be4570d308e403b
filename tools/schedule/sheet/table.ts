import { Refusal } from "../../lib/command-line.ts";
import type { CsvRow } from "../../lib/csv.ts";
import { lettersOf } from "../cells/letters.ts";
import { readNumber } from "../cells/number.ts";
import { readNumbered, readPeriod } from "../cells/period.ts";
import type { Mapping } from "./mapping.ts";
import { isSumLabel } from "./vocabulary.ts";

/** Column of a sheet, with the cells of the table's rows in order. */
export interface Column {
  /** Letters of the column: `A`, `B`, ..., `AA`. */
  readonly letter: string;
  readonly title: string;
  readonly cells: readonly string[];
}

/** Table that was found in a sheet. */
export interface Table {
  readonly columns: readonly Column[];
  /** Line number of each row. */
  readonly lines: readonly number[];
}

/** Line outside the table, with its cells by their letters. */
export interface LayoutLine {
  readonly line: number;
  readonly text: string;
  readonly kind: "note" | "titles" | "sum";
  readonly cells: Readonly<Record<string, string>>;
}

/** Position of the table in a sheet. */
export interface Layout {
  /** Line of the titles; 0: none. */
  readonly titles: number;
  /** Whether the line of the titles may also be a row of the table, because it contains a number. */
  readonly mayLackTitles: boolean;
  readonly outside: readonly LayoutLine[];
}

/** Most rows of a sheet, which are more than a century of days. */
const MAX_ROWS = 50_000;

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== "").length;
const hasFigure = (cell: string): boolean => /\d|^[-–—]$/.test(cell);
const isNumber = (cell: string): boolean => readNumber(cell, ".") !== undefined || readNumber(cell, ",") !== undefined;
const isDate = (cell: string): boolean => readPeriod(cell) !== undefined;
const isFigure = (cell: string): boolean => isNumber(cell) || isDate(cell) || readNumbered(cell) !== undefined;
const textOf = ({ cells }: CsvRow): string =>
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
  // A table's upper left corner may be empty.
  const first = rows.findIndex(({ cells }) => filled(cells) > 1 || (filled(cells) === 1 && cells[0] === ""));
  const [header, ...below] = first === -1 ? [] : rows.slice(first);
  if (header === undefined)
    throw new Refusal([`${name}: line ${rows[0]?.line ?? 0}: no row has two cells: there is no table`]);
  const isBare = width === 2 && header.cells.slice(0, 2).every(hasFigure) && isDate(header.cells[0] ?? "");
  const kindOfLine = ({ cells }: CsvRow, at: number): LayoutLine["kind"] | undefined => {
    // Words alone below the titles are units, or the real titles.
    if (at === 0 && !isBare && below.length > 1 && filled(cells) > 1 && !cells.some(hasFigure)) return "titles";
    if (filled(cells) === 1 && width > 1 && !cells.some(isFigure)) return "note";
    return isSumLabel(cells.find((cell) => cell !== "") ?? "") ? "sum" : undefined;
  };
  const kinds = below.map(kindOfLine);
  const body = below.filter((_, at) => kinds[at] === undefined);
  refuseShape(name, header.line, isBare ? [] : header.cells, isBare ? [header, ...body] : body);
  return {
    titles: isBare ? 0 : header.line,
    mayLackTitles:
      !isBare && header.cells.some((cell) => readNumber(cell, ".") !== undefined && /\d/.test(cell) && !isDate(cell)),
    outside: [
      ...rows.slice(0, first).map((row) => lineOf(row, "note")),
      ...below.flatMap((row, at) => (kinds[at] === undefined ? [] : [lineOf(row, kinds[at])])),
    ],
  };
}

function lineOf(row: CsvRow, kind: LayoutLine["kind"]): LayoutLine {
  const cells = Object.fromEntries(row.cells.map((cell, at) => [lettersOf(at), cell]));
  return { line: row.line, text: textOf(row), kind, cells };
}

/** Cuts the table and its rows of sums out of the sheet, as a mapping declares them. */
export function tableBy(rows: readonly CsvRow[], mapping: Pick<Mapping, "titles" | "columns" | "outside">) {
  const titles = mapping.titles ?? 0;
  const outside = new Map(mapping.outside.map((each) => [each.line, each.is]));
  const header = rows.find(({ line }) => line === titles)?.cells ?? [];
  const width = widthOf(rows);
  // A table without titles takes those that a person has written into the mapping.
  const named = new Map(titles === 0 ? mapping.columns.map(({ column, title }) => [column, title]) : []);
  const columnsOf = (body: readonly CsvRow[]): Table => {
    const columns = Array.from({ length: width }, (_, at) => ({
      letter: lettersOf(at),
      title: header[at] ?? named.get(lettersOf(at)) ?? "",
      cells: body.map(({ cells }) => cells[at] ?? ""),
    }));
    const isUsed = ({ title, cells }: Column): boolean => title !== "" || cells.some((cell) => cell !== "");
    return { columns: columns.filter(isUsed), lines: body.map(({ line }) => line) };
  };
  return {
    table: columnsOf(rows.filter(({ line }) => line > titles && !outside.has(line))),
    sums: columnsOf(rows.filter(({ line }) => outside.get(line) === "sum")),
  };
}

/** Throws a Refusal when the sheet is not the one that the mapping describes. */
export function refuseChanged(name: string, rows: readonly CsvRow[], mapping: Mapping): void {
  const { titles, outside, columns } = mapping;
  const listed = new Set(outside.map(({ line }) => line));
  const lineText = (line: number, text: string): string => `line ${line} "${text}"`;
  const columnText = (letter: string, title: string): string => `column ${letter}${titles ? ` "${title}"` : ""}`;
  const described = new Set([
    ...outside.map(({ line, text }) => lineText(line, text)),
    ...columns.map(({ column, title }) => columnText(column, title)),
  ]);
  const above = rows.filter(({ line }) => line < (titles ?? 0) || listed.has(line));
  const present = new Set([
    ...above.map((row) => lineText(row.line, textOf(row))),
    ...tableBy(rows, mapping).table.columns.map(({ letter, title }) => columnText(letter, title)),
  ]);
  const problems = [
    ...[...present].filter((each) => !described.has(each)).map((each) => `${name}: ${each} is not in the mapping`),
    ...[...described]
      .filter((each) => !present.has(each))
      .map((each) => `${name}: ${each} of the mapping is not in the sheet`),
  ];
  if (problems.length > 0)
    throw new Refusal([...problems, "make the mapping anew: delete it, and leave --columns out"]);
}

function widthOf(rows: readonly CsvRow[]): number {
  return Math.max(0, ...rows.map(({ cells }) => cells.findLastIndex((cell) => cell !== "") + 1));
}

function refuseShape(name: string, line: number, titles: readonly string[], rows: readonly CsvRow[]): void {
  const refuse = (at: number, what: string): never => {
    throw new Refusal([`${name}: line ${at}: ${what}`]);
  };
  if (rows.length === 0) refuse(line, "has titles and no rows below them");
  const isAcross = (title: string): boolean =>
    isDate(title) || (/^m(onth)? ?\d/i.test(title) && readNumbered(title) !== undefined);
  const across = titles.filter(isAcross);
  if (across.length > 1)
    refuse(line, `${across.slice(0, 3).join(", ")} stand across: turn rows and columns, a row per period`);
  const gap = titles.findIndex((title, at) => title === "" && at > 0 && rows.every(({ cells }) => !cells[at]));
  if (gap !== -1 && titles.slice(gap + 1).some((title) => title !== ""))
    refuse(line, `column ${lettersOf(gap)} is empty: two tables stand side by side; keep one of them in the sheet`);
  const second = rows.find(({ cells }) => {
    const isTitle = cells[0] !== "" && cells[0] === titles[0];
    return filled(cells) > 1 && (isTitle || !cells.some(hasFigure));
  });
  if (second === undefined) return;
  const what = "words where figures are expected, as if a second table began; put each table into a sheet of its own";
  refuse(second.line, `"${textOf(second)}": ${what}`);
}

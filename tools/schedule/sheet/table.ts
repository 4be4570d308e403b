import type { CsvRow } from "../../csv.ts";
import { readPeriod } from "./period.ts";
import type { Column, SheetReader } from "./reader.ts";

/** The one table of a sheet: titles, and below them rows with as many cells. */
export interface Table {
  readonly columns: readonly Column[];
  /** Of each row its line. */
  readonly lines: readonly number[];
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== "").length;
const hasFigure = (cell: string): boolean => /\d|^[-–—]$/.test(cell);

/** Finds the table among the rows; lines of one cell above and below it are said, anything else is refused. */
export function tableOf(rows: readonly CsvRow[], reader: SheetReader): Table {
  const width = Math.max(...rows.map(({ cells }) => cells.findLastIndex((cell) => cell !== "") + 1));
  // A corner may be empty.
  const first = rows.findIndex(({ cells }) => filled(cells) > 1 || (filled(cells) === 1 && cells[0] === ""));
  const [header, ...below] = first === -1 ? [] : rows.slice(first);
  if (header === undefined) return reader.refuse(rows[0]?.line ?? 0, "no row has two cells: there is no table");
  const isBare = width === 2 && header.cells.slice(0, 2).every(hasFigure) && isPeriod(header.cells[0]);
  const titles = isBare ? ["Month", "Circulating"] : header.cells;
  const body = isBare ? [header, ...below] : below;
  const notes = [...rows.slice(0, first), ...body.filter(({ cells }) => filled(cells) === 1 && !cells.some(hasFigure))];
  const kept = body.filter((row) => !notes.includes(row));
  if (notes.length > 0)
    reader.assume(
      `left out, as no part of the table: ${notes.map(({ line, cells }) => `line ${line} ("${cells.find((cell) => cell !== "")?.slice(0, 40)}")`).join(", ")}`,
    );
  refuseShape(header.line, titles, kept, reader);
  const columns = Array.from({ length: width }, (_, at) => ({
    title: titles[at] ?? "",
    cells: kept.map(({ cells }) => cells[at] ?? ""),
  }));
  for (const [at, { title, cells }] of columns.entries()) {
    const row = cells.findIndex((cell) => cell !== "");
    if (title !== "" || row === -1 || at === 0) continue;
    const advice = "quote numbers that have separators, or give the column a title";
    reader.object(kept[row]?.line ?? 0, undefined, `"${cells[row]}" is in a column without a title`, advice);
  }
  reader.settle();
  return {
    columns: columns.filter(({ title, cells }) => title !== "" || cells.some((cell) => cell !== "")),
    lines: kept.map(({ line }) => line),
  };
}

function isPeriod(cell = ""): boolean {
  const reading = readPeriod(cell);
  return reading !== undefined && (reading.kind !== "number" || reading.isNamed) && reading.kind !== "serial";
}

/** Tables side by side, below one another, or with periods across. */
function refuseShape(line: number, titles: readonly string[], rows: readonly CsvRow[], reader: SheetReader): void {
  if (rows.length === 0) reader.refuse(line, "has titles and no rows below them");
  const across = titles.filter((title) => isPeriod(title));
  if (across.length > 1)
    reader.refuse(line, `${across.slice(0, 3).join(", ")} stand across: turn rows and columns, a row per period`);
  const gap = titles.findIndex((title, at) => title === "" && at > 0 && rows.every(({ cells }) => !cells[at]));
  if (gap !== -1 && titles.slice(gap + 1).some((title) => title !== ""))
    reader.refuse(line, `column ${gap + 1} is empty: two tables stand side by side; keep one of them in the sheet`);
  const twice = titles.find((title, at) => title !== "" && titles.indexOf(title) < at);
  if (twice !== undefined) reader.refuse(line, `two columns have the title "${twice}": rename one`);
  const second = rows.find(
    ({ cells }) => filled(cells) > 1 && (cells[0] === titles[0] || !cells.some((cell) => hasFigure(cell))),
  );
  if (second !== undefined)
    reader.refuse(
      second.line,
      `${second.cells
        .filter((cell) => cell !== "")
        .map((cell) => `"${cell}"`)
        .join(
          ", ",
        )}: words where figures are expected, as if a second table began; put each table into a sheet of its own`,
    );
}

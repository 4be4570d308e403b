import type { CsvRow } from "../../csv.ts";
import { readPeriod } from "./period.ts";
import { TOTAL } from "./reader.ts";

/** The table of a sheet whose rows are periods. Columns are counted from 0. */
export interface Grid {
  /** undefined: the sheet has none. */
  readonly header: CsvRow | undefined;
  readonly rows: readonly CsvRow[];
  /** Rows of sums. */
  readonly totals: readonly CsvRow[];
  /** Lines above the header, and below the table. */
  readonly others: readonly CsvRow[];
  /** The column of the periods that count, and every column of periods. */
  readonly period: number;
  readonly periods: readonly number[];
}

const PERIOD_TITLE =
  /^(months?|dates?|periods?|times?|steps?|as of|months? (since|after|from) .*|monat|mois|mes|mese|datum|fecha|data|day|days)$/i;

/** A table of several side by side: the columns between empty ones, with its corner's title. */
export interface Block {
  readonly corner: string;
  readonly rows: readonly CsvRow[];
}

/** The tables that stand side by side in a sheet, separated by empty columns. */
export function blocksOf(rows: readonly CsvRow[]): readonly Block[] {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const isEmpty = Array.from({ length: width }, (_, at) => rows.every(({ cells }) => (cells[at] ?? "") === ""));
  const blocks: Block[] = [];
  for (let from = 0; from < width; from += 1) {
    if (isEmpty[from]) continue;
    let to = from;
    while (to < width && isEmpty[to] !== true) to += 1;
    const part = rows.map(({ line, cells }) => ({ line, cells: cells.slice(from, to) }));
    const kept = part.filter(({ cells }) => cells.some((cell) => cell !== ""));
    const wide = kept.find(({ cells }) => cells.filter((cell) => cell !== "").length > 1);
    blocks.push({ corner: (wide ?? kept[0])?.cells[0] ?? "", rows: kept });
    from = to;
  }
  return blocks;
}

/** The table of periods among the rows; undefined when no column is one. */
export function gridOf(rows: readonly CsvRow[]): Grid | undefined {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const found = Array.from({ length: width }, (_, at) => columnAt(rows, at)).filter((column) => column !== undefined);
  // Numbers of months in a later column are what a bucket takes, not what a row is of.
  const own = found.filter(({ rank, at }) => rank > 1 || at === 0);
  // Some dates in a column say when a row was written, not what it is of.
  const titled = own.find(({ isTitled }) => isTitled);
  const full = own.filter(
    ({ isTitled, count }) => isTitled || titled === undefined || count * 2 >= rows.length - titled.first,
  );
  const [best] = full.sort((one, other) => other.rank - one.rank || one.at - other.at);
  if (best === undefined) return undefined;
  const { at, first } = best;
  const above = rows[first - 1];
  const isHeader = above !== undefined && above.cells.length > at;
  const below = rows.slice(first);
  const isTotal = ({ cells }: CsvRow): boolean => TOTAL.test(cells.find((cell) => cell !== "") ?? "");
  const isNote = ({ cells }: CsvRow): boolean =>
    cells.filter((cell) => cell !== "").length === 1 && (cells[at] === "" || readPeriod(cells[at] ?? "") === undefined);
  return {
    header: isHeader ? above : undefined,
    rows: below.filter((row) => !isTotal(row) && !isNote(row)),
    totals: below.filter(isTotal),
    others: [...rows.slice(0, Math.max(first - 1, 0)), ...below.filter((row) => !isTotal(row) && isNote(row))],
    period: at,
    periods: found.map((column) => column.at),
  };
}

interface PeriodColumn {
  readonly at: number;
  /** The first row of periods. */
  readonly first: number;
  readonly isTitled: boolean;
  /** How many of its cells are periods. */
  readonly count: number;
  /** Days are better than months, and either than numbers. */
  readonly rank: number;
}

/** A column of periods: by its title, or by most of its cells. Numbers alone need the title. */
function columnAt(rows: readonly CsvRow[], at: number): PeriodColumn | undefined {
  const cellOf = (row: CsvRow | undefined): string => row?.cells[at] ?? "";
  const titled = rows.findIndex((row) => PERIOD_TITLE.test(cellOf(row)));
  const isPlain = (row: CsvRow): boolean => {
    const reading = readPeriod(cellOf(row));
    return (
      reading !== undefined &&
      (titled !== -1 || (reading.kind === "number" ? reading.isNamed : reading.kind !== "serial"))
    );
  };
  const readable = rows.filter(isPlain);
  const first = titled === -1 ? rows.findIndex(isPlain) : titled + 1;
  if (first >= rows.length || first === -1) return undefined;
  if (titled === -1 && readable.length * 2 < rows.length - first) return undefined;
  const kind = readPeriod(cellOf(readable[0]))?.kind;
  const isTitled = titled !== -1;
  const count = readable.length;
  if (kind === undefined) return !isTitled || at > 0 ? undefined : { at, first, isTitled, count, rank: 0 };
  return { at, first, isTitled, count, rank: kind === "number" ? 1 : kind === "month" ? 2 : 3 };
}

import { Refusal } from "../command-line.ts";
import { type CsvRow, readCsv, separatorOf } from "../csv.ts";
import { blocksOf, type Grid, gridOf } from "./sheet/grid.ts";
import { type MonthSheet, readMonths } from "./sheet/months.ts";
import { decimalMarkOf } from "./sheet/number.ts";
import { periodsOf } from "./sheet/period.ts";
import { type SheetOptions, SheetReader } from "./sheet/reader.ts";
import { type BucketSheet, bucketHeader, readBuckets } from "./sheet/rows.ts";
import { datedSteps, numberedSteps, type Steps } from "./sheet/steps.ts";

/** What a sheet says, with every guess in words. */
export type Sheet = { readonly guesses: readonly string[] } & (
  | ({ readonly kind: "months" } & MonthSheet)
  | ({ readonly kind: "buckets" } & BucketSheet)
);

export const SHEET_HELP = `the forms that --csv reads; - is the standard input, for cells pasted from a sheet or a page
    months with one figure     Month,Circulating        a column per bucket   Date,Team,Community
                               2026-01,150000000                             31/01/2026,0,50000000
                               2026-02,160000000                             28/02/2026,0,50000000
    a row per bucket           Bucket,Allocation,TGE,Cliff,Months            (tokens or percent; months after the cliff)
                               Team,"200,000,000",0,12,36
                               Community,30%,10%,0,48`;

/** More than a century of days. */
const MAX_ROWS = 50_000;

/** Reads any of the three forms; errors name the line. */
export function readSheet(name: string, text: string, options: SheetOptions): Sheet {
  const all = readCsv(text, name);
  if (all.length === 0) throw new Refusal([`${name}: has no rows`]);
  if (all.length > MAX_ROWS)
    throw new Refusal([`${name}: has ${all.length} rows, of at most ${MAX_ROWS}; keep those of the schedule`]);
  const rows = tableOf(name, all, options);
  const grid = gridOf(rows);
  const header = grid === undefined ? bucketHeader(rows) : undefined;
  const cells = rows.flatMap(({ line, cells: each }) =>
    each
      .filter((_, at) => grid === undefined || !grid.periods.includes(at))
      .map((cell) => ({ place: `${name}: line ${line}`, cell })),
  );
  const reader = new SheetReader(name, options, decimalMarkOf(cells, separatorOf(text), options.decimalMark));
  if (grid !== undefined) {
    sayOthers(grid.others, reader);
    const sheet = readMonths(withHeader(grid, reader), stepsOf(grid, options, reader), reader);
    return { kind: "months", ...sheet, guesses: reader.guesses };
  }
  const first = rows[header ?? -1];
  if (header === undefined || first === undefined)
    return reader.refuse(
      rows[0],
      `"${rows[0]?.cells[0] ?? ""}" is neither a month, nor a header Month, nor the header of buckets with an Allocation`,
      SHEET_HELP,
    );
  sayOthers(rows.slice(0, header), reader);
  return { kind: "buckets", ...readBuckets(first, rows.slice(header + 1), reader), guesses: reader.guesses };
}

/** One of the tables that stand side by side; the only one, or the one that is named. */
function tableOf(name: string, rows: readonly CsvRow[], { table }: SheetOptions): readonly CsvRow[] {
  const blocks = blocksOf(rows).filter((block) => (block.rows[0]?.cells.length ?? 0) > 1);
  const corners = blocks.map(({ corner }) => `"${corner}"`).join(" and ");
  const named = blocks.find(({ corner }) => corner === table);
  if (table !== undefined && named === undefined)
    throw new Refusal([
      `${name}: --table: no table has the corner "${table}"; there ${blocks.length === 1 ? "is" : "are"} ${corners}`,
    ]);
  if (named !== undefined) return named.rows;
  if (blocks.length > 1)
    throw new Refusal([
      `${name}: has ${blocks.length} tables side by side, ${corners}: name the one to read with --table`,
    ]);
  return blocks[0]?.rows ?? rows;
}

function stepsOf(grid: Grid, options: SheetOptions, reader: SheetReader): Extract<Steps, { kind: "steps" }> {
  const { rows, period } = grid;
  if (rows.length === 0) reader.refuse(grid.header, "has a header and no rows");
  const periods = periodsOf(
    rows.map(({ cells }) => cells[period] ?? ""),
    options.dates,
  );
  if (periods.kind === "refused") return reader.refuse(rows[periods.row], periods.message);
  if (periods.kind === "dated" && periods.note !== undefined) reader.guess(periods.note);
  const steps =
    periods.kind === "dated"
      ? datedSteps(periods.atMs, periods.hasDays, options)
      : numberedSteps(periods.months, options);
  return steps.kind === "refused" ? reader.refuse(rows[steps.row], steps.message) : steps;
}

/** Without a header, two columns are months and their circulating supply. */
function withHeader(grid: Grid, reader: SheetReader): Grid {
  const [first] = grid.rows;
  if (grid.header !== undefined || first === undefined) return grid;
  if (first.cells.length !== 2) return reader.refuse(first, "no row above it names the columns");
  return { ...grid, header: { line: first.line, cells: ["Month", "Circulating"] } };
}

function sayOthers(rows: readonly CsvRow[], reader: SheetReader): void {
  if (rows.length > 0)
    reader.guess(`left out, as no part of the table: ${rows.map(({ line }) => `line ${line}`).join(", ")}`);
}

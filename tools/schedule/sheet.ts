import { Refusal } from "../command-line.ts";
import { type CsvRow, readCsv, type Separator, separatorOf } from "../csv.ts";
import { columnsLine, knownColumns, type Role } from "./sheet/columns.ts";
import { readFigures } from "./sheet/figures.ts";
import { decimalMarkOf } from "./sheet/number.ts";
import { readPeriod } from "./sheet/period.ts";
import { type SheetOptions, SheetReader } from "./sheet/reader.ts";
import { readRules } from "./sheet/rules.ts";
import { tableOf } from "./sheet/table.ts";
import { type Plan, planOf } from "./sheet/unlocks.ts";

/** What a sheet says, with every assumption in words. */
export interface Sheet extends Plan {
  readonly maxSupply: bigint;
  /** The sheet has one figure, and no buckets. */
  readonly isOneFigure: boolean;
  readonly assumed: readonly string[];
}

export const SHEET_HELP = `the forms that --csv reads; - is the standard input, for cells pasted from a sheet or a page
    months with one figure     Month,Circulating        a column per bucket   Date,Team,Community
                               2026-01,150000000                             31/01/2026,0,50000000
    a row per bucket           Bucket,Allocation,TGE,Cliff,Months            (tokens or percent; months after the cliff)
                               Team,"200,000,000",0,12,36
    a row per unlock           Date,Bucket,Amount
    a row per grant or span    Address,Category,Amount,Start,Cliff months,Duration months   (or End, a day)`;

/** More than a century of days. */
const MAX_ROWS = 50_000;

/** The rows of a file. */
export interface SheetRows {
  readonly rows: readonly CsvRow[];
  /** undefined: of a workbook, whose numbers have a decimal point. */
  readonly separator: Separator | undefined;
}

export function csvRows(name: string, text: string): SheetRows {
  return { rows: readCsv(text, name), separator: separatorOf(text) };
}

/** Reads any of the forms; every cell that is not accounted for is a reason to refuse it. */
export function readSheet(name: string, { rows, separator }: SheetRows, options: SheetOptions): Sheet {
  if (rows.length === 0) throw new Refusal([`${name}: has no rows`]);
  if (rows.length > MAX_ROWS)
    throw new Refusal([`${name}: has ${rows.length} rows, of at most ${MAX_ROWS}; keep those of the schedule`]);
  const cells = rows.flatMap(({ line, cells: each }) =>
    each.filter((cell) => readPeriod(cell)?.kind !== "month").map((cell) => ({ place: `${name}: line ${line}`, cell })),
  );
  const mark = separator === undefined ? "." : decimalMarkOf(cells, separator, options.decimalMark);
  const reader = new SheetReader(name, options, mark);
  const table = tableOf(rows, reader);
  const columns = knownColumns(table, reader);
  const { maxSupply } = options;
  if (maxSupply === undefined)
    reader.object(0, undefined, "--max-supply: missing; figures must add up to the maximum that you state, in tokens");
  const role = (...roles: readonly Role[]) => columns.find((column) => roles.includes(column.role ?? "ignore"));
  const period = role("start", "end", "bucket") === undefined ? role("period") : undefined;
  const isRules = period === undefined || (role("amount", "tge") && role("months", "cliff")) !== undefined;
  if (isRules && role("amount", "months", "cliff", "tge", "bucket") === undefined)
    reader.refuse(
      rows[0]?.line ?? 0,
      `${table.columns.map(({ title }) => `"${title}"`).join(", ")}: none is a column of periods, nor are these the columns of rules`,
      `${columnsLine(columns)}\n${SHEET_HELP}`,
    );
  const figures = isRules ? undefined : readFigures(period, { columns, lines: table.lines }, reader);
  const { unlocks, times } = figures ?? readRules(columns, table.lines, reader);
  reader.settle();
  const plan = planOf(unlocks, { ...times, text: (units) => reader.text(units) });
  const isOneFigure = figures?.isOneFigure ?? false;
  return { ...plan, maxSupply: maxSupply ?? 0n, isOneFigure, assumed: [...reader.assumed, ...plan.notes] };
}

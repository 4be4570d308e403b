import { calendar } from "../../../shared/calendar.ts";
import { stepMs } from "../../../src/supply/calendar.ts";
import { DAY_MS, dayText, parseDay } from "../../../src/utc.ts";
import type { CsvRow } from "../../csv.ts";
import type { Grid } from "./grid.ts";
import { phasesOf } from "./phases.ts";
import { type SheetAmount, type SheetBucket, type SheetReader, sum, TOTAL } from "./reader.ts";
import type { Steps } from "./steps.ts";

/** A sheet with a row per period: one figure, or a column per bucket. Running totals at each step, in base units. */
export interface MonthSheet {
  readonly start: string;
  readonly stepDay: number;
  readonly maxSupply: bigint;
  readonly figures: readonly bigint[];
  /** undefined: the sheet has one figure only. */
  readonly buckets: readonly SheetBucket[] | undefined;
}

interface Column {
  readonly title: string;
  readonly at: number;
}

const ONE_FIGURE = /^(circulating( supply)?|total( (circulating )?supply)?|sum|supply|unlocked|cumulative)$/i;
/** The same figures in another unit, or their differences. */
const REPEATED = /base.?units?|micro|_wei$|^(increment(al)?|change|delta|difference)\b/i;

export function readMonths(grid: Grid, steps: Extract<Steps, { kind: "steps" }>, reader: SheetReader): MonthSheet {
  for (const row of grid.rows) reader.refuseUntitled(row, grid.header, grid.periods);
  const columns = figureColumns(grid, reader);
  const [first] = columns;
  if (first === undefined) return reader.refuse(grid.header, "has no column of figures beside the periods");
  const totals = columns.filter(({ title }) => TOTAL.test(title) || ONE_FIGURE.test(title));
  const buckets = columns.filter((column) => !totals.includes(column));
  const only = buckets.length === 0 ? totals[0] : columns.length === 1 ? first : undefined;
  const named = only === undefined ? buckets : [only];
  const read = named.map((column) => amountsOf(reader, grid.rows, column));
  if (only === undefined) for (const total of totals) checkTotalColumn(reader, grid.rows, total, read);
  const { isCumulative, maxSupply } = meaning(reader, named, read, only !== undefined);
  for (const note of steps.notes) reader.guess(note);
  checkTotalRow(reader, grid, named, read, isCumulative);
  const series = read.map((column, index) => running(reader, grid.rows, named[index], column, isCumulative));
  const all = grid.rows.map((_, row) => sum(series.map((column) => column[row] ?? 0n)));
  sayWhatIsLost(reader, steps, all);
  const { start, stepDay } = steps;
  const atSteps = (column: readonly bigint[]): readonly bigint[] => steps.rows.map((row) => column[row] ?? 0n);
  const found = { start, stepDay, maxSupply, figures: atSteps(all) };
  if (only !== undefined) return { ...found, buckets: undefined };
  const made = named.map(({ title }, index) =>
    bucketOf(reader, title, index, atSteps(series[index] ?? []), finestOf(read[index] ?? [])),
  );
  return { ...found, buckets: made };
}

/** Tokens, or percentages of the maximum where the sheet has nothing else. */
function amountsOf(reader: SheetReader, rows: readonly CsvRow[], { title, at }: Column): readonly SheetAmount[] {
  if (!reader.isPercent(title, rows, at)) return rows.map((row) => reader.amount(row, at));
  const { maxSupply } = reader.options;
  if (maxSupply === undefined)
    return reader.refuse(undefined, "--max-supply: missing, and the sheet has percentages, not tokens alone");
  return rows.map((row) => ({ units: reader.share(row, at, maxSupply), roundedTo: 0n }));
}

function finestOf(amounts: readonly SheetAmount[]): bigint {
  return amounts.reduce((finest, { roundedTo }) => (roundedTo < finest ? roundedTo : finest), 10n ** 40n);
}

/** Columns of figures that count; what is left out is said. */
function figureColumns({ header, rows, period, periods }: Grid, reader: SheetReader): readonly Column[] {
  const wanted = reader.options.columns;
  const titled = (header?.cells ?? [])
    .map((title, at) => ({ title, at }))
    .filter(({ title, at }) => title !== "" && at !== period);
  const unknown = wanted?.find((title) => !titled.some((each) => each.title === title));
  if (unknown !== undefined)
    reader.refuse(
      header,
      `--columns: there is no "${unknown}"; there are ${titled.map(({ title }) => title).join(", ")}`,
    );
  if (wanted !== undefined) return titled.filter(({ title }) => wanted.includes(title));
  const isText = ({ at }: Column): boolean => !rows.some(({ cells }) => reader.isNumber(cells[at] ?? ""));
  const left = titled.filter(
    (column) =>
      periods.includes(column.at) ||
      REPEATED.test(column.title) ||
      isText(column) ||
      reader.isPercent(column.title, rows, column.at),
  );
  const kept = titled.filter((column) => !left.includes(column));
  const shares = left.filter((column) => reader.isPercent(column.title, rows, column.at) && !isText(column));
  if (kept.length === 0 && shares.length > 0) return shares;
  // Cells that nothing can be made of are named one by one.
  if (kept.length === 0) return titled.filter(({ at }) => !periods.includes(at));
  if (left.length > 0) reader.guess(`left out: ${left.map(({ title }) => `"${title}"`).join(", ")}`);
  return kept;
}

/** Checked against the buckets, and not counted a second time. */
function checkTotalColumn(
  reader: SheetReader,
  rows: readonly CsvRow[],
  { title, at }: Column,
  columns: readonly (readonly SheetAmount[])[],
): void {
  let most = 0n;
  rows.forEach((row, index) => {
    const parts = columns.flatMap((column) => column[index] ?? []);
    const difference = reader.checkSum(row, title, reader.amount(row, at), parts);
    if (difference > most) most = difference;
  });
  const rounding = most === 0n ? "" : `; it differs by up to ${reader.text(most)}, which is rounding`;
  reader.guess(`"${title}" is the sum of the other columns and left out${rounding}`);
}

function checkTotalRow(
  reader: SheetReader,
  { totals }: Grid,
  columns: readonly Column[],
  read: readonly (readonly SheetAmount[])[],
  isCumulative: boolean,
): void {
  for (const row of totals) {
    columns.forEach(({ at }, index) => {
      if ((row.cells[at] ?? "") === "") return;
      const parts = read[index] ?? [];
      reader.checkSum(
        row,
        row.cells.find((cell) => TOTAL.test(cell)) ?? "Total",
        reader.amount(row, at),
        isCumulative ? parts.slice(-1) : parts,
      );
    });
    reader.guess("the row of the total is left out");
  }
}

/** Whether figures are running totals, and the maximum: what the command line leaves open, the sums must say. */
function meaning(
  reader: SheetReader,
  columns: readonly Column[],
  read: readonly (readonly SheetAmount[])[],
  isOneFigure: boolean,
): { readonly isCumulative: boolean; readonly maxSupply: bigint } {
  const { amounts, maxSupply, decimals } = reader.options;
  const last = sum(read.map((column) => column.at(-1)?.units ?? 0n));
  const all = sum(read.flatMap((column) => column.map(({ units }) => units)));
  const rises = read.every((column) => column.every(({ units }, row) => units >= (column[row - 1]?.units ?? 0n)));
  // Equal figures from month to month are what each unlocks as well as what circulates.
  const isFlat = read.every((column) => column.length > 1 && column.every(({ units }) => units === column[0]?.units));
  const fits = (total: bigint): boolean => (maxSupply === undefined ? isRound(total, decimals) : total === maxSupply);
  const mayRun = rises && fits(last);
  // Where the last row is all there is, both readings are the same.
  const isUndecided = isOneFigure ? isFlat : mayRun === fits(all) && !(mayRun && last === all);
  const guessed = isOneFigure || mayRun ? "cumulative" : "monthly";
  const found = amounts ?? (isUndecided ? undefined : guessed);
  const maximum = maxSupply ?? (found === "monthly" ? all : last);
  const isOpen = maxSupply === undefined && (isOneFigure || amounts === undefined) && !fits(maximum);
  if (found === undefined || isOpen) refuseOpen(reader, columns, last, all, isOneFigure && !isFlat);
  if (isOneFigure)
    reader.guess(
      `"${columns[0]?.title}" is ${found === "monthly" ? "what unlocks in each month" : "the circulating supply from each month on"}`,
    );
  else if (amounts === undefined)
    reader.guess(`the figures are tokens ${WORDS[found]}, because they add up to the maximum`);
  if (maxSupply === undefined)
    reader.guess(
      `the maximum supply is ${reader.text(maximum)}, to which the sheet adds up: --max-supply TOKENS if it is another`,
    );
  return { isCumulative: found === "cumulative", maxSupply: maximum };
}

const WORDS = { cumulative: "in circulation from each month on", monthly: "unlocked in each month" } as const;

function refuseOpen(
  reader: SheetReader,
  columns: readonly Column[],
  last: bigint,
  all: bigint,
  isOneFigure: boolean,
): never {
  const { maxSupply } = reader.options;
  if (isOneFigure)
    reader.refuse(
      undefined,
      `--max-supply: missing, and the sheet does not say it: its last figure is ${reader.text(last)}`,
    );
  const sums = `the last row adds up to ${reader.text(last)}, all rows to ${reader.text(all)}`;
  const titles = columns.map(({ title }) => title).join(",");
  return reader.refuse(
    undefined,
    maxSupply === undefined
      ? `--max-supply: missing, and ${sums}`
      : `${sums}; the maximum is ${reader.text(maxSupply)}`,
    `say which the figures are with --amounts cumulative (in circulation) or --amounts monthly (unlocked in the month), or which columns are figures with --columns "${titles}"`,
  );
}

/** A maximum is such as 1000000000 or 21000000: thousands, of few digits. Other sums happen to result. */
function isRound(units: bigint, decimals: number): boolean {
  return units > 0n && units % 10n ** BigInt(decimals + 3) === 0n && String(units).replace(/0+$/, "").length <= 4;
}

/** Running totals of a column, which do not fall. */
function running(
  reader: SheetReader,
  rows: readonly CsvRow[],
  column: Column | undefined,
  amounts: readonly SheetAmount[],
  isCumulative: boolean,
): readonly bigint[] {
  let total = 0n;
  return amounts.map(({ units }, index) => {
    if (isCumulative && units < total)
      reader.refuse(
        rows[index],
        `${column?.title} falls from ${reader.text(total)} to ${reader.text(units)}; figures that are unlocked in each month need --amounts monthly`,
      );
    total = isCumulative ? units : total + units;
    return total;
  });
}

/** What a sheet of weeks, days or odd days says and monthly figures do not. */
function sayWhatIsLost(
  reader: SheetReader,
  { start, stepDay, rows, rowMs }: Extract<Steps, { kind: "steps" }>,
  all: readonly bigint[],
): void {
  const steps = calendar(parseDay(start) ?? 0, stepDay);
  const late = rowMs.map((ms, row) => {
    const index = rows.findIndex((inForce) => inForce >= row);
    return {
      days: Math.round((stepMs(steps, index) - ms) / DAY_MS),
      behind: (all[row] ?? 0n) - (all[rows[index - 1] ?? row] ?? 0n),
      row,
    };
  });
  const counted = late.filter(({ days }) => days > 0);
  if (counted.length === 0) return;
  const days = Math.max(...counted.map((each) => each.days));
  const most = counted.reduce((worst, each) => (each.behind > worst.behind ? each : worst));
  const skipped = rowMs.filter((_, row) => !rows.includes(row)).length;
  reader.guess(
    `${rowMs.length} rows become ${rows.length} monthly figures, on day ${stepDay}: an unlock counts up to ${days} days late, the figure is up to ${reader.text(most.behind)} too low (from ${dayText(rowMs[most.row] ?? 0)} on), and ${skipped} rows between steps are not seen; --step-day N says another day`,
  );
}

function bucketOf(
  reader: SheetReader,
  title: string,
  index: number,
  totals: readonly bigint[],
  finest: bigint,
): SheetBucket {
  const text = (units: bigint): string => reader.text(units);
  const exact = phasesOf(totals, 0n, text);
  const even = phasesOf(totals, finest, text);
  const isRounded = even.length < exact.length && even.length * 2 <= exact.length;
  const named = reader.named(title, index);
  if (isRounded)
    reader.guess(
      `${title}: equal installments, which the sheet rounds; figures differ from it by less than ${text(finest)}`,
    );
  return {
    ...named,
    allocation: text(totals.at(-1) ?? 0n),
    genesis: text(totals[0] ?? 0n),
    phases: isRounded ? even : exact,
  };
}

import { columnsLine, type KnownColumn } from "./columns.ts";
import { readPeriod } from "./period.ts";
import { checkOrder, type Times, timesOf } from "./periods.ts";
import { type SheetReader, saysTotal, sum } from "./reader.ts";
import { checkShares, isShare } from "./shares.ts";
import { fallOf, isExplained, type Reading, running, type Series, totalOf, wrongSumOf } from "./sums.ts";
import type { Unlock } from "./unlocks.ts";

/** A table whose rows are periods or days: one figure, a column per bucket, or a list with a bucket a row. */
export interface FigureSheet {
  readonly unlocks: readonly Unlock[];
  readonly times: Times;
  /** The sheet has no buckets. */
  readonly isOneFigure: boolean;
  /** Of each bucket the unit to which it is written. */
  readonly roundedTo: ReadonlyMap<string, bigint>;
}

interface Rows {
  readonly lines: readonly number[];
  readonly columns: readonly KnownColumn[];
}

export function readFigures(all: readonly KnownColumn[], lines: readonly number[], reader: SheetReader): FigureSheet {
  const period = all.find(({ role }) => role === "period");
  if (period === undefined) return reader.refuse(0, "has no column of periods");
  const isSum = period.cells.map((cell) => readPeriod(cell) === undefined && !/\d/.test(cell));
  const part = (isWanted: boolean): Rows => {
    const pick = <Each>(list: readonly Each[]): readonly Each[] => list.filter((_, row) => isSum[row] === isWanted);
    return { lines: pick(lines), columns: all.map((column) => ({ ...column, cells: pick(column.cells) })) };
  };
  const rows = part(false);
  const own = rows.columns.find(({ role }) => role === "period") ?? period;
  const { series, shares } = seriesOf(rows, own, reader);
  const times = timesOf(own, rows.lines, reader);
  const { reading, kept } = readingOf(series, shares, rows, reader);
  checkSumRows(part(true), series, reading, reader);
  const isOneFigure = kept.length === 1 && kept[0]?.source !== undefined && !isList(rows.columns);
  if (reading === "cumulative")
    for (const each of isList(rows.columns) ? kept : kept.slice(0, 1)) {
      const own = each.rows.map((row) => times.atMs[row] ?? 0);
      checkOrder(
        own,
        each.rows.map((row) => rows.lines[row] ?? 0),
        reader,
      );
    }
  const unlocks = kept.flatMap((each) => unlocksOf(each, reading, times, rows.lines));
  const finest = kept.map(({ title, amounts }): [string, bigint] => [
    title,
    amounts.reduce((least, { roundedTo }) => (roundedTo < least ? roundedTo : least), 10n ** 40n),
  ]);
  return { unlocks, times, isOneFigure, roundedTo: new Map(finest) };
}

const isList = (columns: readonly KnownColumn[]): boolean => columns.some(({ role }) => role === "bucket");

/** Every column beside the periods: figures, shares, or left out and said; what is none of these is objected to. */
function seriesOf({ lines, columns }: Rows, period: KnownColumn, reader: SheetReader) {
  const others = columns.filter((column) => column !== period);
  const figures = others.filter(({ kind, role }) => isFigure(kind, role));
  const shares = others.filter(({ kind, role }) => kind === "percent" && role !== "ignore");
  const left = others.filter(({ kind, role }) => role === "ignore" || (kind === "words" && role === undefined));
  const bucket = others.find(({ role }) => role === "bucket");
  const unknown = others.filter((each) => ![...figures, ...shares, ...left, bucket].includes(each));
  const mixed = unknown.filter(({ kind }) => kind === "mixed");
  const shown = columns.map((each) => (unknown.includes(each) ? { ...each, role: undefined } : each));
  if (left.length > 0) reader.assume(`left out: ${left.map(({ title }) => `"${title}"`).join(", ")}`);
  for (const each of mixed) for (const [row, cell] of each.cells.entries()) reader.amount(lines[row] ?? 0, each, cell);
  for (const each of unknown.filter((column) => !mixed.includes(column)))
    reader.object(
      0,
      each.title,
      `is neither the periods (${period.title}) nor figures: "${each.cells.find((cell) => cell !== "")}"`,
    );
  if (unknown.length > 0) reader.object(0, undefined, columnsLine(shown));
  const counted = figures.length > 0 ? figures : shares;
  const { maxSupply = 0n } = reader.options;
  const amountsOf = (column: KnownColumn) =>
    column.cells.map((cell, row) => {
      if (column.kind !== "percent") return reader.amount(lines[row] ?? 0, column, cell);
      return { units: reader.share(lines[row] ?? 0, column, cell, maxSupply), roundedTo: 1n };
    });
  const read = counted.map((column): Series => {
    const rows = column.cells.map((_, row) => row);
    const { title, isSaid } = column;
    return { title, source: `the column "${title}"`, rows, amounts: amountsOf(column), isSaid };
  });
  if (counted.length === 0)
    reader.object(0, undefined, "has no column of figures beside the periods", columnsLine(shown));
  if (bucket !== undefined && read.length > 1)
    reader.object(0, undefined, `is a list by "${bucket.title}" with several columns of figures`, columnsLine(shown));
  reader.settle();
  const [only] = read;
  const series = bucket === undefined || only === undefined ? read : byBucket(only, bucket, lines, reader);
  return { series, shares: figures.length > 0 ? shares : [] };
}

function isFigure(kind: KnownColumn["kind"], role: KnownColumn["role"]): boolean {
  return kind === "numbers" && role !== "ignore";
}

function byBucket(all: Series, bucket: KnownColumn, lines: readonly number[], reader: SheetReader): readonly Series[] {
  bucket.cells.forEach((cell, row) => {
    if (cell === "") reader.object(lines[row] ?? 0, bucket.title, "is empty: every row names its bucket");
  });
  return [...new Set(bucket.cells)].map((title) => {
    const rows = all.rows.filter((row) => bucket.cells[row] === title);
    const amounts = rows.map((row) => all.amounts[row] ?? { units: 0n, roundedTo: 1n });
    return { ...all, title, source: "", rows, amounts };
  });
}

interface Match {
  readonly reading: Reading;
  readonly kept: readonly Series[];
  readonly left: readonly Series[];
}

/** Which columns count, and as what: those with which the table comes to the maximum, and none but verified sums left. */
function readingOf(all: readonly Series[], shares: readonly KnownColumn[], rows: Rows, reader: SheetReader): Match {
  const { maxSupply = 0n, amounts } = reader.options;
  const readings: readonly Reading[] = amounts === undefined ? ["cumulative", "monthly"] : [amounts];
  const explainedIn = (reading: Reading): readonly Series[] =>
    isList(rows.columns)
      ? []
      : all.filter((each) => {
          const others = all.filter((other) => other !== each);
          return !each.isSaid && isExplained(each, others, reading);
        });
  const explained = [...new Set(readings.flatMap(explainedIn))];
  const candidates = readings.flatMap((reading) =>
    leaveOut(explainedIn(reading))
      .map((left) => ({ reading, left, kept: all.filter((each) => !left.includes(each)) }))
      .filter(({ kept, left }) => left.every((each) => isExplained(each, kept, reading))),
  );
  const exact = distinct(candidates.filter((each) => totalIn(each) === maxSupply));
  if (exact.length > 1)
    reader.refuse(
      0,
      `adds up to the maximum in several ways: ${exact.map(wordsOf).join("; or ")}`,
      columnsLine(rows.columns),
    );
  const found = exact[0] ?? (explained.length > 0 ? undefined : partOf(candidates, shares, rows, reader));
  const { reading, kept, left } = found ?? refuseSums(all, explained, rows, reader);
  const total = kept.length > 1 ? kept.find(({ title, isSaid }) => saysTotal(title) && !isSaid) : undefined;
  if (total !== undefined && !isList(rows.columns))
    reader.object(
      0,
      total.title,
      "says that it is a total, and is not the sum of other columns",
      columnsLine(rows.columns),
    );
  const circulating = rows.columns.find(
    ({ role, title }) => role === "circulating" && kept.some((one) => one.title === title),
  );
  if (reading === "monthly" && amounts === undefined && circulating !== undefined)
    reader.object(
      0,
      circulating.title,
      "says that it is in circulation, and all rows together are the maximum",
      "--amounts cumulative|monthly says which it is",
    );
  for (const each of reading === "cumulative" ? kept : []) objectToFall(each, rows, reader);
  if (left.length > 0)
    reader.assume(
      `left out, as sums or changes of the others in every row: ${left.map(({ title }) => `"${title}"`).join(", ")}`,
    );
  reader.assume(wordsOf({ reading, kept, left }));
  for (const share of shares) checkShares(share, kept, reading, rows.lines, reader);
  reader.settle();
  return { reading, kept, left };
}

const wordsOf = ({ reading, kept }: Match): string => {
  const titles = kept.slice(0, 20).map(({ title }) => `"${title}"`);
  const meaning = reading === "monthly" ? "unlocked in each period" : "in circulation from each period on";
  return `${titles.join(", ")}${kept.length > 20 ? ", ..." : ""}: tokens ${meaning}`;
};

const totalIn = ({ kept, reading }: Match): bigint => sum(kept.map((each) => totalOf(each, reading)));

function leaveOut(explained: readonly Series[]): readonly (readonly Series[])[] {
  const some = explained.slice(0, 10);
  return Array.from({ length: 2 ** some.length }, (_, mask) => some.filter((_, at) => (mask >> at) % 2 === 1));
}

/** Matches that differ in a figure; of equal ones the first. */
function distinct(matches: readonly Match[]): readonly Match[] {
  const figures = ({ kept, reading }: Match): string => {
    const all = kept.map((each) => running(each, reading));
    return (all[0] ?? []).map((_, row) => sum(all.map((column) => column[row] ?? 0n))).join();
  };
  return [...new Map([...matches].reverse().map((match) => [figures(match), match])).values()].reverse();
}

/** A table that ends below the maximum: what its figures are must be said, by a title, an option or a verified share; no maximum tells a sum from a part. */
function partOf(
  candidates: readonly Match[],
  shares: readonly KnownColumn[],
  rows: Rows,
  reader: SheetReader,
): Match | undefined {
  const { maxSupply = 0n, amounts, hasRest } = reader.options;
  const below = candidates.filter(
    (each) => totalIn(each) < maxSupply && (each.reading === "monthly" || !each.kept.some((one) => fallOf(one) > 0)),
  );
  const isCirculating = (title: string): boolean =>
    rows.columns.some((column) => column.title === title && column.role === "circulating");
  const isKnown = ({ kept: [only, ...more], reading }: Match): boolean =>
    more.length === 0 &&
    only !== undefined &&
    !isList(rows.columns) &&
    (amounts !== undefined ||
      (reading === "cumulative" &&
        (isCirculating(only.title) ||
          shares.some((share) => isShare(share, reader.mark, [running(only, reading)], [maxSupply])))));
  const found = distinct(below.filter((each) => isKnown(each) || (hasRest && amounts !== undefined)));
  return found.length === 1 ? found[0] : undefined;
}

function objectToFall(each: Series, { lines }: Rows, reader: SheetReader): void {
  const row = fallOf(each);
  if (row < 1) return;
  const [from, to] = [each.amounts[row - 1]?.units ?? 0n, each.amounts[row]?.units ?? 0n];
  const advice =
    "a figure in circulation falls by a burn or a transfer, which is no part of a plan: take it out of the sheet, and enter it afterwards with revise burn or revise move";
  reader.object(
    lines[each.rows[row] ?? 0] ?? 0,
    each.title,
    `falls from ${reader.text(from)} to ${reader.text(to)}`,
    advice,
  );
}

/** Neither reading comes to the maximum: every column's sums, and nothing about which of them would do. */
function refuseSums(all: readonly Series[], explained: readonly Series[], rows: Rows, reader: SheetReader): never {
  const { maxSupply = 0n } = reader.options;
  const text = (each: readonly Series[], reading: Reading) =>
    reader.text(sum(each.map((one) => totalOf(one, reading))));
  const parts = all
    .slice(0, 12)
    .map((each) => `"${each.title}" ${text([each], "cumulative")} / ${text([each], "monthly")}`);
  const words = rows.columns
    .filter(({ kind }) => kind === "words")
    .map(({ title, cells }) => `"${title}" is words ("${cells.find((cell) => cell !== "")}")`);
  if (all.length === 1 && all[0] !== undefined) objectToFall(all[0], rows, reader);
  const falls = all.length === 1 && all.some((each) => fallOf(each) > 0);
  const sums = explained.map(({ title }) => `"${title}" is a sum, running total or change of the others`);
  for (const each of all) {
    const wrong = wrongSumOf(
      each,
      all.filter((other) => other !== each),
    );
    if (wrong !== undefined)
      reader.object(
        rows.lines[wrong.row] ?? 0,
        each.title,
        `is ${reader.text(each.amounts[wrong.row]?.units ?? 0n)}, the other columns add up to ${reader.text(wrong.expected)}, and in most rows they agree`,
      );
  }
  reader.object(
    0,
    undefined,
    [
      `does not add up to the maximum ${reader.text(maxSupply)}; last row / all rows: ${parts.join(", ")}${all.length > 12 ? ", ..." : ""}`,
      ...(all.length > 1 ? [`together ${text(all, "cumulative")} / ${text(all, "monthly")}`] : []),
      ...sums,
      ...words,
    ].join("; "),
    falls
      ? undefined
      : 'say what the figures are with --amounts cumulative|monthly and name what is left of the maximum with --rest ID; a column that is no tokens of a bucket is --columns "TITLE=ignore"',
  );
  reader.settle();
  throw new Error("unreachable");
}

/** A row without a period is the sum of each column, or no part of the table. */
function checkSumRows(
  { lines, columns }: Rows,
  series: readonly Series[],
  reading: Reading,
  reader: SheetReader,
): void {
  lines.forEach((line, row) => {
    for (const each of series) {
      const column = columns.find(({ title }) => title === each.title);
      const cell = column?.cells[row] ?? "";
      if (column === undefined || cell === "") continue;
      const { units } = reader.amount(line, column, cell);
      if (units !== totalOf(each, reading))
        reader.object(
          line,
          each.title,
          `"${cell}" has no period and is not the sum ${reader.text(totalOf(each, reading))} either`,
        );
    }
    reader.assume(`line ${line} is the sum of the rows and left out`);
  });
  reader.settle();
}

function unlocksOf(series: Series, reading: Reading, { atMs }: Times, lines: readonly number[]): readonly Unlock[] {
  const totals = running(series, reading);
  return totals.map((total, index) => {
    const row = series.rows[index] ?? 0;
    const source = series.source === "" ? `line ${lines[row]}` : series.source;
    const units = total - (totals[index - 1] ?? 0n);
    return { bucket: series.title, when: { kind: "once", atMs: atMs[row] ?? 0 }, units, source };
  });
}

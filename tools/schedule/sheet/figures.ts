import { columnsLine, type KnownColumn, refuseUnsigned, saysScale } from "./columns.ts";
import { readPeriod } from "./period.ts";
import { type SheetReader, saysTotal, sum } from "./reader.ts";
import { checkShare, isShare } from "./shares.ts";
import { fallOf, isExplained, type Reading, running, type Series, selectionsOf, totalOf, wrongSumOf } from "./sums.ts";
import { checkOrder, type Times, timesOf } from "./times.ts";
import type { Unlock } from "./unlocks.ts";

/** A table whose rows are periods: one figure, or a column per bucket. */
export interface FigureSheet {
  readonly unlocks: readonly Unlock[];
  readonly times: Times;
  /** The sheet has no buckets. */
  readonly isOneFigure: boolean;
}

interface Table {
  readonly lines: readonly number[];
  readonly columns: readonly KnownColumn[];
}

export function readFigures(period: KnownColumn, all: Table, reader: SheetReader): FigureSheet {
  const isSum = period.cells.map((cell) => readPeriod(cell) === undefined && !/\d/.test(cell));
  const part = (isWanted: boolean): Table => {
    const pick = <Each>(list: readonly Each[]): readonly Each[] => list.filter((_, row) => isSum[row] === isWanted);
    return { lines: pick(all.lines), columns: all.columns.map((each) => ({ ...each, cells: pick(each.cells) })) };
  };
  const table = part(false);
  const own = table.columns[all.columns.indexOf(period)] ?? period;
  const { series, shares } = seriesOf(table, own, reader);
  const times = timesOf(own, table.lines, reader);
  const match = readingOf(series, shares, table, reader);
  checkSumRows(part(true), series, match.reading, reader);
  if (match.reading === "cumulative") checkOrder(times.atMs, table.lines, reader);
  return {
    unlocks: match.kept.flatMap((each) => unlocksOf(each, match.reading, times)),
    times,
    isOneFigure: match.kept.length === 1,
  };
}

/** Every column beside the periods: figures, shares, or left out and said; what is none of these is objected to. */
function seriesOf({ lines, columns }: Table, period: KnownColumn, reader: SheetReader) {
  const others = columns.filter((column) => column !== period);
  const figures = others.filter(({ kind, role }) => kind === "numbers" && role !== "ignore");
  const shares = others.filter(({ kind, role }) => kind === "percent" && role !== "ignore");
  const left = others.filter(({ kind, role }) => role === "ignore" || (kind === "words" && role === undefined));
  const unknown = others.filter((each) => ![...figures, ...shares, ...left].includes(each));
  const advice = columnsLine(columns.map((each) => (unknown.includes(each) ? { ...each, role: undefined } : each)));
  if (left.length > 0) reader.assume(`left out: ${left.map(({ title }) => `"${title}"`).join(", ")}`);
  for (const each of unknown)
    if (each.kind === "mixed")
      for (const [row, cell] of each.cells.entries()) reader.amount(lines[row] ?? 0, each, cell);
    else {
      const cell = each.cells.find((one) => one !== "");
      reader.object(0, each.title, `is neither the periods (${period.title}) nor figures: "${cell}"`);
    }
  if (unknown.length > 0) reader.object(0, undefined, advice);
  const counted = figures.length > 0 ? figures : shares;
  if (counted.length === 0) reader.object(0, undefined, "has no column of figures beside the periods", advice);
  const { maxSupply = 0n } = reader.options;
  const series = counted.map(
    (column): Series => ({
      ...column,
      amounts: column.cells.map((cell, row) =>
        column.kind === "percent"
          ? { units: reader.share(lines[row] ?? 0, column, cell, maxSupply), roundedTo: 1n }
          : reader.amount(lines[row] ?? 0, column, cell),
      ),
    }),
  );
  reader.settle();
  return { series, shares: figures.length > 0 ? shares : [] };
}

interface Match {
  readonly reading: Reading;
  readonly kept: readonly Series[];
  readonly left: readonly Series[];
}

/** Which columns count, and as what: those with which the table comes to the maximum, and none but verified sums left. */
function readingOf(all: readonly Series[], shares: readonly KnownColumn[], table: Table, reader: SheetReader): Match {
  const { maxSupply = 0n, amounts } = reader.options;
  const advice = columnsLine(table.columns);
  const readings: readonly Reading[] = amounts === undefined ? ["cumulative", "monthly"] : [amounts];
  const isLeft = (each: Series, others: readonly Series[], reading: Reading): boolean =>
    !each.isSaid &&
    isExplained(
      each,
      others.filter((other) => other !== each),
      reading,
    );
  const explained = all.filter((each) => readings.some((reading) => isLeft(each, all, reading)));
  const matches = readings.flatMap((reading) =>
    selectionsOf(all.filter((each) => isLeft(each, all, reading)))
      .map((left): Match => ({ reading, left, kept: all.filter((each) => !left.includes(each)) }))
      .filter(({ kept, left }) => left.every((each) => isLeft(each, kept, reading))),
  );
  const whole = distinct(matches.filter((each) => totalIn(each) === maxSupply));
  const exact = [...whole, ...whole.flatMap((each) => withoutOne(each, readings, maxSupply))];
  if (exact.length > 1)
    reader.refuse(0, `adds up to the maximum in several ways: ${exact.map(wordsOf).join("; or ")}`, advice);
  const found = exact[0] ?? (explained.length > 0 ? undefined : partOf(matches, shares, reader));
  const { reading, kept, left } = found ?? refuseSums(all, explained, table, reader);
  for (const each of exact.length === 0 ? kept : []) {
    refuseUnsigned(each, reader);
    if (saysScale(each.title))
      reader.object(
        0,
        each.title,
        "names another unit than tokens, and does not add up to the maximum",
        "write tokens",
      );
  }
  const total = kept.length > 1 ? kept.find(({ title, isSaid }) => saysTotal(title) && !isSaid) : undefined;
  if (total !== undefined)
    reader.object(0, total.title, "says that it is a total, and is not the sum of other columns", advice);
  const circulating = kept.find(({ role }) => role === "circulating");
  if (reading === "monthly" && amounts === undefined && circulating !== undefined) {
    const what = "says that it is in circulation, and all rows together are the maximum";
    reader.object(0, circulating.title, what, "--amounts cumulative|monthly says which it is");
  }
  const raw = kept.map(({ amounts: each }) => each.map(({ units }) => units));
  const rows = rowSums(raw);
  const leaves = rows.length > 1 && kept.length > 1 && rows.every((each) => each === rows[0]);
  for (const each of reading === "cumulative" ? kept : []) objectToFall(each, table.lines, reader, leaves);
  if (left.length > 0) {
    const titles = left.map(({ title }) => `"${title}"`).join(", ");
    reader.assume(`left out, as sums or changes of the others in every row: ${titles}`);
  }
  reader.assume(wordsOf({ reading, kept, left }));
  const run = kept.map((each) => running(each, reading));
  const sums = [rowSums(run), rows];
  const wholes = [maxSupply, ...kept.map((each) => totalOf(each, reading)), ...sums];
  for (const share of shares) checkShare(share, [...sums, ...run, ...raw], wholes, table.lines, reader);
  reader.settle();
  return { reading, kept, left };
}

const rowSums = (columns: readonly (readonly bigint[])[]): readonly bigint[] =>
  (columns[0] ?? []).map((_, row) => sum(columns.map((each) => each[row] ?? 0n)));

const totalIn = ({ kept, reading }: Match): bigint => sum(kept.map((each) => totalOf(each, reading)));

function wordsOf({ reading, kept }: Match): string {
  const titles = kept.slice(0, 20).map(({ title }) => `"${title}"`);
  const meaning = reading === "monthly" ? "unlocked in each period" : "in circulation from each period on";
  return `${titles.join(", ")}${kept.length > 20 ? ", ..." : ""}: tokens ${meaning}`;
}

/** Matches that differ in a figure or in their buckets, which a single column is not; of equal ones the first. */
function distinct(matches: readonly Match[]): readonly Match[] {
  const plan = ({ kept, reading }: Match): string => {
    const buckets = kept.length > 1 ? kept.map(({ title }) => title) : [];
    return JSON.stringify([rowSums(kept.map((each) => running(each, reading))).join(), buckets]);
  };
  return [...new Map(matches.toReversed().map((match) => [plan(match), match])).values()].toReversed();
}

/** The same columns but one, which may be no tokens, where they come to the maximum too when read the other way. */
function withoutOne({ reading, kept }: Match, readings: readonly Reading[], maxSupply: bigint): readonly Match[] {
  return readings
    .filter((each) => each !== reading)
    .flatMap((other) =>
      kept.map((one): Match => ({ reading: other, left: [one], kept: kept.filter((each) => each !== one) })),
    )
    .filter(
      (each) =>
        each.kept.length > 0 &&
        !each.left.some(({ isSaid }) => isSaid) &&
        totalIn(each) === maxSupply &&
        (each.reading === "monthly" || !each.kept.some((one) => fallOf(one) > 0)),
    );
}

/**
 * A table that ends below the maximum: what its figures are must be said, by a title, an option or a verified share, and
 * of several columns which are tokens, because no maximum tells a sum or a price from a part.
 */
function partOf(matches: readonly Match[], shares: readonly KnownColumn[], reader: SheetReader): Match | undefined {
  const { maxSupply = 0n, amounts, hasRest } = reader.options;
  const isKnown = ({ kept: [only, ...more], reading }: Match): boolean => {
    if (only === undefined || more.length > 0) return false;
    if (amounts !== undefined) return true;
    const isShared = shares.some((share) => isShare(share, [running(only, reading)], [maxSupply], reader.mark));
    return reading === "cumulative" && (only.role === "circulating" || isShared);
  };
  const found = matches.filter(
    (each) =>
      totalIn(each) < maxSupply &&
      (each.reading === "monthly" || !each.kept.some((one) => fallOf(one) > 0)) &&
      (isKnown(each) || (hasRest && amounts !== undefined && each.kept.every(({ isSaid }) => isSaid))),
  );
  return distinct(found).length === 1 ? found[0] : undefined;
}

/** `leaves`: with the other columns it is the same in every row. */
function objectToFall(each: Series, lines: readonly number[], reader: SheetReader, leaves = false): boolean {
  const row = fallOf(each);
  if (row < 1) return false;
  const [from, to] = [each.amounts[row - 1]?.units ?? 0n, each.amounts[row]?.units ?? 0n];
  const advice = leaves
    ? `all columns together are the same in every row: "${each.title}" is what the others leave of it, and no bucket: --columns "${each.title}=ignore"`
    : "a figure in circulation falls by a burn or a transfer, which is no part of a plan: take it out of the sheet, and enter it afterwards with revise burn or revise correct; what is still locked is no figure in circulation";
  reader.object(lines[row] ?? 0, each.title, `falls from ${reader.text(from)} to ${reader.text(to)}`, advice);
  return true;
}

/** Neither reading comes to the maximum: every column's sums, and nothing about which of them would do. */
function refuseSums(all: readonly Series[], explained: readonly Series[], table: Table, reader: SheetReader): never {
  const text = (each: readonly Series[]): string =>
    (["cumulative", "monthly"] as const)
      .map((reading) => reader.text(totalIn({ kept: each, left: [], reading })))
      .join(" / ");
  for (const each of all) {
    const wrong = wrongSumOf(
      each,
      all.filter((other) => other !== each),
    );
    if (wrong === undefined) continue;
    const is = reader.text(each.amounts[wrong.row]?.units ?? 0n);
    const what = `is ${is}, the other columns add up to ${reader.text(wrong.expected)}, and in most rows they agree`;
    reader.object(table.lines[wrong.row] ?? 0, each.title, what);
  }
  const isFalling = all.length === 1 && all.some((each) => objectToFall(each, table.lines, reader));
  const parts = all.slice(0, 12).map((each) => `"${each.title}" ${text([each])}`);
  const words = table.columns
    .filter(({ kind }) => kind === "words")
    .map(({ title, cells }) => `"${title}" is words ("${cells.find((cell) => cell !== "")}")`);
  const said = [
    `does not add up to the maximum ${reader.text(reader.options.maxSupply ?? 0n)}; last row / all rows: ${parts.join(", ")}${all.length > 12 ? ", ..." : ""}`,
    ...(all.length > 1 ? [`together ${text(all)}`] : []),
    ...explained.map(({ title }) => `"${title}" is a sum, running total or change of the others`),
    ...words,
  ];
  const advice = all.length === 1 ? AMOUNTS_ADVICE : `${AMOUNTS_ADVICE}; with a rest, ${columnsLine(table.columns)}`;
  return reader.refuse(0, said.join("; "), isFalling ? undefined : advice);
}

const AMOUNTS_ADVICE =
  'say what the figures are with --amounts cumulative|monthly and name what is left of the maximum with --rest ID; a column that is no tokens of a bucket is --columns "TITLE=ignore"';

/** A row without a period is the sum of each column, or no part of the table. */
function checkSumRows(
  { lines, columns }: Table,
  series: readonly Series[],
  reading: Reading,
  reader: SheetReader,
): void {
  for (const [row, line] of lines.entries()) {
    for (const each of series) {
      const column = columns.find(({ title }) => title === each.title) ?? each;
      const cell = column.cells[row] ?? "";
      const expected = totalOf(each, reading);
      if (cell !== "" && reader.amount(line, column, cell).units !== expected)
        reader.object(line, each.title, `"${cell}" has no period and is not the sum ${reader.text(expected)} either`);
    }
    reader.assume(`line ${line} is the sum of the rows and left out`);
  }
  reader.settle();
}

function unlocksOf(series: Series, reading: Reading, { atMs }: Times): readonly Unlock[] {
  const totals = running(series, reading);
  return totals.map((total, row) => {
    const [dayMs, units] = [atMs[row] ?? 0, total - (totals[row - 1] ?? 0n)];
    return { bucket: series.title, fromMs: dayMs, toMs: dayMs, units, source: `the column "${series.title}"` };
  });
}

import { parseDay } from "../../../src/utc.ts";
import { type Duration, isShareOf, readDuration, readEvery, readPercentage } from "./cell.ts";
import { columnsLine, type KnownColumn, type Role, titleUnit } from "./columns.ts";
import { isDash, readNumber } from "./number.ts";
import { daysOf } from "./periods.ts";
import { type SheetReader, saysTotal, sum } from "./reader.ts";
import { isExplained, type Series } from "./sums.ts";
import { addMonths, type Unlock, type When } from "./unlocks.ts";

/** A table with a rule a row: of a bucket, or of a grant with its own start. */
interface Rules {
  readonly lines: readonly number[];
  readonly all: readonly KnownColumn[];
  readonly of: (role: Role) => KnownColumn | undefined;
  /** Days by role and row; undefined where the column is counts, or missing. */
  readonly days: (role: Role) => readonly number[] | undefined;
  readonly startMs: number | undefined;
}

export function readRules(
  all: readonly KnownColumn[],
  lines: readonly number[],
  reader: SheetReader,
): readonly Unlock[] {
  const rules = rulesOf(all, lines, reader);
  const { maxSupply = 0n } = reader.options;
  const amounts = lines.map((_, row) => amountOf(rules, row, maxSupply, reader));
  reader.settle();
  const total = totalRow(amounts, rules, reader);
  const unlocks = lines.flatMap((_, row) => (row === total ? [] : unlocksOf(rules, row, amounts[row] ?? 0n, reader)));
  reader.settle();
  return unlocks;
}

/** Every column in its place: one of each role, shares and sums that agree, or refused with the line to complete. */
function rulesOf(all: readonly KnownColumn[], lines: readonly number[], reader: SheetReader): Rules {
  const settled = all.map((column) => (column.role === "period" ? { ...column, role: "start" as const } : column));
  const known = settled.map((column) =>
    column.role === undefined && agrees(column, settled, lines.length, reader)
      ? { ...column, role: "ignore" as const }
      : column,
  );
  const of = (role: Role) => known.find((column) => column.role === role && !isShareColumn(column, known));
  for (const column of known.filter((each) => each.role !== undefined && each.role !== "ignore")) {
    const other = known.find((each) => each !== column && each.role === column.role && each.kind === column.kind);
    if (other !== undefined && known.indexOf(other) > known.indexOf(column))
      reader.object(0, other.title, `could be the ${column.role} as well as "${column.title}"`, columnsLine(known));
  }
  for (const { title, cells } of known.filter(({ role }) => role === undefined)) {
    const odd = cells.find((cell) => cell !== "" && readNumber(cell, reader.mark) === undefined);
    const cell = odd ?? cells.find((each) => each !== "");
    reader.object(0, title, `is not known, with the cell "${cell}"`, columnsLine(known));
  }
  const hasEnd = of("months") !== undefined || of("end") !== undefined;
  const missing = [...(of("amount") === undefined ? ["amount"] : []), ...(hasEnd ? [] : ["months or end"])];
  if (missing.length > 0)
    reader.object(0, undefined, `no column is the ${missing.join(", nor the ")}`, columnsLine(known));
  const left = known.filter(({ role }) => role === "ignore");
  if (left.length > 0) reader.assume(`left out: ${left.map(({ title }) => `"${title}"`).join(", ")}`);
  const startMs = parseDay(reader.options.start ?? "");
  if (of("start") === undefined && startMs === undefined)
    reader.object(0, undefined, "--start: missing; the day from which tokens circulate, as YYYY-MM-DD");
  const found = new Map(
    (["start", "cliff", "end"] as const).flatMap((role) => {
      const column = of(role);
      return column?.kind === "dates" ? [[role as Role, daysOf(column, lines, reader)] as const] : [];
    }),
  );
  reader.settle();
  return { lines, all: known, of, days: (role) => found.get(role), startMs };
}

/** Percentages beside a column of the same role in tokens, which must agree with it. */
function isShareColumn(column: KnownColumn, all: readonly KnownColumn[]): boolean {
  return (
    column.kind === "percent" &&
    all.some((each) => each !== column && each.role === column.role && each.kind !== "percent")
  );
}

/** A column that is, in every row, the sum of two counts: `Total (months)`. */
function agrees(column: KnownColumn, all: readonly KnownColumn[], rows: number, reader: SheetReader): boolean {
  const isCount = ({ kind }: KnownColumn): boolean => kind === "numbers" || kind === "durations";
  if (!isCount(column)) return false;
  const series = ({ title, cells }: KnownColumn): Series => ({
    title,
    source: "",
    isSaid: false,
    rows: [],
    // A row of sums may leave counts out.
    amounts: cells.flatMap((cell, row) => {
      if (column.cells[row] === "") return [];
      const said = readDuration(cell, titleUnit(title), reader.mark);
      return [{ units: "value" in said ? BigInt(said.value.count) : -1n, roundedTo: 0n }];
    }),
  });
  const parts = all.filter((each) => isCount(each) && (each.role === "cliff" || each.role === "months"));
  return rows > 2 && parts.length === 2 && isExplained(series(column), parts.map(series), "cumulative");
}

/** Tokens, checked against percentages beside them; or a percentage of the maximum. */
function amountOf({ of, all, lines }: Rules, row: number, maxSupply: bigint, reader: SheetReader): bigint {
  const column = of("amount");
  if (column === undefined) return 0n;
  const line = lines[row] ?? 0;
  const units = tokens(column, row, line, maxSupply, reader);
  for (const share of all.filter((each) => each.role === "amount" && isShareColumn(each, all)))
    checkShare(share, row, line, units, maxSupply, reader);
  return units;
}

function tokens(column: KnownColumn, row: number, line: number, whole: bigint, reader: SheetReader): bigint {
  const cell = column.cells[row] ?? "";
  return cell.endsWith("%") ? reader.share(line, column, cell, whole) : reader.amount(line, column, cell).units;
}

function checkShare(
  share: KnownColumn,
  row: number,
  line: number,
  units: bigint,
  whole: bigint,
  reader: SheetReader,
): void {
  const cell = share.cells[row] ?? "";
  const said = readPercentage(cell, reader.mark);
  if (cell === "" || ("value" in said && isShareOf(units, said.value, whole))) return;
  reader.object(line, share.title, `${reader.text(units)} is not "${cell}" of ${reader.text(whole)}`);
}

/** The row that is the sum of the others, when with it the table is twice the maximum and without it once; or -1. */
function totalRow(amounts: readonly bigint[], { lines, all, of }: Rules, reader: SheetReader): number {
  const { maxSupply = 0n, hasRest } = reader.options;
  const whole = sum(amounts);
  const label = (row: number): string => of("bucket")?.cells[row] ?? "";
  const named = lines.findIndex((_, row) => saysTotal(label(row)));
  const found = whole === 2n * maxSupply ? amounts.lastIndexOf(maxSupply) : named;
  const rest = whole - (amounts[found] ?? 0n);
  const isTotal = found !== -1 && lines.length > 2 && amounts[found] === rest && whole !== maxSupply;
  if (isTotal) {
    const tge = of("tge");
    const own = tge?.cells[found] ?? "";
    const parts = lines.flatMap((_, row) =>
      row === found || tge === undefined ? [] : [{ row, cell: tge.cells[row] ?? "" }],
    );
    if (
      tge !== undefined &&
      own !== "" &&
      !isDash(own) &&
      !own.endsWith("%") &&
      parts.every(({ cell }) => !cell.endsWith("%"))
    ) {
      const units = sum(parts.map(({ row, cell }) => reader.amount(lines[row] ?? 0, tge, cell).units));
      if (units !== reader.amount(lines[found] ?? 0, tge, own).units)
        reader.object(lines[found] ?? 0, tge.title, `"${own}" is not the sum ${reader.text(units)}`);
    }
    reader.assume(`line ${lines[found]} ("${label(found)}") is the sum of the others and left out`);
  } else if (named !== -1)
    reader.object(
      lines[named] ?? 0,
      undefined,
      `"${label(named)}" says that it is a total: ${reader.text(amounts[named] ?? 0n)}, the others add up to ${reader.text(rest)}`,
    );
  const counted = isTotal ? rest : whole;
  if (counted === maxSupply || (counted < maxSupply && hasRest)) return isTotal ? found : -1;
  const sums = all
    .filter(({ role, kind }) => role === "amount" && kind === "numbers")
    .map(({ title }) => `"${title}" ${reader.text(whole)}`);
  reader.object(
    0,
    undefined,
    `the rows add up to ${reader.text(counted)} (${sums.join(", ")}), the maximum is ${reader.text(maxSupply)}`,
    counted < maxSupply ? "name what the rows leave of it with --rest ID, a bucket that never unlocks" : undefined,
  );
  return isTotal ? found : -1;
}

function unlocksOf(rules: Rules, row: number, units: bigint, reader: SheetReader): readonly Unlock[] {
  const { of, lines } = rules;
  const line = lines[row] ?? 0;
  const bucket = of("bucket")?.cells[row] ?? "Grants";
  const made = (when: When, amount: bigint): readonly Unlock[] =>
    amount > 0n ? [{ bucket, when, units: amount, source: `line ${line}` }] : [];
  const startMs = rules.days("start")?.[row] ?? rules.startMs ?? 0;
  const genesis = genesisOf(rules, row, units, reader);
  if (bucket === "") reader.object(line, of("bucket")?.title, "is empty: every row names its bucket");
  if (genesis > units)
    reader.object(
      line,
      of("tge")?.title,
      `has more at the start, ${reader.text(genesis)}, than the ${reader.text(units)} in all`,
    );
  const rest = units - genesis;
  const first = made({ kind: "once", atMs: startMs }, genesis);
  return rest > 0n
    ? [...first, ...vestingOf(rules, row, startMs, rest, reader).flatMap(([when, amount]) => made(when, amount))]
    : first;
}

/** Tokens, checked against a percentage beside them; or a percentage of the allocation, or of the maximum if the title says so. */
function genesisOf({ of, all, lines }: Rules, row: number, units: bigint, reader: SheetReader): bigint {
  const column = of("tge");
  const line = lines[row] ?? 0;
  if (column === undefined) return 0n;
  const wholeOf = ({ title }: KnownColumn): bigint =>
    /\bof (the )?(total|max|supply)/i.test(title) ? (reader.options.maxSupply ?? 0n) : units;
  const genesis = tokens(column, row, line, wholeOf(column), reader);
  for (const share of all.filter((each) => each.role === "tge" && isShareColumn(each, all)))
    checkShare(share, row, line, genesis, wholeOf(share), reader);
  return genesis;
}

type Parts = readonly (readonly [When, bigint])[];

/** How what is not unlocked at the start vests: once, by the day, in parts of months, or never. */
function vestingOf(rules: Rules, row: number, startMs: number, units: bigint, reader: SheetReader): Parts {
  const { of, lines } = rules;
  const line = lines[row] ?? 0;
  const length = of("months");
  if (/^(never|locked)$/i.test(length?.cells[row] ?? "")) return [[{ kind: "never" }, units]];
  const every = everyOf(of("every"), row);
  const [cliff, whole] = [
    countOf("cliff", rules, row, reader),
    countOf(length === undefined ? "end" : "months", rules, row, reader),
  ];
  const endMs = rules.days("end")?.[row];
  const cliffMs = rules.days("cliff")?.[row] ?? after(startMs, cliff);
  const isAfter = endMs === undefined && length !== undefined && cliffMs > startMs && isAfterCliff(rules, reader);
  if (whole.count === 0 && endMs === undefined) {
    if (cliffMs > startMs) return [[{ kind: "once", atMs: cliffMs }, units]];
    reader.object(
      line,
      length?.title,
      `${reader.text(units)} are neither unlocked at the start nor in any month; write never if they are not to unlock`,
    );
    return [];
  }
  const fromMs = isAfter ? cliffMs : startMs;
  const toMs = endMs ?? after(fromMs, whole);
  if (cliffMs > toMs || toMs <= fromMs) {
    reader.object(
      line,
      of("cliff")?.title ?? of("end")?.title,
      "ends before it begins, or its cliff is not inside it",
      CLIFF_ADVICE,
    );
    return [];
  }
  const isMonthly = every === undefined ? endMs === undefined && whole.unit === "months" : every > 0;
  const months = isMonthly ? monthsTo(fromMs, toMs) : undefined;
  const accrued = isAfter ? 0 : monthsTo(fromMs, cliffMs);
  const isWhole = months !== undefined && accrued !== undefined && months % (every ?? 1) === 0;
  if (isWhole) return partsOf(fromMs, months, every ?? 1, accrued, units);
  if (every === undefined || every === 0) return daily(fromMs, toMs, isAfter ? fromMs : cliffMs, units);
  reader.object(line, of("every")?.title, `"${of("every")?.cells[row]}" does not divide its length`);
  return [];
}

/** Whole months from one day to another; undefined where they are none. */
function monthsTo(fromMs: number, toMs: number): number | undefined {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return addMonths(fromMs, months) === toMs ? months : undefined;
}

const CLIFF_ADVICE = "--cliff after: the vesting begins after the cliff; --cliff inside: with it";

/** Of rules for a whole token the vesting follows its cliff; a grant's cliff releases what has accrued since its start. */
function isAfterCliff({ of }: Rules, reader: SheetReader): boolean {
  const { cliff } = reader.options;
  const isAfter = (cliff ?? (of("start") === undefined ? "after" : "inside")) === "after";
  const note = isAfter
    ? "the vesting begins after the cliff (--cliff after)"
    : "the cliff is inside the vesting and releases what has accrued (--cliff inside)";
  if (!reader.assumed.includes(note)) reader.assume(note);
  return isAfter;
}

function countOf(role: Role, { of, lines, days }: Rules, row: number, reader: SheetReader): Duration {
  const column = of(role);
  const none = { unit: "months", count: 0 } as const;
  if (column === undefined || days(role) !== undefined) return none;
  const cell = column.cells[row] ?? "";
  const line = lines[row] ?? 0;
  if (role !== "cliff" && isDash(cell)) {
    reader.object(
      line,
      column.title,
      `"${cell}" is no rule: when the rest unlocks is not in the sheet; a number of months, or never`,
    );
    return none;
  }
  return reader.read(line, column, cell, readDuration(cell, titleUnit(column.title), reader.mark), none);
}

function everyOf(column: KnownColumn | undefined, row: number): number | undefined {
  return column === undefined ? undefined : readEvery(column.cells[row] ?? "");
}

const DAY_MS = 86_400_000;

function after(ms: number, { unit, count }: Duration): number {
  return unit === "days" ? ms + count * DAY_MS : addMonths(ms, count);
}

/** Equal parts every few months; the first of them together at the cliff. */
function partsOf(fromMs: number, months: number, every: number, cliff: number, units: bigint): Parts {
  const count = months / every;
  const accrued = Math.floor(cliff / every);
  const atCliff = (units * BigInt(accrued)) / BigInt(count);
  const rest = { kind: "parts", fromMs, first: (accrued + 1) * every, every, count: count - accrued } as const;
  return [
    [{ kind: "once", atMs: addMonths(fromMs, cliff) }, atCliff],
    ...(accrued < count ? [[rest, units - atCliff] as const] : []),
  ];
}

/** By the day, from the cliff on; what has accrued until then at the cliff. */
function daily(fromMs: number, toMs: number, cliffMs: number, units: bigint): Parts {
  const [done, all] = [BigInt(Math.floor((cliffMs - fromMs) / DAY_MS)), BigInt(Math.floor((toMs - fromMs) / DAY_MS))];
  const atCliff = all === 0n ? units : (units * done) / all;
  return [
    [{ kind: "once", atMs: cliffMs }, atCliff],
    ...(atCliff < units ? [[{ kind: "days", fromMs: cliffMs, toMs }, units - atCliff] as const] : []),
  ];
}

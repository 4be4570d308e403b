import { DAY_MS, dayText, parseDay } from "../../../src/base/utc.ts";
import { addMonths, monthsBetween } from "../months.ts";
import { type Duration, readDuration, readEvery } from "./cell.ts";
import { columnsLine, type KnownColumn, type Role, refuseUnsigned, saysStart, titleUnit } from "./columns.ts";
import { isDash, readNumber } from "./number.ts";
import { type SheetReader, saysTotal, sum } from "./reader.ts";
import { checkShare } from "./shares.ts";
import { datesOf, type Times, timesOf } from "./times.ts";
import { NEVER_MS, type Unlock } from "./unlocks.ts";

/** A table whose rows are unlocks, spans, grants with their own start, or the rules of buckets. */
export interface RuleSheet {
  readonly unlocks: readonly Unlock[];
  readonly times: Omit<Times, "atMs">;
}

interface Rules {
  readonly lines: readonly number[];
  readonly of: (role: Role) => KnownColumn | undefined;
  /** Days by role; undefined where the column is counts, or missing. */
  readonly days: (role: Role) => readonly number[] | undefined;
  readonly times: Omit<Times, "atMs">;
}

export function readRules(given: readonly KnownColumn[], all: readonly number[], reader: SheetReader): RuleSheet {
  const { maxSupply = 0n } = reader.options;
  const { columns, shares } = settled(given, reader);
  const amount = columns.find(({ role }) => role === "amount");
  if (amount === undefined) return reader.refuse(0, "no column is the amount", columnsLine(columns));
  const amounts = all.map((line, row) => tokens(amount, row, line, maxSupply, reader));
  refuseYears(columns, reader);
  reader.settle();
  const total = totalRow(amounts, columns, all, reader);
  const rows = <Each>(list: readonly Each[]): readonly Each[] => list.filter((_, row) => row !== total);
  const [lines, units] = [rows(all), rows(amounts)];
  const cut = <Some extends KnownColumn>(column: Some): Some => ({ ...column, cells: rows(column.cells) });
  refuseOpen(columns.map(cut), cut(amount), units, given, reader);
  const rules = rulesOf(columns.map(cut), lines, reader);
  const tge = rules.of("tge");
  const genesis = units.map((whole, row) =>
    tge === undefined ? 0n : tokens(tge, row, lines[row] ?? 0, isOfMaximum(tge) ? maxSupply : whole, reader),
  );
  const launchMs = launchOf(rules, genesis, reader);
  if (tge !== undefined && isOfMaximum(tge)) reader.assume(`"${tge.title}" is of the maximum`);
  for (const share of shares.map(cut))
    if (share.role === "amount") checkShare(share, [units], [maxSupply], lines, reader);
    else checkShare(share, [genesis], [isOfMaximum(share) ? maxSupply : units], lines, reader);
  reader.settle();
  const unlocks = units.flatMap((whole, row) => unlocksOf(rules, row, whole, [launchMs, genesis[row] ?? 0n], reader));
  reader.settle();
  return { unlocks, times: rules.times };
}

/** Numbers that nothing adds up, and that may be something else than tokens. */
function refuseOpen(
  columns: readonly KnownColumn[],
  amount: KnownColumn,
  units: readonly bigint[],
  given: readonly KnownColumn[],
  reader: SheetReader,
): void {
  const { maxSupply = 0n, decimals } = reader.options;
  const isSummed = sum(units) === maxSupply;
  if (!isSummed && given.some(({ title, role }) => title === amount.title && role === undefined)) {
    const what = "is not known to be the amount, and does not add up to the maximum";
    reader.object(0, amount.title, what, columnsLine(given));
  }
  if (!isSummed) refuseUnsigned(amount, reader);
  const tge = columns.find(({ role }) => role === "tge");
  // Of a hundred tokens and fewer, such numbers are tokens: of a hundred both readings are the same.
  const isOpen = (cell: string, row: number): boolean =>
    /^[^%]*[1-9][^%]*$/.test(cell) && (units[row] ?? 0n) > 100n * 10n ** BigInt(decimals);
  if (tge?.cells.some(isOpen)) refuseUnsigned(tge, reader);
}

/** No unit in a title or cell, and all counts so small that they may be years. */
function refuseYears(columns: readonly KnownColumn[], reader: SheetReader): void {
  const counts = columns.filter(({ role, kind }) => (role === "cliff" || role === "months") && kind === "numbers");
  const [column] = counts.toReversed();
  const cells = counts.flatMap((each) => each.cells).filter((cell) => Number(cell) > 0);
  const isSmall = cells.length > 0 && cells.every((cell) => Number(cell) <= MOST_YEARS);
  if (column !== undefined && isSmall && counts.every(({ title }) => titleUnit(title) === undefined))
    reader.object(
      0,
      column.title,
      `"${cells.at(-1)}" has no unit: write ${cells.at(-1)} months or ${cells.at(-1)} years`,
    );
}

const MOST_YEARS = 10;

/** `% of total supply` and `of the maximum`; any other percentage at the start is of the allocation. */
const isOfMaximum = ({ title }: KnownColumn): boolean =>
  /\bof (the )?((total|max(imum)?) )?supply\b|\bof (the )?(total|max(imum)?)\W*$/i.test(title);

/** What makes a row more than an unlock of its day. */
const RULE_ROLES: readonly Role[] = ["start", "end", "cliff", "months", "tge", "every"];

/** Every column in its place: one of each role, shares and sums that agree, or refused with the line to complete. */
function settled(given: readonly KnownColumn[], reader: SheetReader) {
  const has = (...roles: readonly Role[]): boolean =>
    given.some(({ role }) => role !== undefined && roles.includes(role));
  const isList = has("period") && !has(...RULE_ROLES);
  const numbers = given.filter(({ kind, role }) => kind === "numbers" && role === undefined);
  const onlyNumbers = has("amount") || numbers.length !== 1 ? undefined : numbers[0];
  const known = given.map((column): KnownColumn => {
    // The maximum, to which it must add up, is the check.
    if (column === onlyNumbers) return { ...column, role: "amount" };
    if (column.role === "period" && !isList) return { ...column, role: "start" };
    if (column.role === "circulating") return { ...column, role: undefined };
    return column.role === undefined && isSumOfCounts(column, given, reader) ? { ...column, role: "ignore" } : column;
  });
  const shares = known.filter(
    (column) =>
      (column.role === "amount" || column.role === "tge") &&
      column.kind === "percent" &&
      known.some(({ role, kind }) => role === column.role && kind !== "percent"),
  );
  const columns = known.map(
    (column): KnownColumn => (shares.includes(column) ? { ...column, role: "ignore" } : column),
  );
  const advice = columnsLine(known);
  const first = isList ? undefined : given.find(({ role }) => role === "period");
  if (first !== undefined && !saysStart(first.title)) {
    const what = "is a day that is not known to be the start: from a start, the first unlock is a period away";
    reader.object(0, first.title, what, `--columns "${first.title}=start" says that it is`);
  }
  for (const column of columns.filter(({ role }) => role !== undefined && role !== "ignore")) {
    const other = columns.find(({ role }) => role === column.role);
    if (other !== undefined && other !== column)
      reader.object(0, column.title, `could be the ${column.role} as well as "${other.title}"`, advice);
  }
  for (const { title, cells } of columns.filter(({ role }) => role === undefined)) {
    const odd = cells.find((cell) => cell !== "" && readNumber(cell, reader.mark) === undefined);
    reader.object(0, title, `is not known, with the cell "${odd ?? cells.find((cell) => cell !== "")}"`, advice);
  }
  if (!isList && !has("months", "end")) reader.object(0, undefined, "no column is the months or end", advice);
  if (reader.options.amounts === "cumulative")
    reader.object(0, undefined, "--amounts: a row here is an unlock, no total");
  const left = known.filter(({ role }) => role === "ignore");
  if (left.length > 0) reader.assume(`left out: ${left.map(({ title }) => `"${title}"`).join(", ")}`);
  return { columns, shares };
}

/** Whether every filled cell is the sum of the cliff and the length beside it: `Total (months)`. */
function isSumOfCounts(column: KnownColumn, all: readonly KnownColumn[], reader: SheetReader): boolean {
  const count = ({ title, cells }: KnownColumn, row: number): number => {
    const said = readDuration(cells[row] ?? "", titleUnit(title), reader.mark);
    return "value" in said ? said.value.count : Number.NaN;
  };
  const [cliff, months] = (["cliff", "months"] as const).map((wanted) => all.find(({ role }) => role === wanted));
  if (cliff === undefined || months === undefined || column.kind === "words" || column.kind === "mixed") return false;
  return column.cells.every(
    (cell, row) => cell === "" || count(column, row) === count(cliff, row) + count(months, row),
  );
}

/** A cell in tokens: as it is, or its percentage of a whole. */
function tokens(column: KnownColumn, row: number, line: number, whole: bigint, reader: SheetReader): bigint {
  const cell = column.cells[row] ?? "";
  return cell.endsWith("%") ? reader.share(line, column, cell, whole) : reader.amount(line, column, cell).units;
}

/** The row that is the sum of the others, when with it the table is twice the maximum and without it once; or -1. */
function totalRow(
  amounts: readonly bigint[],
  columns: readonly KnownColumn[],
  lines: readonly number[],
  reader: SheetReader,
): number {
  const { maxSupply = 0n, hasRest } = reader.options;
  const whole = sum(amounts);
  const labels = columns.find(({ role }) => role === "bucket")?.cells ?? [];
  const named = labels.findIndex((label) => saysTotal(label));
  const found = whole === 2n * maxSupply ? amounts.lastIndexOf(maxSupply) : named;
  const rest = whole - (amounts[found] ?? 0n);
  const isTotal = found !== -1 && lines.length > 2 && amounts[found] === rest && whole !== maxSupply;
  if (isTotal) {
    checkTotal(
      found,
      columns.find(({ role }) => role === "tge"),
      lines,
      reader,
    );
    reader.assume(`line ${lines[found]} ("${labels[found] ?? ""}") is the sum of the others and left out`);
  } else if (named !== -1)
    reader.object(
      lines[named] ?? 0,
      undefined,
      `"${labels[named]}" says that it is a total: ${reader.text(amounts[named] ?? 0n)}, the others add up to ${reader.text(rest)}`,
    );
  const counted = isTotal ? rest : whole;
  const like = counted < maxSupply ? amounts.findIndex((each, row) => row !== found && each * 2n === counted) : -1;
  if (like !== -1 && lines.length > 2) {
    const what = `"${labels[like] ?? ""}" is the sum of the other rows, and may be no row of its own`;
    reader.object(lines[like] ?? 0, undefined, what, "with a row for what is left, the maximum decides");
  }
  if (counted !== maxSupply && (counted > maxSupply || !hasRest))
    reader.object(
      0,
      undefined,
      `the rows add up to ${reader.text(counted)}, the maximum is ${reader.text(maxSupply)}`,
      counted < maxSupply ? "name what the rows leave of it with --rest ID, a bucket that never unlocks" : undefined,
    );
  return isTotal ? found : -1;
}

/** Tokens at the start in a row of sums are a sum, too. */
function checkTotal(total: number, tge: KnownColumn | undefined, lines: readonly number[], reader: SheetReader): void {
  const own = tge?.cells[total] ?? "";
  if (tge === undefined || !/\d/.test(own) || tge.cells.some((cell) => cell.endsWith("%"))) return;
  const units = tge.cells.map((cell, row) => (row === total ? 0n : reader.amount(lines[row] ?? 0, tge, cell).units));
  if (sum(units) !== reader.amount(lines[total] ?? 0, tge, own).units)
    reader.object(lines[total] ?? 0, tge.title, `"${own}" is not the sum ${reader.text(sum(units))}`);
}

function rulesOf(columns: readonly KnownColumn[], lines: readonly number[], reader: SheetReader): Rules {
  const of = (role: Role) => columns.find((column) => column.role === role);
  const { start, stepDay } = reader.options;
  const period = of("period");
  const times =
    period === undefined ? { atMs: [], startMs: parseDay(start ?? ""), stepDay } : timesOf(period, lines, reader);
  if (period === undefined && of("start") === undefined && times.startMs === undefined)
    reader.object(0, undefined, "--start: missing; the day from which tokens circulate, as YYYY-MM-DD");
  const days = new Map<Role, readonly number[]>(period === undefined ? [] : [["period", times.atMs]]);
  for (const role of ["start", "cliff", "end"] as const) {
    const column = of(role);
    if (column !== undefined && (role === "start" || column.kind === "dates"))
      days.set(role, datesOf(column, lines, reader).atMs);
  }
  const first = Math.min(...(days.get("start") ?? []));
  if (times.startMs !== undefined && first < times.startMs)
    reader.object(0, of("start")?.title, `begins on ${dayText(first)}, before --start ${start}`);
  reader.settle();
  return { lines, of, days: (role) => days.get(role), times };
}

/** The one day of a token's launch, on which its share of every row unlocks; undefined: each on its own start. */
function launchOf({ of, days, times }: Rules, genesis: readonly bigint[], reader: SheetReader): number | undefined {
  const [tge, starts = []] = [of("tge"), days("start")];
  if (tge === undefined || !/\b(tge|genesis|launch)\b/i.test(tge.title)) return undefined;
  const own = new Set(starts.filter((_, row) => (genesis[row] ?? 0n) > 0n));
  if (own.size > 1 && times.startMs === undefined)
    reader.object(0, tge.title, "unlocks on one day, and the rows have several starts: --start DAY says which it is");
  return times.startMs;
}

/** From when to when, and how much. */
type Part = readonly [fromMs: number, toMs: number, units: bigint];

function unlocksOf(
  rules: Rules,
  row: number,
  units: bigint,
  [launchMs, genesis]: readonly [atMs: number | undefined, units: bigint],
  reader: SheetReader,
): readonly Unlock[] {
  const { of, lines, days } = rules;
  const line = lines[row] ?? 0;
  const bucket = of("bucket")?.cells[row] ?? "Grants";
  if (bucket === "") reader.object(line, of("bucket")?.title, "is empty: every row names its bucket");
  if (genesis > units)
    reader.object(
      line,
      of("tge")?.title,
      `has more at the start, ${reader.text(genesis)}, than the ${reader.text(units)} in all`,
    );
  const atMs = days("period")?.[row];
  const startMs = atMs ?? days("start")?.[row] ?? rules.times.startMs ?? 0;
  const rest = units - genesis;
  const later = atMs !== undefined ? [once(atMs, rest)] : rest > 0n ? vestingOf(rules, row, startMs, rest, reader) : [];
  return [once(launchMs ?? startMs, genesis), ...later].flatMap(([fromMs, toMs, amount]) =>
    amount > 0n ? [{ bucket, fromMs, toMs, units: amount, source: `line ${line}` }] : [],
  );
}

const once = (atMs: number, units: bigint): Part => [atMs, atMs, units];

/** How what is not unlocked at the start vests: once, by the day, in parts of months, or never. */
function vestingOf(rules: Rules, row: number, startMs: number, units: bigint, reader: SheetReader): readonly Part[] {
  const { of, days } = rules;
  const line = rules.lines[row] ?? 0;
  const [length, often] = [of("months"), of("every")];
  if (/^(never|locked)$/i.test(length?.cells[row] ?? "")) return [once(NEVER_MS, units)];
  const cliffMs = days("cliff")?.[row] ?? after(startMs, countOf("cliff", rules, row, reader));
  const whole = countOf(length === undefined ? "end" : "months", rules, row, reader);
  const endMs = days("end")?.[row];
  if (whole.count === 0 && endMs === undefined) {
    if (cliffMs > startMs) return [once(cliffMs, units)];
    const what = `${reader.text(units)} are neither unlocked at the start nor in any month; write never if they are not to unlock`;
    reader.object(line, length?.title, what);
    return [];
  }
  const isAfter = endMs === undefined && length !== undefined && cliffMs > startMs && isAfterCliff(rules, reader);
  const fromMs = isAfter ? cliffMs : startMs;
  const toMs = endMs ?? after(fromMs, whole);
  if (endMs !== undefined && length !== undefined && ![startMs, cliffMs].some((ms) => after(ms, whole) === endMs))
    reader.object(line, length.title, `"${length.cells[row]}" does not lead to the end beside it`);
  if (cliffMs > toMs || toMs <= fromMs) {
    const title = of("cliff")?.title ?? of("end")?.title;
    reader.object(line, title, "ends before it begins, or its cliff is not inside it", CLIFF_ADVICE);
    return [];
  }
  const every = readEvery(often?.cells[row] ?? "");
  if (every === undefined && (often?.cells[row] ?? "") !== "")
    reader.object(line, often?.title, `"${often?.cells[row]}" is not how often, such as monthly or quarterly`);
  const isMonthly = every === undefined ? endMs === undefined && whole.unit === "months" : every > 0;
  const [months, accrued] = [monthsTo(fromMs, toMs), isAfter ? 0 : monthsTo(fromMs, cliffMs)];
  if (isMonthly && months !== undefined && accrued !== undefined && months % (every ?? 1) === 0)
    return monthly(fromMs, months, every ?? 1, accrued, units);
  if (every === undefined || every === 0) return daily(fromMs, toMs, isAfter ? fromMs : cliffMs, units);
  reader.object(line, often?.title, `"${often?.cells[row]}" does not divide its length`);
  return [];
}

/** Whole months from one day to another; undefined where they are none. */
function monthsTo(fromMs: number, toMs: number): number | undefined {
  const months = monthsBetween(fromMs, toMs);
  return addMonths(fromMs, months) === toMs ? months : undefined;
}

const CLIFF_ADVICE = "--cliff after: the vesting begins after the cliff; --cliff inside: with it";

/** Of rules for a whole token the vesting follows its cliff; a grant's cliff releases what has accrued since its start. */
function isAfterCliff({ of }: Rules, reader: SheetReader): boolean {
  const isAfter = (reader.options.cliff ?? (of("start") === undefined ? "after" : "inside")) === "after";
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
  const [line, cell] = [lines[row] ?? 0, column.cells[row] ?? ""];
  if (role === "cliff" || !isDash(cell))
    return reader.read(line, column, cell, readDuration(cell, titleUnit(column.title), reader.mark), none);
  const what = `"${cell}" is no rule: when the rest unlocks is not in the sheet; a number of months, or never`;
  reader.object(line, column.title, what);
  return none;
}

function after(ms: number, { unit, count }: Duration): number {
  return unit === "days" ? ms + count * DAY_MS : addMonths(ms, count);
}

/** Equal parts every few months; those until the cliff together at it. */
function monthly(fromMs: number, months: number, every: number, cliff: number, units: bigint): readonly Part[] {
  const [count, accrued] = [months / every, Math.floor(cliff / every)];
  const atCliff = (units * BigInt(accrued)) / BigInt(count);
  const left = count - accrued;
  const upTo = (part: number): bigint => ((units - atCliff) * BigInt(part)) / BigInt(left);
  const parts = Array.from({ length: left }, (_, part) =>
    once(addMonths(fromMs, (accrued + part + 1) * every), upTo(part + 1) - upTo(part)),
  );
  return [once(addMonths(fromMs, cliff), atCliff), ...parts];
}

/** By the day, from the cliff on; what has accrued until then at the cliff. */
function daily(fromMs: number, toMs: number, cliffMs: number, units: bigint): readonly Part[] {
  const [done, all] = [BigInt(Math.floor((cliffMs - fromMs) / DAY_MS)), BigInt(Math.floor((toMs - fromMs) / DAY_MS))];
  const atCliff = all === 0n ? units : (units * done) / all;
  return [once(cliffMs, atCliff), [cliffMs, toMs, units - atCliff]];
}

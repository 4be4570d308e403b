import { DAY_MS, dayText, parseDay } from "../../../src/base/utc.ts";
import { addMonths, monthsBetween } from "../months.ts";
import { type Duration, readDuration, readEvery } from "./cell.ts";
import { type KnownColumn, type Role, titleUnit } from "./columns.ts";
import { isDash } from "./number.ts";
import type { SheetReader } from "./reader.ts";
import { datesOf, type Times, timesOf } from "./times.ts";
import { NEVER_MS, type Unlock } from "./unlocks.ts";

/** The columns of a table of rules by what they say, and the days in them. */
interface Rules {
  readonly lines: readonly number[];
  readonly of: (role: Role) => KnownColumn | undefined;
  /** Days by role; undefined where the column is counts, or missing. */
  readonly days: (role: Role) => readonly number[] | undefined;
  readonly times: Omit<Times, "atMs">;
}

export function rulesOf(columns: readonly KnownColumn[], lines: readonly number[], reader: SheetReader): Rules {
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
export function launchOf(
  { of, days, times }: Rules,
  genesis: readonly bigint[],
  reader: SheetReader,
): number | undefined {
  const [tge, starts = []] = [of("tge"), days("start")];
  if (tge === undefined || !/\b(tge|genesis|launch)\b/i.test(tge.title)) return undefined;
  const own = new Set(starts.filter((_, row) => (genesis[row] ?? 0n) > 0n));
  if (own.size > 1 && times.startMs === undefined)
    reader.object(0, tge.title, "unlocks on one day, and the rows have several starts: --start DAY says which it is");
  return times.startMs;
}

/** From when to when, and how much. */
type Part = readonly [fromMs: number, toMs: number, units: bigint];

export function unlocksOf(
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

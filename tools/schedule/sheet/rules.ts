import { DAY_MS, dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import {
  type CellResult,
  type CountUnit,
  type Duration,
  isNever,
  isNone,
  readDuration,
  readEvery,
} from "../cells/cell.ts";
import { readNumber } from "../cells/number.ts";
import { addMonths } from "../months.ts";
import { NEVER_MS, type Unlock } from "../plan/unlocks.ts";
import { daily, monthly, monthsTo, once, type VestingPart } from "../plan/vesting.ts";
import { amountsOf, columnOf, type Declared, type DeclaredColumn, readCells } from "./declared.ts";
import { isInstantUnit } from "./mapping.ts";
import { instantsOf, startOf } from "./times.ts";

/** Interval of equal parts in months; `by_day`: daily; `at_once`: everything at the cliff or the start. */
type Every = number | "by_day" | "at_once";

/**
 * Finds the instant of a row's cliff or end, given the instant from which a length counts; undefined when the cell is
 * empty.
 */
type Ends = (row: number, fromMs: number) => number | undefined;

/** Makes the unlocks of a table whose rows are rules of buckets, or grants with their own start. */
export function ruleUnlocks(
  declared: Declared,
  buckets: readonly string[],
  units: readonly bigint[],
): readonly Unlock[] {
  const { lines, mapping, reasons, decimals } = declared;
  const [start, atStart] = [columnOf(declared, "start"), columnOf(declared, "unlocked_at_start")];
  const [launchMs, duration] = [startOf(mapping), columnOf(declared, "duration")];
  const starts = start === undefined ? undefined : instantsOf(declared, start);
  const genesis = atStart === undefined ? [] : amountsOf(declared, atStart, units);
  const [cliffs, ends] = [
    endsOf(declared, columnOf(declared, "cliff")),
    endsOf(declared, duration ?? columnOf(declared, "end")),
  ];
  const every = everyOf(declared);
  const first = starts?.reduce((least, ms) => (ms < least ? ms : least));
  if (launchMs !== undefined && first !== undefined && first < launchMs)
    reasons.add(`column ${start?.letter}: begins on ${dayText(first)}, before the start ${dayText(launchMs)}`);
  reasons.refuseIfAny();
  const unlocks = lines.flatMap((line, row) => {
    const fromMs = starts?.[row] ?? launchMs ?? 0;
    const cliffMs = cliffs(row, fromMs) ?? fromMs;
    const countedMs = duration?.from === "cliff" ? cliffMs : fromMs;
    const [begun, whole] = [genesis[row]?.units ?? 0n, units[row] ?? 0n];
    const text = (amount: bigint): string => tokenText(amount, decimals);
    if (begun > whole)
      reasons.add(`line ${line}: column ${atStart?.letter} has ${text(begun)}, more than the ${text(whole)} in all`);
    const rule = { line, fromMs: countedMs, cliffMs, toMs: ends(row, countedMs), every: every[row] };
    const later = begun >= whole ? [] : vestingOf(declared, rule, whole - begun, fromMs);
    // Tokens that unlock at the start do so on the launch day if the mapping states one, otherwise at the row's own
    // start.
    return [once(launchMs ?? fromMs, begun), ...later].flatMap(([begin, end, amount]) =>
      amount > 0n
        ? [{ bucket: buckets[row] ?? "", fromMs: begin, toMs: end, units: amount, source: `line ${line}` }]
        : [],
    );
  });
  reasons.refuseIfAny();
  return unlocks;
}

/** Reads a column of instants or lengths. A dash states none, and a cliff of length 0 is no cliff. */
function endsOf(declared: Declared, column: DeclaredColumn | undefined): Ends {
  if (column === undefined) return () => undefined;
  if (isInstantUnit(column.unit)) {
    const instants = instantsOf(declared, column);
    return (row) => instants[row];
  }
  const word = commonWord(column);
  const read = (cell: string): CellResult<Duration | "never" | undefined> => {
    const text = word !== "" && cell.endsWith(word) ? cell.slice(0, -word.length) : cell;
    if (isNever(text) && column.is !== "cliff") return { value: "never" };
    if (isNone(text)) return { value: undefined };
    // A column of lengths has a unit of counts.
    return readDuration(text, column.unit as CountUnit | "cell", declared.mark);
  };
  const lengths = readCells(declared, column, read, undefined);
  return (row, fromMs) => {
    const length = lengths[row];
    if (length === "never") return NEVER_MS;
    if (length === undefined || length.count === 0) return undefined;
    if (length.unit === "months") return addMonths(fromMs, length.count);
    return fromMs + length.count * (length.unit === "days" ? DAY_MS : 1000);
  };
}

/**
 * Finds the word that follows the number in every cell. In an unknown language it stands for the unit that the mapping
 * declares. Empty: there is none.
 */
function commonWord({ cells, unit }: DeclaredColumn): string {
  const words = new Set(cells.filter((cell) => /[1-9]/.test(cell)).map((cell) => cell.replace(/^[\d.,]+/, "")));
  const [word = ""] = words;
  const isForeign = /^[^\d]+$/.test(word) && !/^[ -]?[a-z]{1,8}\.?$/i.test(word);
  return words.size === 1 && unit !== "cell" && isForeign ? word : "";
}

/** Reads how often each row unlocks; undefined where the mapping's `linear` decides. */
function everyOf(declared: Declared): readonly (Every | undefined)[] {
  const column = columnOf(declared, "every");
  if (column === undefined) return [];
  const size = { months: 1, quarters: 3, years: 12 }[column.unit ?? ""];
  const read = (cell: string): CellResult<Every | undefined> => {
    if (cell === "" || isNone(cell)) return { value: undefined };
    const every = size === undefined ? readEvery(cell) : undefined;
    if (every !== undefined) return { value: every === "linear" ? undefined : every };
    const number = readNumber(cell, declared.mark);
    const isCount = number !== undefined && number.fraction === 0 && number.digits > 0n && number.digits < 1000n;
    if (size !== undefined && isCount) return { value: Number(number.digits) * size };
    return { reason: `is not how often, such as ${size === undefined ? "monthly, quarterly or daily" : "3"}` };
  };
  return readCells(declared, column, read, undefined);
}

interface Rule {
  readonly line: number;
  readonly fromMs: number;
  readonly cliffMs: number;
  /** End of the vesting; undefined: everything unlocks at the cliff; NEVER_MS: nothing unlocks. */
  readonly toMs: number | undefined;
  readonly every: Every | undefined;
}

/** Divides the amount that does not unlock at the start into parts; `startMs` is the begin of the row. */
function vestingOf(
  declared: Declared,
  { line, fromMs, cliffMs, toMs, every: stated }: Rule,
  units: bigint,
  startMs: number,
): readonly VestingPart[] {
  const { reasons, decimals, mapping } = declared;
  const refuse = (what: string): readonly VestingPart[] => {
    reasons.add(`line ${line}: ${what}`);
    return [];
  };
  if (toMs === NEVER_MS) return [once(NEVER_MS, units)];
  const every = stated ?? (mapping.linear === "by_day" ? "by_day" : 1);
  const [every_column, length] = [
    columnOf(declared, "every"),
    columnOf(declared, "duration") ?? columnOf(declared, "end"),
  ];
  if (every === "at_once" && toMs !== undefined)
    return refuse(`unlocks at once by column ${every_column?.letter}, and has a length or an end too`);
  if (toMs === undefined) {
    if (cliffMs > startMs || every === "at_once") return [once(cliffMs, units)];
    const column = `column ${length?.letter ?? "?"} "${length?.title ?? ""}"`;
    return refuse(
      `${tokenText(units, decimals)} are not unlocked at the start, and ${column} states no length: write a length, or never`,
    );
  }
  if (cliffMs > toMs || toMs <= fromMs)
    return refuse(
      `ends on ${dayText(toMs)}, before its cliff on ${dayText(cliffMs)} or its start on ${dayText(fromMs)}`,
    );
  const inside = Math.max(cliffMs, fromMs);
  if (typeof every === "string") return daily(fromMs, toMs, inside, units);
  const [months, accrued] = [monthsTo(fromMs, toMs), monthsTo(fromMs, inside)];
  if (months !== undefined && accrued !== undefined && months % every === 0)
    return monthly(fromMs, months, every, accrued, units);
  const byColumn = `change column ${columnOf(declared, "every")?.letter}, which states how often`;
  const advice = stated === undefined ? '"linear": "by_day" unlocks evenly' : byColumn;
  return refuse(`from ${dayText(fromMs)} to ${dayText(toMs)} are no equal parts of ${every} months; ${advice}`);
}

import { isNever, isNone } from "../cells/cell.ts";
import { type DecimalMark, readNumber } from "../cells/number.ts";
import { readNumbered, readPeriod, readSerial } from "../cells/period.ts";
import { type Candidate, type Context, statedUnit } from "./candidate.ts";
import type { ColumnMeaning, MappedColumn } from "./mapping.ts";
import { countUnitOf, wholeOf } from "./vocabulary.ts";

/** One column of the mapping; what is not certain is null. */
export function mappedColumn(candidate: Candidate, context: Context): MappedColumn {
  const { letter, title, cells } = candidate;
  const is = meaningIn(candidate, context);
  const head = {
    column: letter,
    title,
    cells: cells.slice(0, 3).map((cell) => cell.slice(0, 40)),
    is,
  };
  switch (is) {
    case "amount":
    case "circulating":
    case "unlocked_at_start":
      return { ...head, ...amountMembers(candidate, is, context) };
    case "sum":
      return { ...head, ...sumMembers(candidate, context) };
    case "period":
    case "start":
    case "end":
      return { ...head, ...instantMembers(candidate, is) };
    case "cliff":
      return candidate.kind === "dates"
        ? { ...head, ...instantMembers(candidate, is) }
        : { ...head, unit: countUnit(candidate) };
    case "duration":
      return { ...head, unit: countUnit(candidate), from: originOf(candidate, context) };
    case "every":
      return { ...head, unit: candidate.kind === "every" ? "words" : (countUnitOf(candidate.words) ?? null) };
    default:
      return head;
  }
}

function meaningIn(candidate: Candidate, { rowKind, candidates, fit }: Context): ColumnMeaning | null {
  const { is, isNamed, isDecided } = candidate;
  if (isDecided && is !== undefined) return is;
  if (rowKind === "period") {
    if (fit.doubtful.includes(candidate.letter)) return null;
    if (isNamed) return fit.isExact || fit.doubtful.length > 0 ? "amount" : null;
    return is ?? null;
  }
  // Of several columns of amounts a person says which is the row's.
  if (is === "amount" && candidates.filter((each) => each.is === "amount").length > 1) return null;
  return is === "circulating" || is === undefined ? null : is;
}

function amountMembers(candidate: Candidate, is: ColumnMeaning, { fit, facts, candidates, mark }: Context) {
  const unit =
    fit.units.get(candidate.letter) ??
    statedUnit(candidate, mark) ??
    (is === "unlocked_at_start" ? tokensAtStart(candidate, candidates, mark) : undefined);
  if (unit !== "percent" && unit !== "fraction") return { unit: unit ?? null };
  const isNothing = candidate.cells.every((cell) => !/[1-9]/.test(cell));
  const stated = wholeOf(candidate.words);
  if (is === "unlocked_at_start") return { unit, of: isNothing ? "allocation" : (stated ?? null) };
  return { unit, of: stated === "maximum" || fit.isExact ? "maximum" : facts.maxSupply > 0n ? null : "maximum" };
}

/** Numbers above a hundred that no multiple leaves below their row's amount are tokens. */
function tokensAtStart({ cells }: Candidate, candidates: readonly Candidate[], mark: DecimalMark): string | undefined {
  const amount = candidates.find(({ is }) => is === "amount");
  const value = (cell = ""): number => {
    const number = readNumber(cell, mark);
    return number === undefined ? Number.NaN : Number(number.digits) / 10 ** number.fraction;
  };
  const pairs = cells.map((cell, row) => [value(cell), value(amount?.cells[row])] as const);
  const isTokens =
    pairs.every(([start, whole]) => start <= whole) &&
    pairs.some(([start, whole]) => start > 100 && start * 1000 > whole);
  return isTokens ? "tokens" : undefined;
}

/** A sum of all columns of amounts in every row has their unit. */
function sumMembers(candidate: Candidate, context: Context): Pick<MappedColumn, "unit" | "of" | "sum_of"> {
  const { candidates, fit, mark } = context;
  const parts = candidates.filter(({ letter }) => fit.units.has(letter));
  const units = new Set(fit.units.values());
  const isSum = candidate.cells.every((cell, row) => {
    const sum = parts.reduce((total, { cells }) => total + (scaled(cells[row], mark) ?? 0n), 0n);
    return scaled(cell, mark) === sum;
  });
  if (!fit.isExact || !isSum || units.size !== 1) return { ...amountMembers(candidate, "sum", context), sum_of: null };
  const [unit = null] = units;
  const of = unit === "percent" || unit === "fraction" ? { of: "maximum" } : {};
  return { unit, ...of, sum_of: parts.map(({ letter }) => letter) };
}

function instantMembers(candidate: Candidate, is: ColumnMeaning) {
  const { kind, words, cells } = candidate;
  const plain = cells.filter((cell) => cell !== "" && !isNone(cell));
  const every = (is: (cell: string) => boolean): boolean => plain.length > 0 && plain.every(is);
  if (kind === "dates") return { unit: "date", ...wholeMember(plain, is), ...dayMember(plain, is) };
  if (every((cell) => /^\d{9,10}$/.test(cell))) return { unit: "unix_seconds" };
  if (every((cell) => /^\d{12,13}$/.test(cell))) return { unit: "unix_milliseconds" };
  if (every((cell) => readSerial(cell) !== undefined))
    return { unit: "serial", ...(is === "end" ? { day: null } : {}) };
  if (every((cell) => /^20\d\d$/.test(cell)) && words.includes("year")) return { unit: "date", whole: null };
  return is === "period" ? numberedMembers(plain, words) : { unit: countUnit(candidate) };
}

function wholeMember(cells: readonly string[], is: ColumnMeaning) {
  const periods = cells.flatMap((cell) => readPeriod(cell) ?? []);
  const wholes = periods.flatMap((each) => (each.kind === "whole" ? [each] : []));
  if (wholes.length === 0) return {};
  const isMonths = wholes.every(({ months }) => months === 1);
  return { whole: isMonths && is === "period" ? ("first_day" as const) : null };
}

function dayMember(cells: readonly string[], is: ColumnMeaning) {
  const hasDays = cells.some((cell) => !/\d:\d/.test(cell) && ["day", "either"].includes(readPeriod(cell)?.kind ?? ""));
  return is === "end" && hasDays ? { day: null } : {};
}

function numberedMembers(cells: readonly string[], words: readonly string[]) {
  const numbered = cells.flatMap((cell) => readNumbered(cell) ?? []);
  const named = numbered.filter(({ isStart }) => !isStart);
  const units = new Set(named.map(({ unit }) => unit));
  const stated = countUnitOf(words);
  const unit = units.has(undefined) ? (units.size === 1 ? stated : undefined) : "cell";
  const isSince = words.some((word) => ["since", "after", "from", "post"].includes(word));
  const isFromZero =
    numbered.some(({ number }) => number === 0) && (unit === "months" || (units.size === 1 && units.has("months")));
  return { unit: unit ?? null, first: isSince || isFromZero ? (0 as const) : null };
}

function countUnit({ kind, words, cells }: Candidate): string | null {
  const stated = countUnitOf(words);
  const isNothing = cells.every((cell) => !/[1-9]/.test(cell));
  if (kind === "durations")
    return cells.every((cell) => !/[1-9]/.test(cell) || /[a-z]/i.test(cell)) ? "cell" : (stated ?? null);
  return stated ?? (isNothing ? "months" : null);
}

function originOf({ words, cells }: Candidate, { candidates }: Context): "start" | "cliff" | null {
  const cliff = candidates.find(({ is }) => is === "cliff");
  if (cliff === undefined) return "start";
  const isNothing = cells.every(
    (cell, row) => !/[1-9]/.test(cell) || isNever(cell) || !/[1-9]/.test(cliff.cells[row] ?? ""),
  );
  if (isNothing) return "start";
  if (words.includes("after") && words.includes("cliff")) return "cliff";
  return words.includes("including") || words.includes("inside") ? "start" : null;
}

/** A number as it is written, in units that all numbers of a sheet share. */
export function scaled(cell: string | undefined, mark: DecimalMark): bigint | undefined {
  const number = readNumber(cell ?? "", mark);
  return number === undefined || number.fraction > 36 ? undefined : number.digits * 10n ** BigInt(36 - number.fraction);
}

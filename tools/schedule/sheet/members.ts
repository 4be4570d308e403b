import { isNever, isNone } from "../cells/cell.ts";
import { type DecimalMark, readNumber } from "../cells/number.ts";
import { readNumbered, readPeriod, readSerial } from "../cells/period.ts";
import { type Candidate, type Context, isDecided, isUnitStatedByCells, statedUnit } from "./candidate.ts";
import { type ColumnMeaning, type MappedColumn, UNITS } from "./mapping.ts";
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
    case "sum": {
      const members = sumMembers(candidate, context);
      return isDecided(candidate) || members.sum_of !== null ? { ...head, ...members } : { ...head, is: null };
    }
    case "period":
    case "start":
    case "end":
    case "cliff": {
      const members = timeMembers(candidate, is);
      // A start that is no date may be a cliff that is counted from the launch.
      return is === "start" && members.unit === null && !isDecided(candidate)
        ? { ...head, is: null }
        : { ...head, ...members };
    }
    case "duration":
      return { ...head, unit: unitOfTime(candidate, is), from: originOf(candidate, context) };
    case "every":
      return { ...head, unit: unitOfTime(candidate, is) };
    default:
      return head;
  }
}

function meaningIn(candidate: Candidate, { rowKind, candidates, fit }: Context): ColumnMeaning | null {
  const { is, isNamed } = candidate;
  if (isDecided(candidate)) return is ?? null;
  // Numbers under a title such as Source may be amounts, unless the others come to the maximum.
  if (is === "ignored" && candidate.kind === "numbers" && !fit.isExact) return null;
  if (fit.doubtful.includes(candidate.letter)) return null;
  const isCertain = fit.isExact || fit.doubtful.length > 0;
  if (isNamed && rowKind === "period") return isCertain ? "amount" : null;
  // Of several columns that may be amounts a person says which are.
  const hasRival = candidates.some((each) => each !== candidate && isNumeric(each) && isOpenOrAmount(each));
  if ((is === "amount" || is === "circulating") && !isCertain && hasRival) return null;
  return is === undefined || (is === "circulating" && rowKind !== "period") ? null : is;
}

const isNumeric = ({ kind }: Candidate): boolean => kind === "numbers" || kind === "percent";
const isOpenOrAmount = ({ is }: Candidate): boolean =>
  is === undefined || is === "sum" || is === "amount" || is === "circulating";

function amountMembers(candidate: Candidate, is: ColumnMeaning, context: Context) {
  const { fit, mark, rowKind } = context;
  const [fitting, written] = [fit.units.get(candidate.letter), statedUnit(candidate, mark)];
  // The title says tokens: with a multiple the amounts come to the maximum, or the kind of the rows is open and they may.
  const isTitleOnly = written === "tokens" && !isUnitStatedByCells(candidate);
  if (isTitleOnly && (rowKind === null || (fitting ?? written) !== written)) return { unit: null };
  const unit = fitting ?? (is === "unlocked_at_start" ? unitAtStart(candidate, context) : written);
  if (unit !== "percent" && unit !== "fraction") return { unit: unit ?? null };
  const isNothing = candidate.cells.every((cell) => !/[1-9]/.test(cell));
  const stated = wholeOf(candidate.words);
  if (is === "unlocked_at_start") return { unit, of: isNothing ? "allocation" : (stated ?? null) };
  return { unit, of: stated === "maximum" || fit.isExact ? "maximum" : null };
}

/** The unit of what unlocks at the start: numbers above a hundred that no multiple leaves below their row's are tokens. */
function unitAtStart(candidate: Candidate, { candidates, fit, mark }: Context): string | undefined {
  const [stated, amount] = [statedUnit(candidate, mark), candidates.find(({ is }) => is === "amount")];
  const amountUnit = amount && (fit.units.get(amount.letter) ?? statedUnit(amount, mark));
  const isNothing = candidate.cells.every((cell) => !/[1-9]/.test(cell));
  // Beside amounts in millions `TGE tokens` may be in millions too.
  if (stated === "tokens" && amountUnit !== "tokens" && !isNothing && candidate.given?.unit !== stated)
    return undefined;
  if (stated !== undefined || amountUnit !== "tokens") return stated;
  const value = (cell = ""): number => {
    const number = readNumber(cell, mark);
    return number === undefined ? Number.NaN : Number(number.digits) / 10 ** number.fraction;
  };
  const pairs = candidate.cells.map((cell, row) => [value(cell), value(amount?.cells[row])] as const);
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

function timeMembers(candidate: Candidate, is: ColumnMeaning) {
  const { cells, words } = candidate;
  const plain = cells.filter((cell) => cell !== "" && !isNone(cell));
  const unit = unitOfTime(candidate, is);
  if (unit === "date") return { unit, ...wholeMember(plain, is), ...dayMember(plain, is) };
  if (unit === "serial") return { unit, ...(is === "end" ? { day: null } : {}) };
  const isNumbered = is === "period" && !/^unix/.test(unit ?? "");
  return isNumbered ? { unit, first: firstOf(plain, words, unit) } : { unit };
}

/** The unit of a column of times: the one that a person, the cells or the title state, as far as the meaning has it. */
function unitOfTime(candidate: Candidate, is: ColumnMeaning): string | null {
  // A cliff that is a large number is no count, and nothing says that it is an instant.
  const instant = is === "cliff" && candidate.kind !== "dates" ? undefined : instantUnit(candidate);
  const unit = candidate.given?.unit ?? instant ?? countUnit(candidate, is);
  return UNITS[is].some((each) => each === unit) ? unit : null;
}

function instantUnit({ kind, words, cells }: Candidate): string | undefined {
  const plain = cells.filter((cell) => cell !== "" && !isNone(cell));
  const every = (is: (cell: string) => boolean): boolean => plain.length > 0 && plain.every(is);
  if (kind === "dates" || (every((cell) => /^20\d\d$/.test(cell)) && words.includes("year"))) return "date";
  if (words.includes("month") && every((cell) => /^20\d{4}$/.test(cell) && readPeriod(cell) !== undefined))
    return "date";
  if (every((cell) => /^\d{9,10}$/.test(cell))) return "unix_seconds";
  if (every((cell) => /^\d{12,13}$/.test(cell))) return "unix_milliseconds";
  return every((cell) => readSerial(cell) !== undefined) ? "serial" : undefined;
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

/** The number of the period that begins on the start, where the title or a period 0 of months says it. */
function firstOf(cells: readonly string[], words: readonly string[], unit: string | null): 0 | null {
  const numbered = cells.flatMap((cell) => readNumbered(cell) ?? []);
  const units = new Set(numbered.flatMap((each) => (each.isStart ? [] : [each.unit])));
  const isMonths = unit === "months" || (units.size === 1 && units.has("months"));
  const isSince = words.some((word) => ["since", "after", "from", "post"].includes(word));
  return isSince || (isMonths && numbered.some(({ number }) => number === 0)) ? 0 : null;
}

function countUnit({ kind, words, cells }: Candidate, is: ColumnMeaning): string | null {
  if (kind === "every") return "words";
  const stated = countUnitOf(words) ?? null;
  const counts = cells.filter((cell) => /[1-9]/.test(cell));
  if (kind === "numbered") {
    const numbered = counts.flatMap((cell) => readNumbered(cell) ?? []);
    return numbered.some(({ isStart, unit }) => !isStart && unit === undefined) ? stated : "cell";
  }
  if (kind === "durations" && is !== "period") return counts.every((cell) => /[a-z]/i.test(cell)) ? "cell" : stated;
  return stated ?? (counts.length === 0 && is !== "period" ? "months" : null);
}

function originOf({ words, cells }: Candidate, { candidates }: Context): "start" | "cliff" | null {
  const cliff = candidates.find(({ is }) => is === "cliff");
  // A column whose meaning is open may be the cliff.
  if (cliff === undefined) return candidates.some(({ is }) => is === undefined) ? null : "start";
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

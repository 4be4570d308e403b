import { isNever, isNone } from "../cells/cell.ts";
import type { DecimalMark } from "../cells/number.ts";
import { INSTANT_READERS, isMonthEnd, readNumbered, readPeriod } from "../cells/period.ts";
import { type Fit, isUnitStatedByCells, type SheetFacts, scaled, statedUnit } from "./arithmetic.ts";
import { type Candidate, isDecided } from "./candidates.ts";
import { isInstantUnit, isShare, type MappedColumn, MEANINGS, type RowKind } from "./mapping.ts";
import { countUnitOf, wholeOf } from "./vocabulary.ts";

/** Facts from which a mapping is proposed. */
export interface Context {
  readonly candidates: readonly Candidate[];
  readonly rowKind: RowKind | null;
  readonly mark: DecimalMark;
  readonly facts: SheetFacts;
  readonly fit: Fit;
  /** Line that has the titles by its place in the sheet. */
  readonly titles: number;
}

const hasCount = (cell = ""): boolean => /[1-9]/.test(cell);
const statedCells = ({ cells }: Candidate): readonly string[] => cells.filter((cell) => cell !== "" && !isNone(cell));
const byMeaning = ({ candidates }: Context, is: string): Candidate | undefined =>
  candidates.find((each) => each.is === is);

/** Rule of a mapping member: whether it applies to a column, and its value where that is certain. */
interface Member {
  readonly applies: (column: MappedColumn, candidate: Candidate, context: Context) => boolean;
  readonly certain: (
    column: MappedColumn,
    candidate: Candidate,
    context: Context,
  ) => MappedColumn[keyof MappedColumn] | null;
}

const MEMBERS: Readonly<Record<"unit" | "of" | "first" | "whole" | "day" | "from" | "sum_of", Member>> = {
  unit: {
    applies: ({ is }) => is !== null && MEANINGS[is].units.length > 0,
    certain: (column, candidate, context) => {
      const units: readonly string[] = column.is === null ? [] : MEANINGS[column.is].units;
      if (units.includes("tokens")) return amountUnit(column, candidate, context);
      const unit = timeUnit(column, candidate);
      return units.includes(unit ?? "") ? unit : null;
    },
  },
  of: {
    applies: ({ unit }) => isShare(unit),
    certain: ({ is }, { words, cells }, { fit }) => {
      const stated = wholeOf(words);
      if (is === "unlocked_at_start") return cells.some(hasCount) ? (stated ?? null) : "allocation";
      return stated === "maximum" || fit.isExact ? "maximum" : null;
    },
  },
  first: {
    applies: ({ is, unit }, { kind }) => is === "period" && !isInstantUnit(unit) && kind !== "dates",
    certain: ({ unit }, { words, cells }) => {
      const numbers = cells.flatMap((cell) => readNumbered(cell) ?? []);
      const isMonths = numbers.every((each) => each.isStart || (each.unit ?? unit) === "months");
      const isSince = words.some((word) => ["since", "after", "from", "post"].includes(word));
      return isSince || (isMonths && numbers.some(({ number }) => number === 0)) ? 0 : null;
    },
  },
  whole: {
    applies: ({ is, unit }, candidate, { rowKind }) =>
      unit === "date" &&
      (wholesIn(candidate).length > 0 ||
        (is === "period" && rowKind === "period" && candidate.cells.every(isMonthEnd))),
    certain: ({ is }, candidate) => {
      const wholes = wholesIn(candidate);
      return is === "period" && wholes.length > 0 && wholes.every((months) => months === 1) ? "first_day" : null;
    },
  },
  day: {
    applies: ({ is, unit }, { cells }) =>
      is === "end" && (unit === "serial" || (unit === "date" && cells.some(hasDay))),
    certain: () => null,
  },
  from: {
    applies: ({ is }) => is === "duration",
    certain: (_, { words, cells }, context) => {
      const cliff = byMeaning(context, "cliff");
      // A column without a known meaning may be the cliff.
      if (cliff === undefined) return context.candidates.some(({ is }) => is === undefined) ? null : "start";
      const isBoth = cells.some((cell, row) => hasCount(cell) && !isNever(cell) && hasCount(cliff.cells[row]));
      if (isBoth && words.includes("after") && words.includes("cliff")) return "cliff";
      return !isBoth || words.includes("including") || words.includes("inside") ? "start" : null;
    },
  },
  sum_of: { applies: ({ is }) => is === "sum", certain: (_, candidate, context) => partsOf(candidate, context) },
};

/** Maps a column; a member that is not certain is null. */
export function mappedColumn(candidate: Candidate, context: Context): MappedColumn {
  const { letter, title, cells, given } = candidate;
  const shown = cells.slice(0, 3).map((cell) => cell.slice(0, 40));
  const column: MappedColumn = { column: letter, title, cells: shown, is: meaningIn(candidate, context) };
  for (const [member, { applies, certain }] of Object.entries(MEMBERS)) {
    const value = given[member as keyof typeof MEMBERS] ?? certain(column, candidate, context);
    if (applies(column, candidate, context)) Object.assign(column, { [member]: value });
  }
  return column;
}

function meaningIn(candidate: Candidate, context: Context): MappedColumn["is"] {
  const { is, isNamed, kind, letter } = candidate;
  const { rowKind, candidates, fit } = context;
  if (isDecided(candidate)) return is ?? null;
  const isCertain = fit.isExact || fit.doubtful.length > 0;
  // Numbers under a title such as Source may be amounts, unless the others come to the maximum.
  if (is === "ignored" && kind === "numbers" && !fit.isExact) return null;
  // Names under a title such as Beneficiary are the buckets of a table that has no other column of them.
  const mayNameBuckets = is === "ignored" && kind === "text" && rowKind !== "period";
  if (mayNameBuckets && byMeaning(context, "bucket") === undefined) return null;
  if (fit.doubtful.includes(letter)) return null;
  if (isNamed && rowKind === "period") return isCertain ? "amount" : null;
  // Starts that are no dates may be a cliff that is counted from the launch.
  if (is === "start" && instantUnit(candidate) === undefined) return null;
  if (is === "sum" && partsOf(candidate, context) === null) return null;
  if (is === undefined || (rowKind !== null && !MEANINGS[is].rows.includes(rowKind))) return null;
  if (is === "circulating" && rowKind === null) return null;
  // Several columns may be amounts, and a person states which are.
  const mayBeAmount = (each: Candidate): boolean =>
    ["numbers", "percent"].includes(each.kind) && ["amount", "circulating", "sum", undefined].includes(each.is);
  const isRivalled = candidates.some((each) => each !== candidate && mayBeAmount(each));
  return (is === "amount" || is === "circulating") && !isCertain && isRivalled ? null : is;
}

function amountUnit({ is }: MappedColumn, candidate: Candidate, context: Context): string | null {
  const { fit, mark, rowKind } = context;
  if (is === "sum" && fit.isExact && new Set(fit.units.values()).size === 1) return [...fit.units.values()][0] ?? null;
  const [stated, fitting] = [statedUnit(candidate, mark), fit.units.get(candidate.letter)];
  const amount = byMeaning(context, "amount");
  // Beside amounts in millions `TGE tokens` may be in millions too.
  const beside = is === "unlocked_at_start" && amount && (fit.units.get(amount.letter) ?? statedUnit(amount, mark));
  const isByTitle = stated === "tokens" && !isUnitStatedByCells(candidate) && candidate.cells.some(hasCount);
  const unit = fitting ?? stated ?? null;
  if (!isByTitle || is === "sum") return unit;
  return rowKind === null || (is === "unlocked_at_start" ? beside : unit) !== "tokens" ? null : unit;
}

/** Letters of all columns of amounts, where the sum has their sum in every row and they come to the maximum. */
function partsOf(candidate: Candidate, { candidates, fit, mark }: Context): readonly string[] | null {
  const parts = candidates.filter(({ letter }) => fit.units.has(letter));
  const isSum = candidate.cells.every((cell, row) => {
    const sum = parts.reduce((total, { cells }) => total + (scaled(cells[row], mark) ?? 0n), 0n);
    return scaled(cell, mark) === sum;
  });
  return fit.isExact && isSum ? parts.map(({ letter }) => letter) : null;
}

/** Unit of a column of times that its cells or its title state. */
function timeUnit({ is }: MappedColumn, candidate: Candidate): string | null {
  const { kind, words, cells } = candidate;
  if (kind === "every") return "words";
  // Large numbers of a cliff are no counts, and nothing states that they are instants.
  const instant = is === "cliff" && kind !== "dates" ? undefined : instantUnit(candidate);
  if (instant !== undefined) return instant;
  const [stated, counts] = [countUnitOf(words) ?? null, cells.filter(hasCount)];
  if (kind === "numbered")
    return counts.some((cell) => !readNumbered(cell)?.isStart && readNumbered(cell)?.unit === undefined)
      ? stated
      : "cell";
  if (is === "period") return stated;
  if (kind === "durations") return counts.every((cell) => /[a-z]/i.test(cell)) ? "cell" : stated;
  return stated ?? (counts.length === 0 ? "months" : null);
}

function instantUnit(candidate: Candidate): string | undefined {
  const { kind, words } = candidate;
  const cells = statedCells(candidate);
  // Jan 28 may be a day whose year is not stated.
  const isShort = cells.some((cell) => {
    const period = readPeriod(cell);
    return period?.kind === "whole" && period.isShort;
  });
  if (kind === "dates") return isShort ? undefined : "date";
  const isYears = words.includes("year") && cells.every((cell) => /^20\d\d$/.test(cell));
  const isMonths =
    words.includes("month") && cells.every((cell) => /^20\d{4}$/.test(cell) && readPeriod(cell) !== undefined);
  if (cells.length > 0 && (isYears || isMonths)) return "date";
  const forms = Object.entries(INSTANT_READERS);
  return forms.find(([, read]) => cells.length > 0 && cells.every((cell) => read(cell) !== undefined))?.[0];
}

/** Months of each cell that names a month, a quarter, a half or a year. */
function wholesIn(candidate: Candidate): readonly number[] {
  const periods = candidate.cells.flatMap((cell) => readPeriod(cell) ?? []);
  return periods.flatMap((each) => (each.kind === "whole" ? [each.months] : []));
}

function hasDay(cell: string): boolean {
  return !/\d:\d/.test(cell) && ["day", "either"].includes(readPeriod(cell)?.kind ?? "");
}

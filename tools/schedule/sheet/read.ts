import { tokenText } from "../../../src/chain/amount.ts";
import { CATEGORIES, type Category } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../lib/command-line.ts";
import { isNone } from "../cells/cell.ts";
import type { SheetRows } from "../cells/rows.ts";
import { type Plan, planOf, sum, type Unlock } from "../plan/unlocks.ts";
import {
  amountsOf,
  columnOf,
  compareSumRows,
  type Declared,
  type DeclaredColumn,
  declaredBy,
  readCells,
} from "./declared.ts";
import { type ColumnMeaning, isShare, type Mapping, type RowKind } from "./mapping.ts";
import { periodUnlocks } from "./periods.ts";
import { ruleUnlocks } from "./rules.ts";
import { startOf, timesOf } from "./times.ts";
import { categoryName, isSumLabel } from "./vocabulary.ts";

/** Plan that was read from a sheet. */
export interface Sheet extends Plan {
  readonly maxSupply: bigint;
  /** Whether the sheet has one figure, and no buckets. */
  readonly isOneFigure: boolean;
}

/** Reads a sheet by a completed mapping. Throws a Refusal with every reason, one line a column. */
export function readByMapping(name: string, rows: SheetRows, mapping: Mapping, decimals: number): Sheet {
  const declared = declaredBy(name, rows, mapping, decimals);
  const { maxSupply, reasons, columns } = declared;
  const amounts = columns.filter(({ is }) => is === "amount" || is === "circulating");
  checkMeanings(declared, amounts);
  const text = (units: bigint): string => tokenText(units, decimals);
  const { unlocks, ...options } = unlocksOf(declared, amounts);
  const plan = planOf(unlocks, { ...options, text });
  if (plan.unlocking > maxSupply) {
    const isRounded = amounts.some(({ unit }) => isShare(unit));
    const advice = isRounded
      ? "; rounded percentages come to more: write one of them, or tokens, with more digits"
      : "";
    reasons.add(`the rows add up to ${text(plan.unlocking)}, the maximum is ${text(maxSupply)}${advice}`);
  }
  reasons.refuseIfAny();
  return { ...plan, maxSupply, isOneFigure: mapping.rows === "period" && amounts.length === 1 };
}

/** Whether a sheet's buckets leave a part of the maximum; false for a sheet that is refused. */
export function leavesRest(name: string, rows: SheetRows, mapping: Mapping, decimals: number): boolean {
  try {
    const { unlocking, maxSupply, isOneFigure } = readByMapping(name, rows, mapping, decimals);
    return unlocking < maxSupply && !isOneFigure;
  } catch (cause) {
    if (cause instanceof Refusal) return false;
    throw cause;
  }
}

const AMOUNT = ["the amount: how much each row has", "amount", "circulating"] as const;
const PERIOD = ["the period", "period"] as const;

/** Meanings of which a table needs one column, by its kind of rows, with the text for a missing one. */
const NEEDED: Readonly<Record<RowKind, readonly (readonly [what: string, ...meanings: readonly ColumnMeaning[]])[]>> = {
  period: [AMOUNT, PERIOD],
  unlock: [AMOUNT, PERIOD],
  rule: [AMOUNT, ["a duration, an end or a cliff", "duration", "end", "cliff"]],
};

/** Throws a Refusal when the columns' meanings do not make a table. */
function checkMeanings({ mapping, columns, reasons }: Declared, amounts: readonly DeclaredColumn[]): void {
  const named = (is: ColumnMeaning): DeclaredColumn | undefined => columns.find((each) => each.is === is);
  for (const [what, ...meanings] of mapping.rows === null ? [] : NEEDED[mapping.rows])
    if (!meanings.some(named)) reasons.add(`no column is ${what}`);
  const [circulating, duration, end] = [named("circulating"), named("duration"), named("end")];
  if (circulating !== undefined && amounts.length > 1)
    reasons.add(
      `column ${circulating.letter} is the whole supply in circulation, and others are amounts beside it: ignore it or them`,
    );
  if (circulating !== undefined && mapping.amounts === "monthly")
    reasons.add("a column in circulation is a running total of periods");
  if (duration !== undefined && end !== undefined)
    reasons.add(`column ${duration.letter} is a duration, and column ${end.letter} is an end: ignore one of them`);
  reasons.refuseIfAny();
}

/** Makes the unlocks of the rows, with the other inputs of their plan. */
function unlocksOf(declared: Declared, columns: readonly DeclaredColumn[]) {
  const { mapping, lines, reasons } = declared;
  const isRule = mapping.rows === "rule";
  const times = isRule
    ? { atMs: [], startMs: startOf(mapping), stepDay: mapping.step_day, months: [] }
    : timesOf(declared);
  const { startMs, stepDay, atMs } = times;
  const amounts = columns.map((column) => amountsOf(declared, column).map(({ units }) => units));
  const buckets = labelsOf(declared);
  const categories = categoriesOf(declared, buckets);
  checkSums(declared);
  compareSumRows(declared, columns, amounts);
  const options = { startMs, stepDay, categories };
  const [units = []] = amounts;
  if (isRule) return { ...options, unlocks: ruleUnlocks(declared, buckets, units) };
  reasons.refuseIfAny();
  if (mapping.rows === "period") return { ...options, unlocks: periodUnlocks(declared, columns, amounts, times) };
  const unlocks = units.map((each, row): Unlock => {
    const [ms, bucket] = [atMs[row] ?? 0, buckets[row] ?? ""];
    return { bucket, fromMs: ms, toMs: ms, units: each, source: `line ${lines[row]}` };
  });
  return { ...options, unlocks: unlocks.filter((each) => each.units > 0n) };
}

/** Reads the names of the rows' buckets. */
function labelsOf(declared: Declared): readonly string[] {
  const column = columnOf(declared, "bucket");
  if (column === undefined) return declared.lines.map(() => "Grants");
  const isSum = 'is the name of a sum: list its line in "outside" of the mapping as a sum, or rename the bucket';
  const read = (cell: string) => {
    if (cell === "" || isNone(cell)) return { reason: "names no bucket" };
    return isSumLabel(cell) ? { reason: isSum } : { value: cell };
  };
  return readCells(declared, column, read, "");
}

function categoriesOf(declared: Declared, buckets: readonly string[]): ReadonlyMap<string, Category> {
  const column = columnOf(declared, "category");
  const categories = new Map<string, Category>();
  const read = (cell: string, row: number) => {
    const [category, bucket = ""] = [CATEGORIES.find((each) => each === categoryName(cell)), buckets[row]];
    if (category === undefined) return { reason: `is no category: ${CATEGORIES.join(", ")}` };
    if ((categories.get(bucket) ?? category) !== category)
      return { reason: "is another category than a row above of the same bucket" };
    categories.set(bucket, category);
    return { value: category };
  };
  if (column !== undefined) readCells(declared, column, read, "other");
  return categories;
}

/** Checks each declared sum, in every row to the written digits, and in total to a millionth. */
function checkSums(declared: Declared): void {
  const { columns, lines, reasons } = declared;
  for (const column of columns.filter(({ is }) => is === "sum")) {
    const parts = columns
      .filter(({ letter }) => column.sum_of?.includes(letter))
      .map((part) => amountsOf(declared, part));
    amountsOf(declared, column).forEach(({ units, roundedTo }, row) => {
      const expected = sum(parts.map((each) => each[row]?.units ?? 0n));
      const tolerance = (roundedTo + sum(parts.map((each) => each[row]?.roundedTo ?? 0n))) / 2n;
      const difference = units > expected ? units - expected : expected - units;
      if (difference <= tolerance && difference * 1_000_000n <= expected) return;
      const what = `is not the sum of ${column.sum_of?.join(", ")}`;
      reasons.cell(column, lines[row] ?? 0, column.cells[row] ?? "", what);
    });
  }
}

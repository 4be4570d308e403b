import { tokenText } from "../../../src/chain/amount.ts";
import { parseAmount } from "../../../src/supply/file/amount.ts";
import { CATEGORIES, type Category } from "../../../src/supply/schedule.ts";
import { isNone, readAmount, type SheetAmount } from "../cells/cell.ts";
import type { DecimalMark } from "../cells/number.ts";
import type { SheetRows } from "../cells/rows.ts";
import { type Plan, planOf, sum, type Unlock } from "../plan/unlocks.ts";
import { type ReadColumn, startOf } from "./instants.ts";
import { type ColumnMeaning, type Mapping, MEANINGS } from "./mapping.ts";
import { periodUnlocks, type ReadAmounts, type Times, timesOf } from "./periods.ts";
import { Reasons } from "./reasons.ts";
import { ruleUnlocks } from "./rules.ts";
import { type Table, tableBy } from "./table.ts";
import { categoryName, isSumLabel } from "./vocabulary.ts";

/** The plan of a sheet. */
export interface Sheet extends Plan {
  readonly maxSupply: bigint;
  /** The sheet has one figure, and no buckets. */
  readonly isOneFigure: boolean;
}

/** Reads a sheet by a mapping without open places. Throws a Refusal with every reason, one line a column. */
export function readByMapping(name: string, { rows }: SheetRows, mapping: Mapping, decimals: number): Sheet {
  const { table, sums } = tableBy(name, rows, mapping);
  const sheet = new SheetCells(name, mapping, table, sums, decimals);
  const { unlocks, startMs, stepDay, categories } = sheet.unlocks();
  const text = (units: bigint): string => tokenText(units, decimals);
  const plan = planOf(unlocks, { startMs, stepDay, text, categories });
  sheet.checkTotal(plan.unlocking);
  return { ...plan, maxSupply: sheet.maxSupply, isOneFigure: sheet.isOneFigure };
}

/** The cells of one table, read by its mapping. */
class SheetCells {
  readonly maxSupply: bigint;
  readonly #mapping: Mapping;
  readonly #reasons: Reasons;
  readonly #columns: readonly ReadColumn[];
  readonly #sums: Table;
  readonly #lines: readonly number[];
  readonly #decimals: number;
  readonly #mark: DecimalMark;

  constructor(name: string, mapping: Mapping, table: Table, sums: Table, decimals: number) {
    this.#reasons = new Reasons(name);
    this.#mapping = mapping;
    this.#decimals = decimals;
    this.#mark = mapping.decimal_mark === "comma" ? "," : ".";
    this.#lines = table.lines;
    this.#sums = sums;
    this.maxSupply = parseAmount(mapping.max_supply, decimals) ?? 0n;
    this.#columns = mapping.columns.flatMap(({ column, title, cells: _, ...declared }) => {
      const found = table.columns.find(({ letter }) => letter === column);
      return found === undefined
        ? []
        : [{ ...declared, ...found, title: found.title === "" ? title : found.title, lines: table.lines }];
    });
    this.#checkMeanings();
  }

  get isOneFigure(): boolean {
    return this.#mapping.rows === "period" && this.#amountColumns().length === 1;
  }

  unlocks(): { readonly unlocks: readonly Unlock[]; readonly categories: ReadonlyMap<string, Category> } & Omit<
    Times,
    "atMs"
  > {
    const [mapping, reasons] = [this.#mapping, this.#reasons];
    const period = this.#column("period");
    const times = period === undefined || mapping.rows === "rule" ? undefined : timesOf(period, mapping, reasons);
    const columns = this.#amountColumns().map((column) => ({
      column,
      amounts: this.#amounts(column, () => this.maxSupply),
    }));
    const buckets = this.#labels();
    const categories = this.#categories(buckets);
    if (mapping.rows === "period" && times !== undefined) {
      this.#checkSums();
      const read = { columns, lines: this.#lines, sums: this.#sumRows(columns.map(({ column }) => column)) };
      reasons.settle();
      return { unlocks: periodUnlocks(read, times, mapping, this.#decimals, reasons), categories, ...times };
    }
    const units = columns[0]?.amounts.map((each) => each.units) ?? [];
    this.#checkSums();
    const input = {
      column: (is: ColumnMeaning) => this.#column(is),
      lines: this.#lines,
      buckets,
      units,
      atStart: this.#atStart(units),
      mapping,
      mark: this.#mark,
      decimals: this.#decimals,
    };
    this.#checkSumsOfRows(units, columns[0]?.column);
    if (mapping.rows === "rule")
      return { unlocks: ruleUnlocks(input, reasons), categories, startMs: startOf(mapping), stepDay: mapping.step_day };
    reasons.settle();
    const unlocks = units.map((each, row): Unlock => {
      const atMs = times?.atMs[row] ?? 0;
      return { bucket: buckets[row] ?? "", fromMs: atMs, toMs: atMs, units: each, source: `line ${this.#lines[row]}` };
    });
    return {
      unlocks: unlocks.filter((each) => each.units > 0n),
      categories,
      startMs: times?.startMs,
      stepDay: times?.stepDay,
    };
  }

  /** All amounts come to the maximum, or a rest is named for what they leave. */
  checkTotal(total: bigint): void {
    const text = (units: bigint): string => tokenText(units, this.#decimals);
    const { rest } = this.#mapping;
    if (
      total > this.maxSupply ||
      (total < this.maxSupply && !this.isOneFigure && (rest === undefined || rest === null))
    )
      this.#reasons.add(
        `the rows add up to ${text(total)}, the maximum is ${text(this.maxSupply)}${total > this.maxSupply ? "" : '; --rest ID ("rest" of the mapping) names a bucket of what they leave, which never unlocks'}`,
      );
    this.#reasons.settle();
  }

  #column(is: ColumnMeaning): ReadColumn | undefined {
    return this.#columns.find((column) => column.is === is);
  }

  #amountColumns(): readonly ReadColumn[] {
    return this.#columns.filter(({ is }) => is === "amount" || is === "circulating");
  }

  /** The mapping as a whole: which meanings a kind of rows needs, and which stand once. */
  #checkMeanings(): void {
    const { rows } = this.#mapping;
    const reasons = this.#reasons;
    const single = [
      "period",
      "bucket",
      "category",
      "unlocked_at_start",
      "start",
      "end",
      "cliff",
      "duration",
      "every",
      "circulating",
      ...(rows === "period" ? [] : ["amount"]),
    ];
    for (const is of single) {
      const [, second] = this.#columns.filter((column) => column.is === is);
      if (second !== undefined)
        reasons.add(`column ${second.letter} "${second.title}": is a second column of ${is}, and a table has one`);
    }
    const amounts = this.#amountColumns();
    if (amounts.length === 0) reasons.add("no column is the amount: how much each row has");
    if (amounts.length > 1 && amounts.some(({ is }) => is === "circulating"))
      reasons.add(
        "a column is the whole supply in circulation, and others are amounts beside it: ignore one or the others",
      );
    if (amounts.some(({ is }) => is === "circulating") && (rows !== "period" || this.#mapping.amounts === "monthly"))
      reasons.add("a column in circulation is a running total of periods");
    if (rows !== "rule" && this.#column("period") === undefined) reasons.add("no column is the period");
    if (
      rows === "rule" &&
      this.#column("duration") === undefined &&
      this.#column("end") === undefined &&
      this.#column("cliff") === undefined
    )
      reasons.add("no column is a duration, an end or a cliff");
    for (const { letter, title, is } of this.#columns)
      if (rows !== null && is !== null && !MEANINGS[rows].includes(is))
        reasons.add(
          `column ${letter} "${title}": is ${is} by the mapping, which no row of the kind ${rows} has: ignore the column, or say another kind in "rows"`,
        );
    for (const { letter, title, is, unit, of } of this.#columns) {
      const isShare = unit === "percent" || unit === "fraction";
      if (isShare && of === undefined)
        reasons.add(`column ${letter} "${title}": "of" is missing, what the ${unit} is taken of`);
      if (isShare && of === "allocation" && is !== "unlocked_at_start")
        reasons.add(`column ${letter} "${title}": only what unlocks at the start is of the allocation`);
    }
    reasons.settle();
  }

  #amounts(column: ReadColumn, wholeAt: (row: number) => bigint): readonly SheetAmount[] {
    return column.cells.map((cell, row) => this.#amount(column, cell, this.#lines[row] ?? 0, wholeAt(row)));
  }

  #amount(column: ReadColumn, cell: string, line: number, whole: bigint): SheetAmount {
    const { letter, title, unit, of } = column;
    const stated =
      of === "maximum" || of === undefined || of === null
        ? this.maxSupply
        : of === "allocation"
          ? whole
          : (parseAmount(of, this.#decimals) ?? 0n);
    const result = readAmount(cell, { mark: this.#mark, decimals: this.#decimals, unit: unit ?? "" }, stated);
    if ("value" in result) return result.value;
    this.#reasons.cell({ letter, title, line }, cell, result.reason);
    return { units: 0n, roundedTo: 1n };
  }

  #atStart(units: readonly bigint[]): readonly bigint[] {
    const column = this.#column("unlocked_at_start");
    if (column === undefined) return units.map(() => 0n);
    return this.#amounts(column, (row) => units[row] ?? 0n).map((each) => each.units);
  }

  #labels(): readonly string[] {
    const column = this.#column("bucket");
    if (column === undefined) return this.#lines.map(() => "Grants");
    column.cells.forEach((cell, row) => {
      const place = { letter: column.letter, title: column.title, line: this.#lines[row] ?? 0 };
      if (cell === "" || isNone(cell)) this.#reasons.cell(place, cell, "names no bucket");
      else if (isSumLabel(cell))
        this.#reasons.cell(
          place,
          cell,
          'is the name of a sum: list its line in "outside" of the mapping as a sum, or rename the bucket',
        );
    });
    return column.cells;
  }

  #categories(buckets: readonly string[]): ReadonlyMap<string, Category> {
    const column = this.#column("category");
    const found = new Map<string, Category>();
    column?.cells.forEach((cell, row) => {
      const category = CATEGORIES.find((each) => each === categoryName(cell));
      const [bucket = "", place] = [
        buckets[row],
        { letter: column.letter, title: column.title, line: this.#lines[row] ?? 0 },
      ];
      if (category === undefined) this.#reasons.cell(place, cell, `is no category: ${CATEGORIES.join(", ")}`);
      else if ((found.get(bucket) ?? category) !== category)
        this.#reasons.cell(place, cell, "is another category than a row above of the same bucket");
      else found.set(bucket, category);
    });
    return found;
  }

  /** Each declared sum of columns is one in every row. */
  #checkSums(): void {
    for (const column of this.#columns.filter(({ is }) => is === "sum")) {
      const parts = this.#columns.filter(({ letter }) => column.sum_of?.includes(letter));
      const read = parts.map((part) => this.#amounts(part, () => this.maxSupply));
      const wholes = this.#amounts(column, () => this.maxSupply);
      wholes.forEach((whole, row) => {
        const expected = sum(read.map((each) => each[row]?.units ?? 0n));
        const tolerance = (whole.roundedTo + sum(read.map((each) => each[row]?.roundedTo ?? 0n))) / 2n;
        const difference = whole.units > expected ? whole.units - expected : expected - whole.units;
        // As far as the amounts are written, and to a millionth in all.
        if (difference > tolerance || difference * 1_000_000n > expected)
          this.#reasons.add(
            `column ${column.letter} "${column.title}": ${column.letter}${this.#lines[row]} "${column.cells[row]}" is not the sum ${tokenText(expected, this.#decimals)} of ${(column.sum_of ?? []).join(", ")}`,
          );
      });
    }
  }

  /** What the rows of sums have in these columns. */
  #sumRows(columns: readonly ReadColumn[]): ReadAmounts["sums"] {
    return this.#sums.lines.map((line, row) => ({
      line,
      units: columns.map((column) => {
        const cell = this.#sums.columns.find(({ letter }) => letter === column.letter)?.cells[row] ?? "";
        return cell === "" || isNone(cell) ? undefined : this.#amount(column, cell, line, this.maxSupply).units;
      }),
    }));
  }

  #checkSumsOfRows(units: readonly bigint[], column: ReadColumn | undefined): void {
    const total = sum(units);
    for (const {
      line,
      units: [own],
    } of column === undefined ? [] : this.#sumRows([column]))
      if (own !== undefined && own !== total)
        this.#reasons.add(
          `line ${line}: is a sum by the mapping, and has ${tokenText(own, this.#decimals)} for ${tokenText(total, this.#decimals)}`,
        );
  }
}

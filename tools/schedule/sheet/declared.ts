import { tokenText } from "../../../src/chain/amount.ts";
import { parseAmount } from "../../../src/supply/file/amount.ts";
import { type CellResult, isNone, readAmount, type SheetAmount } from "../cells/cell.ts";
import type { DecimalMark } from "../cells/number.ts";
import type { SheetRows } from "../cells/rows.ts";
import { sum } from "../plan/unlocks.ts";
import type { ColumnMeaning, MappedColumn, Mapping } from "./mapping.ts";
import { Reasons } from "./reasons.ts";
import { type Column, type Table, tableBy } from "./table.ts";

/** Column of the table with its declared meaning. */
export interface DeclaredColumn extends Column, Omit<MappedColumn, "column" | "title" | "cells"> {}

/** Table with its mapping, and the reasons to refuse it. */
export interface Declared {
  readonly mapping: Mapping;
  readonly columns: readonly DeclaredColumn[];
  readonly lines: readonly number[];
  readonly sums: Table;
  readonly mark: DecimalMark;
  readonly decimals: number;
  readonly maxSupply: bigint;
  readonly reasons: Reasons;
}

export function declaredBy(name: string, { rows }: SheetRows, mapping: Mapping, decimals: number): Declared {
  const { table, sums } = tableBy(rows, mapping);
  const columns = mapping.columns.flatMap(({ column, title: _, cells: __, ...members }): readonly DeclaredColumn[] => {
    const present = table.columns.find(({ letter }) => letter === column);
    return present === undefined ? [] : [{ ...members, ...present }];
  });
  return {
    mapping,
    columns,
    lines: table.lines,
    sums,
    mark: mapping.decimal_mark === "comma" ? "," : ".",
    decimals,
    maxSupply: parseAmount(mapping.max_supply, decimals) ?? 0n,
    reasons: new Reasons(name),
  };
}

export function columnOf({ columns }: Declared, is: ColumnMeaning): DeclaredColumn | undefined {
  return columns.find((column) => column.is === is);
}

/** Reads a column's cells. A cell without a value is a reason to refuse the sheet, and counts as `otherwise`. */
export function readCells<Value>(
  { reasons, lines }: Pick<Declared, "reasons" | "lines">,
  column: Column,
  read: (cell: string, row: number) => CellResult<Value>,
  otherwise: Value,
): readonly Value[] {
  return column.cells.map((cell, row) => {
    const result = read(cell, row);
    if ("value" in result) return result.value;
    reasons.cell(column, lines[row] ?? 0, cell, result.reason);
    return otherwise;
  });
}

/** Amounts of a column. `allocations`: each row's amount, of which a share of the allocation is taken. */
export function amountsOf(
  declared: Declared,
  column: DeclaredColumn,
  allocations: readonly bigint[] = [],
): readonly SheetAmount[] {
  const read = (cell: string, row: number) => amountOf(declared, column, cell, allocations[row]);
  return readCells(declared, column, read, { units: 0n, roundedTo: 1n });
}

export function amountOf(
  { mark, decimals, maxSupply }: Declared,
  { unit, of }: DeclaredColumn,
  cell: string,
  allocation: bigint | undefined,
): CellResult<SheetAmount> {
  const byWord = { allocation: allocation ?? maxSupply, maximum: maxSupply }[of ?? "maximum"];
  const whole = byWord ?? parseAmount(of ?? "", decimals) ?? 0n;
  return readAmount(cell, { mark, decimals, unit: unit ?? "" }, whole);
}

/** Compares the rows of sums with the amounts of the columns. */
export function compareSumRows(
  declared: Declared,
  columns: readonly DeclaredColumn[],
  amounts: readonly (readonly bigint[])[],
): void {
  const { sums, reasons, decimals, mapping } = declared;
  const text = (units: bigint): string => tokenText(units, decimals);
  columns.forEach((column, at) => {
    const [sumCells, units = []] = [sums.columns.find(({ letter }) => letter === column.letter), amounts[at]];
    const expected = mapping.amounts === "cumulative" ? (units.at(-1) ?? 0n) : sum(units);
    sumCells?.cells.forEach((cell, row) => {
      const result = cell === "" || isNone(cell) ? undefined : amountOf(declared, column, cell, undefined);
      const line = sums.lines[row] ?? 0;
      if (result !== undefined && "reason" in result) reasons.cell(column, line, cell, result.reason);
      else if (result !== undefined && result.value.units !== expected)
        reasons.add(
          `line ${line}: is a sum by the mapping, and has ${text(result.value.units)} for ${text(expected)} in column ${column.letter}`,
        );
    });
  });
}

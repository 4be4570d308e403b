import type { CsvRow, Separator } from "../../lib/csv.ts";

/** Rows of a sheet, from a text or from a workbook. */
export interface SheetRows {
  readonly rows: readonly CsvRow[];
  /** Separator of the cells; undefined for a workbook, whose numbers have a decimal point. */
  readonly separator: Separator | undefined;
  /** Sentences about how the bytes of the file were read, where another reading was possible. */
  readonly notes?: readonly string[];
}

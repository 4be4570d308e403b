import type { SheetOptions } from "../../../../tools/schedule/sheet/reader.ts";

/** A command line that says nothing about a sheet. */
export const OPEN_SHEET: SheetOptions = {
  decimals: 8,
  symbol: "ORB",
  maxSupply: undefined,
  amounts: undefined,
  decimalMark: undefined,
  dates: undefined,
  monthEnd: undefined,
  cliff: undefined,
  start: undefined,
  stepDay: undefined,
  keepsGaps: false,
  columns: new Map(),
  hasRest: false,
};

import { instantText } from "../../src/base/utc.ts";
import { RECORDED_FIGURES } from "../../src/figures.ts";
import type { FigureRow } from "../../src/home/history/rows.ts";
import { readCsv } from "../csv.ts";

/** Columns of schedule/history.csv, written by `npm run history -- backfill`. */
const HEADER = "date,figure,asset,base_units,decimals,ledger_version,observed_at";
const ROW = /^(\d{4}-\d\d-\d\d),(\w+),([^,"]+),(\d{1,39}),(\d{1,2}),(\d{1,20}),(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/;

export type BackfillResult =
  | { readonly kind: "rows"; readonly rows: readonly FigureRow[] }
  | { readonly kind: "error"; readonly line: number; readonly message: string };

/** The file's rows, or its first invalid line. */
export function parseBackfill(text: string): BackfillResult {
  const [header, ...lines] = readCsv(text, "schedule/history.csv");
  if (header?.cells.join() !== HEADER) return { kind: "error", line: 1, message: `must be ${HEADER}` };
  const rows: FigureRow[] = [];
  for (const { line, cells } of lines) {
    const [, day = "", name, asset = "", baseUnits = "", decimals, version = "", at = ""] =
      ROW.exec(cells.join()) ?? [];
    const figure = RECORDED_FIGURES.find((known) => known === name);
    const observedAtMs = Date.parse(at);
    if (figure === undefined || Number.isNaN(observedAtMs))
      return { kind: "error", line, message: "is not a row of figures" };
    if (!at.startsWith(day)) return { kind: "error", line, message: "was observed on another day" };
    rows.push({
      figure,
      asset,
      day,
      baseUnits,
      decimals: Number(decimals),
      ledgerVersion: version,
      observedAtMs,
      source: "backfill",
      witnesses: 1,
    });
  }
  return { kind: "rows", rows };
}

/** CSV that {@link parseBackfill} reads. */
export function backfillText(rows: readonly FigureRow[]): string {
  const lines = rows.map(({ day, figure, asset, baseUnits, decimals, ledgerVersion, observedAtMs }) =>
    [day, figure, asset, baseUnits, decimals, ledgerVersion, instantText(observedAtMs)].join(","),
  );
  return [HEADER, ...lines].map((line) => `${line}\n`).join("");
}

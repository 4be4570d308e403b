import { instantText } from "../../src/base/utc.ts";
import { RECORDED_FIGURES } from "../../src/figures.ts";
import type { FigureRow } from "../../src/home/history/rows.ts";
import { readCsv } from "../csv.ts";

/** Columns of schedule/history.csv, written by `npm run history -- backfill`. */
const HEADER = "date,figure,asset,base_units,decimals,ledger_version,observed_at";
/** Of a token on several chains; empty in rows of one chain. */
const VERSIONS = "ledger_versions";
const ROW =
  /^(\d{4}-\d\d-\d\d),(\w+),([^,"]+),(\d{1,78}),(\d{1,2}),(\d{1,20}),(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)(?:,((?:[a-z][a-z0-9-]*=\d{1,20} ?)*))?$/;

export type BackfillResult =
  | { readonly kind: "rows"; readonly rows: readonly FigureRow[] }
  | { readonly kind: "error"; readonly line: number; readonly message: string };

/** The file's rows, or its first invalid line. */
export function parseBackfill(text: string): BackfillResult {
  const [header, ...lines] = readCsv(text, "schedule/history.csv");
  if (![HEADER, `${HEADER},${VERSIONS}`].includes(header?.cells.join() ?? ""))
    return { kind: "error", line: 1, message: `must be ${HEADER}` };
  const rows: FigureRow[] = [];
  for (const { line, cells } of lines) {
    const [, day = "", name, asset = "", baseUnits = "", decimals, version = "", at = "", versions = ""] =
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
      ...(versions !== "" && { versions }),
    });
  }
  return { kind: "rows", rows };
}

/** CSV that {@link parseBackfill} reads. */
export function backfillText(rows: readonly FigureRow[]): string {
  const hasVersions = rows.some(({ versions }) => versions);
  const lines = rows.map(({ day, figure, asset, baseUnits, decimals, ledgerVersion, observedAtMs, versions }) =>
    [
      ...[day, figure, asset, baseUnits, decimals, ledgerVersion, instantText(observedAtMs)],
      ...(hasVersions ? [versions ?? ""] : []),
    ].join(","),
  );
  return [hasVersions ? `${HEADER},${VERSIONS}` : HEADER, ...lines].map((line) => `${line}\n`).join("");
}

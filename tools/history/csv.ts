import type { FileError } from "../../src/base/file/file-errors.ts";
import { instantText, parseDay } from "../../src/base/utc.ts";
import { parseMoveAsset } from "../../src/chain/asset.ts";
import { parseContract } from "../../src/families/evm/asset.ts";
import { decimalsOf, FIGURES, RECORDED_FIGURES } from "../../src/figures.ts";
import { figureSeries, type RecordedFigureRow } from "../../src/home/history/rows.ts";
import { csvLine } from "../../src/supply/csv.ts";
import { MAX_DECIMALS } from "../../src/supply/file/amount.ts";
import { readCsv } from "../lib/csv.ts";

/** Columns of schedule/history.csv, written by `npm run history -- backfill`. */
const HEADER = "date,figure,chain_id,asset,base_units,decimals,ledger_version,observed_at";
/** Column for a token on several chains; empty in rows of one chain. */
const VERSIONS = "ledger_versions";
const UNSIGNED = /^(0|[1-9]\d*)$/;
const CHAIN_VERSIONS = /^([a-z][a-z0-9-]*=(0|[1-9]\d{0,19})( (?!$)|$))*$/;
/** Digits of 2^256 - 1, of 2^64 - 1 and of 2^53 - 1. */
const [AMOUNT_DIGITS, VERSION_DIGITS, CHAIN_ID_DIGITS] = [78, 20, 16];

/** Rows of a file without errors. */
export type PastFigures = readonly RecordedFigureRow[] & { readonly brand: "PastFigures" };

export type BackfillResult =
  | { readonly kind: "rows"; readonly rows: PastFigures }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

/** Facts that the rows must match. */
export interface HistoryFacts {
  readonly token: { readonly decimals: number };
  readonly nowMs: number;
}

/**
 * Parses the file's rows, or reports every wrong line: by its form, its day, its amount, or a line of the same figure.
 */
export function parseBackfill(text: string, terms: HistoryFacts): BackfillResult {
  const [header, ...lines] = readCsv(text, "schedule/history.csv");
  if (![HEADER, `${HEADER},${VERSIONS}`].includes(header?.cells.join() ?? ""))
    return { kind: "errors", errors: [{ path: "line 1", message: `must be ${HEADER}` }] };
  const errors: FileError[] = [];
  const rows: RecordedFigureRow[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, cells } of lines) {
    const row = cells.length === header?.cells.length ? rowOf(cells, terms) : `must have the cells ${header?.cells}`;
    const wrong = (message: string) => errors.push({ path: `line ${line}`, message });
    if (typeof row === "string") {
      wrong(row);
      continue;
    }
    const earlier = lineOf.get(rowKey(row));
    if (earlier !== undefined)
      wrong(
        `${row.figure} of ${row.day} and this chain and asset is already in line ${earlier}: leave one of them out`,
      );
    lineOf.set(rowKey(row), line);
    rows.push(row);
  }
  // Cast: every line has been checked.
  return errors.length > 0
    ? { kind: "errors", errors }
    : { kind: "rows", rows: rows as readonly RecordedFigureRow[] as PastFigures };
}

/** Parses the row of a line, or returns the reason against it. */
function rowOf(cells: readonly string[], terms: HistoryFacts): RecordedFigureRow | string {
  const [day = "", name, chainId = "", asset = "", baseUnits = "", decimals = "", ledgerVersion = "", ...times] = cells;
  const [at = "", versions = ""] = times;
  const figure = RECORDED_FIGURES.find((known) => known === name);
  const observedAtMs = Date.parse(at);
  if (figure === undefined) return `figure must be one of ${RECORDED_FIGURES.join(", ")}`;
  if (parseDay(day) === undefined) return "date must be a day that exists, as YYYY-MM-DD";
  // `Date.parse` accepts 24:00 and 31 April and moves them to the next day.
  if (Number.isNaN(observedAtMs) || instantText(observedAtMs) !== at)
    return "observed_at must be an instant that exists, as YYYY-MM-DDTHH:MM:SSZ";
  if (!at.startsWith(day)) return `observed_at is of another day than ${day}`;
  if (observedAtMs > terms.nowMs) return "observed_at must not be in the future";
  if (!isUnsigned(chainId, CHAIN_ID_DIGITS)) return "chain_id must be digits without leading zeros";
  if (!isCanonicalAsset(asset)) return "asset must be a type tag or an address in its canonical form";
  if (!isUnsigned(baseUnits, AMOUNT_DIGITS))
    return "base_units must be digits without a sign, a point or leading zeros";
  if (!isUnsigned(ledgerVersion, VERSION_DIGITS)) return "ledger_version must be digits without leading zeros";
  if (!CHAIN_VERSIONS.test(versions)) return "ledger_versions must be ID=VERSION of each chain, separated by a blank";
  const scale = isUnsigned(decimals, 2) ? Number(decimals) : Number.NaN;
  const needed = decimalsNeeded(figure, terms);
  if (needed === undefined ? !(scale <= MAX_DECIMALS) : scale !== needed)
    return `decimals must be ${needed ?? `0 to ${MAX_DECIMALS}`}`;
  return {
    figure,
    series: figureSeries(Number(chainId), asset),
    day,
    baseUnits,
    decimals: scale,
    ledgerVersion,
    observedAtMs,
    source: "backfill",
    witnesses: 1,
    ...(versions !== "" && { versions }),
  };
}

/** Decimals that a figure must have; undefined for the stable token, whose decimals are not in the schedule. */
function decimalsNeeded(figure: RecordedFigureRow["figure"], { token }: HistoryFacts): number | undefined {
  const isStable = FIGURES.some(({ name, source }) => name === figure && source === "stable");
  return isStable ? undefined : decimalsOf({ name: figure }, token.decimals);
}

function isUnsigned(text: string, digits: number): boolean {
  return text.length <= digits && UNSIGNED.test(text);
}

/**
 * Whether an asset is in its canonical form: rows with another form would belong to another asset, which nothing
 * serves.
 */
function isCanonicalAsset(text: string): boolean {
  return [parseMoveAsset, parseContract].some((parse) => {
    const asset = parse(text);
    return asset !== undefined && asset.text === text;
  });
}

/** Key of a row: each day has one row per figure and series. */
export function rowKey({ day, figure, series }: Pick<RecordedFigureRow, "day" | "figure" | "series">): string {
  return `${day} ${figure} ${series}`;
}

/** Writes CSV that {@link parseBackfill} reads. */
export function backfillText(rows: readonly RecordedFigureRow[]): string {
  const hasVersions = rows.some(({ versions }) => versions);
  const header = hasVersions ? `${HEADER},${VERSIONS}` : HEADER;
  const lines = rows.map(({ day, figure, series, baseUnits, decimals, ledgerVersion, observedAtMs, versions }) =>
    csvLine([
      ...[day, figure, ...partsOf(series), baseUnits, String(decimals), ledgerVersion ?? "", instantText(observedAtMs)],
      ...(hasVersions ? [versions ?? ""] : []),
    ]),
  );
  return `${header}\n${lines.join("")}`;
}

/** Splits a series into chain id and asset; a type tag may have blanks of its own. */
function partsOf(series: string): [string, string] {
  const end = series.indexOf(" ");
  return [series.slice(0, end), series.slice(end + 1)];
}

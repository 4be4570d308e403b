import type { FileError } from "../../src/base/file/file-errors.ts";
import { dayText, instantText, parseDay } from "../../src/base/utc.ts";
import { seriesOf } from "../../src/chain/share-price.ts";
import { FAMILIES } from "../../src/families/family.ts";
import type { RecordedPrice } from "../../src/rates/price-growth.ts";
import { readCsv } from "../lib/csv.ts";

/** Columns of schedule/history-prices.csv, written by `npm run history -- backfill`. */
const HEADER = "date,chain,chain_id,contract,view,decimals,value,ledger_version,at";
const CHAIN = /^[a-z][a-z0-9-]*$/;
const CONTRACT = /^0x[\da-f]+$/;
const UNSIGNED = /^(0|[1-9]\d*)$/;
/** Digits of 2^256 - 1, of 2^64 - 1 and of 2^53 - 1. */
const [VALUE_DIGITS, VERSION_DIGITS, CHAIN_ID_DIGITS] = [78, 20, 16];
const MAX_DECIMALS = 36;

/** Prices of a file without errors. */
export type PastPrices = readonly RecordedPrice[] & { readonly brand: "PastPrices" };

export type PricesResult =
  | { readonly kind: "rows"; readonly rows: PastPrices }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

/** Parses the file's rows, or reports every wrong line: by its form, its day, or a line of the same price. */
export function parsePrices(text: string, nowMs: number): PricesResult {
  const [header, ...lines] = readCsv(text, "schedule/history-prices.csv");
  if (header?.cells.join() !== HEADER)
    return { kind: "errors", errors: [{ path: "line 1", message: `must be ${HEADER}` }] };
  const errors: FileError[] = [];
  const rows: RecordedPrice[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, cells } of lines) {
    const row = cells.length === header.cells.length ? rowOf(cells, nowMs) : `must have the cells ${HEADER}`;
    const wrong = (message: string) => errors.push({ path: `line ${line}`, message });
    if (typeof row === "string") {
      wrong(row);
      continue;
    }
    const earlier = lineOf.get(priceKey(row));
    if (earlier !== undefined) wrong(`this price of ${row.day} is already in line ${earlier}: leave one of them out`);
    lineOf.set(priceKey(row), line);
    rows.push(row);
  }
  // Cast: every line has been checked.
  return errors.length > 0 ? { kind: "errors", errors } : { kind: "rows", rows: rows as unknown as PastPrices };
}

/** Parses the row of a line, or returns the reason against it. */
function rowOf(cells: readonly string[], nowMs: number): RecordedPrice | string {
  const [
    day = "",
    chain = "",
    chainId = "",
    contract = "",
    view = "",
    decimals = "",
    value = "",
    ledgerVersion = "",
    at = "",
  ] = cells;
  const atMs = Date.parse(at);
  const views: readonly string[] = Object.values(FAMILIES).flatMap(({ priceViews }) => priceViews);
  if (parseDay(day) === undefined) return "date must be a day that exists, as YYYY-MM-DD";
  if (Number.isNaN(atMs) || instantText(atMs) !== at)
    return "at must be an instant that exists, as YYYY-MM-DDTHH:MM:SSZ";
  if (dayText(atMs) !== day) return `at is of another day than ${day}`;
  if (atMs > nowMs) return "at must not be in the future";
  if (!CHAIN.test(chain)) return "chain must be the id of a chain";
  if (!isUnsigned(chainId, CHAIN_ID_DIGITS)) return "chain_id must be digits without leading zeros";
  if (!CONTRACT.test(contract)) return "contract must be an address in lower case";
  if (!views.includes(view)) return `view must be one of ${views.join(", ")}`;
  if (!isUnsigned(decimals, 2) || Number(decimals) > MAX_DECIMALS) return `decimals must be 0 to ${MAX_DECIMALS}`;
  if (!isUnsigned(value, VALUE_DIGITS) || value === "0") return "value must be digits, more than 0";
  if (!isUnsigned(ledgerVersion, VERSION_DIGITS)) return "ledger_version must be digits without leading zeros";
  const series = seriesOf({ chain, contract, view, decimals: Number(decimals) }, Number(chainId));
  return { series, day, value, ledgerVersion, atMs, observedAtMs: atMs, source: "backfill", witnesses: 1 };
}

function isUnsigned(text: string, digits: number): boolean {
  return text.length <= digits && UNSIGNED.test(text);
}

/** Key of a row: each day has one row per series. */
export function priceKey({ day, series }: Pick<RecordedPrice, "day" | "series">): string {
  return `${day} ${series}`;
}

/** Writes CSV that {@link parsePrices} reads. */
export function pricesText(rows: readonly RecordedPrice[]): string {
  const lines = rows.map(({ day, series, value, ledgerVersion, atMs }) =>
    [day, ...series.split(" "), value, ledgerVersion, instantText(atMs)].join(),
  );
  return [HEADER, ...lines].map((line) => `${line}\n`).join("");
}

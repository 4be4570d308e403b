import { isRecord } from "../../base/json.ts";

const SUFFIXES = ["", "K", "M", "B", "T", "Q"];
const MAX_DIGITS = 3 * SUFFIXES.length;

/** `677413062` to `677.4M`, rounded down so that a badge never overstates. Works on digits, not on a number. */
export function compactDigits(digits: string): string {
  if (digits.length > MAX_DIGITS) return `10^${digits.length - 1}`;
  const group = Math.floor((digits.length - 1) / 3);
  if (group === 0) return digits;
  const cut = digits.length - 3 * group;
  const tenth = digits[cut] ?? "0";
  return `${digits.slice(0, cut)}${tenth === "0" ? "" : `.${tenth}`}${SUFFIXES[group] ?? ""}`;
}

/** A badge's text from a bare figure's body; undefined when it is not digits. */
export function supplyMessage(symbol: string): (body: string) => string | undefined {
  return (body) => (/^\d+$/.test(body) ? `${compactDigits(body)} ${symbol}` : undefined);
}

/** A badge's text from a bare percentage, rounded down; undefined when it is none. */
export function percentMessage(body: string): string | undefined {
  const [, shown] = /^(\d+(?:\.\d{1,2})?)\d*$/.exec(body) ?? [];
  return shown === undefined ? undefined : `${shown} %`;
}

/**
 * The highest APY of an active product in the body of `/api/rates`, or of one product, rounded down; undefined when none
 * has one.
 */
export function apyMessage(body: string): string | undefined {
  const listing: unknown = JSON.parse(body);
  const data = isRecord(listing) ? listing["data"] : undefined;
  const rows: readonly unknown[] = Array.isArray(data) ? data : [listing];
  const rates = rows.flatMap((row) =>
    isRecord(row) && row["status"] === "active" && typeof row["apy"] === "number" ? [row["apy"]] : [],
  );
  if (rates.length === 0) return undefined;
  // Five decimals are all that a rate has; the last three are cut off, not rounded.
  const highest = Math.max(...rates).toFixed(5);
  return `${highest.slice(0, -3)} %`;
}

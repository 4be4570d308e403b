import { isRecord } from "../../base/json.ts";
import { compactDigits, percent } from "../../base/shown-figures.ts";

/** Makes a badge's text from the body of a bare number; undefined when the body is not digits. */
export function supplyMessage(symbol: string): (body: string) => string | undefined {
  return (body) => (/^\d+$/.test(body) ? `${compactDigits(body)} ${symbol}` : undefined);
}

/** Makes a badge's text from a bare percentage, rounded down; undefined when the body is not a number. */
export function percentMessage(body: string): string | undefined {
  return /^\d+(\.\d+)?$/.test(body) ? percent(Number(body)) : undefined;
}

/**
 * Makes a badge's text from the body of `/api/rates` or of one product: the highest APY of an active product, rounded
 * down. Returns undefined when no active product has an APY.
 */
export function apyMessage(body: string): string | undefined {
  const listing: unknown = JSON.parse(body);
  const data = isRecord(listing) ? listing["data"] : undefined;
  const rows: readonly unknown[] = Array.isArray(data) ? data : [listing];
  const rates = rows.flatMap((row) =>
    isRecord(row) && row["status"] === "active" && typeof row["apy"] === "number" ? [row["apy"]] : [],
  );
  if (rates.length === 0) return undefined;
  return percent(Math.max(...rates));
}

import type { BaseUnits } from "../../chain/amount.ts";

export const MAX_DECIMALS = 36;

const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;
const SIGNED = /^(-?)((?:0|[1-9]\d*)(?:\.\d+)?)$/;

/**
 * Parses a canonical decimal into base units: digits without leading zeros, then at most `decimals` fraction digits
 * after a point. Returns undefined for anything else, such as signs, exponents, separators, spaces or a bare point.
 */
export function parseAmount(text: string, decimals: number): BaseUnits | undefined {
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Like {@link parseAmount}, but allows a minus sign before anything but zero. */
export function parseSignedAmount(text: string, decimals: number): BaseUnits | undefined {
  const [, sign, digits = ""] = SIGNED.exec(text) ?? [];
  const amount = parseAmount(digits, decimals);
  if (amount === undefined || sign !== "-") return amount;
  return amount === 0n ? undefined : -amount;
}

/** Whether a text is a canonical decimal. */
export function isAmountText(text: string): boolean {
  return DECIMAL.test(text);
}

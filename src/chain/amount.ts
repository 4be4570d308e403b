/** An amount of tokens in base units (10^-decimals of a token). Never a float. */
export type BaseUnits = bigint;

export const MAX_DECIMALS = 36;

const DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;
const SIGNED = /^(-?)((?:0|[1-9]\d*)(?:\.\d+)?)$/;

/**
 * Parses a canonical decimal into base units: digits without leading zeros, then at most `decimals` fraction digits
 * after a point. undefined for anything else: signs, exponents, separators, spaces, a bare point.
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

/** Whole tokens as digits, rounded down: the only rounding of a published figure. For amounts that are not negative. */
export function wholeTokens(amount: BaseUnits, decimals: number): string {
  return String(amount / 10n ** BigInt(decimals));
}

/** The exact amount in tokens, without trailing zeros: `13.5`, `-0.00000001`. */
export function tokenText(amount: BaseUnits, decimals: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return (amount < 0n ? "-" : "") + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** An amount of tokens in base units (10^-decimals of a token). Never a float. */
export type BaseUnits = bigint;

/**
 * Writes whole tokens as digits, rounded down; published figures are rounded nowhere else. The amount must not be
 * negative.
 */
export function wholeTokens(amount: BaseUnits, decimals: number): string {
  return String(amount / 10n ** BigInt(decimals));
}

/** Writes the exact amount in tokens, without trailing zeros: `13.5`, `-0.00000001`. */
export function tokenText(amount: BaseUnits, decimals: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return (amount < 0n ? "-" : "") + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** Writes an amount for a title: whole tokens in groups of three, `12,345,678`; exact if it is less than one token. */
export function groupedTokens(amount: BaseUnits, decimals: number): string {
  const whole = wholeTokens(amount, decimals);
  // `Intl.NumberFormat` is not used: loading its locale data takes milliseconds.
  return whole === "0" ? tokenText(amount, decimals) : whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

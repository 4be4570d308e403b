/** An amount of tokens in base units (10^-decimals of a token). Never a float. */
export type BaseUnits = bigint;

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

/** An amount for a title: whole tokens in groups of three, `12,345,678`; exact where it is less than one. */
export function titleTokens(amount: BaseUnits, decimals: number): string {
  const whole = wholeTokens(amount, decimals);
  // The platform's own formatter loads its locale's data, in milliseconds.
  return whole === "0" ? tokenText(amount, decimals) : whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
}

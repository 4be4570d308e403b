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

/** An amount for a title: the nearest whole tokens in groups of three, `12,345,679`; exact where it is less than one. */
export function titleTokens(amount: BaseUnits, decimals: number): string {
  const token = 10n ** BigInt(decimals);
  const size = amount < 0n ? -amount : amount;
  if (size < token) return tokenText(amount, decimals);
  const whole = String((size + token / 2n) / token).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return amount < 0n ? `-${whole}` : whole;
}

/**
 * How figures are shown, on the page, in badges and in embeds: rounded towards zero, so that none says more than the figure
 * itself, and the same wherever it stands.
 */
const THOUSANDS = ["", "K", "M", "B", "T"];
export const MINUS = "−";

/** `672869584.29` to `672,869,584`: whole tokens, rounded down, exact at any size. */
export function wholeTokens(decimal: string): string {
  const whole = decimal.split(".")[0] ?? "0";
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Digits of a large amount in a few: `672.86M`. For display beside an exact figure, never instead of one. */
export function compactDigits(digits: string, isColumn = false): string {
  const group = Math.min(Math.floor((digits.length - 1) / 3), THOUSANDS.length - 1);
  const cut = digits.length - 3 * group;
  const fraction = group === 0 ? "" : digits.slice(cut, cut + 2).replace(isColumn ? "" : /0+$/, "");
  return `${wholeTokens(digits.slice(0, cut))}${fraction === "" ? "" : `.${fraction}`}${THOUSANDS[group]}`;
}

/** The same of a number, such as a tick of a chart or a value in dollars: below a thousand with two decimals at most. */
export function compact(amount: number): string {
  if (amount < 0) return `${MINUS}${compact(-amount)}`;
  if (amount >= 1_000) return compactDigits(BigInt(Math.floor(amount)).toString());
  return String(Number(cut(amount)));
}

/** A rate in percent; a dash when it is unknown. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : `${rate < 0 ? MINUS : ""}${cut(Math.abs(rate))}%`;
}

/** Two decimals, the others cut off. Five are all that a rate has, and more than a number on its way here loses. */
function cut(amount: number): string {
  return amount.toFixed(5).slice(0, -3);
}

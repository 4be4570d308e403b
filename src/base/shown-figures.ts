/**
 * Texts of figures on the page, in badges and in embeds. They are rounded towards zero, so that none shows more than
 * the exact figure, and a figure looks the same everywhere.
 */
const THOUSANDS = ["", "K", "M", "B", "T"];
export const MINUS = "−";

/** Formats `672869584.29` as `672,869,584`: whole tokens, rounded down, exact at any size. */
export function wholeTokens(decimal: string): string {
  const whole = decimal.split(".")[0] ?? "0";
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Abbreviates the digits of a large amount: `672.86M`. For display beside an exact figure, never instead of it. */
export function compactDigits(digits: string, isColumn = false): string {
  const group = Math.min(Math.floor((digits.length - 1) / 3), THOUSANDS.length - 1);
  const twoDecimals = digits.length - 3 * group;
  const fraction = group === 0 ? "" : digits.slice(twoDecimals, twoDecimals + 2).replace(isColumn ? "" : /0+$/, "");
  return `${wholeTokens(digits.slice(0, twoDecimals))}${fraction === "" ? "" : `.${fraction}`}${THOUSANDS[group]}`;
}

/**
 * Abbreviates a number, such as a tick of a chart or a value in dollars. Numbers below a thousand have at most two
 * decimals.
 */
export function compact(amount: number): string {
  if (amount < 0) return `${MINUS}${compact(-amount)}`;
  if (amount >= 1_000) return compactDigits(BigInt(Math.floor(amount)).toString());
  return String(Number(cut(amount)));
}

/** Formats a rate in percent; a dash when it is unknown. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : `${rate < 0 ? MINUS : ""}${cut(Math.abs(rate))}%`;
}

/**
 * Cuts off all but two decimals. Rates have five decimals at most, so rounding to five first removes only
 * floating-point error.
 */
function cut(amount: number): string {
  return amount.toFixed(5).slice(0, -3);
}

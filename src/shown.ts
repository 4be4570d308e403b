/**
 * Figures as people read them, on the page, in badges, embeds and titles: the same figure is the same text everywhere.
 * Every one is rounded towards zero, so that none says more than there is.
 */

export const MINUS = "−";

const SUFFIXES = ["", "K", "M", "B", "T"];
/** Beyond it a number of trillions is no easier to read than a power of ten. */
const MAX_DIGITS = 18;
/** All that a rate has. */
const RATE_DECIMALS = 5;

/** `672869584.29` to `672,869,584`: whole tokens, exact at any size. */
export function grouped(decimal: string): string {
  const whole = decimal.split(".")[0] ?? "0";
  // The platform's own formatter loads its locale's data, in milliseconds.
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `677413062` to `677.41M`, `2.509` to `2.5`: at most two decimals of a number that is not negative. */
export function compactDecimal(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const group = Math.min(Math.floor((whole.length - 1) / 3), SUFFIXES.length - 1);
  if (whole.length > MAX_DIGITS) return `${whole.charAt(0)}.${whole.charAt(1)} × 10^${whole.length - 1}`;
  const cut = whole.length - 3 * group;
  const part = `${whole.slice(cut)}${fraction}`.slice(0, 2).replace(/0+$/, "");
  return `${grouped(whole.slice(0, cut))}${part === "" ? "" : `.${part}`}${SUFFIXES[group]}`;
}

/** The same of a number, such as a place on an axis or a value in another currency. */
export function compact(amount: number): string {
  const size = Math.abs(amount);
  // A binary fraction is a little more or less than the decimal that it stands for.
  const fraction = (size % 1).toFixed(6);
  const decimal = compactDecimal(`${BigInt(Math.trunc(size)) + BigInt(fraction[0] ?? 0)}${fraction.slice(1)}`);
  return amount < 0 && decimal !== "0" ? `${MINUS}${decimal}` : decimal;
}

/** A rate or a share in percent, with two decimals; a dash when it is unknown. */
export function percent(rate: number | null): string {
  if (rate === null) return "–";
  const cut = Math.abs(rate)
    .toFixed(RATE_DECIMALS)
    .slice(0, 2 - RATE_DECIMALS);
  return `${rate < 0 && cut !== "0.00" ? MINUS : ""}${cut}%`;
}

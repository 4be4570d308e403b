const THOUSANDS = ["", "K", "M", "B", "T"];
export const MINUS = "−";

/** `672869584.29` to `672,869,584`: whole tokens, rounded down, exact at any size. */
export function wholeTokens(decimal: string): string {
  const whole = decimal.split(".")[0] ?? "0";
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A large amount in a few digits: `672.87M`. For display beside an exact figure, never instead of one. */
export function compact(amount: number): string {
  if (Math.abs(amount) >= 1e16) return amount.toExponential(1).replace("e+", " × 10^");
  const inUnit = (power: number): number => Number((amount / 1_000 ** power).toFixed(2));
  let power = 0;
  while (power < THOUSANDS.length - 1 && Math.abs(inUnit(power)) >= 1_000) power++;
  return `${inUnit(power)}${THOUSANDS[power]}`;
}

/** A rate in percent; a dash when it is unknown. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : `${rate.toFixed(2).replace("-", MINUS)}%`;
}

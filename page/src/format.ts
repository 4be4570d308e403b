const DAY_SECONDS = 86_400;
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const COMPACT_FINE = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** `672869584.29` to `672,869,584`: whole tokens, rounded down, exact at any size. */
export function wholeTokens(decimal: string): string {
  const whole = decimal.split(".")[0] ?? "0";
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A large amount in a few digits: `672.9M`. For display beside an exact figure, never instead of one. */
export function compact(amount: number, fine = false): string {
  if (Math.abs(amount) >= 1e16) return amount.toExponential(1).replace("e+", " × 10^");
  return (fine ? COMPACT_FINE : COMPACT).format(amount);
}

/** `2026-12-12T00:00:00Z` to `12 Dec 2026`, in UTC, the time zone of the schedule. */
export function dayOf(instant: string | number): string {
  return DAY.format(new Date(instant)).replace("Sept", "Sep");
}

/** Remaining time, in the two largest units that are not zero. */
export function timeLeft(seconds: number): string {
  if (seconds <= 0) return "now";
  const days = Math.floor(seconds / DAY_SECONDS);
  const hours = Math.floor((seconds % DAY_SECONDS) / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes} min ${Math.floor(seconds % 60)} s`;
}

/** How long ago, or how long: `45 s`, `3 min`, `5 h`, `12 d`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < DAY_SECONDS) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / DAY_SECONDS)} d`;
}

/** A rate in percent; a dash when it is unknown. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : `${rate.toFixed(2)} %`;
}

/** Exact share of a whole in percent with two decimals, rounded half up; a dash where the whole is not positive. */
export function share(part: bigint, whole: bigint): string {
  if (whole <= 0n) return "–";
  const sign = part < 0n ? "-" : "";
  const magnitude = part < 0n ? -part : part;
  const hundredths = (magnitude * 20_000n + whole) / (2n * whole);
  if (magnitude > 0n && hundredths === 0n) return "< 0.01 %";
  return `${sign}${wholeTokens(String(hundredths / 100n))}.${String(hundredths % 100n).padStart(2, "0")} %`;
}

/** Whole tokens of an amount in base units, with separators, rounded towards zero. */
export function tokensOf(baseUnits: bigint, decimals: number): string {
  return wholeTokens(String(baseUnits / 10n ** BigInt(decimals)));
}

/** The same with a sign in front, for a change. */
export function changeOf(baseUnits: bigint, decimals: number): string {
  return baseUnits > 0n ? `+${tokensOf(baseUnits, decimals)}` : tokensOf(baseUnits, decimals);
}

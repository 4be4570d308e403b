const DAY_SECONDS = 86_400;

/** `672869584.29` to `672,869,584`: whole tokens, rounded down, exact at any size. */
export function wholeTokens(decimal: string): string {
  const whole = decimal.split(".")[0] ?? "0";
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A large amount in two or three digits: `672.9 M`. */
export function compact(tokens: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(tokens);
}

/** `2026-12-12T00:00:00Z` to `12 Dec 2026`, in UTC: the schedule knows no other zone. */
export function dayOf(instant: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(instant));
}

/** Time left, in the two largest units that say something. */
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

/** A rate in percent; unknown is a dash, none is 0.00 %. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : `${rate.toFixed(2)} %`;
}

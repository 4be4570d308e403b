export const DAY_MS = 86_400_000;

/**
 * Whether a stored timestamp lies in the future. The clock was set back since it was stored, so nothing may be
 * concluded from it.
 */
export function isFuture(atMs: number, nowMs: number): boolean {
  return atMs > nowMs;
}

/** Whether an instant lies within the last `milliseconds`. A future timestamp does not. */
export function isWithin(atMs: number | null, milliseconds: number, nowMs: number): boolean {
  return atMs !== null && !isFuture(atMs, nowMs) && nowMs - atMs < milliseconds;
}

/** Formats an instant as ISO 8601 in UTC with whole seconds, as all published instants: `2022-10-12T00:00:00Z`. */
export function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Formats the UTC day of an instant: `2022-10-12`. */
export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Parses `YYYY-MM-DD` as 00:00:00 UTC of that day; undefined for another form or a day that does not exist. */
export function parseDay(text: string): number | undefined {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(text);
  // Date.parse reads a date without a time as UTC, but turns 31 April into 1 May.
  return !Number.isNaN(ms) && dayText(ms) === text ? ms : undefined;
}

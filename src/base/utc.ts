export const DAY_MS = 86_400_000;

/** Whether a stored instant is later than now: the clock was set back since, so nothing may be concluded from it. */
export function isFuture(atMs: number, nowMs: number): boolean {
  return atMs > nowMs;
}

/** Whether an instant lies in the last so many milliseconds. A future one does not. */
export function isWithin(atMs: number | null, milliseconds: number, nowMs: number): boolean {
  return atMs !== null && !isFuture(atMs, nowMs) && nowMs - atMs < milliseconds;
}

/** `2022-10-12T00:00:00Z`: ISO 8601 in UTC with whole seconds, the format of every published instant. */
export function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `2022-10-12`: the UTC day of an instant. */
export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** `YYYY-MM-DD` to 00:00:00 UTC of that day; undefined for another form or a day that does not exist. */
export function parseDay(text: string): number | undefined {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(text);
  // A date without a time is read as UTC. The parser silently turns 31 April into 1 May.
  return !Number.isNaN(ms) && dayText(ms) === text ? ms : undefined;
}

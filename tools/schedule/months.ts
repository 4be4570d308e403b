/** Returns the same day of a later month, or that month's last day where it is shorter. */
export function addMonths(ms: number, months: number): number {
  if (months === 0) return ms;
  const day = new Date(ms);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + months];
  return Date.UTC(year, month, Math.min(day.getUTCDate(), daysInMonth(Date.UTC(year, month))));
}

/** Number of calendar months from one day's month to the other's. */
export function monthsBetween(fromMs: number, toMs: number): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}

export function daysInMonth(ms: number): number {
  const day = new Date(ms);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Whether an instant is midnight of the last day of its month. */
export function isDayOfMonthEnd(ms: number): boolean {
  return ms % 86_400_000 === 0 && new Date(ms).getUTCDate() === daysInMonth(ms);
}

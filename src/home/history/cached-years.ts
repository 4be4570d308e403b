import { BoundedMap } from "../../base/memo.ts";
import { dayText, isFuture } from "../../base/utc.ts";
import type { Days } from "./rows.ts";

export interface YearsPorts<Row> {
  /** Loads the rows of a series in a range, in the order of days; null: the store does not respond. */
  readonly load: (series: string, days: Days) => Promise<readonly Row[] | null>;
  /** Whether a day has all rows that it can have. */
  readonly isComplete: (rows: readonly Row[]) => boolean;
}

interface Year<Row> {
  readonly rows: readonly Row[];
  readonly readAtMs: number;
}

/** Rows of all series together. With 300 bytes each they take 15 of 128 MB; ten years of nine figures are 33,000. */
const MAX_ROWS = 50_000;
/** Characters of a key that take as much memory as a row. */
const CHARACTERS_OF_ROW = 150;
/** How long after midnight the last rows of a day may arrive. It also covers the difference between clocks. */
const IN_FLIGHT_MS = 60_000;

/**
 * Daily rows by year that an isolate caches, because one object serves the rows of all regions. A row never changes, and
 * a past day gets no more rows. So of a cached year only the days since its reading are read again, and only while the
 * last requested day is not complete.
 */
export class CachedYears<Row extends { readonly day: string }> {
  readonly #ports: YearsPorts<Row>;
  #years = emptyYears<Row>();
  #askedAtMs = 0;

  constructor(ports: YearsPorts<Row>) {
    this.#ports = ports;
  }

  /** Returns the rows of a series in a range, up to today; null: the store does not respond. */
  async rowsOf(series: string, { from, to }: Days, nowMs: number): Promise<Row[] | null> {
    if (isFuture(this.#askedAtMs, nowMs + IN_FLIGHT_MS)) this.#years = emptyYears();
    this.#askedAtMs = nowMs;
    const today = dayText(nowMs);
    const last = to < today ? to : today;
    const years = new Map(yearsOf(from, last).map((year) => [year, this.#years.get(keyOf(year, series))]));
    const unread = [...years].flatMap(([year, cached]) => this.#firstUnreadDay(year, cached, last) ?? []);
    const first = unread[0];
    if (first !== undefined) {
      const end = endOf(yearOf(unread.at(-1) ?? first));
      const loaded = await this.#ports.load(series, { from: first, to: end < today ? end : today });
      if (loaded === null) return null;
      for (const year of yearsOf(first, end)) {
        const before = years.get(year)?.rows.filter(({ day }) => day < first) ?? [];
        const read = { rows: [...before, ...loaded.filter(({ day }) => yearOf(day) === year)], readAtMs: nowMs };
        years.set(year, read);
        this.#years.set(keyOf(year, series), read);
      }
    }
    return [...years.values()].flatMap((year) => year?.rows.filter(({ day }) => day >= from && day <= last) ?? []);
  }

  /** First day from which a year must be read to have all rows up to `last`; null: nothing must be read. */
  #firstUnreadDay(year: string, cached: Year<Row> | undefined, last: string): string | null {
    const [start, end] = [`${year}-01-01`, endOf(year)];
    if (cached === undefined) return start;
    const lastRequested = last < end ? last : end;
    // The first day that may have got more rows after the cached ones were read.
    const firstOpen = dayText(cached.readAtMs - IN_FLIGHT_MS);
    const isLastComplete = this.#ports.isComplete(cached.rows.filter(({ day }) => day === lastRequested));
    if (lastRequested < firstOpen || isLastComplete) return null;
    return firstOpen > start ? firstOpen : start;
  }
}

function emptyYears<Row>(): BoundedMap<string, Year<Row>> {
  return new BoundedMap(MAX_ROWS, (key, { rows }) => 1 + rows.length + key.length / CHARACTERS_OF_ROW);
}

const yearOf = (day: string): string => day.slice(0, 4);
const endOf = (year: string): string => `${year}-12-31`;
const keyOf = (year: string, series: string): string => `${year} ${series}`;

function yearsOf(from: string, to: string): string[] {
  const [first, last] = [Number(yearOf(from)), Number(yearOf(to))];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_each, index) =>
    String(first + index).padStart(4, "0"),
  );
}

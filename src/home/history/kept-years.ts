import { BoundedMap } from "../../base/memo.ts";
import { dayText, isFuture } from "../../base/utc.ts";
import type { Days } from "./rows.ts";

export interface YearsPorts<Row> {
  /** The rows of a series in these days, in the order of days; null: the store does not respond. */
  readonly load: (series: string, days: Days) => Promise<readonly Row[] | null>;
  /** Whether these rows of one day are all that it can have. */
  readonly isWhole: (rows: readonly Row[]) => boolean;
}

interface Year<Row> {
  readonly rows: readonly Row[];
  readonly readAtMs: number;
}

/** Of all series together, some 300 bytes each: 15 MB of 128. Ten years of nine figures are 33,000. */
const MAX_ROWS = 50_000;
/** The characters of a key that are as large as a row. */
const CHARACTERS_OF_ROW = 150;
/** A day's last rows may be on their way for so long after midnight; no clock differs by more. */
const ON_THE_WAY_MS = 60_000;

/**
 * The years of daily rows that an isolate keeps, so that no choice of ranges makes it read a day again whose rows are
 * known: the object that has them serves every figure of every region. A row never changes and a day that has passed
 * gets no more, so of a year that is known only the days since its reading are read again, and these only while the last
 * day asked for is not whole.
 */
export class KeptYears<Row extends { readonly day: string }> {
  readonly #ports: YearsPorts<Row>;
  #kept = emptyYears<Row>();
  #askedAtMs = 0;

  constructor(ports: YearsPorts<Row>) {
    this.#ports = ports;
  }

  /** The rows of a series in these days, none of them of the future; null: the store does not respond. */
  async rowsOf(series: string, { from, to }: Days, nowMs: number): Promise<Row[] | null> {
    if (isFuture(this.#askedAtMs, nowMs + ON_THE_WAY_MS)) this.#kept = emptyYears();
    this.#askedAtMs = nowMs;
    const today = dayText(nowMs);
    const last = to < today ? to : today;
    const years = new Map(yearsOf(from, last).map((year) => [year, this.#kept.get(keyOf(year, series))]));
    const unread = [...years].flatMap(([year, known]) => this.#unreadIn(year, known, last) ?? []);
    const first = unread[0];
    if (first !== undefined) {
      const end = endOf(yearOf(unread.at(-1) ?? first));
      const loaded = await this.#ports.load(series, { from: first, to: end < today ? end : today });
      if (loaded === null) return null;
      for (const year of yearsOf(first, end)) {
        const before = years.get(year)?.rows.filter(({ day }) => day < first) ?? [];
        const read = { rows: [...before, ...loaded.filter(({ day }) => yearOf(day) === year)], readAtMs: nowMs };
        years.set(year, read);
        this.#kept.set(keyOf(year, series), read);
      }
    }
    return [...years.values()].flatMap((year) => year?.rows.filter(({ day }) => day >= from && day <= last) ?? []);
  }

  /** From which day on a year must be read for what is asked of it; null: it need not be. */
  #unreadIn(year: string, known: Year<Row> | undefined, last: string): string | null {
    const [start, end] = [`${year}-01-01`, endOf(year)];
    if (known === undefined) return start;
    const asked = last < end ? last : end;
    // The first day that could get more rows after they were read.
    const open = dayText(known.readAtMs - ON_THE_WAY_MS);
    if (asked < open || this.#ports.isWhole(known.rows.filter(({ day }) => day === asked))) return null;
    return open > start ? open : start;
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

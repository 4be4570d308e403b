import { DAY_MS, parseDay } from "../../../src/base/utc.ts";
import { isDayOfMonthEnd } from "../months.ts";
import { type CountUnit, unitOf } from "./cell.ts";

/** Time that a cell names. */
export type Period =
  /** Day, or an instant of a day. */
  | { readonly kind: "day"; readonly atMs: number }
  /** Month, quarter, half or year, from its first day; `isShort`: as in Jan 28, which may be a day without its year. */
  | { readonly kind: "whole"; readonly atMs: number; readonly months: 1 | 3 | 6 | 12; readonly isShort: boolean }
  /** `01/02/2025`: the column decides which is the day. */
  | { readonly kind: "either"; readonly dayFirst: number | undefined; readonly monthFirst: number | undefined };

/** `2025`, `1`, `31` to 00:00 UTC; undefined for a day that does not exist. */
function at(year: string, month: string | number, day: string | number = 1): number | undefined {
  const full = year.length === 2 ? `20${year}` : year;
  return parseDay(`${full}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`);
}

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];

/** Names and abbreviations of months, in lower case and without points. */
const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((form) => {
      const { format } = new Intl.DateTimeFormat(language, { month: form, timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, month): [string, number] => {
        const name = format(Date.UTC(2025, month));
        return [name.toLowerCase().replace(".", ""), month + 1];
      });
    }),
  ),
);

function numberOfMonth(name: string): number {
  return MONTH_NUMBERS.get(name.toLowerCase().replace(".", "")) ?? 0;
}

const NAME = "([a-zäéûç]{3,10}\\.?)";

/** Forms of a cell in the order in which they are tried; each returns undefined where no such day exists. */
const FORMS: readonly (readonly [RegExp, (...parts: string[]) => Period | undefined])[] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, (year, month, day) => dayAt(at(year ?? "", month ?? "", day))],
  [
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?:Z| ?UTC)?$/,
    (day, time) => {
      const atMs = Date.parse(`${day}T${time}Z`);
      return parseDay(day ?? "") === undefined || Number.isNaN(atMs) ? undefined : dayAt(atMs);
    },
  ],
  [/^(\d{4})[-/.](\d{1,2})$/, (year, month) => wholeAt(at(year ?? "", month ?? ""))],
  [/^(\d{1,2})[-/.](\d{4})$/, (month, year) => wholeAt(at(year ?? "", month ?? ""))],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, (day, month, year) => dayAt(at(year ?? "", month ?? "", day))],
  [
    /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/,
    (first, second, year) => {
      const dayFirst = at(year ?? "", second ?? "", first);
      const monthFirst = at(year ?? "", first ?? "", second);
      if (dayFirst === undefined && monthFirst === undefined) return undefined;
      return dayFirst === monthFirst ? dayAt(dayFirst) : { kind: "either", dayFirst, monthFirst };
    },
  ],
  [
    new RegExp(`^(\\d{1,2})\\.?[ -]${NAME}[ ,-]+(\\d{4}|\\d{2})$`, "i"),
    (day, name, year) => dayAt(at(year ?? "", numberOfMonth(name ?? ""), day)),
  ],
  [
    new RegExp(`^${NAME} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})$`, "i"),
    (name, day, year) => dayAt(at(year ?? "", numberOfMonth(name ?? ""), day)),
  ],
  [
    new RegExp(`^${NAME}([ '’-]+)(\\d{4}|\\d{2})$`, "i"),
    (name, mark, year) => {
      const isShort = mark === " " && Number(year) <= 31;
      return wholeAt(at(year ?? "", numberOfMonth(name ?? "")), 1, isShort);
    },
  ],
  [new RegExp(`^(\\d{4})[ -]${NAME}$`, "i"), (year, name) => wholeAt(at(year ?? "", numberOfMonth(name ?? "")))],
  [/^([QH])([1-4])[ -/'’]*(\d{4}|\d{2})$/i, (kind, number, year) => partAt(kind, number, year)],
  [/^([1-4])([QH])[ -/'’]*(\d{4}|\d{2})$/i, (number, kind, year) => partAt(kind, number, year)],
  [/^(\d{4})[ -/]*([QH])([1-4])$/i, (year, kind, number) => partAt(kind, number, year)],
  [/^(20\d\d)(\d\d)$/, (year, month) => wholeAt(at(year ?? "", month ?? ""))],
  [/^(20\d\d)$/, (year) => wholeAt(at(year ?? "", 1), 12)],
];

function dayAt(atMs: number | undefined): Period | undefined {
  return atMs === undefined ? undefined : { kind: "day", atMs };
}

function partAt(kind = "", number = "", year = ""): Period | undefined {
  const months = kind.toUpperCase() === "Q" ? 3 : 6;
  const first = (Number(number) - 1) * months + 1;
  return first > 12 ? undefined : wholeAt(at(year, first), months);
}

function wholeAt(atMs: number | undefined, months: 1 | 3 | 6 | 12 = 1, isShort = false): Period | undefined {
  return atMs === undefined ? undefined : { kind: "whole", atMs, months, isShort };
}

/** Reads one cell as a date; undefined when it is none. */
export function readPeriod(cell: string): Period | undefined {
  for (const [form, read] of FORMS) {
    const found = form.exec(cell);
    if (found === null) continue;
    const period = read(...found.slice(1));
    if (period !== undefined) return period;
  }
  return undefined;
}

/** Number of a period, and its unit where the cell names it: `3`, `Month 3`, `M3`, `TGE+3`, `Year 1`; `TGE` is 0. */
export interface NumberedPeriod {
  readonly number: number;
  readonly unit: CountUnit | undefined;
  /** Whether the cell names the start itself. */
  readonly isStart: boolean;
}

export function readNumbered(cell: string): NumberedPeriod | undefined {
  if (/^(tge|launch|start|genesis)$/i.test(cell)) return { number: 0, unit: undefined, isStart: true };
  const [, added, , addedUnit] = /^(?:tge|launch|start) ?\+ ?(\d{1,4})( ?([a-z]+))?$/i.exec(cell) ?? [];
  if (added !== undefined) return numbered(added, addedUnit);
  const [, unit, number] = /^([a-z]+) ?(\d{1,4})$/i.exec(cell) ?? [];
  if (number !== undefined && unit !== undefined) return numbered(number, unit);
  return /^\d{1,4}$/.test(cell) ? { number: Number(cell), unit: undefined, isStart: false } : undefined;
}

function numbered(number: string, unit: string | undefined): NumberedPeriod | undefined {
  const found = unit === undefined ? undefined : unitOf(unit);
  // S1 and S2 are seasons or stages, and no seconds.
  if (unit !== undefined && (found === undefined || found === "seconds")) return undefined;
  return { number: Number(number), unit: found, isStart: false };
}

/** Whether a cell is the last day of a month. */
export function isMonthEnd(cell: string): boolean {
  const period = readPeriod(cell);
  return period?.kind === "day" && isDayOfMonthEnd(period.atMs);
}

const SERIAL_ORIGIN_MS = Date.UTC(1899, 11, 30);

/** Readers of instants that are numbers, by their units in a mapping. */
export const INSTANT_READERS: Readonly<Record<string, (cell: string) => number | undefined>> = {
  unix_seconds: (cell) => (/^\d{9,10}$/.test(cell) ? Number(cell) * 1000 : undefined),
  unix_milliseconds: (cell) => (/^\d{12,13}$/.test(cell) ? Number(cell) : undefined),
  // A spreadsheet's days since 1899-12-30, for the years 1954 to 2119.
  serial: (cell) => {
    const [, days] = /^([2-7]\d{4})(?:[.,]0+)?$/.exec(cell) ?? [];
    return days === undefined ? undefined : SERIAL_ORIGIN_MS + Number(days) * DAY_MS;
  },
};

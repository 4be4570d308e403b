import { DAY_MS, parseDay } from "../../../src/base/utc.ts";

/** What a cell of a column of periods says. */
export type Reading =
  /** A day, or an instant of one. */
  | { readonly kind: "day"; readonly atMs: number }
  | { readonly kind: "month"; readonly atMs: number }
  /** `01/02/2025`: which is the day is for the column to say. */
  | { readonly kind: "either"; readonly dayFirst: number | undefined; readonly monthFirst: number | undefined }
  /** Months since the start: `Month 3`, `TGE`. */
  | { readonly kind: "number"; readonly month: number; readonly isNamed: boolean }
  /** A spreadsheet's days since 1899-12-30. */
  | { readonly kind: "serial"; readonly atMs: number };

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

const SERIAL_ORIGIN_MS = Date.UTC(1899, 11, 30);
const NAME = "([a-zäéûç]{3,10}\\.?)";

/** Forms of a cell in the order in which they are tried; each returns undefined where no such day exists. */
const FORMS: readonly (readonly [RegExp, (...parts: string[]) => Reading | undefined])[] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, (year, month, day) => dayAt(at(year ?? "", month ?? "", day))],
  [
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?:Z| ?UTC)?$/,
    (day, time) => {
      const atMs = Date.parse(`${day}T${time}Z`);
      return parseDay(day ?? "") === undefined || Number.isNaN(atMs) ? undefined : dayAt(atMs);
    },
  ],
  [/^(\d{4})[-/.](\d{1,2})$/, (year, month) => monthAt(at(year ?? "", month ?? ""))],
  [/^(\d{1,2})[-/.](\d{4})$/, (month, year) => monthAt(at(year ?? "", month ?? ""))],
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
    new RegExp(`^${NAME}[ '’-]+(\\d{4}|\\d{2})$`, "i"),
    (name, year) => monthAt(at(year ?? "", numberOfMonth(name ?? ""))),
  ],
  [new RegExp(`^(\\d{4})[ -]${NAME}$`, "i"), (year, name) => monthAt(at(year ?? "", numberOfMonth(name ?? "")))],
  // A quarter or half counts from its first day.
  [/^([QH])([1-4])[ -/'’]*(\d{4}|\d{2})$/i, (kind, number, year) => partAt(kind, number, year)],
  [/^(\d{4})[ -/]*([QH])([1-4])$/i, (year, kind, number) => partAt(kind, number, year)],
  [/^tge$/i, () => ({ kind: "number", month: 0, isNamed: true })],
  [/^(?:tge ?\+ ?|month ?|m)(\d{1,3})m?$/i, (month) => ({ kind: "number", month: Number(month), isNamed: true })],
  [/^(\d{1,3})(?: \((?:tge|launch)\))?$/i, (month) => ({ kind: "number", month: Number(month), isNamed: false })],
  [/^([2-7]\d{4})(?:[.,]0+)?$/, (days) => ({ kind: "serial", atMs: SERIAL_ORIGIN_MS + Number(days) * DAY_MS })],
];

function dayAt(atMs: number | undefined): Reading | undefined {
  return atMs === undefined ? undefined : { kind: "day", atMs };
}

function partAt(kind = "", number = "", year = ""): Reading | undefined {
  const month = (Number(number) - 1) * (kind.toUpperCase() === "Q" ? 3 : 6) + 1;
  return month > 12 ? undefined : monthAt(at(year, month));
}

function monthAt(atMs: number | undefined): Reading | undefined {
  return atMs === undefined ? undefined : { kind: "month", atMs };
}

/** Reads one cell; undefined when it is no period. */
export function readPeriod(cell: string): Reading | undefined {
  for (const [form, read] of FORMS) {
    const found = form.exec(cell);
    if (found === null) continue;
    const reading = read(...found.slice(1));
    if (reading !== undefined) return reading;
  }
  return undefined;
}

/** How the days of a column are written, where its cells leave it open. */
export type DateOrder = "day-first" | "month-first";

import { dayText, parseDay } from "../../../src/utc.ts";

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
const DAY_MS = 86_400_000;
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

export type Periods =
  | {
      readonly kind: "dated";
      readonly atMs: readonly number[];
      readonly hasDays: boolean;
      readonly note: string | undefined;
    }
  | { readonly kind: "numbered"; readonly months: readonly number[] }
  | { readonly kind: "refused"; readonly row: number; readonly message: string };

/** The periods of a whole column: its cells decide together what one of them leaves open. */
export function periodsOf(cells: readonly string[], order: DateOrder | undefined): Periods {
  const readings = cells.map(readPeriod);
  const missing = readings.indexOf(undefined);
  if (missing !== -1)
    return refused(missing, `"${cells[missing]}" is not a month such as 2026-01, Jan-26 or 31/01/2026`);
  const known = readings.filter((reading) => reading !== undefined);
  const kinds = new Set(known.map(({ kind }) => (kind === "either" || kind === "serial" ? "day" : kind)));
  const odd = known.findIndex(
    ({ kind }) =>
      (kind === "month" || kind === "number") !== (known[0]?.kind === "month" || known[0]?.kind === "number"),
  );
  if (kinds.size > 1)
    return refused(
      Math.max(odd, 1),
      `"${cells[Math.max(odd, 1)]}" is written otherwise than "${cells[0]}": write all periods alike`,
    );
  if (kinds.has("number"))
    return { kind: "numbered", months: known.map((reading) => (reading.kind === "number" ? reading.month : 0)) };
  const chosen = orderOf(known, cells, order);
  if (typeof chosen === "object") return chosen;
  const atMs = known.map((reading) => {
    if (reading.kind === "either") return chosen === "day-first" ? reading.dayFirst : reading.monthFirst;
    return reading.kind === "number" ? undefined : reading.atMs;
  });
  const nowhere = atMs.indexOf(undefined);
  if (nowhere !== -1)
    return refused(
      nowhere,
      `"${cells[nowhere]}" is no day where the ${chosen === "day-first" ? "day" : "month"} comes first`,
    );
  return {
    kind: "dated",
    atMs: atMs.filter((each) => each !== undefined),
    hasDays: !kinds.has("month"),
    note: noteOf(known, cells),
  };
}

function noteOf(readings: readonly Reading[], cells: readonly string[]): string | undefined {
  const serial = readings.findIndex(({ kind }) => kind === "serial");
  const reading = readings[serial];
  if (reading?.kind !== "serial") return undefined;
  return `${cells[serial]} is a spreadsheet's number for ${dayText(reading.atMs)}`;
}

/** Which of day and month comes first; a cell that allows only one decides for all. */
function orderOf(
  readings: readonly Reading[],
  cells: readonly string[],
  given: DateOrder | undefined,
): DateOrder | Extract<Periods, { kind: "refused" }> {
  if (given !== undefined) return given;
  const either = readings.map((reading) => (reading.kind === "either" ? reading : undefined));
  if (either.some((reading) => reading?.monthFirst === undefined && reading !== undefined)) return "day-first";
  if (either.some((reading) => reading?.dayFirst === undefined && reading !== undefined)) return "month-first";
  const open = either.findIndex((reading) => reading !== undefined);
  const reading = either[open];
  if (reading === undefined) return "day-first";
  const [day, month] = [reading.dayFirst, reading.monthFirst].map((ms) => dayText(ms ?? 0));
  return refused(
    open,
    `"${cells[open]}" is ${day} or ${month}, and no other row says which: --dates day-first or --dates month-first`,
  );
}

function refused(row: number, message: string): Extract<Periods, { kind: "refused" }> {
  return { kind: "refused", row, message };
}

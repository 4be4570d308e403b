import fc from "fast-check";
import { expect, test } from "vitest";
import { dayText } from "../../../../src/base/utc.ts";
import { stepAt } from "../../../../src/supply/circulating.ts";
import { Refusal } from "../../../../tools/command-line.ts";
import { parseSchedule } from "../../../../tools/schedule/parse-schedule.ts";
import { csvRows, readSheet } from "../../../../tools/schedule/sheet.ts";
import { OPEN_SHEET } from "./sheet-options.ts";

/** A plan that is known, in whole tokens: what each bucket unlocks on the first day of each month from 2026 on. */
type Plan = readonly (readonly number[])[];

const TOTALS = ["Total", "Total supply", "Summe", "Összesen", "合計", "Suma", "Everything", "Итого", ""] as const;
const WORDS = ["Notes", "Bemerkung", "Source", "备注", "Commentaire", "State"] as const;
const SAID = ["launch", "-", "seed cliff", "", "#REF!", "TBD", "12345", "see page 3"] as const;
const TITLES = [
  "Team",
  "Shareholders",
  "Gemeinschaft",
  "Seed round",
  "社区",
  "Price of Peace",
  "Monthly",
  "Liquidity",
  "TGE",
] as const;
const STRAY = ["Price ($)", "Index", "Of max", "Kurs", "Holders", "Total"] as const;

const plan: fc.Arbitrary<Plan> = fc
  .record({ buckets: fc.integer({ min: 1, max: 4 }), months: fc.integer({ min: 2, max: 7 }) })
  .chain(({ buckets, months }) =>
    fc.array(
      fc.array(
        fc.oneof(
          fc.constant(0),
          fc.integer({ min: 0, max: 9 }),
          fc.integer({ min: 1, max: 9_000_000 }),
          fc.constantFrom(100_000, 200_000, 300_000),
        ),
        { minLength: months, maxLength: months },
      ),
      { minLength: buckets, maxLength: buckets },
    ),
  )
  .filter((each) => each.flat().reduce((sum, one) => sum + one, 0) > 0);

/** A column that an author puts beside the figures: right, wrong, or nothing to do with them. */
const disturbance = fc.record({
  kind: fc.constantFrom(
    "sum",
    "part",
    "running",
    "change",
    "share",
    "wrong share",
    "words",
    "stray",
    "wrong sum",
    "sum row",
    "second date",
    "broken",
  ),
  title: fc.constantFrom(...TOTALS),
  words: fc.constantFrom(...WORDS),
  stray: fc.constantFrom(...STRAY),
  said: fc.array(fc.constantFrom(...SAID), { minLength: 7, maxLength: 7 }),
  at: fc.nat({ max: 6 }),
});
type Disturbance = typeof disturbance extends fc.Arbitrary<infer Value> ? Value : never;

const how = fc.record({
  form: fc.constantFrom("cumulative", "monthly", "list"),
  unit: fc.constantFrom("plain", "k", "grouped"),
  date: fc.constantFrom("2026-01", "2026-01-01", "Jan-26", "01.01.2026"),
  titles: fc.shuffledSubarray([...TITLES], { minLength: 4, maxLength: 4 }),
  period: fc.constantFrom("Month", "Date", "Monat", "日付", ""),
  disturbances: fc.array(disturbance, { maxLength: 3 }),
  isSaid: fc.boolean(),
});
type How = typeof how extends fc.Arbitrary<infer Value> ? Value : never;

const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
const running = (list: readonly number[]): number[] => list.map((_, at) => sum(list.slice(0, at + 1)));
const monthMs = (index: number): number => Date.UTC(2026, index);

function written(amount: number, unit: How["unit"]): string {
  if (unit === "k" && amount % 100 === 0 && amount > 0) return `${amount / 1000}k`;
  return unit === "grouped" ? `"${amount.toLocaleString("en")}"` : String(amount);
}

function dateOf(index: number, form: How["date"]): string {
  const day = dayText(monthMs(index));
  if (form === "2026-01") return day.slice(0, 7);
  if (form === "01.01.2026") return day.split("-").reverse().join(".");
  if (form === "2026-01-01") return day;
  return new Date(monthMs(index))
    .toLocaleDateString("en", { month: "short", year: "2-digit", timeZone: "UTC" })
    .replace(" ", "-");
}

/** The table of a plan as somebody writes it. */
function tableOf(unlocks: Plan, { form, unit, date, titles, period, disturbances }: How): string {
  const months = (unlocks[0] ?? []).map((_, index) => index);
  if (form === "list") {
    const lines = months.flatMap((month) =>
      unlocks.flatMap((bucket, at) =>
        (bucket[month] ?? 0) === 0 ? [] : [[dateOf(month, date), titles[at], written(bucket[month] ?? 0, unit)]],
      ),
    );
    return [[period, "Bucket", "Amount"], ...lines].map((cells) => cells.join(",")).join("\n");
  }
  const columns = unlocks.map((bucket) => (form === "monthly" ? [...bucket] : running(bucket)));
  const max = sum(unlocks.flat());
  const rowSums = months.map((row) => sum(columns.map((column) => column[row] ?? 0)));
  const cells = columns.map((column, at) => [titles[at] ?? "", ...column.map((each) => written(each, unit))]);
  const rows: string[][] = [];
  for (const [index, each] of disturbances.entries()) {
    const added = extra(each, columns, rowSums, max, unit);
    if (each.kind === "sum row")
      rows.push([each.title, ...cells.slice(0).map((_, at) => String(sum(columns[at] ?? [])))]);
    else if (added !== undefined)
      cells.splice(each.at % (cells.length + 1), 0, [
        `${added[0] ?? ""}${index > 0 ? " ".repeat(0) : ""}`,
        ...added.slice(1),
      ]);
  }
  const header = [period, ...cells.map(([title]) => title)];
  const body = months.map((row) => [dateOf(row, date), ...cells.map((column) => column[row + 1] ?? "")]);
  return [header, ...body, ...rows].map((line) => line.join(",")).join("\n");
}

function extra(
  { kind, title, words, stray, said }: Disturbance,
  columns: readonly number[][],
  rowSums: readonly number[],
  max: number,
  unit: How["unit"],
): string[] | undefined {
  const amounts = (list: readonly number[]) => list.map((each) => written(each, unit));
  switch (kind) {
    case "sum":
      return [title, ...amounts(rowSums)];
    case "part":
      return [title, ...amounts(rowSums.map((_, row) => (columns[0]?.[row] ?? 0) + (columns[1]?.[row] ?? 0)))];
    case "running":
      return [title, ...amounts(running(rowSums))];
    case "change":
      return [title, ...amounts(rowSums.map((each, row) => Math.max(0, each - (rowSums[row - 1] ?? 0))))];
    case "wrong sum":
      return [title, ...amounts(rowSums.map((each, row) => (row === 1 ? each + 1 : each)))];
    case "share":
      return [stray, ...rowSums.map((each) => `${((each / max) * 100).toFixed(2)}%`)];
    case "wrong share":
      return [stray, ...rowSums.map((_, row) => `${row + 1}%`)];
    case "words":
      return [words, ...rowSums.map((_, row) => said[row] ?? "")];
    case "stray":
      return [stray, ...rowSums.map((_, row) => String(row * 7 + 1))];
    case "second date":
      return [stray, ...rowSums.map((_, row) => `2027-0${row + 1}-05`)];
    case "broken":
      return [title, ...rowSums.map((_, row) => (row === 0 ? "#DIV/0!" : "5"))];
    default:
      return undefined;
  }
}

/** What circulates at each month of a sheet's schedule; undefined where the sheet is refused. */
function figuresOf(
  text: string,
  max: number,
  months: number,
  amounts: "cumulative" | "monthly" | undefined,
): readonly bigint[] | undefined {
  try {
    const options = { ...OPEN_SHEET, decimals: 0, maxSupply: BigInt(max), amounts };
    const sheet = readSheet("sheet", csvRows("sheet", text), options);
    const file = {
      revision: 1,
      published_at: "2026-01-01",
      sources: [{ title: "a", url: "https://example.org" }],
      token: { symbol: "X", name: "X", decimals: 0 },
      max_supply: String(sheet.maxSupply),
      start: sheet.start,
      step_day: sheet.stepDay,
      // As `new` writes it: a sheet of one figure has no buckets.
      ...(sheet.isOneFigure
        ? {
            table: sheet.figures.map((figure, at) => ({
              month: dayText(monthMs(at)).slice(0, 7),
              circulating: String(figure),
            })),
          }
        : { buckets: sheet.buckets }),
    };
    const result = parseSchedule(file);
    if (result.kind === "errors") throw new Error(`${text}\n${JSON.stringify(result.errors)}`);
    return Array.from({ length: months }, (_, month) => stepAt(result.schedule, monthMs(month))?.circulating ?? 0n);
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}

/** `SHEET_RUNS=10000` for the proof; a few seconds otherwise. */
const numRuns = Number(process.env["SHEET_RUNS"] ?? 1_000);

test("whatever stands beside the figures, a sheet is read exactly or refused", () => {
  let read = 0;
  fc.assert(
    fc.property(plan, how, (unlocks, written) => {
      const text = tableOf(unlocks, written);
      const months = unlocks[0]?.length ?? 0;
      const said = written.isSaid ? (written.form === "cumulative" ? "cumulative" : "monthly") : undefined;
      const found = figuresOf(text, sum(unlocks.flat()), months, said);
      if (found === undefined) return;
      read += 1;
      const truth = Array.from({ length: months }, (_, month) =>
        sum(unlocks.flatMap((bucket) => bucket.slice(0, month + 1))),
      );
      expect(found.map(Number), text).toEqual(truth);
    }),
    { numRuns },
  );
  expect(read, "a reader that refuses everything would pass").toBeGreaterThan(numRuns / 10);
});

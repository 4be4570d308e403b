import fc from "fast-check";
import { expect, test } from "vitest";
import { dayText } from "../../../../../src/base/utc.ts";
import type { SheetRows } from "../../../../../tools/schedule/cells/rows.ts";
import { workbookRows } from "../../../../../tools/schedule/cells/workbook.ts";
import { proposeMapping } from "../../../../../tools/schedule/sheet/propose.ts";
import { refusalOf } from "../../../../support/refusal.ts";
import { workbook } from "../cells/workbooks.ts";
import { csvRows, facts, figuresOf, proposed, readWith } from "./sheets.ts";

/** Column as its author means it, with what a person answers when its meaning is asked. */
interface Meant {
  readonly title: string;
  readonly cells: readonly string[];
  readonly answers: Readonly<Record<string, string | number | readonly string[]>>;
}

interface MeantSheet {
  readonly columns: readonly Meant[];
  readonly answers: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  readonly totalRow: readonly string[] | undefined;
  readonly start: string | undefined;
  readonly gaps: "keep" | undefined;
  /** Form of the file: cells between commas, a workbook, or rows and columns turned. */
  readonly form: "csv" | "workbook" | "turned";
  /** Tokens in circulation on the first day of each month from January 2026 on. */
  readonly truth: readonly number[];
  readonly maximum: number;
}

const MONTHS = 30;
const monthMs = (index: number): number => Date.UTC(2026, index);
const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
const running = (list: readonly number[]): number[] => list.map((_, at) => sum(list.slice(0, at + 1)));

const DATES: Readonly<Record<string, (ms: number) => string>> = {
  month: (ms) => dayText(ms).slice(0, 7),
  day: (ms) => dayText(ms),
  german: (ms) => dayText(ms).split("-").reverse().join("."),
  slashes: (ms) => dayText(ms).split("-").reverse().join("/"),
  named: (ms) =>
    new Date(ms).toLocaleDateString("en", { month: "short", year: "2-digit", timeZone: "UTC" }).replace(" ", "-"),
};
const AMOUNTS: Readonly<Record<string, (amount: number) => string>> = {
  plain: String,
  grouped: (amount) => `"${amount.toLocaleString("en")}"`,
  short: (amount) => (amount % 100 === 0 && amount > 0 ? `${amount / 1000}k` : String(amount)),
};

const style = fc.record({
  date: fc.constantFrom(...Object.keys(DATES)),
  amount: fc.constantFrom(...Object.keys(AMOUNTS)),
  labels: fc.shuffledSubarray(
    ["Team", "Seed round", "Gemeinschaft", "社区", "Shareholders", "Price of Peace", "Holders"],
    {
      minLength: 4,
      maxLength: 4,
    },
  ),
  period: fc.constantFrom("Month", "Date", "Monat", "日付", "Period", ""),
  unit: fc.constantFrom("Tokens", "Amount", "Menge", "Allocation", "Tokens (ORB)"),
  noise: fc.subarray(["note", "price", "id", "share", "sum", "index", "total row", "line above"]),
  sign: fc.boolean(),
  form: fc.constantFrom("csv" as const, "csv" as const, "workbook" as const, "turned" as const),
  half: fc.constantFrom("first_day", "last_day"),
  shape: fc.constantFrom("halves", "running", "parts", "figure", "list", "rules", "shares", "spans", "grants"),
});
type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;

/** Rules of up to four buckets, in tokens and months. */
const rules = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 900 }).map((each) => each * 10_000),
    percent: fc.constantFrom(0, 5, 10, 100),
    cliff: fc.constantFrom(0, 1, 3, 6),
    parts: fc.constantFrom(1, 2, 4, 6, 12),
    startMonth: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);
interface Rule {
  readonly amount: number;
  readonly percent: number;
  readonly cliff: number;
  readonly parts: number;
  readonly startMonth: number;
}
const plan = fc.array(
  fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_000_000 })), { minLength: 5, maxLength: 5 }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

/** Tokens that a bucket has unlocked by the first day of each month, by its rule; computed without the product's code. */
function unlockedBy(
  { amount, percent, cliff, parts, startMonth }: Rule,
  month: number,
  how: "after" | "inside",
): number {
  if (month < startMonth) return 0;
  const since = month - startMonth;
  const atStart = (amount * percent) / 100;
  const rest = amount - atStart;
  if (how === "after") return atStart + (rest * Math.min(Math.max(0, since - cliff), parts)) / parts;
  const whole = Math.max(parts, cliff);
  return since < cliff ? atStart : atStart + (rest * Math.min(since, whole)) / whole;
}

const DATED = { is: "period", unit: "date", whole: "first_day", dates: "day-first" };
const TOKENS = { unit: "tokens" };

function tableSheet(
  unlocks: readonly (readonly number[])[],
  { shape, date, amount, labels, period }: Style,
): MeantSheet {
  const [write, dated] = [AMOUNTS[amount] ?? String, DATES[date] ?? dayText];
  const months = [0, 1, 2, 3, 4];
  const totals = months.map((month) => sum(unlocks.map((bucket) => sum(bucket.slice(0, month + 1)))));
  const dates: Meant = { title: period, cells: months.map((month) => dated(monthMs(month))), answers: DATED };
  const isRunning = shape !== "parts";
  const columns =
    shape === "figure"
      ? [{ title: "Circulating supply", cells: totals.map(write), answers: { is: "circulating", ...TOKENS } }]
      : unlocks.map((bucket, at) => ({
          title: labels[at] ?? "",
          cells: (isRunning ? running(bucket) : bucket).map(write),
          answers: { is: "amount", ...TOKENS },
        }));
  return {
    columns: [dates, ...columns],
    answers: {
      rows: "period",
      amounts: isRunning ? "cumulative" : "monthly",
      dates: "day-first",
      decimal_mark: "point",
    },
    notes: [],
    totalRow: undefined,
    start: undefined,
    gaps: undefined,
    form: "csv",
    truth: Array.from({ length: MONTHS }, (_, month) => totals[Math.min(month, 4)] ?? 0),
    maximum: totals[4] ?? 0,
  };
}

/** Table whose rows are halves of a year: each counts from its first or from its last day on. */
function halfSheet(unlocks: readonly (readonly number[])[], given: Style): MeantSheet {
  const table = tableSheet(unlocks, { ...given, shape: "parts" });
  const [period, ...columns] = table.columns;
  const cells = [0, 1, 2, 3, 4].map((row) => `${(row % 2) + 1}H${26 + Math.floor(row / 2)}`);
  const dates = { title: period?.title ?? "", cells, answers: { ...DATED, whole: given.half } };
  const isLater = given.half === "last_day";
  const at = (month: number): number => Math.min(Math.floor(month / 6) - Number(isLater), 4);
  const truth = table.truth.map((_, month) => (at(month) < 0 ? 0 : (table.truth[at(month)] ?? 0)));
  return { ...table, columns: [dates, ...columns], truth };
}

function listSheet(unlocks: readonly (readonly number[])[], { date, amount, labels, period, unit }: Style): MeantSheet {
  const rows = [0, 1, 2, 3, 4].flatMap((month) =>
    unlocks.flatMap((bucket, at) =>
      (bucket[month] ?? 0) > 0 ? [{ month, label: labels[at] ?? "", amount: bucket[month] ?? 0 }] : [],
    ),
  );
  const totals = [0, 1, 2, 3, 4].map((month) => sum(rows.filter((row) => row.month <= month).map((row) => row.amount)));
  return {
    columns: [
      { title: period, cells: rows.map(({ month }) => (DATES[date] ?? dayText)(monthMs(month))), answers: DATED },
      { title: "Bucket", cells: rows.map(({ label }) => label), answers: { is: "bucket" } },
      {
        title: unit,
        cells: rows.map((row) => (AMOUNTS[amount] ?? String)(row.amount)),
        answers: { is: "amount", ...TOKENS },
      },
    ],
    answers: { rows: "unlock", dates: "day-first", decimal_mark: "point" },
    notes: [],
    totalRow: undefined,
    start: undefined,
    gaps: undefined,
    form: "csv",
    truth: Array.from({ length: MONTHS }, (_, month) => totals[Math.min(month, 4)] ?? 0),
    maximum: totals[4] ?? 0,
  };
}

function ruleSheet(given: readonly Rule[], { shape, date, amount, labels, unit, sign }: Style): MeantSheet {
  const [write, dated] = [AMOUNTS[amount] ?? String, DATES[date] ?? dayText];
  const own = shape === "grants" || shape === "spans";
  const buckets = given.map((rule) => ({
    ...rule,
    startMonth: own ? rule.startMonth : 0,
    percent: own ? 0 : rule.percent,
  }));
  const how = own ? "inside" : "after";
  const length = ({ cliff, parts }: Rule): number => (how === "inside" ? Math.max(cliff, parts) : parts);
  const end = (rule: Rule): number => monthMs(rule.startMonth + length(rule));
  const percents = buckets.map(({ percent }) => (sign ? `${percent}%` : String(percent)));
  const starts = buckets.map(({ startMonth }) => dated(monthMs(startMonth)));
  const shapeColumns: Readonly<Record<string, readonly Meant[]>> = {
    rules: [
      {
        title: "TGE",
        cells: buckets.map((rule) => write((rule.amount * rule.percent) / 100)),
        answers: { is: "unlocked_at_start", ...TOKENS },
      },
      {
        title: "Cliff (months)",
        cells: buckets.map(({ cliff }) => String(cliff)),
        answers: { is: "cliff", unit: "months" },
      },
      {
        title: "Vesting",
        cells: buckets.map(({ parts }) => `${parts} months`),
        answers: { is: "duration", unit: "cell", from: "cliff" },
      },
    ],
    shares: [
      {
        title: sign ? "TGE" : "TGE %",
        cells: percents,
        answers: { is: "unlocked_at_start", unit: "percent", of: "allocation" },
      },
      { title: "Cliff", cells: buckets.map(({ cliff }) => String(cliff)), answers: { is: "cliff", unit: "months" } },
      {
        title: "Months",
        cells: buckets.map(({ parts }) => String(parts)),
        answers: { is: "duration", unit: "months", from: "cliff" },
      },
    ],
    spans: [
      { title: "Start", cells: starts, answers: { is: "start", unit: "date", whole: "first_day" } },
      {
        title: "End",
        cells: buckets.map((rule) => dated(end(rule))),
        answers: { is: "end", unit: "date", whole: "first_day", day: "excluded" },
      },
    ],
    grants: [
      { title: "Start", cells: starts, answers: { is: "start", unit: "date", whole: "first_day" } },
      {
        title: "Cliff months",
        cells: buckets.map(({ cliff }) => String(cliff)),
        answers: { is: "cliff", unit: "months" },
      },
      {
        title: "Duration months",
        cells: buckets.map((rule) => String(length(rule))),
        answers: { is: "duration", unit: "months", from: "start" },
      },
    ],
  };
  const figure = (month: number): number =>
    sum(
      buckets.map((rule) =>
        unlockedBy(shape === "spans" ? { ...rule, cliff: 0, parts: length(rule) } : rule, month, how),
      ),
    );
  return {
    columns: [
      { title: "Bucket", cells: buckets.map((_, at) => labels[at] ?? ""), answers: { is: "bucket" } },
      { title: unit, cells: buckets.map((rule) => write(rule.amount)), answers: { is: "amount", ...TOKENS } },
      ...(shapeColumns[shape] ?? []),
    ],
    answers: { rows: "rule", linear: "by_month", dates: "day-first", decimal_mark: "point", start: "2026-01-01" },
    notes: [],
    totalRow: undefined,
    gaps: undefined,
    form: "csv",
    start: own ? undefined : "2026-01-01",
    truth: Array.from({ length: MONTHS }, (_, month) => figure(month)),
    maximum: sum(buckets.map((rule) => rule.amount)),
  };
}

/** Adds what authors put beside a plan. */
function withNoise(sheet: MeantSheet, { noise, amount, shape }: Style): MeantSheet {
  const rows = sheet.columns[0]?.cells.map((_, row) => row) ?? [];
  const isTable = TABLES.includes(shape);
  const amounts = sheet.columns.filter(({ answers }) => ["amount", "circulating"].includes(String(answers["is"])));
  const ignored = { is: "ignored" };
  const write = AMOUNTS[amount] ?? String;
  const value = (cell = ""): number =>
    Number(cell.replace(/[",]/g, "").replace(/k$/, "")) * (cell.endsWith("k") ? 1000 : 1);
  const letters = amounts.map((each) => "ABCDEFGHIJ"[sheet.columns.indexOf(each)] ?? "");
  const added: Readonly<Record<string, Meant>> = {
    note: { title: "Notes", cells: rows.map((row) => (row === 1 ? "" : "see page 3")), answers: ignored },
    price: { title: "Price ($)", cells: rows.map((row) => `$0.${row + 1}`), answers: ignored },
    id: { title: "Wallet", cells: rows.map((row) => `0xa${row}`), answers: ignored },
    share: { title: "Of all", cells: rows.map((row) => `${row + 1}%`), answers: ignored },
    index: { title: "Rank", cells: rows.map((row) => String(row * 7 + 1)), answers: ignored },
    ...(isTable && amounts.length > 1
      ? {
          sum: {
            title: "Total",
            cells: rows.map((row) => write(sum(amounts.map(({ cells }) => value(cells[row]))))),
            answers: { is: "sum", ...TOKENS, sum_of: letters },
          },
        }
      : {}),
  };
  const totals = sheet.columns.map((each) => {
    const isLast = shape === "running" || shape === "figure";
    if (!amounts.includes(each)) return "";
    return String(isLast ? value(each.cells.at(-1)) : sum(each.cells.map(value)));
  });
  const more = noise.flatMap((each) => added[each] ?? []);
  const hasTotalRow = noise.includes("total row") && rows.length > 1;
  return {
    ...sheet,
    columns: [...sheet.columns, ...more],
    notes: noise.includes("line above") ? ["Our plan of 2026"] : [],
    totalRow: hasTotalRow ? ["Total", ...totals.slice(1), ...more.map(() => "")] : undefined,
  };
}

const TABLES = ["running", "parts", "figure", "halves"];

const meantSheet: fc.Arbitrary<MeantSheet> = fc
  .tuple(plan, rules, style)
  .filter(([unlocks]) => sum(unlocks.flat()) > 0)
  .map(([unlocks, given, how]) => {
    const isTable = TABLES.includes(how.shape);
    const byShape = how.shape === "halves" ? halfSheet(unlocks, how) : tableSheet(unlocks, how);
    const sheet = isTable ? byShape : how.shape === "list" ? listSheet(unlocks, how) : ruleSheet(given, how);
    // A turned table shows only that its periods are columns.
    const form = how.form === "turned" && !isTable ? "csv" : how.form;
    return { ...(form === "turned" ? sheet : withNoise(sheet, how)), form };
  });

function linesOf({ columns, notes, totalRow }: MeantSheet): readonly (readonly string[])[] {
  const rows = columns[0]?.cells.map((_, row) => columns.map(({ cells }) => cells[row] ?? "")) ?? [];
  const titles = columns.map(({ title }) => title);
  return [...notes.map((note) => [note]), titles, ...rows, ...(totalRow === undefined ? [] : [totalRow])];
}

/** Cell of a workbook: numbers and percentages are numbers, as a spreadsheet keeps them. */
function typed(cell: string): string | readonly [number, style: number] {
  const text = cell.replace(/[",]/g, "");
  if (/^\d+$/.test(text)) return [Number(text), 0];
  return /^\d+%$/.test(text) ? [Number(text.slice(0, -1)) / 100, 1] : text;
}

async function rowsOf(sheet: MeantSheet): Promise<SheetRows> {
  const lines = linesOf(sheet);
  if (sheet.form === "workbook")
    return workbookRows("sheet", workbook(lines.map((line) => line.map(typed))), undefined);
  const turned = sheet.columns.map((_, column) => lines.map((line) => line[column] ?? ""));
  return csvRows((sheet.form === "turned" ? turned : lines).map((line) => line.join(",")).join("\n"));
}

/** Runs of a property, of which a share is enough to tell that both outcomes occur. */
const { numRuns = 40 } = fc.readConfigureGlobal();

test("a sheet whose open places a person answers by what it means has its figures, or is refused", async () => {
  let [read, asked] = [0, 0];
  await fc.assert(
    fc.asyncProperty(meantSheet, async (sheet) => {
      const rows = await rowsOf(sheet);
      const text = JSON.stringify(rows.rows.map(({ cells }) => cells));
      const known = facts({ maxSupply: sheet.maximum, start: sheet.start });
      if (sheet.form === "turned") {
        const [reason] = refusalOf(() => proposeMapping("sheet", rows, known));
        expect(reason, text).toMatch(/stand across: turn rows and columns/);
        return;
      }
      const { mapping, answers } = proposed(rows, known, (place, letter) => {
        const column = sheet.columns["ABCDEFGHIJKLMN".indexOf(letter ?? "-")];
        const isSum = /^line \d+ "Total/.test(place.question);
        if (place.owner?.[0] === "outside") return isSum ? "sum" : "ignored";
        return column?.answers[place.member] ?? sheet.answers[place.member];
      });
      asked += Number(answers > 0);
      const figures = readWith(rows, mapping, (each) => figuresOf(each, MONTHS));
      if (figures === undefined) return;
      read += 1;
      figures.forEach((figure, month) => {
        const expected = sheet.truth[month] ?? 0;
        expect(Math.abs(figure - expected), `${text}\nmonth ${month}: ${figure}, not ${expected}`).toBeLessThan(0.001);
      });
    }),
  );
  // Nine of ten are read, and most are asked for something: far above these bounds in any run.
  expect(read, "a reader that refuses everything would pass").toBeGreaterThan(numRuns / 4);
  expect(asked, "a reader that asks nothing would guess").toBeGreaterThan(numRuns / 8);
});

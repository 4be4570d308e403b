import fc from "fast-check";
import { expect, test } from "vitest";
import { stepAt } from "../../../../src/supply/circulating.ts";
import { Refusal } from "../../../../tools/command-line.ts";
import { parseSchedule } from "../../../../tools/schedule/parse-schedule.ts";
import { csvRows, readSheet } from "../../../../tools/schedule/sheet.ts";
import { reserve } from "../../../../tools/schedule/table.ts";
import { OPEN_SHEET } from "./sheet-options.ts";

/** A bucket's rule, in whole tokens and months: its share at the start, then the rest in equal parts after a cliff. */
interface Rule {
  readonly tokens: number;
  readonly genesis: number;
  readonly cliff: number;
  readonly months: number;
  readonly every: number;
}

const rule: fc.Arbitrary<Rule> = fc
  .record({
    // Of fewer than a hundred tokens a number beside them is tokens.
    tokens: fc.oneof(
      fc.integer({ min: 101, max: 900 }),
      fc.integer({ min: 1, max: 900 }).map((n) => n * 10_000),
    ),
    percent: fc.constantFrom(0, 0, 5, 10, 20, 25, 50, 100),
    cliff: fc.constantFrom(0, 1, 3, 6, 12),
    months: fc.constantFrom(0, 1, 2, 3, 12, 24, 36),
    every: fc.constantFrom(1, 1, 1, 3),
  })
  .map(({ tokens, percent, cliff, months, every }) => ({
    tokens,
    // With nothing later, all of it is there at the start.
    genesis: cliff + months === 0 ? tokens : Math.floor((tokens * percent) / 100),
    cliff,
    months,
    every: months % every === 0 ? every : 1,
  }));

const disturbance = fc.record({
  kind: fc.constantFrom("sum row", "part row", "share", "wrong share", "address", "stray", "length", "note", "start"),
  title: fc.constantFrom("Total", "Summe", "合計", "All of it", "Price", "Holders", "Index", "Wallet", "", "Lock"),
  at: fc.nat(9),
});

const how = fc.record({
  bucket: fc.constantFrom("Bucket", "Group", "Kategorie", ""),
  amount: fc.constantFrom("Tokens", "Allocation", "Menge", "Amount (QLN)", "Tokens (M)"),
  tge: fc.constantFrom("TGE", "TGE %", "Initial unlock", "Start", "TGE (% of supply)"),
  cliff: fc.constantFrom("Cliff", "Cliff (months)", "Lockup period", "Sperre", "Cliff (years)"),
  months: fc.constantFrom("Months", "Vesting", "Duration (months)", "Dauer", "Vesting (years)"),
  often: fc.constantFrom("Frequency", "How", "Turnus"),
  amounts: fc.constantFrom("plain", "grouped", "percent"),
  shares: fc.constantFrom("tokens", "percent", "bare"),
  counts: fc.constantFrom("bare", "unit", "dash"),
  order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6, maxLength: 6 }),
  isShuffled: fc.boolean(),
  rest: fc.constantFrom(0, 0, 0, 1_000_000),
  disturbances: fc.array(disturbance, { maxLength: 2 }),
});
type How = typeof how extends fc.Arbitrary<infer Value> ? Value : never;

const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);

/** What has unlocked some months after the start. */
function unlocked({ tokens, genesis, cliff, months, every }: Rule, month: number): number {
  const [rest, passed] = [tokens - genesis, month - cliff];
  if (passed < 0) return genesis;
  if (months === 0) return tokens;
  const [count, done] = [months / every, Math.floor(Math.min(passed, months) / every)];
  return genesis + Math.floor((rest * done) / count);
}

function amountOf(tokens: number, max: number, { amount, amounts }: How): string {
  if (amount === "Tokens (M)") return String(tokens / 1_000_000);
  const percent = (tokens * 100) / max;
  if (amounts === "percent" && Number.isInteger(percent * 100)) return `${percent}%`;
  return amounts === "grouped" ? `"${tokens.toLocaleString("en")}"` : String(tokens);
}

function shareOf({ tokens, genesis }: Rule, max: number, { tge, shares }: How): string {
  const percent = (genesis * 100) / (tge === "TGE (% of supply)" ? max : tokens);
  if (shares === "tokens") return String(genesis);
  return shares === "bare" ? String(percent) : `${percent}%`;
}

function countOf(months: number, title: string, { counts }: How): string {
  if (title.includes("years")) return String(months / 12);
  if (counts === "dash" && months === 0) return "-";
  return counts === "unit" && months > 0 ? `${months} mo` : String(months);
}

/** The table as somebody writes it. */
function tableOf(rules: readonly Rule[], max: number, given: How): string {
  const ofMax = given.tge === "TGE (% of supply)";
  const isWhole = rules.every(({ genesis, tokens }) => Number.isInteger((genesis * 10_000) / (ofMax ? max : tokens)));
  // A column is written in one way.
  const form: How = isWhole ? given : { ...given, shares: "tokens" };
  const names = rules.map((_, at) => ["Team", "Sale", "Community", "Seed"][at] ?? "Other");
  const columns: string[][] = [
    [form.bucket, ...names],
    [form.amount, ...rules.map(({ tokens }) => amountOf(tokens, max, form))],
    [form.tge, ...rules.map((each) => shareOf(each, max, form))],
    [form.cliff, ...rules.map(({ cliff }) => countOf(cliff, form.cliff, form))],
    [form.months, ...rules.map(({ months }) => countOf(months, form.months, form))],
    [form.often, ...rules.map(({ every }) => (every === 3 ? "quarterly" : "monthly"))],
  ];
  const isMonthly = rules.every(({ every }) => every === 1);
  const order = form.isShuffled ? form.order : [0, 1, 2, 3, 4, 5];
  const table = order.flatMap((at) => (at === 5 && isMonthly ? [] : [columns[at] ?? []]));
  const rows: [string, string[]][] = [];
  for (const { kind, title, at } of form.disturbances) {
    const added: Partial<Record<typeof kind, readonly string[]>> = {
      share: rules.map(({ tokens }) => `${((tokens * 100) / max).toFixed(2)}%`),
      "wrong share": rules.map((_, row) => `${row + 3}%`),
      address: rules.map((_, row) => `0xa${row}`),
      stray: rules.map((_, row) => String(row * 7 + 1)),
      length: rules.map(({ cliff, months }) => String(cliff + months)),
      note: rules.map((_, row) => (row === 0 ? "see page 3" : "")),
      start: rules.map(() => "2026-01-01"),
    };
    const cells = added[kind];
    if (cells !== undefined) table.splice(at % (table.length + 1), 0, [title, ...cells]);
    else rows.push([title, kind === "sum row" ? rules.map(String) : []]);
  }
  const lines = [0, ...rules.map((_, row) => row + 1)].map((row) => table.map((column) => column[row] ?? ""));
  for (const [title, all] of rows) {
    const some = all.length > 0 ? rules : rules.slice(0, 2);
    const own = table.map(([name]) =>
      name === form.bucket
        ? title
        : name === form.amount
          ? amountOf(sum(some.map(({ tokens }) => tokens)), max, form)
          : name === form.tge && form.shares === "tokens"
            ? String(sum(some.map(({ genesis }) => genesis)))
            : "",
    );
    lines.splice(all.length > 0 ? lines.length : Math.min(3, lines.length), 0, own);
  }
  return lines.map((line) => line.join(",")).join("\n");
}

/** What circulates at each month of a sheet's schedule; undefined where the sheet is refused. */
function figuresOf(text: string, max: number, months: number, hasRest: boolean): readonly bigint[] | undefined {
  try {
    const options = { ...OPEN_SHEET, symbol: "QLN", decimals: 0, maxSupply: BigInt(max), start: "2026-01-01", hasRest };
    const sheet = readSheet("sheet", csvRows("sheet", text), options);
    const result = parseSchedule({
      revision: 1,
      published_at: "2026-01-01",
      sources: [{ title: "a", url: "https://example.org" }],
      token: { symbol: "X", name: "X", decimals: 0 },
      max_supply: String(max),
      start: sheet.start,
      step_day: sheet.stepDay,
      buckets: [...sheet.buckets, ...reserve(BigInt(max) - sheet.unlocking, 0, "left")],
    });
    if (result.kind === "errors") throw new Error(`${text}\n${JSON.stringify(result.errors)}`);
    return Array.from({ length: months }, (_, month) => {
      return stepAt(result.schedule, Date.UTC(2026, month))?.circulating ?? 0n;
    });
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}

/** `SHEET_RUNS=10000` for the proof; a second otherwise. */
const numRuns = Number(process.env["SHEET_RUNS"] ?? 1_000);

test("whatever stands beside the rules of buckets, a sheet is read exactly or refused", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), how, (rules, form) => {
      const max = sum(rules.map(({ tokens }) => tokens)) + form.rest;
      const text = tableOf(rules, max, form);
      const found = figuresOf(text, max, 60, form.rest > 0);
      if (found === undefined) return;
      read += 1;
      const truth = Array.from({ length: 60 }, (_, month) => sum(rules.map((each) => unlocked(each, month))));
      expect(found.map(Number), text).toEqual(truth);
    }),
    { numRuns },
  );
  expect(read, "a reader that refuses everything would pass").toBeGreaterThan(numRuns / 20);
});

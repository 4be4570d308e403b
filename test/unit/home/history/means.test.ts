import { describe, expect, test } from "vitest";
import type { Correction } from "../../../../src/home/history/corrections.ts";
import {
  correctedRates,
  daysOfMeans,
  daysOfSums,
  productMeans,
  withMeans,
} from "../../../../src/home/history/means.ts";
import { daysBefore, type RateRow } from "../../../../src/home/history/rows.ts";
import { memoryHistory } from "./memory-history.ts";

const TODAY = "2026-11-21";

const row = (daysAgo: number, apy: number | null, changes: Partial<RateRow> = {}): RateRow => ({
  product: "p",
  day: daysBefore(TODAY, daysAgo),
  apy,
  apy_base: apy,
  apy_reward: 0,
  tvl: null,
  tvl_usd: null,
  observedAtMs: 0,
  source: "s",
  ...changes,
});

/** One row for each of these days, counted back from today, oldest first. */
const rowsOf = (daysAgo: readonly number[], apy = 5): RateRow[] =>
  daysAgo.toSorted((a, b) => b - a).map((each) => row(each, apy));
const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Means of every product on a day, from all that the store returns. */
function meansOf(day: string, rows: RateRow[], corrections: readonly Correction[] = []) {
  const sums = memoryHistory({ figures: [], rates: rows, changes: [] }).sumsOf(
    [...new Set(rows.map(({ product }) => product))],
    daysOfSums(day),
  );
  const needed = [daysBefore(day, 7), ...corrections.map((each) => each.day)];
  return productMeans(day, { sums, rows: rows.filter((each) => needed.includes(each.day)) }, corrections);
}
const meansOn = (day: string, rows: RateRow[]) => meansOf(day, rows)["p"];

/** Two years of daily rows: 3 to 7 %, with single days, a fortnight and unknown rates missing. */
const YEARS = days(0, 730)
  .toReversed()
  .filter((ago) => ago % 11 !== 3 && !(ago >= 100 && ago < 114))
  .map((ago) => {
    const apy_base = 3 + (ago % 5);
    const apy_reward = ago % 17 === 4 ? null : 0.1 * (ago % 3);
    const apy = apy_reward === null ? null : Number((apy_base + apy_reward).toFixed(5));
    return row(ago, apy, { apy_base, apy_reward });
  });

/** The mean as a spreadsheet has it: every row is looked at, in percent. */
function plainMean(name: "apy" | "apy_base" | "apy_reward", day: string, length: number, needed: number) {
  const wanted = Array.from({ length }, (_, index) => daysBefore(day, index));
  const rates = wanted.flatMap((each) => YEARS.find((found) => found.day === each)?.[name] ?? []);
  return rates.length < needed ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

const WINDOWS = [
  ["7d", 7, 6],
  ["30d", 30, 25],
  ["90d", 90, 75],
  ["365d", 365, 305],
] as const;

test.each(WINDOWS)(
  "two years with holes: every day's mean over %s is that of a spreadsheet",
  (window, length, needed) => {
    const rows = withMeans(YEARS);
    expect(rows.length).toBe(YEARS.length);
    let known = 0;
    for (const row of rows)
      for (const [part, name] of [
        ["", "apy"],
        ["_base", "apy_base"],
        ["_reward", "apy_reward"],
      ] as const) {
        const plain = plainMean(name, row.day, length, needed);
        if (plain === null) expect(row[`apy_mean_${window}${part}`]).toBeNull();
        else expect(row[`apy_mean_${window}${part}`]).toBeCloseTo(plain, 4);
        known += plain === null ? 0 : 1;
      }
    // Means that never exist, or always do, would prove nothing.
    expect(known).toBeGreaterThan(500);
    expect(rows.some((row) => row[`apy_mean_${window}`] === null)).toBe(true);
  },
);

test("the means from stored sums are those of the history's rows", () => {
  const daily = withMeans(YEARS);
  for (const ago of [0, 1, 90, 99, 120, 365]) {
    const { day, ...means } = daily.find((each) => each.day >= daysBefore(TODAY, ago)) ?? row(0, null);
    const names = WINDOWS.flatMap(([window]) => ["", "_base", "_reward"].map((part) => `apy_mean_${window}${part}`));
    const expected = Object.fromEntries(Object.entries(means).filter(([name]) => names.includes(name)));
    expect(Object.keys(expected)).toHaveLength(12);
    expect(meansOn(day, YEARS)).toMatchObject(expected);
  }
});

describe("the days that count", () => {
  test.each([
    ["seven days", days(0, 6), 5, null],
    ["six of seven", days(1, 6), 5, null],
    ["five of seven", days(2, 6), null, null],
    ["six days, the oldest one too old", days(2, 7), null, null],
    ["twenty-five of thirty", days(5, 29), null, 5],
    ["twenty-four of thirty", days(6, 29), null, null],
    ["thirty, of which one is too old", [...days(0, 28), 30], 5, 5],
    ["none", [], null, null],
  ])("%s", (_name, daysAgo, week, month) => {
    const none = { apy_mean_7d: null, apy_mean_30d: null };
    expect(meansOn(TODAY, rowsOf(daysAgo)) ?? none).toMatchObject({ apy_mean_7d: week, apy_mean_30d: month });
  });

  test.each([
    ["seventy-five of ninety", days(15, 89), 5, null],
    ["seventy-four of ninety", days(16, 89), null, null],
    ["305 of a year", days(0, 304), 5, 5],
    ["304 of a year", days(61, 364), null, null],
    ["305, the oldest one too old", days(61, 365), null, null],
  ])("%s", (_name, daysAgo, quarter, year) => {
    expect(meansOn(TODAY, rowsOf(daysAgo))).toMatchObject({ apy_mean_90d: quarter, apy_mean_365d: year });
  });

  test("base and reward have their own days", () => {
    const rows = days(0, 6)
      .toReversed()
      .map((ago) => row(ago, 6, { apy_base: 4, apy_reward: ago < 2 ? null : 2 }));
    expect(meansOn(TODAY, rows)).toMatchObject({
      apy_mean_7d: 6,
      apy_mean_7d_base: 4,
      apy_mean_7d_reward: null,
    });
  });

  test("a day of 0 counts, a day without a rate does not", () => {
    const rates = [0, 0, 0, 6, 6, 6, null];
    expect(meansOn(TODAY, rates.map((apy, ago) => row(ago, apy)).toReversed())?.apy_mean_7d).toBe(3);
  });

  test("the days read before the first one asked for are those of its year", () => {
    expect(daysOfMeans({ from: "2026-03-01", to: "2026-03-31" })).toEqual({ from: "2025-03-02", to: "2026-03-31" });
  });
});

test("a mean is rounded to five decimals and free of the order of its days", () => {
  const rates = [7.25933, 7.25934, 7.25933, -0.1, 0.2, 0.30001, 7];
  const mean = meansOn(TODAY, rates.map((apy, ago) => row(ago, apy)).toReversed())?.apy_mean_7d;
  expect(mean).toBe(4.16829);
  expect(
    meansOn(
      TODAY,
      rates
        .toReversed()
        .map((apy, ago) => row(ago, apy))
        .toReversed(),
    )?.apy_mean_7d,
  ).toBe(mean);
});

test("corrections count: another yield has no parts, a withdrawn day is missing", () => {
  const correction = (daysAgo: number, to: string | null, figure = "apy:p") => ({
    day: daysBefore(TODAY, daysAgo),
    figure,
    to,
    reason: "typo",
    correctedOn: TODAY,
  });
  const means = (...corrections: ReturnType<typeof correction>[]) =>
    meansOf(TODAY, rowsOf(days(0, 364)), corrections)["p"];
  expect(means(correction(0, "12"))).toMatchObject({ apy_mean_7d: 6, apy_mean_7d_base: 5 });
  expect(means(correction(0, null), correction(1, null))).toMatchObject({ apy_mean_7d: null });
  expect(means(correction(0, "12", "apy:other"))).toMatchObject({ apy_mean_7d: 5 });
  expect(means(correction(7, "4"))).toMatchObject({ apy_7d_ago: 4, apy_mean_7d: 5 });
  expect(means(correction(89, "95"))).toMatchObject({ apy_mean_30d: 5, apy_mean_90d: 6, apy_mean_90d_base: 5 });
  expect(means(correction(364, "735"))).toMatchObject({ apy_mean_90d: 5, apy_mean_365d: 7, apy_mean_365d_reward: 0 });
  const both = [correction(3, "12"), correction(200, null)];
  const [last] = withMeans(correctedRates(rowsOf(days(0, 364)), both)).slice(-1);
  expect(means(...both)).toMatchObject({ apy_mean_7d: last?.apy_mean_7d, apy_mean_365d: last?.apy_mean_365d });
});

test("every product has its own means, by any id", () => {
  const other = rowsOf(days(0, 6), 9).map((each) => ({ ...each, product: "__proto__" }));
  const means = new Map(Object.entries(meansOf(TODAY, [...rowsOf(days(0, 6)), ...other])));
  expect(means.get("p")).toMatchObject({ apy_mean_7d: 5, apy_7d_ago: null });
  expect(means.get("__proto__")).toMatchObject({ apy_mean_7d: 9 });
});

import { describe, expect, test } from "vitest";
import { correctedRates, daysOfMeans, meansOn, productMeans, withMeans } from "../../../../src/home/history/means.ts";
import { daysBefore, type RateRow } from "../../../../src/home/history/rows.ts";

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

/** A year of daily rows: 3 to 7 %, with single days, a fortnight and unknown rates missing. */
const YEAR = days(0, 365)
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
  const rates = wanted.flatMap((each) => YEAR.find((found) => found.day === each)?.[name] ?? []);
  return rates.length < needed ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

test("a year with holes: every day's means are those of a spreadsheet", () => {
  const means = withMeans(YEAR);
  expect(means.length).toBe(YEAR.length);
  const known = { week: 0, month: 0 };
  for (const mean of means)
    for (const [part, name] of [
      ["", "apy"],
      ["_base", "apy_base"],
      ["_reward", "apy_reward"],
    ] as const) {
      const [week, month] = [plainMean(name, mean.day, 7, 6), plainMean(name, mean.day, 30, 25)];
      if (week === null) expect(mean[`apy_mean_7d${part}`]).toBeNull();
      else expect(mean[`apy_mean_7d${part}`]).toBeCloseTo(week, 4);
      if (month === null) expect(mean[`apy_mean_30d${part}`]).toBeNull();
      else expect(mean[`apy_mean_30d${part}`]).toBeCloseTo(month, 4);
      known.week += week === null ? 0 : 1;
      known.month += month === null ? 0 : 1;
    }
  // Means that never exist, or always do, would prove nothing.
  expect(known.week).toBeGreaterThan(500);
  expect(known.month).toBeGreaterThan(500);
  expect(means.some(({ apy_mean_7d }) => apy_mean_7d === null)).toBe(true);
  expect(means.some(({ apy_mean_30d }) => apy_mean_30d === null)).toBe(true);
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
    expect(meansOn(TODAY, rowsOf(daysAgo))).toMatchObject({ apy_mean_7d: week, apy_mean_30d: month });
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
    expect(meansOn(TODAY, rates.map((apy, ago) => row(ago, apy)).toReversed()).apy_mean_7d).toBe(3);
  });

  test("the days read before the first one asked for are those of its month", () => {
    expect(daysOfMeans({ from: "2026-03-01", to: "2026-03-31" })).toEqual({ from: "2026-01-31", to: "2026-03-31" });
  });
});

test("a mean is rounded to five decimals and free of the order of its days", () => {
  const rates = [7.25933, 7.25934, 7.25933, -0.1, 0.2, 0.30001, 7];
  const mean = meansOn(TODAY, rates.map((apy, ago) => row(ago, apy)).toReversed()).apy_mean_7d;
  expect(mean).toBe(4.16829);
  expect(
    meansOn(
      TODAY,
      rates
        .toReversed()
        .map((apy, ago) => row(ago, apy))
        .toReversed(),
    ).apy_mean_7d,
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
    productMeans(TODAY, correctedRates(rowsOf(days(0, 7)), corrections))["p"];
  expect(means(correction(0, "12"))).toMatchObject({ apy_mean_7d: 6, apy_mean_7d_base: 5 });
  expect(means(correction(0, null), correction(1, null))).toMatchObject({ apy_mean_7d: null });
  expect(means(correction(0, "12", "apy:other"))).toMatchObject({ apy_mean_7d: 5 });
  expect(means(correction(7, "4"))).toMatchObject({ apy_7d_ago: 4 });
});

test("every product has its own means, by any id", () => {
  const other = rowsOf(days(0, 6), 9).map((each) => ({ ...each, product: "__proto__" }));
  const means = new Map(Object.entries(productMeans(TODAY, [...rowsOf(days(0, 6)), ...other])));
  expect(means.get("p")).toMatchObject({ apy_mean_7d: 5, apy_7d_ago: null });
  expect(means.get("__proto__")).toMatchObject({ apy_mean_7d: 9 });
});

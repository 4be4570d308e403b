import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UnlockSchedule } from "../../../page/src/api.ts";
import { rangeOf, stackedSeries, stepAt } from "../../../page/src/series.ts";

const row = (day: string, a: string, b: string): UnlockSchedule["rows"][number] => ({
  month: day.slice(0, 7),
  effective_from: `${day}T00:00:00Z`,
  circulating: { tokens: String((BigInt(a) + BigInt(b)) / 100n), base_units: String(BigInt(a) + BigInt(b)) },
  buckets: { team: a, community: b },
});

const SCHEDULE: UnlockSchedule = {
  token: { symbol: "XYZ", name: "Example", decimals: 2 },
  max_supply: { tokens: "100", base_units: "10000" },
  revision: 1,
  sources: [],
  methodology: null,
  rows: [row("2025-01-01", "0", "1000"), row("2025-02-01", "500", "1500"), row("2025-03-01", "1000", "2000")],
};

test("buckets are stacked in the schedule's order and the top is the sum", () => {
  const { buckets } = stackedSeries(SCHEDULE);
  expect(buckets).toEqual([
    { id: "team", tokens: [0, 5, 10], tops: [0, 5, 10] },
    { id: "community", tokens: [10, 15, 20], tops: [10, 20, 30] },
  ]);
});

test("a schedule without buckets is one layer of its published figures", () => {
  const bare = { ...SCHEDULE, rows: SCHEDULE.rows.map((each) => ({ ...each, buckets: {} })) };
  expect(stackedSeries(bare).buckets).toEqual([{ id: "circulating", tokens: [10, 20, 30], tops: [10, 20, 30] }]);
});

describe("the step in force", () => {
  const { atSeconds } = stackedSeries(SCHEDULE);
  test.each([
    ["2024-12-31T23:59:59Z", -1],
    ["2025-01-01T00:00:00Z", 0],
    ["2025-01-31T23:59:59Z", 0],
    ["2025-02-01T00:00:00Z", 1],
    ["2030-01-01T00:00:00Z", 2],
  ])("at %s is %i", (instant, index) => {
    expect(stepAt(atSeconds, Date.parse(instant) / 1000)).toBe(index);
  });
});

test("every range lies inside the schedule and is not empty", () => {
  const steps = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: -200, max: 8_000 }),
      fc.constantFrom("year", "three_years", "all"),
      (gaps, day, name) => {
        let at = 0;
        const atSeconds = gaps.map((days) => (at += days * 86_400));
        const [from, to] = rangeOf(name, atSeconds, day * 86_400);
        expect(from).toBeGreaterThanOrEqual(atSeconds[0] ?? 0);
        expect(to).toBeGreaterThan(from);
      },
    ),
  );
});

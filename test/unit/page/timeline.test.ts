import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UnlockSchedule } from "../../../page/src/api.ts";
import { layersOf } from "../../../page/src/chart/layers.ts";
import { milestonesOf, stepAt, timelineOf } from "../../../page/src/chart/timeline.ts";
import { DEFAULT_VIEW, parseView, rangeOf, type View, viewQuery } from "../../../page/src/chart/view-state.ts";

const LABELS = new Map([["team", "Core team"]]);

/** A schedule of two decimals from the base units of each bucket, one row a month from 2025-01 on. */
function scheduleOf(rows: readonly Readonly<Record<string, number>>[], maximum = 10_000): UnlockSchedule {
  return {
    token: { symbol: "XYZ", name: "Example", decimals: 2 },
    max_supply: { tokens: String(maximum / 100), base_units: String(maximum) },
    revision: 1,
    sources: [],
    methodology: null,
    rows: rows.map((buckets, index) => {
      const day = new Date(Date.UTC(2025, index, 1)).toISOString().slice(0, 10);
      const units = Object.values(buckets).reduce((sum, amount) => sum + amount, 0);
      return {
        month: day.slice(0, 7),
        effective_from: `${day}T00:00:00Z`,
        circulating: { tokens: String(units / 100), base_units: String(units) },
        buckets: Object.fromEntries(Object.entries(buckets).map(([id, amount]) => [id, String(amount)])),
      };
    }),
  };
}

const SCHEDULE = scheduleOf([
  { team: 0, community: 1000 },
  { team: 500, community: 1500 },
  { team: 1000, community: 1400 },
]);
const NOW_SECONDS = Date.UTC(2025, 1, 15) / 1000;

describe("a timeline", () => {
  const timeline = timelineOf(SCHEDULE, LABELS);

  test("names buckets by label, or by id without one", () => {
    expect(timeline.buckets).toEqual([
      { id: "team", label: "Core team" },
      { id: "community", label: "community" },
    ]);
  });

  test("has the change of each step, burns included", () => {
    expect(timeline.steps.map(({ change, changes }) => [change, ...changes])).toEqual([
      [1000n, 0n, 1000n],
      [1000n, 500n, 500n],
      [400n, 500n, -100n],
    ]);
  });

  test("without buckets has one bucket of the published totals", () => {
    const bare = { ...SCHEDULE, rows: SCHEDULE.rows.map((row) => ({ ...row, buckets: {} })) };
    const { buckets, steps } = timelineOf(bare, LABELS);
    expect(buckets.map(({ id }) => id)).toEqual(["circulating"]);
    expect(steps.map(({ amounts }) => amounts)).toEqual([[1000n], [2000n], [2400n]]);
  });

  test.each([
    ["2024-12-31T23:59:59Z", -1],
    ["2025-01-01T00:00:00Z", 0],
    ["2025-01-31T23:59:59Z", 0],
    ["2025-02-01T00:00:00Z", 1],
    ["2030-01-01T00:00:00Z", 2],
  ])("at %s is at step %i", (instant, index) => {
    expect(stepAt(timeline.steps, Date.parse(instant) / 1000)).toBe(index);
  });
});

describe("milestones", () => {
  const found = (amounts: readonly number[]): string[] =>
    milestonesOf(timelineOf(scheduleOf(amounts.map((team) => ({ team }))), LABELS)).map(
      ({ index, kind, amount }) => `${index} ${kind} ${amount}`,
    );
  test.each([
    ["a launch, then equal steps", [100, 110, 120, 130], ["0 launch 100", "3 complete 10"]],
    ["one step only", [0, 0, 50, 50], ["2 cliff 50"]],
    ["a first step after months without one", [0, 0, 10, 20, 30], ["2 start 10", "4 complete 10"]],
    ["a cliff, then equal steps", [0, 0, 100, 110, 120, 130], ["2 cliff 100", "5 complete 10"]],
    ["a faster pace for a while", [0, 1, 11, 21, 22, 23, 24, 25], ["2 faster 10", "7 complete 1"]],
  ])("milestones of %s", (_, amounts, expected) => {
    expect(found(amounts)).toEqual(expected);
  });
});

describe("layers of a view", () => {
  const draw = (view: Partial<View>) =>
    layersOf(timelineOf(SCHEDULE, LABELS), { ...DEFAULT_VIEW, ...view }, NOW_SECONDS);

  test("stack the buckets; the axis ends above the maximum", () => {
    const { layers, max } = draw({});
    expect(layers.map(({ tops }) => tops)).toEqual([
      [0, 5, 10],
      [10, 20, 24],
    ]);
    expect(max).toBeGreaterThan(100);
  });

  test("are shares of the maximum in percent", () => {
    expect(draw({ unit: "percent" }).layers.at(-1)?.tops).toEqual([10, 20, 24]);
  });

  test("per month: no bar for the launch, burns are below zero", () => {
    const { layers, min } = draw({ mode: "monthly" });
    expect(layers.map(({ bottoms, tops }) => tops.map((top, index) => top - (bottoms[index] ?? 0)))).toEqual([
      [0, 5, 5],
      [0, 5, -1],
    ]);
    expect(layers[1]?.tops[2]).toBe(-1);
    expect(min).toBeLessThan(-1);
  });

  test("of one bucket start at zero", () => {
    const { layers } = draw({ bucket: "community" });
    expect(layers).toEqual([{ bucket: 1, bottoms: [0, 0, 0], tops: [10, 15, 14] }]);
  });
});

test("a link's query sets the view; invalid values are ignored", () => {
  const view: View = { mode: "monthly", unit: "percent", range: "1y", bucket: "team" };
  expect(parseView(viewQuery(view), ["team"])).toEqual(view);
  expect(viewQuery(DEFAULT_VIEW)).toBe("");
  expect(parseView("?mode=x&unit=&range=9y&bucket=unknown", ["team"])).toEqual(DEFAULT_VIEW);
});

test("every range is inside the schedule and not empty", () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: -200, max: 8_000 }), fc.constantFrom("1y", "3y", "all"), (days, now, range) => {
      let at = 0;
      const steps = days.map((gap) => {
        at += gap * 86_400;
        return { atSeconds: at };
      });
      const [from, to] = rangeOf(range, steps, now * 86_400);
      expect(from).toBeGreaterThanOrEqual(steps[0]?.atSeconds ?? 0);
      expect(to).toBeGreaterThan(from);
    }),
  );
});

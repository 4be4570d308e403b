import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scheduleText } from "../../../../page/build/site.ts";
import { stackOf } from "../../../../page/src/chart/stack.ts";
import { DEFAULT_VIEW, parseView, stepsOf, type View, viewQuery } from "../../../../page/src/chart/view-state.ts";
import { parseSchedule } from "../../../../page/src/schedule.ts";
import { colorOf, MAX_BANDS } from "../../../../page/view/bands.ts";
import { stepAt, timelineOf } from "../../../../page/view/timeline.ts";
import { allSteps } from "../../../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../../../src/supply/schedule.ts";
import { BURN, cliff, installments, phased, valid } from "../../supply/schedules.ts";

/** A schedule of two decimals that starts on 2025-01-01, from its buckets' phases; each bucket has 10 tokens genesis. */
function scheduleOf(buckets: Parameters<typeof phased>[0], adjustments: readonly object[] = []): UnlockSchedule {
  const token = { symbol: "XYZ", name: "Example", decimals: 2 };
  return valid(phased(buckets, 10, { token, start: "2025-01-01", adjustments }));
}

const COMMUNITY = [installments(20, 1, 2)];
const SCHEDULE = scheduleOf({ team: [cliff(30, 1)], community: COMMUNITY }, [{ ...BURN, delta: "-4" }]);

test("the schedule in the page's HTML is the one that was built, amounts of any size included", () => {
  for (const schedule of [SCHEDULE, scheduleOf({ whale: [{ kind: "never", amount: "9007199254740000" }] })])
    expect(allSteps(parseSchedule(scheduleText(schedule)))).toEqual(allSteps(schedule));
});

describe("a timeline", () => {
  const timeline = timelineOf(SCHEDULE);

  test("names its bands, and has the change of each step, burns included", () => {
    expect(timeline.bands.map(({ label }) => label)).toEqual(["Bucket team", "Bucket community"]);
    expect(timeline.steps.map(({ total, change, changes }) => [total, change, ...changes])).toEqual([
      [2_000n, 2_000n, 1_000n, 1_000n],
      [6_000n, 4_000n, 3_000n, 1_000n],
      [6_600n, 600n, 0n, 600n],
    ]);
  });

  test("without buckets has one band, the published totals", () => {
    const figures = [1_000n, 2_000n, 2_400n];
    const { bands, steps } = timelineOf({ ...SCHEDULE, plan: { kind: "table", figures }, lastIndex: 2 });
    expect(bands).toHaveLength(1);
    expect(steps.map(({ amounts }) => amounts)).toEqual(figures.map((figure) => [figure]));
  });

  test("of more buckets than colours joins the smallest, and loses no amount", () => {
    const buckets = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`b${i}`, [installments(100 + i, 1, 2)]]));
    const joined = timelineOf(scheduleOf(buckets));
    const { bands, steps } = joined;
    expect(bands).toHaveLength(MAX_BANDS);
    expect([colorOf(joined, "b24"), colorOf(joined, "b0")]).toEqual(["var(--series-6)", "var(--muted)"]);
    expect(bands.map(({ label }) => label)).toEqual([
      "Bucket b18",
      "Bucket b19",
      "Bucket b20",
      "Bucket b21",
      "Bucket b22",
      "Bucket b23",
      "Bucket b24",
      "18 other allocations",
    ]);
    for (const { total, amounts } of steps) expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(total);
  });

  test("names the cliffs of each step, and gives every bucket its colour", () => {
    const schedule = scheduleOf({ team: [cliff(9, 3), installments(8, 4, 2)] });
    const { steps } = timelineOf(schedule);
    expect(steps.map(({ cliffs }) => cliffs.join())).toEqual(["", "", "", "Bucket team: cliff", "", ""]);
    expect(["team", "community"].map((id) => colorOf(timeline, id))).toEqual(["var(--series-0)", "var(--series-1)"]);
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

const MONTHLY: View = { ...DEFAULT_VIEW, mode: "monthly" };

describe("the stack of a view", () => {
  const draw = (view: Partial<View>) => stackOf(timelineOf(SCHEDULE), { ...DEFAULT_VIEW, ...view }, Infinity, [0, 2]);

  test("stacks the bands; the axis ends above the maximum", () => {
    const { layers, max } = draw({});
    expect(layers.map(({ tops }) => tops)).toEqual([
      [10, 40, 40],
      [20, 60, 66],
    ]);
    expect(max).toBeGreaterThan(70);
  });

  test("is in shares of the maximum in percent", () => {
    expect(draw({ unit: "percent" }).layers.at(-1)?.tops[1]).toBeCloseTo((60 / 70) * 100);
  });

  test("per month has no bar for a launch that was, and burns below zero", () => {
    const schedule = scheduleOf({ community: COMMUNITY }, [{ ...BURN, delta: "-14" }]);
    const { layers, min } = stackOf(timelineOf(schedule), MONTHLY, Infinity, [0, 2]);
    expect(layers).toEqual([{ band: 0, bottoms: [0, 0, 0], tops: [0, 10, -4] }]);
    expect(min).toBeLessThan(-4);
  });

  test("per month has a bar for a launch that is to come", () => {
    const { layers } = stackOf(timelineOf(scheduleOf({ community: COMMUNITY })), MONTHLY, 0, [0, 2]);
    expect(layers[0]?.tops).toEqual([10, 10, 10]);
  });

  test("of one band starts at zero", () => {
    expect(draw({ bucket: "community" }).layers).toEqual([{ band: 1, bottoms: [0, 0, 0], tops: [10, 20, 26] }]);
  });
});

test("a link's query sets the view; invalid values are ignored", () => {
  const view: View = { mode: "monthly", unit: "percent", range: "1y", bucket: "team" };
  expect(parseView(viewQuery(view), ["team"])).toEqual(view);
  expect(viewQuery(DEFAULT_VIEW)).toBe("");
  expect(parseView("?mode=x&unit=&range=9y&bucket=unknown", ["team"])).toEqual(DEFAULT_VIEW);
});

test.each([
  ["1y", 29, 60, [29, 41]],
  ["3y", 29, 60, [24, 60]],
  ["1y", -1, 60, [0, 12]],
  ["1y", 60, 60, [48, 60]],
  ["1y", 3, 5, [0, 5]],
  ["all", 29, 60, [0, 60]],
] as const)("the range %s at step %i of %i", (range, current, last, expected) => {
  expect(stepsOf(range, current, last)).toEqual(expected);
});

test("every range has the step in force and ends inside the schedule", () => {
  const index = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(index, index, fc.constantFrom("1y", "3y", "all"), (one, other, range) => {
      const [current, last] = [Math.min(one, other), Math.max(one, other)];
      const [from, to] = stepsOf(range, current, last);
      expect(from >= 0 && from <= current && current <= to && to <= last).toBe(true);
    }),
  );
});

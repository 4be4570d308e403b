import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unlockCalendar } from "../../../../page/build/icalendar.ts";
import { allocationsView } from "../../../../src/supply/allocations.ts";
import { allSteps } from "../../../../src/supply/circulating.ts";
import { largestDocument } from "../../../../src/supply/file/document-size.ts";
import { scheduleCsv, scheduleView } from "../../../../src/supply/representations.ts";
import type { UnlockSchedule } from "../../../../src/supply/schedule.ts";
import { unlockEventsCsv, unlockEventsView } from "../../../../src/supply/unlock-event-formats.ts";
import { unlockEvents } from "../../../../src/supply/unlock-events.ts";
import arbitrum from "../../../fixtures/schedule/examples/arbitrum.json" with { type: "json" };
import { withBurn } from "../generated-schedules.ts";
import { errorsOf, installments, phased, table, valid } from "../schedules.ts";

const DAYS = { from: undefined, to: undefined };

/** Measures the longest document. */
function longestOf(schedule: UnlockSchedule): number {
  const events = unlockEvents(schedule);
  const texts = [
    JSON.stringify(unlockEventsView(schedule, events, DAYS)),
    unlockEventsCsv(schedule, events),
    unlockCalendar(schedule),
    JSON.stringify(scheduleView(schedule)),
    scheduleCsv(schedule, "tokens"),
    JSON.stringify(allocationsView(schedule, allSteps(schedule).at(-1))),
  ];
  return Math.max(...texts.map((text) => Buffer.byteLength(text)));
}

/** Makes so many buckets, each with so many monthly installments. */
const grid = (buckets: number, count: number, changes: object = {}) =>
  phased(
    Object.fromEntries(Array.from({ length: buckets }, (_, index) => [`b${index}`, [installments(count, 1, count)]])),
    0,
    changes,
  );

test("no document of a schedule is longer than is computed", () => {
  fc.assert(
    fc.property(withBurn, fc.constantFrom("X", "é🪙".repeat(40), ",;".repeat(40), '"\\'.repeat(30)), (json, name) => {
      const buckets = json.buckets.map((each) => ({ ...each, label: name }));
      const schedule = valid({ ...json, buckets, token: { ...json.token, symbol: name } });
      expect(largestDocument(schedule).bytes).toBeGreaterThanOrEqual(longestOf(schedule));
    }),
    { numRuns: 100 },
  );
});

test.each([
  ["twenty buckets over twenty years", grid(20, 240)],
  ["a public schedule", arbitrum],
  ["a table", table(...Array.from({ length: 240 }, (_, n) => [monthOf(n), String(n)] as const))],
])("of %s it is at most twice as long as the document", (_what, json) => {
  const schedule = valid(json);
  expect(largestDocument(schedule).bytes / longestOf(schedule)).toBeLessThan(2);
});

function monthOf(index: number): string {
  return new Date(Date.UTC(2025, 1 + index, 1)).toISOString().slice(0, 7);
}

describe("the check bounds it", () => {
  test.each([
    ["400 buckets of 1,000 installments", grid(400, 1_000), "buckets: /api/unlock-events would have up to 7"],
    ["1,000 buckets of 1,200 installments", grid(1_000, 1_200), "buckets: /api/unlock-events would have up to"],
    [
      "a long name in each of them",
      grid(40, 120, { token: { symbol: "X".repeat(2_000), name: "X", decimals: 8 } }),
      "buckets: /api/unlock-events would have up to",
    ],
    [
      "few unlocks of many buckets",
      phased(Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`b${n}`, [installments(1, n, 1)]])), 0, {}),
      "buckets: /api/unlock-schedule would have up to",
    ],
  ])("%s: refused in well below a second, naming document, size and bound", (_what, json, error) => {
    const [found, ...others] = errorsOf(json);
    expect(others).toEqual([]);
    expect(found).toContain(error);
    expect(found).toMatch(/ MiB, at most 4 MiB: an isolate with more runs out of memory; list fewer or larger buckets/);
  });

  test.each([
    ["20 buckets over 40 years", grid(20, 480)],
    ["64 buckets over 20 years", grid(64, 240)],
  ])("%s: valid", (_what, json) => {
    expect(errorsOf(json)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { recipientsOf, repeatedUnlocksText } from "../../../../page/view/unlocks.ts";
import type { UnlockSchedule } from "../../../../src/supply/schedule.ts";
import { unlockEvents } from "../../../../src/supply/unlock-events.ts";
import { cliff, installments, phased, valid } from "../../supply/schedules.ts";

const IN = { decimals: 0, symbol: "XYZ" };

/** Buckets of whole tokens that start on 12 January 2026, each with its phases. */
function scheduleOf(...buckets: Parameters<typeof phased>[0][string][]): UnlockSchedule {
  const named = Object.fromEntries(buckets.map((phases, index) => [`b${index}`, phases]));
  const token = { symbol: "XYZ", name: "Example", decimals: 0 };
  return valid(phased(named, 0, { token, start: "2026-01-12", step_day: 12 }));
}

describe("the recipients of an unlock", () => {
  test("the largest is first, whatever the order of the file, and a cliff is its own bucket's", () => {
    const many = Array.from({ length: 24 }, () => [installments(1_200, 1, 12)]);
    const schedule = scheduleOf(...many, [installments(60, 1, 2), cliff(40_000, 2)]);
    const [event] = unlockEvents(schedule).slice(1);
    if (event === undefined) throw new Error("no second unlock");
    const recipients = recipientsOf(event, schedule.calendar);
    expect(recipients).toHaveLength(25);
    expect(recipients[0]).toEqual({ id: "b24", label: "Bucket b24", amount: 40_030n, isCliff: true });
    expect(recipients.slice(1).every(({ amount, isCliff }) => amount === 100n && !isCliff)).toBe(true);
  });

  test("a single installment is a cliff, whether it is stated in steps or in days", () => {
    for (const stated of [
      { first_month: 2, every_months: 1 },
      { first_day: 59, every_days: 1 },
    ]) {
      const single = { kind: "installments", amount: "9", count: 1, ...stated };
      const schedule = scheduleOf([installments(20, 1, 2)], [single]);
      const [event] = unlockEvents(schedule).slice(1);
      const recipients = event === undefined ? [] : recipientsOf(event, schedule.calendar);
      expect(recipients.map(({ id, isCliff }) => [id, isCliff])).toEqual([
        ["b0", false],
        ["b1", true],
      ]);
    }
  });
});

describe("months with equal amounts are summarized", () => {
  test.each([
    ["every month", [[installments(1_200, 1, 12)]], "100 XYZ on the 12th of each month until January 2027."],
    [
      "a cliff between",
      [[installments(1_200, 1, 12)], [cliff(500, 4)]],
      "100 XYZ on the 12th of each month until April 2026, then 600 on 12 May 2026, then 100 on the 12th of each month until January 2027.",
    ],
    [
      "more than three amounts",
      [[installments(400, 1, 4), installments(400, 5, 2), installments(900, 7, 3), installments(40, 10, 4)]],
      "100 XYZ on the 12th of each month until May 2026, then 200 on 12 Jun 2026, then 200 on 12 Jul 2026, then 300 on the 12th of each month until October 2026, then other amounts.",
    ],
    [
      "a pause between",
      [[cliff(500, 2)], [installments(1_200, 6, 12)]],
      "500 XYZ on 12 Mar 2026, then 100 on the 12th of each month from July 2026 until June 2027.",
    ],
    [
      "a pause before",
      [[installments(1_200, 3, 12)]],
      "100 XYZ on the 12th of each month from April 2026 until March 2027.",
    ],
    ["amounts that differ", [[installments(10, 1, 1), installments(20, 2, 1), installments(30, 3, 1)]], ""],
    ["quarters", [[installments(400, 3, 4, 3)]], ""],
    ["nothing", [[cliff(1, 0)]], ""],
  ])("%s", (_, buckets, text) => {
    expect(
      repeatedUnlocksText(
        unlockEvents(scheduleOf(...buckets)).filter(({ atMs }) => atMs > Date.UTC(2026, 0, 12)),
        IN,
        Date.UTC(2026, 0, 12),
      ),
    ).toBe(text);
  });
});

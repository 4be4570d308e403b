import { describe, expect, test } from "vitest";
import { recipientsOf, sentenceOf } from "../../../page/src/unlocks.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { unlockEvents } from "../../../src/supply/unlock-events.ts";
import { file, valid } from "../supply/schedules.ts";

const IN = { decimals: 0, symbol: "XYZ" };

/** Buckets of whole tokens that start on 12 January 2026, each with its phases. */
function scheduleOf(...buckets: (readonly object[])[]): Schedule {
  const sum = (phases: readonly object[]): number =>
    phases.reduce((all, phase) => all + Number((phase as { amount: string }).amount), 0);
  return valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 0 },
      max_supply: String(buckets.reduce((all, phases) => all + sum(phases), 0)),
      start: "2026-01-12",
      step_day: 12,
      buckets: buckets.map((phases, index) => ({
        id: `b${index}`,
        label: `Bucket ${index}`,
        category: "other",
        allocation: String(sum(phases)),
        genesis: "0",
        phases,
      })),
    }),
  );
}

const monthly = (amount: number, first_month: number, count: number, every_months = 1): object => ({
  kind: "installments",
  amount: String(amount),
  first_month,
  count,
  every_months,
});
const cliff = (amount: number, month: number): object => ({ kind: "cliff", amount: String(amount), month });

describe("the recipients of an unlock", () => {
  test("the largest is first, whatever the order of the file, and a cliff is its own bucket's", () => {
    const many = Array.from({ length: 24 }, () => [monthly(1_200, 1, 12)]);
    const [event] = unlockEvents(scheduleOf(...many, [monthly(60, 1, 1), cliff(40_000, 2)])).slice(1);
    if (event === undefined) throw new Error("no second unlock");
    const recipients = recipientsOf(event);
    expect(recipients).toHaveLength(25);
    expect(recipients[0]).toEqual({ id: "b24", label: "Bucket 24", amount: 40_000n, isCliff: true });
    expect(recipients.slice(1).every(({ amount, isCliff }) => amount === 100n && !isCliff)).toBe(true);
  });
});

describe("months with equal amounts are said once", () => {
  test.each([
    ["every month", [[monthly(1_200, 1, 12)]], "100 XYZ on the 12th of each month until January 2027."],
    [
      "a cliff between",
      [[monthly(1_200, 1, 12)], [cliff(500, 4)]],
      "100 XYZ on the 12th of each month until April 2026, then 600 on 12 May 2026, then 100 on the 12th of each month until January 2027.",
    ],
    [
      "more than three amounts",
      [[monthly(400, 1, 4), monthly(400, 5, 2), monthly(900, 7, 3), monthly(40, 10, 4)]],
      "100 XYZ on the 12th of each month until May 2026, then 200 on 12 Jun 2026, then 200 on 12 Jul 2026, then 300 on the 12th of each month until October 2026, then other amounts.",
    ],
    [
      "a pause between",
      [[cliff(500, 2)], [monthly(1_200, 6, 12)]],
      "500 XYZ on 12 Mar 2026, then 100 on the 12th of each month from July 2026 until June 2027.",
    ],
    [
      "a pause before",
      [[monthly(1_200, 3, 12)]],
      "100 XYZ on the 12th of each month from April 2026 until March 2027.",
    ],
    ["amounts that differ", [[monthly(10, 1, 1), monthly(20, 2, 1), monthly(30, 3, 1)]], ""],
    ["quarters", [[monthly(400, 3, 4, 3)]], ""],
    ["nothing", [[cliff(1, 0)]], ""],
  ])("%s", (_, buckets, text) => {
    expect(
      sentenceOf(
        unlockEvents(scheduleOf(...buckets)).filter(({ atMs }) => atMs > Date.UTC(2026, 0, 12)),
        IN,
        Date.UTC(2026, 0, 12),
      ),
    ).toBe(text);
  });
});

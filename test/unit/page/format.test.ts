import { describe, expect, test } from "vitest";
import { dayOf, duration, percent, timeLeft, wholeTokens } from "../../../page/src/format.ts";
import { sorted } from "../../../page/src/sorting.ts";

test.each([
  ["0", "0"],
  ["999", "999"],
  ["1000", "1,000"],
  ["672869584.99999999", "672,869,584"],
  ["9007199254740993", "9,007,199,254,740,993"],
])("%s tokens are formatted as %s", (decimal, text) => {
  expect(wholeTokens(decimal)).toBe(text);
});

test.each([
  [-1, "now"],
  [0, "now"],
  [59, "in less than a minute"],
  [60, "in 1 minute"],
  [7_199, "in 119 minutes"],
  [86_400 * 2 - 1, "in 47 hours"],
  [86_400 * 21 + 3_600, "in 21 days"],
])("%i remaining seconds are formatted as %s", (seconds, text) => {
  expect(timeLeft(seconds)).toBe(text);
});

test.each([
  [0, "0 seconds"],
  [61, "1 minute"],
  [7_200, "2 hours"],
  [86_400 * 14, "14 days"],
])("a duration of %i seconds is formatted as %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test("a day is formatted in UTC in every time zone", () => {
  expect(dayOf("2026-12-12T00:00:00Z")).toBe("12 Dec 2026");
});

test("an unknown rate is a dash, never zero", () => {
  expect([percent(null), percent(0), percent(5.25)]).toEqual(["–", "0.00 %", "5.25 %"]);
});

describe("sorting", () => {
  const items = [{ apy: 2 }, { apy: null }, { apy: 10 }, { apy: 1 }];
  test.each([
    [false, [1, 2, 10, null]],
    [true, [10, 2, 1, null]],
  ])("descending %s puts unknown values last", (descending, order) => {
    expect(sorted(items, ({ apy }) => apy, descending).map(({ apy }) => apy)).toEqual(order);
  });
});

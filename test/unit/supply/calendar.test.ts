import { describe, expect, test } from "vitest";
import { daysBetween, monthEndMs, stepIndexAt, stepMs } from "../../../src/supply/calendar.ts";
import { parseDay } from "../../../src/utc.ts";
import { calendar, monthAfter, stepIndexFrom, stepIndexOfMonth } from "../../../tools/schedule/calendar.ts";

const ms = (text: string): number => Date.parse(text);
const steps = calendar(ms("2025-02-13"), 1);

test.each([
  ["2025-02-13", 1, ["2025-02-13", "2025-03-01", "2025-04-01"]],
  ["2025-02-13", 14, ["2025-02-13", "2025-02-14", "2025-03-14"]],
  ["2025-02-13", 13, ["2025-02-13", "2025-03-13", "2025-04-13"]],
  ["2025-02-01", 1, ["2025-02-01", "2025-03-01", "2025-04-01"]],
  ["2025-11-30", 28, ["2025-11-30", "2025-12-28", "2026-01-28"]],
])("a start at %s with step day %i has the steps %j", (start, stepDay, expected) => {
  const dated = calendar(ms(start), stepDay);
  expect([0, 1, 2].map((index) => stepMs(dated, index))).toEqual(expected.map(ms));
});

test.each([
  ["2025-02-12T23:59:59.999Z", -1, 0],
  ["2025-02-13T00:00:00.000Z", 0, 0],
  ["2025-02-13T00:00:00.001Z", 0, 1],
  ["2025-02-28T23:59:59.999Z", 0, 1],
  ["2025-03-01T00:00:00.000Z", 1, 1],
  ["2025-03-01T00:00:00.001Z", 1, 2],
  ["2026-02-28T00:00:00.000Z", 12, 13],
])("at %s step %i is in force, and step %i is the next or the same", (instant, at, from) => {
  expect([stepIndexAt(steps, ms(instant)), stepIndexFrom(steps, ms(instant))]).toEqual([at, from]);
});

test.each([
  ["2025-01", -1],
  ["2025-02", 0],
  ["2025-03", 1],
  ["2026-01", 11],
  ["2025-13", -1],
  ["march", -1],
])("the last step in %s is %i", (month, index) => {
  expect(stepIndexOfMonth(steps, month)).toBe(index);
});

describe("dates", () => {
  test.each([
    ["2024-02-29", "2024-02-29T00:00:00Z"],
    ["2025-02-29", null],
    ["2025-04-31", null],
    ["0999-01-01", null],
    ["2025-4-1", null],
  ])("the day %s is %s", (text, instant) => {
    expect(parseDay(text)).toBe(instant === null ? undefined : ms(instant));
  });

  test.each([
    ["2024-02", "2024-02-29T23:59:59.999Z", "2024-03"],
    ["2025-12", "2025-12-31T23:59:59.999Z", "2026-01"],
  ])("the month %s ends at %s, before %s", (month, end, next) => {
    expect([monthEndMs(month), monthAfter(month)]).toEqual([ms(end), next]);
  });

  test("whole days are counted", () => {
    expect(daysBetween(0, 86_399_999)).toBe(0);
    expect(daysBetween(0, 86_400_000)).toBe(1);
  });
});

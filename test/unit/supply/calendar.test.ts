import { describe, expect, test } from "vitest";
import { calendar, monthAfter, stepIndexOfMonth } from "../../../shared/calendar.ts";
import { daysBetween, monthEndMs } from "../../../src/supply/calendar.ts";
import { parseDay } from "../../../src/utc.ts";

const ms = (text: string): number => Date.parse(text);
const steps = calendar(ms("2025-02-13"), 1);

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

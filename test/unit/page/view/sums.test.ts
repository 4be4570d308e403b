import { expect, test } from "vitest";
import { chainSum, unlockedSum } from "../../../../page/view/sums.ts";
import { allocationsView } from "../../../../src/supply/allocations.ts";
import { stepAt } from "../../../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../../../src/supply/schedule.ts";
import native from "../../../fixtures/schedule/native.json" with { type: "json" };
import { valid } from "../../supply/schedules.ts";

const SCHEDULE = valid(native) as UnlockSchedule; // the fixture has allocations
const sumAt = (nowMs: number): string => unlockedSum(allocationsView(SCHEDULE, stepAt(SCHEDULE, nowMs)));
/** Base units of an amount with every decimal. */
const unitsOf = (text: string): bigint => BigInt(text.replaceAll(/[.,]/g, ""));

test("at every step the parts add up to what circulates, to the base unit", () => {
  for (let step = stepAt(SCHEDULE, SCHEDULE.calendar.startMs); step !== undefined; ) {
    const text = sumAt(step.effectiveFromMs);
    const [, parts = "", total = ""] = /^(.+) = ([\d,.]+) \w+, in force since \d+ \w+ \d{4}$/.exec(text) ?? [];
    const units = parts.split(" + ").map((part) => unitsOf(part.replace(/ \(.+\)$/, "")));
    expect(units.reduce((sum, part) => sum + part, 0n)).toBe(step.circulating);
    expect(unitsOf(total)).toBe(step.circulating);
    step = step.nextStepMs === null ? undefined : stepAt(SCHEDULE, step.nextStepMs);
  }
});

test("before the start there is no sum", () => {
  expect(sumAt(SCHEDULE.calendar.startMs - 1)).toBe("nothing, before the schedule's start");
});

test.each([
  ["no constants", [], "listed wallets"],
  ["burned constants, which are in no total", [{ category: "burn" }], "listed wallets"],
  ["constants that are held", [{ category: "burn" }, { category: "other" }], "listed wallets and constants"],
])("a reading with %s is a subtraction with its time", (_, constants, subtrahend) => {
  const amount = (base_units: string) => ({ base_units });
  const body = {
    token: { symbol: "XYZ", name: "Example", decimals: 2 },
    as_of: "2026-11-28T11:29:00Z",
    total_supply: amount("100001"),
    non_circulating_supply: amount("40001"),
    circulating_supply_on_chain: amount("60000"),
    constants,
  };
  expect(chainSum(body)).toBe(`1,000.01 (total) − 400.01 (${subtrahend}) = 600.00 XYZ, read on 28 Nov 2026, 11:29 UTC`);
});

import { expect, test } from "vitest";
import { daysBetween } from "../../../src/supply/calendar.ts";
import { allSteps } from "../../../src/supply/circulating.ts";
import { bucket, file, valid } from "./schedules.ts";

/** Open Cap Format, AllocationType: 18 shares over 4 tranches under each of its rounding policies but FRACTIONAL. */
const ROUNDING_VECTORS = {
  CUMULATIVE_ROUNDING: [5, 4, 5, 4],
  CUMULATIVE_ROUND_DOWN: [4, 5, 4, 5],
  FRONT_LOADED: [5, 5, 4, 4],
  BACK_LOADED: [4, 4, 5, 5],
  FRONT_LOADED_TO_SINGLE_TRANCHE: [6, 4, 4, 4],
  BACK_LOADED_TO_SINGLE_TRANCHE: [4, 4, 4, 6],
};

test.each([
  ["by months", { first_month: 1, count: 4, every_months: 1 }],
  ["by days", { first_day: 10, count: 4, every_days: 30 }],
])("installments %s are rounded down cumulatively", (_what, rhythm) => {
  const phases = [{ kind: "installments", amount: "18", ...rhythm }];
  const token = { symbol: "X", name: "X", decimals: 0 };
  const json = file({ max_supply: "18", token, buckets: [bucket({ allocation: "18", genesis: "0", phases })] });
  const sums = allSteps(valid(json)).map(({ circulating }) => Number(circulating));
  const tranches = sums.slice(1).map((sum, index) => sum - (sums[index] ?? 0));
  const policies = Object.entries(ROUNDING_VECTORS).filter(([, vector]) => String(vector) === String(tranches));
  expect(policies.map(([name]) => name)).toEqual(["CUMULATIVE_ROUND_DOWN"]);
});

test("whole days are counted", () => {
  expect([daysBetween(0, 86_399_999), daysBetween(0, 86_400_000)]).toEqual([0, 1]);
});

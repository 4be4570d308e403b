import { describe, expect, test } from "vitest";
import { wholeTokens } from "../../../src/chain/amount.ts";
import { rows, stepAt, stepOf } from "../../../src/supply/circulating.ts";
import { instantText } from "../../../src/utc.ts";
import native from "../../fixtures/schedule/native.json" with { type: "json" };
import { BURN, bucket, file, onePhase, table, valid } from "./schedules.ts";

const at = (json: unknown, instant: string) => stepAt(valid(json), Date.parse(instant));

describe("the bundled schedule gives the published figures", () => {
  test.each([
    [0, "2022-10-12T00:00:00Z", "130000000"],
    [1, "2022-11-12T00:00:00Z", "134543477"],
    [12, "2023-10-12T00:00:00Z", "184521735"],
    [13, "2023-11-12T00:00:00Z", "209364128"],
    [18, "2024-04-12T00:00:00Z", "333576094"],
    [19, "2024-05-12T00:00:00Z", "344885877"],
    [48, "2026-10-12T00:00:00Z", "672869584"],
    [120, "2032-10-12T00:00:00Z", "1000000000"],
  ])("step %i, from %s, is %s whole tokens", (index, from, tokens) => {
    const current = stepOf(valid(native), index);
    expect([instantText(current.effectiveFromMs), wholeTokens(current.circulating, 8)]).toEqual([from, tokens]);
  });

  test("to the base unit at step 1, and everything is unlocked at the end", () => {
    expect(stepOf(valid(native), 1).circulating).toBe(13_454_347_799_805_833n);
    expect(rows(valid(native)).at(-1)).toMatchObject({ index: 120, circulating: 10n ** 17n, nextStepMs: null });
  });
});

describe("steps are at midnight UTC on the step day", () => {
  const steps = onePhase({ kind: "installments", first_month: 1, count: 100, every_months: 1 });
  test.each([
    ["2025-02-12T23:59:59.999Z", undefined],
    ["2025-02-13T00:00:00.000Z", 0],
    ["2025-02-28T23:59:59.999Z", 0],
    ["2025-03-01T00:00:00.000Z", 1],
    ["2025-12-31T23:59:59.999Z", 10],
    ["2026-01-01T00:00:00.000Z", 11],
    ["2028-02-29T23:59:59.999Z", 36],
    ["2028-03-01T00:00:00.000Z", 37],
    ["2099-01-01T00:00:00.000Z", 100],
  ])("%s is step %s", (instant, index) => {
    expect(at(steps, instant)?.index).toBe(index);
  });

  test.each([
    ["on the step day", "2025-02-13", 13, "2025-03-13"],
    ["after it", "2025-02-14", 13, "2025-03-13"],
    ["before it", "2025-02-12", 13, "2025-02-13"],
    ["on the last day of a leap February", "2024-02-29", 28, "2024-03-28"],
    ["at the end of a year", "2024-12-31", 1, "2025-01-01"],
  ])("a start %s steps first on the next step day", (_what, start, stepDay, first) => {
    const schedule = valid({ ...steps, start, step_day: stepDay });
    expect(instantText(stepOf(schedule, 0).effectiveFromMs)).toBe(`${start}T00:00:00Z`);
    expect(instantText(stepOf(schedule, 1).effectiveFromMs)).toBe(`${first}T00:00:00Z`);
  });
});

describe("phases", () => {
  const figures = (json: unknown) => rows(valid(json)).map(({ circulating }) => String(circulating / 100_000_000n));
  test("a cliff unlocks at its step", () => {
    expect(figures(onePhase({ kind: "cliff", month: 3 }))).toEqual(["0", "0", "0", "1000"]);
  });
  test("installments by months", () => {
    const phase = { kind: "installments", first_month: 0, count: 3, every_months: 2 };
    expect(figures(onePhase(phase))).toEqual(["333", "333", "666", "666", "1000"]);
  });
  test("installments by days count from the next step", () => {
    // Days 20 and 40 after 13 February are 5 and 25 March; both count from 1 April.
    const phase = { kind: "installments", first_day: 20, count: 2, every_days: 20 };
    expect(figures(onePhase(phase))).toEqual(["0", "0", "1000"]);
    expect(figures(onePhase(phase, { step_day: 6 }))).toEqual(["0", "500", "1000"]);
  });
  test("a linear phase unlocks by whole days, counted at each step", () => {
    const phase = { kind: "linear", from: "2025-02-19", to: "2025-04-10" };
    // 10 and 41 of 50 days.
    expect(figures(onePhase(phase))).toEqual(["0", "200", "820", "1000"]);
  });
  test("a bucket that never unlocks does not end the schedule", () => {
    expect(figures(onePhase({ kind: "never" }))).toEqual(["0"]);
  });
  test("a table has the figure of each month", () => {
    const json = table(["2025-02", "1.5"], ["2025-03", "2"]);
    expect(rows(valid(json)).map(({ circulating }) => circulating)).toEqual([150_000_000n, 200_000_000n]);
  });
});

test("an adjustment applies from its month's step on, even after the last unlock", () => {
  const adjusted = file({ adjustments: [{ ...BURN, delta: "-1.5", month: "2025-04" }] });
  expect(rows(valid(adjusted)).map(({ circulating }) => circulating)).toEqual([
    100_000_000_000n,
    100_000_000_000n,
    99_850_000_000n,
  ]);
  const atStart = file({ adjustments: [{ ...BURN, delta: "-1.5", month: "2025-02" }] });
  expect(rows(valid(atStart)).map(({ circulating }) => circulating)).toEqual([99_850_000_000n]);
});

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
  const sums = rows(valid(json)).map(({ circulating }) => Number(circulating));
  const tranches = sums.slice(1).map((sum, index) => sum - (sums[index] ?? 0));
  const policies = Object.entries(ROUNDING_VECTORS).filter(([, vector]) => String(vector) === String(tranches));
  expect(policies.map(([name]) => name)).toEqual(["CUMULATIVE_ROUND_DOWN"]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenText } from "../../../../src/chain/amount.ts";
import { allSteps } from "../../../../src/supply/circulating.ts";
import type { Emissions, Rule } from "../../../../tools/schedule/emissions/driver.ts";
import { unlocksOfEmissions } from "../../../../tools/schedule/emissions/unlocks.ts";
import { NEVER_MS, planOf } from "../../../../tools/schedule/plan/unlocks.ts";
import { file, valid } from "../../supply/schedules.ts";

const DAY_S = 86_400;
const MEAN_MONTH_S = 2_629_743;
/** Their mean months are up to three days from the calendar's; an instant is taken as its UTC day. */
const MOST_DRIFT_S = 4 * DAY_S;

/** Amount that a rule has unlocked by an instant, as DefiLlama's adapters define it. */
function unlockedBy(rule: Rule, seconds: number): number {
  const passed = seconds - rule.start;
  if (passed < 0) return 0;
  if (rule.type === "cliff") return rule.amount;
  if (rule.type === "linear") return rule.amount * Math.min(1, passed / Math.max(1, rule.end - rule.start));
  return rule.amount * Math.min(rule.steps, Math.floor(passed / rule.stepDuration));
}

const start = fc.integer({ min: Date.UTC(2021, 0) / 1000, max: Date.UTC(2026, 0) / 1000 });
const amount = fc.integer({ min: 1, max: 10_000_000 });
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ type: fc.constant("cliff" as const), start, amount }),
  fc.record({ start, days: fc.integer({ min: 1, max: 2_000 }), amount }).map(({ start: from, days, amount: all }) => ({
    type: "linear" as const,
    start: from,
    end: from + days * DAY_S,
    amount: all,
  })),
  fc.record({
    type: fc.constant("step" as const),
    start,
    stepDuration: fc.constantFrom(MEAN_MONTH_S, 3 * MEAN_MONTH_S, 31_556_926, 7 * DAY_S, 30 * DAY_S),
    steps: fc.integer({ min: 1, max: 60 }),
    amount,
  }),
);

const sectionOf = (rules: readonly Rule[]): Emissions => ({
  sections: [{ name: "A", rules, undated: [] }],
  total: undefined,
  categories: { noncirculating: ["A"] },
  incomplete: [],
});
const unlocksOf = (rules: readonly Rule[], noncirculating: "locked" | "counted") =>
  unlocksOfEmissions(sectionOf(rules), { name: "x.ts", decimals: 8, maxSupply: 1n, noncirculating, setAside: [] })
    .unlocks;

test("of a section that never circulates what is taken back keeps its day, and only what unlocks becomes never", () => {
  const cliff = fc.record({
    type: fc.constant("cliff" as const),
    start: fc.integer({ min: 19_000, max: 21_000 }).map((day) => day * DAY_S),
    amount: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((tokens) => tokens !== 0),
  });
  fc.assert(
    fc.property(fc.array(cliff, { minLength: 1, maxLength: 10 }), (cliffs) => {
      const found = unlocksOf(cliffs, "locked").map(({ fromMs, units }) => [fromMs, units]);
      expect(found).toEqual(
        cliffs.map(({ start: day, amount: tokens }) => [
          tokens < 0 ? day * 1_000 : NEVER_MS,
          BigInt(tokens) * 100_000_000n,
        ]),
      );
    }),
  );
});

test("the parts of an amount are that amount to the unit, however their doubles round", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 2, maxLength: 12 });
  let differed = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), weights, fc.boolean(), (tokens, parts, isLocked) => {
      const all = parts.reduce((sum, each) => sum + each, 0);
      const rules = parts.map((each) => ({
        type: "cliff" as const,
        start: 20_000 * DAY_S,
        amount: (tokens * each) / all,
      }));
      const summed = rules.reduce((sum, { amount: part }) => sum + part, 0);
      // Doubles whose own sum is another number do not say the amount.
      fc.pre(Math.abs(summed - tokens) <= 1e-15 * tokens);
      // Parts of few digits are meant as they stand.
      fc.pre(rules.some(({ amount: part }) => String(part).replace(/\D/g, "").length > 16));
      const cut = rules.reduce((sum, { amount: part }) => sum + BigInt(Math.floor(part * 1e8)), 0n);
      if (cut !== BigInt(tokens) * 100_000_000n) differed += 1;
      const found = unlocksOf(rules, isLocked ? "locked" : "counted");
      expect(found.reduce((sum, { units }) => sum + units, 0n)).toBe(BigInt(tokens) * 100_000_000n);
    }),
  );
  expect(differed, "parts that are cut do add up to another amount").toBeGreaterThan(0);
});

test("every figure is theirs at its step, within the days that their mean months differ", () => {
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 20 }), (rules) => {
      const emissions: Emissions = {
        sections: [{ name: "A", rules, undated: [] }],
        total: undefined,
        categories: {},
        incomplete: [],
      };
      const choices = { name: "x.ts", decimals: 8, maxSupply: 1n, noncirculating: undefined, setAside: [] };
      const text = (units: bigint): string => tokenText(units, 8);
      const { unlocks } = unlocksOfEmissions(emissions, choices);
      const plan = planOf(unlocks, { startMs: undefined, stepDay: undefined, text });
      const { start: first, stepDay, buckets, unlocking } = plan;
      const schedule = valid(file({ max_supply: text(unlocking), start: first, step_day: stepDay, buckets }));
      const at = (seconds: number): number => rules.reduce((sum, each) => sum + unlockedBy(each, seconds), 0);
      for (const { circulating, effectiveFromMs } of allSteps(schedule)) {
        const [ours, seconds] = [Number(circulating) / 1e8, effectiveFromMs / 1000];
        const day = new Date(effectiveFromMs).toISOString();
        expect(ours, day).toBeGreaterThanOrEqual(at(seconds - MOST_DRIFT_S) * (1 - 1e-9) - 1e-6);
        expect(ours, day).toBeLessThanOrEqual(at(seconds + MOST_DRIFT_S) * (1 + 1e-9) + 1e-6);
      }
      expect(Number(unlocking) / 1e8).toBeCloseTo(at(Number.MAX_SAFE_INTEGER), 4);
    }),
    { numRuns: 150 },
  );
});

import { expect, test } from "vitest";
import { FULL_LOAD, type LoadPlan, type LoadReport, simulateLoad } from "../../../support/simulated-load/simulate.ts";

/** A small part of the load for which the objects are made: `npm run bench -- --only simulation` runs all of it. */
const PART: LoadPlan = {
  ...FULL_LOAD,
  isolates: 200,
  dataCentres: 10,
  demand: { ...FULL_LOAD.demand, requestsPerSecond: 4_000 },
  warmUpSeconds: 1,
  seconds: 1,
};

const loadOf = (plan: Partial<LoadPlan>): Promise<LoadReport> => simulateLoad({ ...PART, ...plan });

test("ten times the isolates cause no more calls to any object", async () => {
  const [few, many] = [await loadOf({}), await loadOf({ isolates: 2_000 })];
  expect(many.busiestShield).toBeLessThan(1.25 * few.busiestShield);
  expect(many.home).toBeLessThan(5);
});

test("control: ten times the data centres, each with its own cache, cause more", async () => {
  const [few, many] = [await loadOf({}), await loadOf({ dataCentres: 100 })];
  expect(many.busiestShield).toBeGreaterThan(1.5 * few.busiestShield);
});

test("four times the hits of one key cause less than twice the calls to its object", async () => {
  const demand = { ...PART.demand, figureShare: 0, newShare: 0, tipKeys: 1, tipShare: 0.2 };
  const [once, often] = [await loadOf({ demand }), await loadOf({ demand: { ...demand, tipShare: 0.8 } })];
  expect(often.hitShare).toBeGreaterThan(0.98);
  expect(often.busiestShield).toBeLessThan(2 * once.busiestShield);
});

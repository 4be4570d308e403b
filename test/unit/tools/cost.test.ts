import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLoad } from "../../../tools/cost/arguments.ts";
import { costOf, DEFAULT_LOAD, limiterUse, usualLoad } from "../../../tools/cost/model.ts";
import { PRICES_READ_ON, priceWarning } from "../../../tools/cost/prices.ts";
import { costTable } from "../../../tools/cost.ts";

const loads = fc.record({
  requests: fc.double({ min: 0, max: 1e11, noNaN: true }),
  nodeShare: fc.double({ min: 0, max: 1, noNaN: true }),
  onChainShare: fc.double({ min: 0, max: 1, noNaN: true }),
  hitRate: fc.double({ min: 0, max: 1, noNaN: true }),
  regions: fc.integer({ min: 1, max: 10 }),
  shards: fc.integer({ min: 1, max: 64 }),
  shields: fc.integer({ min: 1, max: 64 }),
  metricsRate: fc.constant(0),
  logRate: fc.constant(0),
  traceRate: fc.constant(0),
});

test("no load costs the plan only", () => {
  expect(costOf({ ...DEFAULT_LOAD, requests: 0 }).total).toBe(5);
});

test("a bill computed by hand: 100 million requests of the schedule's figures on one busy object", () => {
  const load = { ...DEFAULT_LOAD, nodeShare: 0, onChainShare: 0, regions: 1, metricsRate: 0, logRate: 0 };
  const { lines, total } = costOf(load);
  expect(lines.workerRequests.dollars).toBeCloseTo(27, 10);
  expect(lines.workerCpu.dollars).toBeCloseTo(0.4, 10);
  expect(lines.objectRequests.dollars).toBeCloseTo(14.85, 10);
  // 38 a second: a timer is pending for 37/38 of 2,630,016 s, and a third of the rest is work. Within the 400,000 GB-s.
  expect(lines.objectDuration).toEqual({ amount: expect.closeTo(331_139, -2), dollars: 0 });
  expect(total).toBeCloseTo(47.25, 10);
});

// Computed from the platform's price pages independently of this model, for 60 % /api (30 % of it from the chain) and
// 40 % /v1, four regions, one limiter and 24 shield objects each, one trace in a hundred requests.
test.each([
  [10e6, 0.3, { total: 8.82, workers: 0, calls: 2.98, duration: 0.83, rows: 0 }],
  [100e6, 0.6, { total: 89.24, workers: 27.4, calls: 24.47, duration: 32.37, rows: 0 }],
  [1e9, 0.85, { total: 596.88, workers: 306.4, calls: 186.14, duration: 93.61, rows: 5.73 }],
])("%d requests a month are within 5 %% of a second computation", (requests, hitRate, expected) => {
  const usual = usualLoad(requests, 0.4);
  expect([usual.hitRate, usual.shards]).toEqual([hitRate, 1]);
  const { total, lines } = costOf({ ...usual, shields: 24, traceRate: 0.01 });
  expect(Math.abs(total / expected.total - 1)).toBeLessThan(0.05);
  const found = {
    workers: lines.workerRequests.dollars + lines.workerCpu.dollars,
    calls: lines.objectRequests.dollars,
    duration: lines.objectDuration.dollars,
    rows: lines.rowsWritten.dollars,
  };
  for (const [line, dollars] of Object.entries(found)) {
    const other = expected[line as keyof typeof found];
    expect([line, Math.abs(dollars - other) <= Math.max(1, other / 10)]).toEqual([line, true]);
  }
});

describe("a limiter object", () => {
  test.each([
    [0.5, 0.1],
    [1, 0.28],
    [2, 0.54],
    [100, 1],
  ])("at %d admissions a second is awake for a share of %d", (rate, share) => {
    expect(limiterUse(rate).awake).toBeCloseTo(share, 2);
  });
});

// More objects may cost less: an object has fewer admissions per second, so its timer is pending less often.
test("more requests or misses never cost less", () => {
  fc.assert(
    fc.property(loads, (load) => {
      const { total } = costOf(load);
      const more = [{ requests: load.requests * 2 }, { hitRate: load.hitRate / 2 }];
      for (const change of more) expect(costOf({ ...load, ...change }).total).toBeGreaterThanOrEqual(total - 1e-6);
    }),
  );
});

test("the goals are met: $60 for 100 million of the schedule's figures, $0.48 a million at scale", () => {
  const goals = { nodeShare: 0, onChainShare: 0, metricsRate: 0 };
  expect(costOf({ ...DEFAULT_LOAD, ...goals }).total).toBeLessThanOrEqual(60);
  expect(costOf({ ...DEFAULT_LOAD, ...goals, requests: 10e9, shards: 4 }).perMillion).toBeLessThanOrEqual(0.48);
});

test("logs and traces are billed together, by volume: a line per request of ten billion costs about $2,700", () => {
  const of = (change: object) => costOf({ ...DEFAULT_LOAD, requests: 10e9, logRate: 0, ...change }).total;
  expect(of({ logRate: 1 }) - of({})).toBeCloseTo(2_716, -1);
  expect(of({ traceRate: 0.01 }) - of({})).toBeCloseTo(123, -1);
});

test("docs/cost.md has the table that the program prints", () => {
  // A Markdown formatter may align the columns.
  const squeezed = (text: string) => text.replace(/-+/g, "-").replace(/ +/g, " ");
  expect(squeezed(readFileSync("docs/cost.md", "utf8"))).toContain(squeezed(costTable()));
});

test("prices that were read more than 90 days ago come with a warning", () => {
  const days = (count: number) => Date.parse(PRICES_READ_ON) + count * 86_400_000;
  expect(priceWarning(days(90))).toBeNull();
  expect(priceWarning(days(91))).toContain(`were read 91 days ago (${PRICES_READ_ON})`);
});

describe("the command line", () => {
  test("accepts a load", () => {
    const words =
      "--requests 1e6 --mix api:0.25,v1:0.75 --on-chain 0.1 --hit 0.5 --regions 2 --shards 3 --shields 4 --traces 0.01";
    expect(parseLoad(words.split(" "))).toMatchObject({
      ...{ requests: 1e6, nodeShare: 0.75, onChainShare: 0.1, hitRate: 0.5, regions: 2, shards: 3, shields: 4 },
      traceRate: 0.01,
    });
  });

  test("takes the hit rate and the shards that are usual for the load, unless they are given", () => {
    expect(parseLoad(["--requests", "1e9"])).toEqual(usualLoad(1e9, 0.4));
    expect(parseLoad(["--requests", "10e9", "--mix", "api:1"])).toMatchObject({ hitRate: 0.95, shards: 4 });
  });

  test.each([
    [["--requests", "many"], "--requests takes a number from 0 to"],
    [["--requests", ""], "--requests takes a number"],
    [["--hit", "1.1"], "--hit takes a number from 0 to 1"],
    [["--mix", "api:0.5"], "--mix takes shares of api and v1 that add up to 1"],
    [["--mix", "api:1,v2:0"], "--mix takes shares"],
    [["--colour", "red"], "Unknown option '--colour'"],
  ])("%j is refused: %s", (words, problem) => {
    expect(() => parseLoad(words)).toThrow(problem);
  });
});

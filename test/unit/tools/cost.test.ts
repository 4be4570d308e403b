import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLoad } from "../../../tools/cost/arguments.ts";
import { costOf, DEFAULT_LOAD, PER_REQUEST } from "../../../tools/cost/model.ts";
import { costTable } from "../../../tools/cost.ts";

const loads = fc.record({
  requests: fc.double({ min: 0, max: 1e11, noNaN: true }),
  nodeShare: fc.double({ min: 0, max: 1, noNaN: true }),
  hitRate: fc.double({ min: 0, max: 1, noNaN: true }),
  regions: fc.integer({ min: 1, max: 10 }),
  shards: fc.integer({ min: 1, max: 64 }),
  metricsRate: fc.constant(0),
  logRate: fc.constant(0),
});

test("no load costs the plan only", () => {
  expect(costOf({ ...DEFAULT_LOAD, requests: 0 }).total).toBe(5);
});

test("a bill computed by hand: 100 million /api requests on one busy object", () => {
  const { lines, total } = costOf({ ...DEFAULT_LOAD, regions: 1, metricsRate: 0, logRate: 0 });
  expect(lines.workerRequests.dollars).toBeCloseTo(27, 10);
  expect(lines.workerCpu.dollars).toBeCloseTo(0.4, 10);
  expect(lines.objectRequests.dollars).toBeCloseTo(14.85, 10);
  // The object is active all month, 2,630,016 s of 0.128 GB: less than the included 400,000 GB-s.
  expect(lines.objectDuration).toEqual({ amount: expect.closeTo(336_642, 0), dollars: 0 });
  expect(total).toBeCloseTo(47.25, 10);
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

test("the goals are met: $60 for 100 million, $0.48 a million at scale", () => {
  expect(costOf(DEFAULT_LOAD).total).toBeLessThanOrEqual(60);
  expect(costOf({ ...DEFAULT_LOAD, requests: 10e9, shards: 4, metricsRate: 0 }).perMillion).toBeLessThanOrEqual(0.48);
});

test("docs/cost.md has the table that the program prints", () => {
  // A Markdown formatter may align the columns.
  const squeezed = (text: string) => text.replace(/-+/g, "-").replace(/ +/g, " ");
  expect(squeezed(readFileSync("docs/cost.md", "utf8"))).toContain(squeezed(costTable()));
});

test("the model uses the benchmark's figures", () => {
  const results = readFileSync("bench/results.md", "utf8");
  const [, rows] = /([\d.]+) rows written per 1,000 admitted/.exec(results) ?? [];
  const [, questions] = /([\d.]+) questions to an object per 1,000 refused/.exec(results) ?? [];
  const [, cpuMicros = ""] = /\| `\/api\/circulating-supply` \| (\d+) µs \|/.exec(results) ?? [];
  // One row a second at any rate: thousands of admissions share it.
  expect(Number(rows) / 1000).toBeLessThan(PER_REQUEST.rowsPerObjectSecond);
  expect(Number(questions) / 1000).toBeLessThan(0.01);
  expect(Number.parseInt(cpuMicros, 10) / 1000).toBeLessThanOrEqual(PER_REQUEST.cpuMs);
});

describe("the command line", () => {
  test("accepts a load", () => {
    const words = ["--requests", "1e6", "--mix", "api:0.25,v1:0.75", "--hit", "0.5", "--regions", "2", "--shards", "3"];
    expect(parseLoad(words)).toMatchObject({ requests: 1e6, nodeShare: 0.75, hitRate: 0.5, regions: 2, shards: 3 });
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

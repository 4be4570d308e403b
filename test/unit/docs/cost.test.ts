import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { costDocument, FREE_REQUESTS, measuredMilliseconds } from "../../../bench/cost.ts";
import { ASSUMED, CALLS } from "../../../bench/lib/cost-model.ts";
import { sharedValueWorld } from "../swr/shared-value-world.ts";

const RESULTS = readFileSync("bench/results.md", "utf8");

test("docs/cost.md is what its script prints (node bench/cost.ts > docs/cost.md)", () => {
  expect(readFileSync("docs/cost.md", "utf8")).toBe(costDocument(RESULTS));
});

test("operations.md calls a day bad from the request on after which the free plan has no object calls left", () => {
  const [row = ""] = /^\| `requests-a-day\.sql`.*$/m.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
  expect(row).toContain(`on the free plan above ${FREE_REQUESTS} `);
});

/** Calls of objects by a request of this kind in the section "Distance": from the isolate, and between objects. */
function measuredCalls(kind: string): number[][] {
  const rows = [...RESULTS.matchAll(new RegExp(`^\\| \\d+ \\| (?:quiet|busy) \\| ${kind} \\|(.*)\\|$`, "gm"))];
  return rows.map(([, cells = ""]) => cells.split("|").map(Number).slice(4, 6));
}

test("the calls of a request are those that the benchmark has counted", () => {
  const { limiter, shield, note } = CALLS;
  const counted = ["`/api` from the schedule", "immutable hit", "immutable miss", "tip miss, moving chain"].map(
    measuredCalls,
  );
  const [schedule, hit, miss, tipMiss] = counted;
  for (const rows of counted) expect(rows.length).toBeGreaterThan(4);
  for (const calls of [...(schedule ?? []), ...(hit ?? [])]) expect(calls).toEqual([limiter, 0]);
  for (const [isolate] of [...(miss ?? []), ...(tipMiss ?? [])]) expect(isolate).toBe(limiter + shield);
  // Beside the note: the shield's own calls of the home object, which end with the load.
  for (const [, between] of tipMiss ?? []) expect(between).toBeGreaterThanOrEqual(note);
  for (const [, between] of miss ?? []) expect(between).toBeLessThan(note);
});

test("the assumed processor time is more than any that the benchmark measures", () => {
  const [least, most] = measuredMilliseconds(RESULTS);
  expect(least).toBeGreaterThan(0.1);
  expect(ASSUMED.cpuMs).toBeGreaterThan(most);
});

test("a figure that is polled once a minute calls its object as often as is assumed", async () => {
  const { isolate, world } = sharedValueWorld();
  const { at, settle } = isolate();
  await at(0);
  world.asked = [];
  for (const second of [60, 120, 180]) await at(second).then(settle);
  expect(world.asked.length).toBe(3 * CALLS.renewal);
});

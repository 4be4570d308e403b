import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stepAt } from "../../../src/supply/circulating.ts";
import { lifetimeAt, ReplyCache } from "../../../src/supply/reply-cache.ts";
import { onePhase, valid } from "./schedules.ts";

/** Starts on 13 February 2025; steps on the first of the months until November. */
const schedule = valid(onePhase({ kind: "installments", first_month: 1, count: 9, every_months: 1 }));
const START_MS = Date.parse("2025-02-13");
const LAST_STEP_MS = Date.parse("2025-11-01");
const at = (nowMs: number) => lifetimeAt(stepAt(schedule, nowMs), nowMs, schedule);

describe("a lifetime", () => {
  test.each([
    ["2025-02-01T00:00:00.000Z", 300],
    ["2025-02-12T23:59:50.000Z", 10],
    ["2025-02-13T00:00:00.000Z", 300],
    ["2025-02-28T23:55:00.000Z", 300],
    ["2025-02-28T23:55:00.001Z", 299],
    ["2025-02-28T23:59:59.999Z", 0],
    ["2025-03-01T00:00:00.000Z", 300],
    ["2026-01-01T00:00:00.000Z", 300],
  ])("at %s allows copies for %i seconds", (instant, seconds) => {
    expect(at(Date.parse(instant)).cacheControl).toBe(`public, max-age=${seconds}`);
  });

  test("covers exactly the instants with the same max-age", () => {
    const near = fc
      .tuple(fc.integer({ min: 1, max: 11 }), fc.integer({ min: -400_000, max: 400_000 }))
      .map(([month, offsetMs]) => Date.UTC(2025, month, 1) + offsetMs)
      .filter((nowMs) => nowMs >= START_MS && nowMs < LAST_STEP_MS);
    fc.assert(
      fc.property(near, (nowMs) => {
        const { fromMs, untilMs, cacheControl } = at(nowMs);
        expect(fromMs <= nowMs && nowMs < untilMs).toBe(true);
        expect([at(fromMs).cacheControl, at(untilMs - 1).cacheControl]).toEqual([cacheControl, cacheControl]);
        expect(at(untilMs).cacheControl).not.toBe(cacheControl);
        if (fromMs !== stepAt(schedule, nowMs)?.effectiveFromMs)
          expect(at(fromMs - 1).cacheControl).not.toBe(cacheControl);
      }),
      { numRuns: 1_000 },
    );
  });
});

test("a reply is reused from the first to the last millisecond of its lifetime", () => {
  const cache = new ReplyCache();
  const reply = { kind: "reply", status: 200, headers: {}, body: "1" } as const;
  expect(cache.set("a", { fromMs: 10, untilMs: 20, cacheControl: "" }, reply)).toBe(reply);
  expect([9, 10, 19, 20].map((nowMs) => cache.at("a", nowMs))).toEqual([undefined, reply, reply, undefined]);
  expect(cache.at("b", 15)).toBeUndefined();
});

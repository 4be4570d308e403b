import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cacheHeaders, HOURLY } from "../../../src/swr/cached-value.ts";
import type { SharedAnswer } from "../../../src/swr/shared-value.ts";
import { LISTING, READING, sharedValueWorld } from "./shared-value-world.ts";

const AWAY = "the object that reads it does not answer";

describe("an isolate's copy", () => {
  test("is served without a call while it is fresh, then while it is renewed, with its age", async () => {
    const { world, isolate } = sharedValueWorld();
    const { at } = isolate();
    expect([await at(0), await at(30)]).toEqual([
      [1, "fetched", 0],
      [1, "fresh", 30],
    ]);
    expect(world.asked).toEqual(["cached", "revalidate"]);
    expect([await at(31), await at(40)]).toEqual([
      [1, "revalidating", 31],
      [2, "fresh", 9],
    ]);
    expect([world.asked.length, world.readings]).toEqual([4, 2]);
  });

  test("of a cold isolate is what the object has, without a reading while it is fresh", async () => {
    const { world, isolate } = sharedValueWorld();
    await isolate().at(0);
    expect(await isolate().at(20)).toEqual([1, "fresh", 20]);
    expect(await isolate().at(300)).toEqual([1, "revalidating", 300]);
    expect(world.readings).toBe(2);
  });

  test("that is not fresh is as new as what any other isolate has shown", async () => {
    const { isolate } = sharedValueWorld();
    const [first, second] = [isolate(), isolate()];
    await first.at(0);
    await second.at(0);
    await first.at(40);
    expect((await first.at(41))[0]).toBe(2);
    expect((await second.at(41))[0]).toBe(2);
  });

  test("is read anew before it is served when that is wanted, or when it is too old to be served meanwhile", async () => {
    const { isolate, world } = sharedValueWorld(LISTING);
    const { at } = isolate();
    await at(0);
    expect([await at(600, { mode: "revalidate" }), await at(601, { mode: "revalidate" })]).toEqual([
      [1, "fresh", 600],
      [2, "fetched", 0],
    ]);
    expect(await at(700, { mode: "force" })).toEqual([3, "fetched", 0]);
    expect([await at(4_600), await at(8_501)]).toEqual([
      [3, "revalidating", 3_900],
      [5, "fetched", 0],
    ]);
    expect(world.readings).toBe(5);
  });

  test("costs one call a second while it is renewed, and one that waits, however many requests come", async () => {
    const { isolate, world } = sharedValueWorld();
    const { at, answered, settle } = isolate();
    await at(0);
    Object.assign(world, { hangs: true, asked: [] });
    for (let request = 0; request < 400; request += 1)
      expect((await answered(300 + request / 100)).slice(0, 2)).toEqual([1, "revalidating"]);
    expect(world.asked.toSorted()).toEqual([...Array(4).fill("cached"), "revalidate"]);
    world.hangs = false;
    await settle();
    expect(await at(304)).toEqual([2, "fresh", 4]);
  });

  test("is served to those who come while the object is asked, if it has been stale for seconds only", async () => {
    const { isolate, world } = sharedValueWorld();
    const { at, settle } = isolate();
    await at(0);
    for (const [second, calls] of [
      [39, 1],
      [300, 3],
    ] as const) {
      world.asked = [];
      const served = await Promise.all(Array.from({ length: 3 }, () => at(second)));
      await settle();
      expect(served.map(([, origin]) => origin)).toEqual(Array(3).fill("revalidating"));
      expect(world.asked.filter((wanted) => wanted === "cached").length).toBe(calls);
    }
  });

  test("is dropped when the object does not have it any more, though nothing else can be read", async () => {
    const { isolate, world } = sharedValueWorld();
    const { at } = isolate();
    await at(0);
    Object.assign(world, { good: null, fails: "down" });
    // Control: fresh it is not asked for.
    expect(await at(30)).toEqual([1, "fresh", 30]);
    expect(await at(31)).toEqual(["down"]);
  });

  test("is neither dropped nor replaced by an answer from before it was read", async () => {
    const answers: ((said: SharedAnswer<number>) => void)[] = [];
    const { answered } = sharedValueWorld().isolate(() => new Promise((resolve) => answers.push(resolve)));
    const said = { error: null, unconfirmed: [], reading: "none" } as const;
    const sample = (value: number) => ({ kind: "observed", value, observedAtMs: value * 1_000 }) as const;
    const asked = [answered(5), answered(5), answered(5)];
    answers[2]?.({ ...said, good: sample(5) });
    answers[1]?.({ ...said, good: sample(4) });
    answers[0]?.({ ...said, good: null });
    expect((await Promise.all(asked)).map(([value]) => value)).toEqual([5, 5, 5]);
  });

  test("whose last reading failed has the error, fresh or not, for five seconds", async () => {
    const { isolate, world } = sharedValueWorld();
    const { at, copy } = isolate();
    await at(0);
    world.fails = "down";
    expect(await at(1, { mode: "force" })).toEqual([1, "upstream_failed", 1]);
    const errorAt = async (nowMs: number) => copy.read({ nowMs, waitUntil: () => undefined });
    expect(await errorAt(2_000)).toMatchObject({ origin: "fresh", error: "down" });
    expect(await errorAt(6_000)).toMatchObject({ origin: "fresh", error: null });
  });

  test("has the names of what awaits confirmation", async () => {
    const { isolate, world } = sharedValueWorld();
    const { at, copy } = isolate();
    world.unconfirmed = ["a"];
    await at(0);
    expect(await copy.read({ nowMs: 0, waitUntil: () => undefined })).toMatchObject({ unconfirmed: ["a"] });
  });
});

describe("while nothing is read, a copy is served with its age to its bound", () => {
  test.each([
    ["readings fail", { fails: "the upstream is down" }, "the upstream is down"],
    ["the object does not answer", { isAway: true }, AWAY],
  ])("%s", async (_what, state, reason) => {
    const { isolate, world } = sharedValueWorld(LISTING);
    const { at } = isolate();
    await at(0);
    Object.assign(world, state);
    await at(700);
    expect([await at(701), await at(86_400), await at(86_406)]).toEqual([
      [1, "upstream_failed", 701],
      [1, "upstream_failed", 86_400],
      [reason],
    ]);
    Object.assign(world, { fails: null, isAway: false });
    expect([await at(86_407), await at(86_411)]).toEqual([[reason], [expect.any(Number), "fetched", 0]]);
  });

  test("nobody asks again for five seconds", async () => {
    const { isolate, world } = sharedValueWorld();
    const { at } = isolate();
    world.isAway = true;
    for (let second = 0; second < 10; second += 1) expect(await at(second)).toEqual([AWAY]);
    expect(world.asked.length).toBe(2);
  });
});

test("who waits no longer is served the copy, or none, and what was asked for goes on", async () => {
  const { isolate, world } = sharedValueWorld();
  const { answered, settle, at } = isolate();
  world.hangs = true;
  expect(await answered(0, { withinMs: 4_000 })).toEqual(["the upstream has not answered in time"]);
  expect(world.nowMs).toBe(4_000);
  world.hangs = false;
  await settle();
  expect(await at(10)).toEqual([1, "fresh", 10]);
});

test("a hundred cold callers of ten isolates cost one reading", async () => {
  const { isolate, world } = sharedValueWorld();
  const isolates = Array.from({ length: 10 }, () => isolate());
  const served = await Promise.all(Array.from({ length: 100 }, (_each, index) => isolates[index % 10]?.at(0)));
  expect(new Set(served.map((each) => each?.[0]))).toEqual(new Set([1]));
  expect(world.readings).toBe(1);
});

test("property: no copy beyond its bound is served, ages are correct, values never go back in any isolate", async () => {
  const step = fc.record({
    wait: fc.oneof(fc.nat(40), fc.nat(5_000)),
    isolate: fc.constantFrom(0, 1),
    fails: fc.constantFrom(null, "down"),
    isAway: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.constantFrom(READING, LISTING), async (steps, policy) => {
      const { world, isolate } = sharedValueWorld(policy);
      const isolates = [isolate(), isolate()];
      const observedAt = new Map<unknown, number>();
      let [second, last] = [0, 0];
      const missedAt = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const { wait, isolate: index, fails, isAway } of steps) {
        second += wait;
        Object.assign(world, { fails, isAway });
        const [value, , age] = (await isolates[index]?.at(second)) ?? [];
        if (world.good !== null) observedAt.set(world.good.value, world.good.observedAtMs / 1_000);
        if (typeof value !== "number" || typeof age !== "number") continue;
        expect(age).toBeLessThanOrEqual(policy.maxStaleSeconds);
        expect(second - age).toBe(observedAt.get(value));
        // An isolate has its own while the object does not answer it, and for the five seconds until it asks again.
        if (isAway) missedAt[index] = second;
        if (second >= (missedAt[index] ?? 0) + 5) expect(value).toBeGreaterThanOrEqual(last);
        last = Math.max(last, value);
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["a reading", READING],
  ["a listing", LISTING],
])("%s: a clock that is set back by an hour freezes nothing, failures neither", async (_name, policy) => {
  const { isolate, world } = sharedValueWorld(policy);
  const { at } = isolate();
  await at(7_200);
  expect(await at(3_600)).toEqual([2, "fetched", 0]);
  world.fails = "down";
  await at(14_400);
  world.fails = null;
  expect((await at(10_800)).slice(1)).toEqual(["fetched", 0]);
});

test.each([
  [0, "fetched", "edge; fwd=miss; stored"],
  [20, "fresh", "edge; hit; ttl=580"],
  [690, "revalidating", "edge; hit; ttl=-90; detail=revalidating"],
  [900, "upstream_failed", "edge; hit; ttl=-300; detail=upstream-failed"],
] as const)("at %i s, %s: %s", (ageSeconds, origin, cacheStatus) => {
  const cached = { kind: "cached", value: 1, observedAtMs: 0, error: null, unconfirmed: [], policy: LISTING } as const;
  expect(cacheHeaders({ ...cached, ageSeconds, origin })).toEqual({
    Age: String(ageSeconds),
    "Cache-Control": "public, max-age=60",
    "Cache-Status": cacheStatus,
  });
});

test("hourly values are renewed after ten minutes, and served for a day while their upstream fails", () => {
  expect(HOURLY).toEqual({
    freshSeconds: 600,
    revalidateSeconds: 3_900,
    maxStaleSeconds: 86_400,
    sharedSeconds: 60,
  });
});

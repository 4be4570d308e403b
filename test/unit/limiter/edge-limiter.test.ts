import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Policy } from "../../../src/config.ts";
import type { Caller, Decision } from "../../../src/limiter/decision.ts";
import { EdgeLimiter } from "../../../src/limiter/edge-limiter.ts";
import { DEADLINE_MS, type ShardCalls } from "../../../src/limiter/shard-link.ts";
import { SlidingWindowLog } from "../../../src/limiter/sliding-window-log.ts";
import { NaiveLog } from "./oracle.ts";

const POLICY: Policy = { name: "default", quota: 5, windowSeconds: 60 };
const LIMITS = { quota: 5, windowMs: 60_000, maxBytes: 16_777_216 };
const START_MS = 1_700_000_000_000;
const caller = (key: string): Caller => ({ key, missing: null, region: () => "weur" });

type Mode = "answers" | "throws" | "throws at once" | "overloaded" | "hangs";

/** One isolate and one object, whose mode can be set. The test advances the time. */
function bench(mode: Mode = "answers", policy = POLICY) {
  const log = new SlidingWindowLog({ ...LIMITS, quota: policy.quota });
  const state = { nowMs: START_MS, mode, questions: 0, names: new Set<string>() };
  const lines: string[] = [];
  const answer = (call: "take" | "peek") => (key: string) => {
    state.questions++;
    if (state.mode === "throws at once") throw new Error("no stub");
    if (state.mode === "throws") return Promise.reject(new Error("storage failed"));
    if (state.mode === "overloaded")
      return Promise.reject(Object.assign(new Error("Durable Object is overloaded"), { overloaded: true }));
    if (state.mode === "hangs") return new Promise<number>(() => undefined);
    return Promise.resolve(log[call](key, state.nowMs));
  };
  const limiter = new EdgeLimiter({
    shardStub: (name) => {
      state.names.add(name);
      return (): ShardCalls => ({
        take: answer("take"),
        peek: answer("peek"),
        note: async (_key, { era, version }) => ({ era, version }),
      });
    },
    shards: 8,
    salt: "",
    generation: 1,
    now: () => state.nowMs,
    later: (run, delayMs) => {
      if (delayMs !== 1_000 || DEADLINE_MS !== 1_000) expect.fail("a caller waits a second at most");
      if (state.mode === "hangs") queueMicrotask(run);
    },
    log: (event, detail) => lines.push(`${event} ${JSON.stringify(detail)}`),
  });
  const take = async (key = "203.0.113.7"): Promise<Decision> => limiter.open(policy, caller(key)).decision();
  const takes = async (count: number): Promise<boolean[]> => {
    const reported: boolean[] = [];
    for (let call = 0; call < count; call++) reported.push((await take()).admitted);
    return reported;
  };
  return { state, lines, limiter, take, takes };
}

const admitted = (decisions: readonly boolean[]) => decisions.filter(Boolean).length;

describe.each(["throws", "throws at once", "overloaded", "hangs"] as const)("while the object %s", (mode) => {
  test("the isolate admits one quota locally, and logs that once", async () => {
    const { takes, lines, take } = bench(mode);
    expect(admitted(await takes(20))).toBe(5);
    expect(await take()).toEqual({ admitted: false, remaining: 0, resetSeconds: 60 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^limiter_unreachable \{"shard":"v1:default:weur:\d","cause":".+"\}$/);
  });

  test("the isolate counts what the object admitted before", async () => {
    const { takes, state } = bench();
    expect(admitted(await takes(3))).toBe(3);
    state.mode = mode;
    expect(admitted(await takes(20))).toBe(2);
    state.nowMs += 60_000;
    expect(admitted(await takes(20))).toBe(5);
  });

  test("the isolate calls the object once a second, and uses it again when it answers", async () => {
    const { takes, state, lines } = bench(mode);
    await takes(20);
    expect(state.questions).toBe(4);
    await takes(20);
    expect(state.questions).toBe(4);
    state.nowMs += 1_000;
    await takes(20);
    expect(state.questions).toBe(5);
    state.mode = "answers";
    state.nowMs += 1_000;
    expect(admitted(await takes(20))).toBe(5);
    expect(state.questions).toBe(5 + 6);
    expect(lines).toHaveLength(1);
  });

  test.each([
    [59_999, 1],
    [60_000, 2],
  ])("an outage %i ms later makes %i log lines", async (waitMs, count) => {
    const { take, state, lines } = bench(mode);
    await take();
    state.mode = "answers";
    await take();
    state.nowMs += waitMs;
    state.mode = mode;
    await take();
    expect(lines).toHaveLength(count);
  });
});

test("control: an object that answers means no log line and one call per request", async () => {
  const { takes, lines, state } = bench();
  expect(admitted(await takes(5))).toBe(5);
  expect([lines.length, state.questions]).toEqual([0, 5]);
});

describe("reads ahead of a decision", () => {
  test("are at most one quota per window and isolate, however many are in flight", () => {
    const { limiter, state } = bench("hangs");
    const ahead = (count: number, key: string) =>
      Array.from({ length: count }, () => limiter.open(POLICY, caller(key)).mayReadAhead());
    expect([admitted(ahead(100, "203.0.113.7")), admitted(ahead(1, "203.0.113.8"))]).toEqual([5, 1]);
    state.nowMs += 60_000;
    expect(admitted(ahead(100, "203.0.113.7"))).toBe(5);
  });

  test.each(["answers", "throws"] as const)(
    "are refused to a caller without quota, while the object %s",
    async (mode) => {
      const { limiter, takes } = bench(mode);
      await takes(4);
      expect(limiter.open(POLICY, caller("203.0.113.7")).mayReadAhead()).toBe(true);
      await takes(1);
      expect(limiter.open(POLICY, caller("203.0.113.7")).mayReadAhead()).toBe(false);
    },
  );
});

test("a refused peek is not cached as a refusal: the flood guard may have refused it", async () => {
  const { limiter, state, take, takes } = bench();
  await takes(5);
  expect((await limiter.open(POLICY, caller("203.0.113.7")).peek()).admitted).toBe(false);
  expect(state.questions).toBe(6);
  await take();
  expect(state.questions).toBe(7);
});

test("a flood of refused requests calls the object once", async () => {
  const { takes, state } = bench();
  expect(admitted(await takes(1_000))).toBe(5);
  expect(state.questions).toBe(6);
});

test("beyond ten thousand cached refusals the least recent one costs a call again", async () => {
  const { take, state } = bench("answers", { ...POLICY, quota: 1 });
  const exhaust = async (key: string): Promise<void> => {
    for (let call = 0; call < 2; call++) await take(key);
  };
  for (let number = 0; number < 10_000; number++) await exhaust(`10.0.${number >> 8}.${number & 255}`);
  const callsFor = async (key: string): Promise<[boolean, number]> => {
    const before = state.questions;
    return [(await take(key)).admitted, state.questions - before];
  };
  expect(await callsFor("10.0.0.0"), "control: within the bound").toEqual([false, 0]);
  await exhaust("203.0.113.9");
  expect(await callsFor("10.0.0.0"), "it was refused again since").toEqual([false, 0]);
  expect(await callsFor("10.0.0.1"), "the least recent one made room").toEqual([false, 1]);
  expect(await callsFor("10.0.0.1"), "once").toEqual([false, 0]);
});

test("with and without the denial cache every decision is the same, and follows the rule", async () => {
  const steps = fc.array(
    fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(70_000)),
      key: fc.constantFrom("a", "b"),
      calls: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const { state, take } = bench();
      const uncached = new SlidingWindowLog(LIMITS);
      const naive = new NaiveLog(5, 60_000);
      const wrong: unknown[] = [];
      for (const { waitMs, key, calls } of history) {
        state.nowMs += waitMs;
        for (let call = 0; call < calls; call++) {
          const { admitted: passed, remaining, resetSeconds } = await take(key);
          const verdict = uncached.take(key, state.nowMs);
          const expected = naive.take(key, state.nowMs);
          const found = [passed, verdict >= 0, remaining, passed ? 0 : resetSeconds];
          const rule = [expected >= 0, expected >= 0, Math.max(0, expected), Math.max(0, Math.ceil(-expected / 1_000))];
          if (String(found) !== String(rule)) wrong.push({ key, nowMs: state.nowMs, found, rule });
        }
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("a peek is never counted, by the object or by the isolate", async () => {
  for (const mode of ["answers", "throws"] as const) {
    const { limiter, takes } = bench(mode);
    for (let call = 0; call < 9; call++)
      expect((await limiter.open(POLICY, caller("203.0.113.7")).peek()).remaining).toBe(5);
    expect(admitted(await takes(9))).toBe(5);
  }
});

test("objects are named by policy, region and shard, and one caller has one object", async () => {
  const { take, state } = bench();
  await take("203.0.113.7");
  await take("203.0.113.7");
  expect(state.names.size).toBe(1);
  for (let host = 0; host < 100; host++) await take(`203.0.113.${host}`);
  expect([...state.names].sort()).toEqual(Array.from({ length: 8 }, (_, index) => `v1:default:weur:${index}`));
});

test("a caller without an address is logged once a minute, by kind", async () => {
  const { limiter, lines, state } = bench();
  const missing: Caller = { key: "missing-absent", missing: "absent", region: () => "world" };
  for (let call = 0; call < 5; call++) await limiter.open(POLICY, missing).decision();
  state.nowMs += 60_000;
  await limiter.open(POLICY, missing).decision();
  expect(lines).toEqual(Array(2).fill('caller_without_address {"kind":"absent"}'));
});

describe("a request's trace", () => {
  const traceAfter = async (limiter: EdgeLimiter) => {
    const admission = limiter.open(POLICY, caller("203.0.113.7"));
    expect(admission.trace()).toBeNull();
    await admission.decision();
    return admission.trace();
  };

  test("reports that the object decided, then that its refusal is cached", async () => {
    const { limiter, takes } = bench();
    expect(await traceAfter(limiter)).toEqual({ milliseconds: 0, mode: "exact", region: "weur" });
    await takes(5);
    expect(await traceAfter(limiter)).toEqual({ milliseconds: 0, mode: "memory", region: "weur" });
  });

  test("reports that the isolate decided while the object fails", async () => {
    const { limiter } = bench("throws");
    expect(await traceAfter(limiter)).toMatchObject({ mode: "local" });
  });

  test("has the duration of the call to the object", async () => {
    const { limiter, state } = bench();
    const admission = limiter.open(POLICY, caller("203.0.113.7"));
    const decided = admission.decision();
    state.nowMs += 40;
    await decided;
    expect(admission.trace()?.milliseconds).toBe(40);
  });
});

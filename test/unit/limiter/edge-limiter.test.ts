import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerPoint } from "../../../src/chain/ledger-point.ts";
import type { Policy } from "../../../src/config.ts";
import type { Caller } from "../../../src/limiter/caller.ts";
import { EdgeLimiter } from "../../../src/limiter/edge-limiter.ts";
import { DEADLINE_MS, type ShardCalls } from "../../../src/limiter/shard-client.ts";
import { type Decision, packAdmitted, packRefused, SlidingWindowLog } from "../../../src/limiter/sliding-window-log.ts";
import { NaiveLog } from "./oracle.ts";

const POLICY: Policy = { name: "default", quota: 5, windowSeconds: 60 };
const LIMITS = { quota: 5, windowMs: 60_000, maxBytes: 16_777_216 };
const KEY = "203.0.113.7";
const caller = (key = KEY): Caller => ({ key, noAddress: null, region: () => "weur" });
const at = (version: bigint): LedgerPoint => ({ era: 0, version });
const rejects = (message: string, marks = {}) => Promise.reject(Object.assign(new Error(message), marks));

const FAILURES = {
  throws: () => rejects("storage failed"),
  "throws at once": (): never => {
    throw new Error("no stub");
  },
  overloaded: () => rejects("Durable Object is overloaded", { overloaded: true }),
  hangs: () => new Promise<never>(() => undefined),
  // Rejects as during a deployment.
  "is replaced": () => rejects("its code was updated", { durableObjectReset: true }),
} as const;
type Mode = keyof typeof FAILURES | "answers";

/** One isolate and one object, whose mode can be set. The test advances the time. */
function bench(mode: Mode = "answers", policy = POLICY) {
  const log = new SlidingWindowLog({ ...LIMITS, quota: policy.quota });
  const state = {
    nowMs: 1_700_000_000_000,
    mode,
    /** The modes of the next calls. */
    next: [] as Mode[],
    /** Decision of the object; null: by the rule. */
    decision: null as number | null,
    floor: null as LedgerPoint | null,
    questions: 0,
    offers: [] as (LedgerPoint | null)[],
    notes: [] as bigint[],
    names: new Set<string>(),
  };
  const lines: string[] = [];
  const decided = (call: "take" | "peek", key: string, nowMs: number): Promise<number> => {
    if (nowMs !== state.nowMs) expect.fail("an object is given the clock itself, also after it was set back");
    state.questions++;
    const now = state.next.shift() ?? state.mode;
    return now === "answers" ? Promise.resolve(state.decision ?? log[call](key, state.nowMs)) : FAILURES[now]();
  };
  const stub: ShardCalls = {
    peek: (key, _quota, _windowSeconds, nowMs) => decided("peek", key, nowMs),
    take: (key, _quota, _windowSeconds, nowMs, offered) => {
      state.offers.push(offered ?? null);
      const { floor } = state;
      const deciding = decided("take", key, nowMs);
      return floor === null ? deciding : deciding.then((decision) => ({ decision, floor }));
    },
    recordSeen: async (_key, { era, version }) => {
      state.notes.push(version);
      return { era, version };
    },
  };
  const limiter = new EdgeLimiter({
    shardStub: (name) => {
      state.names.add(name);
      return () => stub;
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
  const open = (key = KEY) => limiter.open(policy, caller(key));
  const take = async (key = KEY): Promise<Decision> => open(key).decision();
  const takes = async (count: number): Promise<boolean[]> => {
    const reported: boolean[] = [];
    for (let call = 0; call < count; call++) reported.push((await take()).admitted);
    return reported;
  };
  const admit = (offered: LedgerPoint | null) => open().admit(offered);
  const seen = (key = KEY) => open(key).seenHere()?.version ?? null;
  return { state, lines, limiter, open, take, takes, admit, seen };
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

describe("while the object fails, this isolate's memory decides:", () => {
  test.each([
    ["a response at the version that the caller has seen is served", at(7n), null],
    ["an older one is not: the floor is the version seen", at(6n), at(7n)],
    ["without one the floor is the same", null, at(7n)],
  ])("%s", async (_what, offered, floor) => {
    const { state, admit } = bench();
    await admit(at(7n));
    state.mode = "throws";
    expect(await admit(offered)).toEqual({ refusal: null, floor });
  });
});

describe("an object is no longer used for notes", () => {
  test("after three failures in a row, not after three in all", async () => {
    const { state, admit, open } = bench();
    state.next = ["throws", "throws", "answers", "throws", "throws", "throws"];
    for (let call = 0; call < 5; call += 1) await admit(null);
    expect(open().recordTarget()).not.toBeNull();
    await admit(null);
    expect(open().recordTarget()).toBeNull();
  });

  test("of all callers whose logs it stores, when it failed for one", async () => {
    const { admit, open } = bench("throws");
    const targetOf = (key: string) => open(key).recordTarget();
    const { object } = targetOf(KEY) ?? {};
    const others = Array.from({ length: 20 }, (_none, index) => `198.51.100.${index}`);
    const [together, apart] = [
      others.filter((key) => targetOf(key)?.object === object),
      others.filter((key) => targetOf(key)?.object !== object),
    ];
    for (let failure = 0; failure < 3; failure += 1) await admit(null);
    expect([together.length > 0, together.map(targetOf).every((target) => target === null)]).toEqual([true, true]);
    expect([apart.length > 0, apart.map(targetOf).every((target) => target !== null)]).toEqual([true, true]);
  });
});

test.each<[string, Mode[], LedgerPoint | null, number]>([
  ["is replaced is called once more: its successor knows what the caller has seen", ["is replaced"], at(9n), 2],
  ["is replaced twice is not called again", ["is replaced", "is replaced"], null, 2],
  ["fails otherwise is not called again (control)", ["throws"], null, 1],
])("an object that %s", async (_what, next, floor, calls) => {
  const { state, admit } = bench();
  Object.assign(state, { next: [...next], floor: at(9n) });
  expect(await admit(at(7n))).toEqual({ refusal: null, floor });
  expect(state.offers).toEqual(Array(calls).fill(at(7n)));
});

describe("the version that an admitted caller sees, which the isolate uses while the object does not respond", () => {
  test.each([
    ["what was offered, when the object accepts it", null, at(7n), 7n],
    ["none, when nothing was offered", null, null, null],
    ["none, when the response must be newer", at(9n), at(7n), null],
  ])("the caller is recorded to have seen %s", async (_what, floor, offered, version) => {
    const { state, admit, seen } = bench();
    state.floor = floor;
    expect(await admit(offered)).toEqual({ refusal: null, floor });
    expect([seen(), state.offers]).toEqual([version, [offered]]);
  });

  test.each([
    ["at the object and here", "answers", [9n]],
    ["here alone when the object has not answered this request", "throws", []],
  ] as const)("what a response reveals is recorded %s", async (_where, mode, notes) => {
    const { state, open, seen } = bench(mode);
    const admission = open();
    await admission.admit(null);
    state.mode = "answers";
    await admission.record(at(9n));
    expect([state.notes, seen()]).toEqual([notes, 9n]);
  });

  test.each([
    [59_999, 1n],
    [60_000, 8n],
  ])("is remembered for a minute at least: after %i ms its floor is %d", (waitMs, version) => {
    const { state, open, seen } = bench();
    const see = (key: string, noted: bigint) => open(key).recordHere(at(noted));
    see("a", 1n);
    see("b", 8n);
    // Entries are dropped half a table at a time, a minute after the other half: the second minute drops a's 1 and b's 8.
    // A caller without an entry may have been any dropped one, so its floor is the highest of them, 8.
    state.nowMs += 60_000;
    see("b", 9n);
    state.nowMs += waitMs;
    see("b", 10n);
    expect(seen("a")).toBe(version);
  });
});

describe("a refusal", () => {
  test("is known beforehand from the object's refusal until its time", async () => {
    const { state, open, admit, seen } = bench();
    state.decision = packRefused(1_500);
    expect(open().cachedRefusal()).toBeNull();
    const refusal = { kind: "throttled", quota: 5, windowSeconds: 60, retryAfterSeconds: 2 };
    for (let call = 0; call < 2; call += 1) expect(await admit(at(7n))).toEqual({ refusal, floor: null });
    expect([state.questions, seen()]).toEqual([1, null]);
    const admission = open();
    expect(admission.cachedRefusal()).toEqual(refusal);
    expect(admission.trace()).toEqual({ milliseconds: 0, mode: "memory", region: "weur" });
    expect(await admission.decision()).toMatchObject({ admitted: false, resetSeconds: 2 });
    state.nowMs += 1_499;
    await admit(null);
    expect(state.questions).toBe(1);
    state.nowMs += 1;
    await admit(null);
    expect(state.questions).toBe(2);
  });

  test("is cached from when its call was sent, not from when its result came", async () => {
    const { state, take } = bench();
    state.decision = packRefused(1_500);
    const refused = take();
    state.nowMs += 400;
    await refused;
    state.nowMs += 1_099;
    expect([(await take()).admitted, state.questions], "control: not before").toEqual([false, 1]);
    state.nowMs += 1;
    await take();
    expect(state.questions).toBe(2);
  });

  test.each(["answers", "throws"] as const)("outlasts no clock that is set back, while the object %s", async (mode) => {
    const { state, take, takes } = bench(mode);
    state.decision = mode === "answers" ? packRefused(60_000) : null;
    expect((await takes(6)).at(-1)).toBe(false);
    state.nowMs -= 3_600_000;
    const before = state.questions;
    for (let call = 0; call < 2; call++) expect((await take()).admitted, "control").toBe(false);
    if (mode === "answers") expect(state.questions - before, "the object is told once").toBe(1);
    state.decision = null;
    state.nowMs += 60_000;
    expect((await take()).admitted).toBe(true);
  });

  test("of a peek is not cached: the flood guard may have refused it", async () => {
    const { open, state, take, takes } = bench();
    await takes(5);
    expect((await open().peek()).admitted).toBe(false);
    expect(state.questions).toBe(6);
    await take();
    expect(state.questions).toBe(7);
  });

  test("costs one call to the object in a flood", async () => {
    const { takes, state, lines } = bench();
    expect(admitted(await takes(1_000))).toBe(5);
    expect([state.questions, lines]).toEqual([6, []]);
  });

  test("is cached with ten thousand others, the least recent of which costs a call again", async () => {
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
});

describe("reads ahead of a decision", () => {
  test("are at most one quota per window and isolate, however many are in flight", () => {
    const { open, state } = bench("hangs");
    const ahead = (count: number, key: string) => Array.from({ length: count }, () => open(key).mayReadAhead());
    expect([admitted(ahead(100, KEY)), admitted(ahead(1, "203.0.113.8"))]).toEqual([5, 1]);
    state.nowMs += 60_000;
    expect(admitted(ahead(100, KEY))).toBe(5);
  });

  test.each(["answers", "throws"] as const)(
    "are refused to a caller without quota, while the object %s",
    async (mode) => {
      const { open, takes } = bench(mode);
      await takes(4);
      expect(open().mayReadAhead()).toBe(true);
      await takes(1);
      expect(open().mayReadAhead()).toBe(false);
    },
  );
});

test("an admitted request counts once, however often its decision is read", async () => {
  const { state, open } = bench();
  state.decision = packAdmitted(1, 30_000);
  const admission = open();
  await admission.admit(null);
  expect(await admission.decision()).toEqual({ admitted: true, remaining: 1, resetSeconds: 30 });
  expect([state.questions, admission.trace()?.mode]).toEqual([1, "exact"]);
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
    const { open, takes } = bench(mode);
    for (let call = 0; call < 9; call++) expect((await open().peek()).remaining).toBe(5);
    expect(admitted(await takes(9))).toBe(5);
  }
});

test("objects are named by policy, region and shard, and one caller has one object, also for notes", async () => {
  const { take, open, state } = bench();
  await take();
  await take();
  expect(open().recordTarget()).toEqual({ object: [...state.names].join(), region: "weur", key: KEY });
  for (let host = 0; host < 100; host++) await take(`203.0.113.${host}`);
  expect([...state.names].sort()).toEqual(Array.from({ length: 8 }, (_, index) => `v1:default:weur:${index}`));
});

test("a caller without an address is logged once a minute, by kind", async () => {
  const { limiter, lines, state } = bench();
  const missing: Caller = { key: "missing-absent", noAddress: "absent", region: () => "world" };
  for (let call = 0; call < 5; call++) await limiter.open(POLICY, missing).decision();
  state.nowMs += 60_000;
  await limiter.open(POLICY, missing).decision();
  expect(lines).toEqual(Array(2).fill('caller_without_address {"kind":"absent"}'));
});

test.each([
  ["the object decided, and its call's duration", "answers", 0, { milliseconds: 40, mode: "exact" }],
  ["its refusal is cached", "answers", 6, { milliseconds: 0, mode: "memory" }],
  ["the isolate decided while the object fails", "throws", 0, { milliseconds: 40, mode: "local" }],
] as const)("a request's trace reports that %s", async (_what, mode, before, expected) => {
  const { open, state, takes } = bench(mode);
  await takes(before);
  const admission = open();
  expect(admission.trace()).toBeNull();
  const decided = admission.decision();
  state.nowMs += 40;
  await decided;
  expect(admission.trace()).toEqual({ ...expected, region: "weur" });
});

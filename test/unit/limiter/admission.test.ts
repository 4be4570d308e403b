import { describe, expect, test } from "vitest";
import type { LedgerPoint } from "../../../src/chain/ledger-point.ts";
import type { Policy } from "../../../src/config.ts";
import type { Caller } from "../../../src/limiter/decision.ts";
import { packAdmitted, packRefused } from "../../../src/limiter/decision.ts";
import { EdgeLimiter } from "../../../src/limiter/edge-limiter.ts";
import type { ShardCalls } from "../../../src/limiter/shard-link.ts";

const POLICY: Policy = { name: "node", quota: 2, windowSeconds: 60 };
const CALLER: Caller = { key: "203.0.113.7", missing: null, region: () => "weur" };
const at = (version: bigint): LedgerPoint => ({ era: 0, version });

const START_MS = 1_700_000_000_000;

/** One isolate and an object that answers every `take` with `answer`, or fails if that is null. */
function isolate(answer: Awaited<ReturnType<ShardCalls["take"]>> | null) {
  const object = { answer, failures: [] as Error[], takes: 0, offers: [] as unknown[], notes: [] as bigint[] };
  const clock = { nowMs: START_MS };
  const limiter = new EdgeLimiter({
    shardStub: () => () => ({
      peek: async () => packAdmitted(1, 0),
      take: async (_key, _quota, _windowSeconds, ...offer) => {
        object.takes += 1;
        object.offers.push(offer);
        const failure = object.failures.shift();
        if (failure !== undefined) throw failure;
        if (object.answer === null) throw new Error("storage failed");
        return object.answer;
      },
      note: async (_key, { era, version }) => {
        object.notes.push(version);
        return { era, version };
      },
    }),
    shards: 2,
    salt: "",
    generation: 1,
    now: () => clock.nowMs,
    later: () => undefined,
    log: () => undefined,
  });
  const admit = (offered: LedgerPoint | null) => limiter.open(POLICY, CALLER).admit(offered);
  return { object, clock, limiter, admit, seen: () => limiter.open(POLICY, CALLER).seenHere()?.version ?? null };
}

describe("the version that an admitted caller sees, which the isolate uses while the object does not respond", () => {
  const admitted = packAdmitted(1, 0);
  const below = { decision: admitted, floor: at(9n) };
  test.each([
    ["what was offered, when the object accepts it", admitted, at(7n), 7n],
    ["none, when nothing was offered", admitted, null, null],
    ["none, when the response must be newer", below, at(7n), null],
  ])("the caller is recorded to have seen %s", async (_what, answer, offered, version) => {
    const { admit, seen } = isolate(answer);
    expect(await admit(offered)).toEqual({ refusal: null, floor: answer === below ? at(9n) : null });
    expect(seen()).toBe(version);
  });
});

test("a refusal has the policy and its time, and is not requested again", async () => {
  const { object, admit, seen } = isolate(packRefused(1_500));
  const refusal = { kind: "throttled", quota: 2, windowSeconds: 60, retryAfterSeconds: 2 };
  expect(await admit(at(7n))).toEqual({ refusal, floor: null });
  expect(await admit(at(7n))).toEqual({ refusal, floor: null });
  expect([object.takes, seen()]).toEqual([1, null]);
});

describe("while the object fails", () => {
  test.each([
    ["a response at the version that the caller has seen is served", at(7n), null],
    ["an older one is not: the floor is the version seen", at(6n), at(7n)],
    ["without one the floor is the same", null, at(7n)],
  ])("this isolate's memory decides: %s", async (_what, offered, floor) => {
    const { object, admit } = isolate(packAdmitted(1, 0));
    await admit(at(7n));
    object.answer = null;
    expect(await admit(offered)).toEqual({ refusal: null, floor });
  });
});

describe("an object that is replaced during the call, as in a deployment,", () => {
  const reset = Object.assign(new Error("its code was updated"), { durableObjectReset: true });

  test("is called once more: its successor knows what the caller has seen through other isolates", async () => {
    const { object, admit } = isolate({ decision: packAdmitted(1, 0), floor: at(9n) });
    object.failures = [reset];
    expect(await admit(at(7n))).toEqual({ refusal: null, floor: at(9n) });
    expect([object.takes, object.offers]).toEqual([2, [[at(7n)], [at(7n)]]]);
  });

  test("and is replaced again, is not", async () => {
    const { object, admit } = isolate({ decision: packAdmitted(1, 0), floor: at(9n) });
    object.failures = [reset, reset];
    expect(await admit(at(7n))).toEqual({ refusal: null, floor: null });
    expect(object.takes).toBe(2);
  });

  test("control: one that fails otherwise is not", async () => {
    const { object, admit } = isolate({ decision: packAdmitted(1, 0), floor: at(9n) });
    object.failures = [new Error("storage failed")];
    expect(await admit(at(7n))).toEqual({ refusal: null, floor: null });
    expect(object.takes).toBe(1);
  });
});

describe("what a response reveals", () => {
  test("is recorded at the object and here", async () => {
    const { object, limiter, seen } = isolate(packAdmitted(1, 0));
    const admission = limiter.open(POLICY, CALLER);
    await admission.admit(null);
    expect([await admission.note(at(9n)), object.notes, seen()]).toEqual([true, [9n], 9n]);
  });

  test("is recorded here alone when the object has not answered this request", async () => {
    const { object, limiter, seen } = isolate(null);
    const admission = limiter.open(POLICY, CALLER);
    await admission.admit(null);
    object.answer = packAdmitted(1, 0);
    expect([await admission.note(at(9n)), object.notes, seen()]).toEqual([false, [], 9n]);
  });
});

test("after three failures of an object no shield is given it to record versions at", async () => {
  const { admit, limiter } = isolate(null);
  const hasTarget = () => limiter.open(POLICY, CALLER).noteTarget() !== null;
  const targets = [hasTarget()];
  for (let failure = 0; failure < 3; failure += 1) {
    await admit(null);
    targets.push(hasTarget());
  }
  expect(targets).toEqual([true, true, true, false]);
});

test("an object that failed for one caller is not called for the others whose logs it stores", async () => {
  const { admit, limiter } = isolate(null);
  const targetOf = (key: string) => limiter.open(POLICY, { ...CALLER, key }).noteTarget();
  const { object } = targetOf(CALLER.key) ?? {};
  const others = Array.from({ length: 20 }, (_none, index) => `198.51.100.${index}`);
  const [together, apart] = [
    others.filter((key) => targetOf(key)?.object === object),
    others.filter((key) => targetOf(key)?.object !== object),
  ];
  for (let failure = 0; failure < 3; failure += 1) await admit(null);
  expect([together.length > 0, together.map(targetOf).every((target) => target === null)]).toEqual([true, true]);
  expect([apart.length > 0, apart.map(targetOf).every((target) => target !== null)]).toEqual([true, true]);
});

test("a refusal is known beforehand from the object's refusal until its time", async () => {
  const { limiter, admit } = isolate(packRefused(1_500));
  expect(limiter.open(POLICY, CALLER).knownRefusal()).toBeNull();
  await admit(null);
  const admission = limiter.open(POLICY, CALLER);
  expect(admission.knownRefusal()).toMatchObject({ kind: "throttled", retryAfterSeconds: 2 });
  expect(admission.trace()).toEqual({ milliseconds: 0, mode: "memory", region: "weur" });
  expect(await admission.decision()).toMatchObject({ admitted: false, resetSeconds: 2 });
});

test("an admitted request counts once, however often its decision is read", async () => {
  const { object, limiter } = isolate(packAdmitted(1, 30_000));
  const admission = limiter.open(POLICY, CALLER);
  await admission.admit(null);
  expect(await admission.decision()).toEqual({ admitted: true, remaining: 1, resetSeconds: 30 });
  expect([object.takes, admission.trace()?.mode]).toEqual([1, "exact"]);
});

test("the object and key for notes are the caller's own", () => {
  const { limiter } = isolate(null);
  const object = expect.stringMatching(/^v1:node:weur:[01]$/);
  expect(limiter.open(POLICY, CALLER).noteTarget()).toEqual({ object, region: "weur", key: "203.0.113.7" });
});

test.each([
  [1_499, 1],
  [1_500, 2],
])("%i ms after a refusal for 1,500 ms the object has been called %i times", async (waitMs, takes) => {
  const { object, clock, admit } = isolate(packRefused(1_500));
  await admit(null);
  clock.nowMs += waitMs;
  await admit(null);
  expect(object.takes).toBe(takes);
});

test("an object is no longer used after three failures in a row, not after three in all", async () => {
  const { object, admit, limiter } = isolate(null);
  for (const answer of [null, null, packAdmitted(1, 0), null, null]) {
    object.answer = answer;
    await admit(null);
  }
  expect(limiter.open(POLICY, CALLER).noteTarget()).not.toBeNull();
  await admit(null);
  expect(limiter.open(POLICY, CALLER).noteTarget()).toBeNull();
});

test.each([
  [59_999, 1n],
  [60_000, 8n],
])("what a caller saw is remembered for a minute at least: after %i ms its floor is %d", async (waitMs, version) => {
  const { clock, limiter } = isolate(null);
  const see = (key: string, seen: bigint) =>
    limiter.open(POLICY, { ...CALLER, key }).noteHere({ era: 0, version: seen });
  see("a", 1n);
  see("b", 8n);
  // Entries are dropped half a table at a time, a minute after the other half: the second minute drops a's 1 and b's 8.
  // A caller without an entry may have been any dropped one, so its floor is the highest of them, 8.
  clock.nowMs += 60_000;
  see("b", 9n);
  clock.nowMs += waitMs;
  see("b", 10n);
  expect(limiter.open(POLICY, { ...CALLER, key: "a" }).seenHere()?.version).toBe(version);
});

test("the object receives the point that is offered, if there is one", async () => {
  const { object, limiter, admit } = isolate(packAdmitted(1, 0));
  await admit(at(7n));
  await limiter.open(POLICY, CALLER).decision();
  expect(object.offers).toEqual([[at(7n)], [null]]);
});

import { describe, expect, test } from "vitest";
import type { LedgerMark } from "../../../src/chain/ledger-point.ts";
import type { Policy } from "../../../src/config.ts";
import type { Caller } from "../../../src/limiter/decision.ts";
import { packAdmitted, packRefused } from "../../../src/limiter/decision.ts";
import { EdgeLimiter } from "../../../src/limiter/edge-limiter.ts";
import type { ShardCalls } from "../../../src/limiter/shard-link.ts";

const POLICY: Policy = { name: "node", quota: 2, windowSeconds: 60 };
const CALLER: Caller = { key: "203.0.113.7", missing: null, region: "weur" };
const markAt = (version: bigint): LedgerMark => ({ epoch: 0, version, fields: `v${version}` });

/** One isolate and an object that answers every `take` with `answer`, or fails if that is null. */
function isolate(answer: Awaited<ReturnType<ShardCalls["take"]>> | null) {
  const object = { answer, takes: 0, notes: [] as bigint[] };
  const limiter = new EdgeLimiter({
    shardStub: () => () => ({
      peek: async () => packAdmitted(1, 0),
      take: async () => {
        object.takes += 1;
        if (object.answer === null) throw new Error("storage failed");
        return object.answer;
      },
      note: async (_key, { epoch, version }) => {
        object.notes.push(version);
        return { epoch, version };
      },
    }),
    shards: 2,
    salt: "",
    now: () => 1_700_000_000_000,
    later: () => undefined,
    log: () => undefined,
  });
  const admit = (candidate: LedgerMark | null, timeless = false) =>
    limiter.open(POLICY, CALLER).admit(candidate, timeless);
  return { object, limiter, admit, seen: () => limiter.open(POLICY, CALLER).seenHere()?.version ?? null };
}

describe("the version that an admitted caller sees is stored for outages", () => {
  const admitted = packAdmitted(1, 0);
  const below = { decision: admitted, floor: markAt(9n) };
  test.each([
    ["its candidate, when the object accepts it", admitted, markAt(7n), false, 7n],
    ["none, when there is no candidate", admitted, null, false, null],
    ["the newest point, for an immutable response", below, markAt(7n), true, 9n],
    ["none, when the response must be newer", below, markAt(7n), false, null],
  ])("%s", async (_what, answer, candidate, timeless, version) => {
    const { admit, seen } = isolate(answer);
    const result = await admit(candidate, timeless);
    expect(result).toEqual({ refusal: null, floor: answer === below ? markAt(9n) : null });
    expect(seen()).toBe(version);
  });
});

test("a refusal has the policy and its time, and is not requested again", async () => {
  const { object, admit, seen } = isolate(packRefused(1_500));
  const refusal = { kind: "throttled", quota: 2, windowSeconds: 60, retryAfterSeconds: 2 };
  expect(await admit(markAt(7n))).toEqual({ refusal, floor: null });
  expect(await admit(markAt(7n))).toEqual({ refusal, floor: null });
  expect([object.takes, seen()]).toEqual([1, null]);
});

describe("while the object fails", () => {
  test.each([
    ["a candidate at the version that the caller has seen is served", markAt(7n), null],
    ["an older one is not: the floor is the version seen", markAt(6n), { epoch: 0, version: 7n, fields: "" }],
    ["without a candidate the floor is the same", null, { epoch: 0, version: 7n, fields: "" }],
  ])("%s", async (_what, candidate, floor) => {
    const { object, admit } = isolate(packAdmitted(1, 0));
    await admit(markAt(7n));
    object.answer = null;
    expect(await admit(candidate)).toEqual({ refusal: null, floor });
  });

  test("one quota is admitted", async () => {
    const { admit } = isolate(null);
    const results = [await admit(null), await admit(null), await admit(null)];
    expect(results.map(({ refusal }) => refusal === null)).toEqual([true, true, false]);
  });
});

describe("what a response reveals", () => {
  test("is recorded at the object and here", async () => {
    const { object, limiter, seen } = isolate(packAdmitted(1, 0));
    const admission = limiter.open(POLICY, CALLER);
    await admission.admit(null, false);
    expect([await admission.note(markAt(9n)), object.notes, seen()]).toEqual([true, [9n], 9n]);
  });

  test("is recorded here alone when the object has not answered this request", async () => {
    const { object, limiter, seen } = isolate(null);
    const admission = limiter.open(POLICY, CALLER);
    await admission.admit(null, false);
    object.answer = packAdmitted(1, 0);
    expect([await admission.note(markAt(9n)), object.notes, seen()]).toEqual([false, [], 9n]);
  });
});

test("an object that has failed three times is named to no shield", async () => {
  const { admit, limiter } = isolate(null);
  const hasTarget = () => limiter.open(POLICY, CALLER).noteTarget() !== null;
  const targets = [hasTarget()];
  for (let failure = 0; failure < 3; failure += 1) {
    await admit(null);
    targets.push(hasTarget());
  }
  expect(targets).toEqual([true, true, true, false]);
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
  await admission.admit(null, false);
  expect(await admission.decision()).toEqual({ admitted: true, remaining: 1, resetSeconds: 30 });
  expect([object.takes, admission.trace()?.mode]).toEqual([1, "exact"]);
});

test("the object and key for notes are the caller's own", () => {
  const { limiter } = isolate(null);
  const object = expect.stringMatching(/^v1:node:weur:[01]$/);
  expect(limiter.open(POLICY, CALLER).noteTarget()).toEqual({ object, region: "weur", key: "203.0.113.7" });
});

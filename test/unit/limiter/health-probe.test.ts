import { expect, test } from "vitest";
import { limiterProbe } from "../../../src/limiter/health-probe.ts";
import type { HealthCalls } from "../../../src/limiter/shard-link.ts";

const POLICY = { name: "default", quota: 60, windowSeconds: 60 } as const;

/** A probe of an object that answers a peek with `peek`. */
function probeOf(peek: () => Promise<number>, fullShards: HealthCalls["fullShards"] = () => Promise.resolve([])) {
  const calls: unknown[] = [];
  const world = { nowMs: 1_000_000, peek };
  const object: HealthCalls = {
    fullShards,
    peek: (_key, ...policy) => {
      calls.push(policy);
      return world.peek();
    },
  };
  const state = limiterProbe(
    {
      now: () => world.nowMs,
      // The deadline fires after all work that is already queued.
      later: (run) => void setImmediate(run),
      shardStub: (name) => {
        calls.push(name);
        return () => object;
      },
    },
    POLICY,
  );
  return { world, calls, isReachable: async () => (await state()).limiter === "exact", state };
}

test.each<[string, () => Promise<number>, boolean]>([
  ["answers", () => Promise.resolve(0), true],
  ["throws", () => Promise.reject(new Error("overloaded")), false],
  ["hangs", () => new Promise(() => undefined), false],
])("an object that %s", async (_what, peek, isReachable) => {
  expect(await probeOf(peek).isReachable()).toBe(isReachable);
});

test("full objects are named; an object of the version before, which has no such call, names none", async () => {
  const peek = () => Promise.resolve(0);
  const named = probeOf(peek, () => Promise.resolve(["v1:node:enam:1"]));
  expect(await named.state()).toEqual({ limiter: "exact", fullShards: ["v1:node:enam:1"] });
  const earlier = probeOf(peek, () => Promise.reject(new TypeError("the object does not implement this method")));
  expect(await earlier.state()).toEqual({ limiter: "exact", fullShards: [] });
});

test("the object is probed under the policy that it counts under", async () => {
  const { calls, isReachable } = probeOf(() => Promise.resolve(0));
  await isReachable();
  expect(calls).toEqual(["v1:default:world:0", [60, 60]]);
});

test("a thousand health reports a second cost one call, and all have its result", async () => {
  const { world, calls, isReachable } = probeOf(() => Promise.resolve(0));
  for (let report = 0; report < 1_000; report += 1) expect(await isReachable()).toBe(true);
  expect(calls).toHaveLength(2);
  world.peek = () => Promise.reject(new Error("overloaded"));
  world.nowMs += 1_000;
  expect([await isReachable(), await isReachable()]).toEqual([false, false]);
  expect(calls).toHaveLength(4);
});

test("a clock that was set back delays no measurement", async () => {
  const { world, calls, isReachable } = probeOf(() => Promise.resolve(0));
  await isReachable();
  world.nowMs -= 3_600_000;
  await isReachable();
  expect(calls).toHaveLength(4);
});

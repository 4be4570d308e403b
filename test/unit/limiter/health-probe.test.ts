import { expect, test } from "vitest";
import { limiterIsReachable } from "../../../src/limiter/health-probe.ts";
import type { LimiterPorts, ShardCalls } from "../../../src/limiter/shard-link.ts";

const POLICY = { name: "default", quota: 60, windowSeconds: 60 } as const;

function objectThat(looks: () => Promise<number>) {
  const requested: unknown[] = [];
  const calls: ShardCalls = {
    take: () => Promise.reject(new Error("a probe must not count")),
    admit: () => Promise.reject(new Error("a probe must not count")),
    note: () => Promise.reject(new Error("a probe notes nothing")),
    peek: (...question) => {
      requested.push(question.slice(1));
      return looks();
    },
  };
  const reach: LimiterPorts["shardStub"] = (name) => {
    requested.push(name);
    return () => calls;
  };
  return { asked: requested, reach };
}

test.each<[string, () => Promise<number>, boolean]>([
  ["answers", () => Promise.resolve(0), true],
  ["throws", () => Promise.reject(new Error("overloaded")), false],
  ["hangs", () => new Promise(() => undefined), false],
])("an object that %s", async (_what, looks, answers) => {
  // The deadline comes after everything that is already on its way.
  const later = (run: () => void) => void setImmediate(run);
  expect(await limiterIsReachable({ shardStub: objectThat(looks).reach, later }, POLICY)).toBe(answers);
});

test("an object in use is probed under its own policy: another would reset it", async () => {
  const { asked: wanted, reach } = objectThat(() => Promise.resolve(0));
  await limiterIsReachable({ shardStub: reach, later: () => undefined }, POLICY);
  expect(wanted).toEqual(["v1:default:world:0", [60, 60]]);
});

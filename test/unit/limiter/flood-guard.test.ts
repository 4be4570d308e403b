import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CoarseLimit, guardedShardStub, type ShardCalls } from "../../../src/limiter/shard-client.ts";
import { packAdmitted, unpackDecision } from "../../../src/limiter/sliding-window-log.ts";

/** A binding that allows `allowed` calls of each key. */
function coarse(allowed: number): CoarseLimit & { readonly keys: string[] } {
  const keys: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    keys.push(key);
    return { success: keys.filter((each) => each === key).length <= allowed };
  };
  return { keys, limit };
}

/** An object that admits everything and counts its calls; the decision names the call. */
function object() {
  const calls: string[] = [];
  const stub: ShardCalls = {
    take: async (key) => packAdmitted(calls.push(`take ${key}`), 0),
    peek: async (key) => packAdmitted(calls.push(`peek ${key}`), 0),
    recordSeen: async (key, { era, version }) => {
      calls.push(`note ${key}`);
      return { era, version };
    },
  };
  return { calls, stubOf: () => () => stub };
}

const V4 = "203.0.113.7";
const V6 = "2001:db8:1:1";
const POLICY = [300, 60, 1_700_000_000_000] as const;
const REQUEST = [...POLICY, null] as const;

describe("above the coarse limit", () => {
  test("a request is refused for ten seconds without a call to the object", async () => {
    const { calls, stubOf } = object();
    const stub = guardedShardStub(stubOf, { caller: coarse(2), network: null })("node:weur:0", "weur");
    await stub().take(V4, ...REQUEST);
    await stub().take(V4, ...REQUEST);
    const third = await stub().take(V4, ...REQUEST);
    expect(calls).toHaveLength(2);
    expect(unpackDecision(third as number)).toEqual({ admitted: false, remaining: 0, resetSeconds: 10 });
  });

  test("an IPv6 /48 has its own limit; IPv4 has no network limit", async () => {
    const { calls, stubOf } = object();
    const network = coarse(1);
    const stub = guardedShardStub(stubOf, { caller: coarse(9), network })("node:weur:0", "weur");
    await stub().take(V6, ...REQUEST);
    await stub().take("2001:db8:1:2", ...REQUEST);
    await stub().take(V4, ...REQUEST);
    expect(calls).toEqual([`take ${V6}`, `take ${V4}`]);
    expect(network.keys).toEqual(["2001:db8:1/48", "2001:db8:1/48"]);
  });

  test("the limit of the /48 alone stops its callers only", async () => {
    const { calls, stubOf } = object();
    const stub = guardedShardStub(stubOf, { caller: null, network: coarse(0) })("node:weur:0", "weur");
    await stub().take(V6, ...REQUEST);
    await stub().take(V4, ...REQUEST);
    expect(calls).toEqual([`take ${V4}`]);
  });

  test("a note, which follows an admitted request, is allowed", async () => {
    const { calls, stubOf } = object();
    const stub = guardedShardStub(stubOf, { caller: coarse(0), network: coarse(0) })("node:weur:0", "weur");
    await stub().recordSeen(V6, { era: 1, version: 2n });
    expect(calls).toEqual([`note ${V6}`]);
  });

  test("preflights are refused too, by a separate count", async () => {
    const { calls, stubOf } = object();
    const stub = guardedShardStub(stubOf, { caller: coarse(1), network: null })("node:weur:0", "weur");
    await stub().peek(V4, ...POLICY);
    expect(unpackDecision(await stub().peek(V4, ...POLICY)).admitted).toBe(false);
    await stub().take(V4, ...REQUEST);
    expect(calls).toEqual([`peek ${V4}`, `take ${V4}`]);
  });
});

test("below it every decision is the object's, in the object's order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(V4, V6), { maxLength: 40 }), async (keys) => {
      const [plain, watched] = [object(), object()];
      const guarded = guardedShardStub(watched.stubOf, { caller: coarse(40), network: coarse(40) })(
        "default:oc:0",
        "oc",
      );
      for (const key of keys)
        expect(await guarded().take(key, ...REQUEST)).toBe(
          await plain
            .stubOf()()
            .take(key, ...REQUEST),
        );
      expect(watched.calls).toEqual(plain.calls);
    }),
  );
});

test.each<[string, CoarseLimit]>([
  ["rejects", { limit: () => Promise.reject(new Error("no quota service")) }],
  [
    "throws",
    {
      limit: () => {
        throw new Error("not bound here");
      },
    },
  ],
])("a limit that %s allows the call", async (_what, caller) => {
  const { calls, stubOf } = object();
  await guardedShardStub(stubOf, { caller, network: null })("default:oc:0", "oc")().take(V4, ...REQUEST);
  expect(calls).toEqual([`take ${V4}`]);
});

test("without a binding there is no guard", () => {
  const { stubOf } = object();
  expect(guardedShardStub(stubOf, { caller: null, network: null })).toBe(stubOf);
});

import { describe, expect, test } from "vitest";
import type { LedgerMark } from "../../../src/chain/ledger-point.ts";
import { responseLru } from "../../../src/gateway/cache/lru.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import type { CachedResponse, Retention } from "../../../src/gateway/node-types.ts";
import { markOf } from "../../../src/gateway/tip/known-tip.ts";
import { NO_CALLER } from "../../support/no-caller.ts";
import { requestFor } from "./requests.ts";
import { ledgerAt, responseOf } from "./upstream/nodes.ts";

const COMMITTED = "/v1/transactions/by_version/5";

/** An isolate before a shield that serves the chain of a given epoch; all requests are for immutable responses. */
function isolateBefore() {
  const world = {
    nowMs: 1_000_000,
    epoch: 0,
    floor: null as LedgerMark | null,
    calls: 0,
    isUp: true,
    retention: "immutable" as Retention,
    nearby: undefined as CachedResponse | undefined,
  };
  const background: Promise<unknown>[] = [];
  const gateway = new Gateway({
    now: () => world.nowMs,
    sleep: () => new Promise(() => undefined),
    memory: responseLru(100_000),
    cached: async () => world.nearby,
    cache: async () => undefined,
    claim: async () => true,
    shield: async (_region, { request }) => {
      world.calls += 1;
      if (!world.isUp) throw new Error("the object was reset");
      const ledger = ledgerAt(9n);
      const retention = request.endpoint === "ledger_info" ? "until-tip" : world.retention;
      const cached = { retention, seconds: 86_400, storedAtMs: world.nowMs, etag: '"e"', epoch: world.epoch } as const;
      return {
        ...{ kind: "value", value: { ...responseOf(world.epoch, ledger), ...cached }, source: "upstream", ageMs: 0 },
        ...{ shows: markOf(world.epoch, ledger), isNoted: true, attempts: [], outdated: [], tipAgeMs: 0, elapsedMs: 0 },
        tip: { epoch: world.epoch, ledger, confirmedAtMs: world.nowMs },
      };
    },
    call: async () => ({ kind: "down", maybeSent: false, lagging: false, retryAfterSeconds: 1, attempts: [] }),
    learnUpstreams: () => undefined,
    log: () => undefined,
    count: null,
    staleIfErrorSeconds: 30,
  });
  /** The epoch of the chain that a caller reads. */
  const read = async (path = COMMITTED): Promise<number> => {
    const admission = { ...NO_CALLER, admit: async () => ({ refusal: null, floor: world.floor }) };
    const waitUntil = (work: Promise<unknown>) => void background.push(work);
    const context = { region: "here", admission, minVersion: null, requestId: "r", waitUntil };
    const result = await gateway.answer(await requestFor("GET", path), context);
    await Promise.all(background.splice(0));
    if (result.kind !== "served") throw new Error(result.kind);
    return Number(new TextDecoder().decode(result.value.body));
  };
  return { world, read };
}

test("an isolate that serves only immutable hits leaves a replaced chain within 30 s", async () => {
  const { world, read } = isolateBefore();
  expect(await read()).toBe(0);
  world.epoch = 7;
  const seen: number[] = [];
  for (let second = 0; second < 30; second += 1) {
    world.nowMs += 1_000;
    seen.push(await read());
  }
  expect([seen.at(0), seen.at(-1)]).toEqual([0, 7]);
  expect(seen).toEqual([...seen].sort());
  expect(world.calls).toBeLessThanOrEqual(4);
});

test("control: on the same chain it calls the shield at most once in 20 s", async () => {
  const { world, read } = isolateBefore();
  for (let second = 0; second < 100; second += 1) {
    expect(await read()).toBe(0);
    world.nowMs += 1_000;
  }
  expect(world.calls).toBeLessThanOrEqual(6);
});

test.each([
  [19_999, 1],
  [20_000, 2],
])("a hit %i ms after the chain was confirmed makes %i calls in all", async (laterMs, calls) => {
  const { world, read } = isolateBefore();
  await read();
  world.nowMs += laterMs;
  await read();
  expect(world.calls).toBe(calls);
  await read();
  expect(world.calls, "a second hit makes none").toBe(calls);
});

test("a clock that was set back delays no look at the chain", async () => {
  const { world, read } = isolateBefore();
  await read();
  world.nowMs -= 3_600_000;
  await read();
  expect(world.calls).toBe(2);
});

test("a caller that has seen the new chain elsewhere gets no response of the old one", async () => {
  const { world, read } = isolateBefore();
  expect(await read()).toBe(0);
  world.epoch = 7;
  world.floor = markOf(7, ledgerAt(3n));
  expect(await read()).toBe(7);
});

test("nor an estimate, although the data centre's cache still has the old chain's", async () => {
  const { world, read } = isolateBefore();
  world.retention = "ttl";
  expect(await read("/v1/estimate_gas_price")).toBe(0);
  world.nearby = {
    ...responseOf(0, ledgerAt(9n)),
    ...{ retention: "ttl", seconds: 2, storedAtMs: world.nowMs, etag: '"e"', epoch: 0 },
  };
  world.epoch = 7;
  world.floor = markOf(7, ledgerAt(3n));
  expect(await read("/v1/estimate_gas_price")).toBe(7);
});

describe("an isolate that knows no chain yet", () => {
  const old: CachedResponse = {
    ...responseOf(0, ledgerAt(9n)),
    ...{ retention: "immutable", seconds: 86_400, storedAtMs: 999_000, etag: '"e"', epoch: 0 },
  };

  test("uses nothing from the data centre's cache before it knows the shield's epoch", async () => {
    const { world, read } = isolateBefore();
    world.nearby = old;
    world.epoch = 7;
    expect(await read()).toBe(7);
  });

  test("but what is immutable on the shield's own chain, when that calls it pending", async () => {
    const { world, read } = isolateBefore();
    world.nearby = { ...old, body: new TextEncoder().encode("9") };
    world.retention = "no-store";
    expect(await read()).toBe(9);
  });

  test("but while the shield does not answer", async () => {
    const { world, read } = isolateBefore();
    world.nearby = old;
    world.isUp = false;
    expect(await read()).toBe(0);
  });
});

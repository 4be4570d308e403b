import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { LastGoodStore } from "../../src/gateway/cache/last-good-store.ts";
import type { CachedResponse } from "../../src/gateway/node-types.ts";
import type { Ledger } from "../../src/gateway/tip/ledger-headers.ts";

const shield = (name: string) => env.SHIELD.getByName(name);
const ledger = (version: bigint): Ledger => ({
  chainId: 4,
  version,
  oldestVersion: 0n,
  timestampMicros: 1n,
  epoch: 1n,
  blockHeight: version,
  oldestBlockHeight: 0n,
});

describe("an eviction", () => {
  test("loses no stored figure", async () => {
    const home = shield("figures:home");
    await home.putFigure("total", "123", 7);
    await evictDurableObject(home);
    expect(await shield("figures:home").figure("total")).toEqual({ value: "123", storedAtMs: 7 });
    expect(await shield("figures:home").figure("other")).toBeNull();
  });
});

const value = (storedAtMs: number, bytes = 20): CachedResponse => ({
  status: 200,
  contentType: "application/json",
  body: new Uint8Array(bytes).fill(65),
  ledger: ledger(7n),
  extras: { cursor: "00ab" },
  retention: "until-tip",
  seconds: 60,
  storedAtMs,
  epoch: 0,
  etag: '"e"',
});

/** The store of an object, on its real storage. */
const inStore = <T>(name: string, work: (store: LastGoodStore) => T): Promise<T> =>
  runInDurableObject(shield(name), (_object, { storage }) =>
    work(new LastGoodStore((query, ...bindings) => storage.sql.exec(query, ...bindings).toArray())),
  );

describe("last good responses", () => {
  test("are unchanged after a restart of the object", async () => {
    await inStore("answers:0", (store) => store.save("GET /a", value(1_000)));
    await evictDurableObject(shield("answers:0"));
    expect(await inStore("answers:0", (store) => store.load("GET /a"))).toEqual(value(1_000));
    expect(await inStore("answers:0", (store) => store.load("GET /b"))).toBeUndefined();
  });

  test("of other upstreams are deleted, those of the same upstreams remain", async () => {
    const cachedUnder = (upstreams: string) =>
      inStore("answers:fleet", (store) => {
        store.bindToUpstreams(upstreams);
        return store.load("GET /a")?.storedAtMs;
      });
    await cachedUnder("a.example 4");
    await inStore("answers:fleet", (store) => {
      store.save("GET /a", value(1_000));
    });
    expect(await cachedUnder("a.example 4")).toBe(1_000);
    expect(await cachedUnder("a.example 9")).toBeUndefined();
  });

  test("are written at most every ten seconds per key, and not if they are large", async () => {
    const stored = await inStore("answers:1", (store) => {
      store.save("GET /a", value(1_000));
      store.save("GET /a", value(10_999));
      const early = store.load("GET /a")?.storedAtMs;
      store.save("GET /a", value(11_000));
      store.save("GET /large", value(1_000, 65_537));
      return [early, store.load("GET /a")?.storedAtMs, store.load("GET /large")];
    });
    expect(stored).toEqual([1_000, 11_000, undefined]);
  });

  test("are bounded in number, the oldest evicted first", async () => {
    const saved = await inStore("answers:2", (store) => {
      for (let index = 0; index < 300; index += 1) store.save(`GET /${index}`, value(index));
      return [store.load("GET /0"), store.load("GET /43"), store.load("GET /44")?.storedAtMs];
    });
    expect(saved).toEqual([undefined, undefined, 44]);
  });
});

test("figures are bounded in number and size", async () => {
  const home = shield("bounds:home");
  for (let index = 0; index < 70; index += 1) await home.putFigure(`figure-${index}`, "1", index);
  await home.putFigure("huge", "x".repeat(1_048_577), 1_000);
  expect(await home.figure("huge")).toBeNull();
  expect(await home.figure("figure-0")).toBeNull();
  expect(await home.figure("figure-69")).toEqual({ value: "1", storedAtMs: 69 });
});

const exchange = async () =>
  ({ kind: "error", error: "connect", detail: "", status: null, retryAfterSeconds: null }) as const;

test("a version that no node has times out after about a second, without an exception", async () => {
  const request = {
    endpoint: "account",
    mode: "read",
    method: "GET",
    path: "/accounts/0x1",
    accept: "json",
    contentType: null,
    body: null,
    key: "k",
    params: {},
  } as const;
  const requested = {
    request,
    epoch: 0,
    recent: null,
    floor: null,
    minVersion: 10n ** 15n,
    noted: null,
    noteTarget: null,
    polled: null,
  };
  expect(await shield("alone:0").answer("weur", requested, exchange)).toMatchObject({ kind: "down", lagging: true });
});

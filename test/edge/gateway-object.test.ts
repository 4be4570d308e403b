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
  test("does not take the published tip back, though no node confirms it any more", async () => {
    const head = shield("tip:head");
    expect(await head.advance(ledger(41n))).toMatchObject({ confirmed: true, ledger: { version: 41n } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await evictDurableObject(head);
    expect(await shield("tip:head").lease(null)).toMatchObject({ confirmed: false, ledger: { version: 41n } });
    expect((await shield("never-used:head").lease(null)).ledger).toBeNull();
  });

  test("keeps the figures", async () => {
    const head = shield("figures:head");
    await head.putFigure("total", "123", 7);
    await evictDurableObject(head);
    expect(await shield("figures:head").figure("total")).toEqual({ value: "123", storedAtMs: 7 });
    expect(await shield("figures:head").figure("other")).toBeNull();
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
  etag: '"e"',
});

/** The shelf of an object, on its real storage. */
const onShelf = <T>(name: string, work: (shelf: LastGoodStore) => T): Promise<T> =>
  runInDurableObject(shield(name), (_object, { storage }) =>
    work(new LastGoodStore((query, ...bindings) => storage.sql.exec(query, ...bindings).toArray())),
  );

describe("last good answers", () => {
  test("outlive the object, as they were", async () => {
    await onShelf("answers:0", (shelf) => shelf.save("GET /a", value(1_000)));
    await evictDurableObject(shield("answers:0"));
    expect(await onShelf("answers:0", (shelf) => shelf.load("GET /a"))).toEqual(value(1_000));
    expect(await onShelf("answers:0", (shelf) => shelf.load("GET /b"))).toBeUndefined();
  });

  test("of other upstreams are forgotten with their tip, of the same ones kept", async () => {
    const heldUnder = (upstreams: string) =>
      onShelf("answers:fleet", (shelf) => {
        shelf.bindToUpstreams(upstreams);
        return [shelf.load("GET /a")?.storedAtMs, shelf.tip?.version];
      });
    await heldUnder("a.example 4");
    await onShelf("answers:fleet", (shelf) => {
      shelf.save("GET /a", value(1_000));
      shelf.rememberTip(ledger(7n));
    });
    expect(await heldUnder("a.example 4")).toEqual([1_000, 7n]);
    expect(await heldUnder("a.example 9")).toEqual([undefined, undefined]);
  });

  test("are written at most every ten seconds a key, and not when they are large", async () => {
    const kept = await onShelf("answers:1", (shelf) => {
      shelf.save("GET /a", value(1_000));
      shelf.save("GET /a", value(10_999));
      const early = shelf.load("GET /a")?.storedAtMs;
      shelf.save("GET /a", value(11_000));
      shelf.save("GET /large", value(1_000, 65_537));
      return [early, shelf.load("GET /a")?.storedAtMs, shelf.load("GET /large")];
    });
    expect(kept).toEqual([1_000, 11_000, undefined]);
  });

  test("are bounded in number, the oldest out first", async () => {
    const kept = await onShelf("answers:2", (shelf) => {
      for (let index = 0; index < 300; index += 1) shelf.save(`GET /${index}`, value(index));
      return [shelf.load("GET /0"), shelf.load("GET /43"), shelf.load("GET /44")?.storedAtMs];
    });
    expect(kept).toEqual([undefined, undefined, 44]);
  });
});

test("a later tip is given to nobody before the leases on the earlier one have run out", async () => {
  const head = shield("lease:head");
  await head.advance(ledger(1n));
  const held = await head.lease(null);
  const grantedAtMs = Date.now();
  const raised = await head.advance(ledger(2n));
  expect(held.ledger?.version).toBe(1n);
  expect(raised.ledger?.version).toBe(2n);
  expect(Date.now() - grantedAtMs).toBeGreaterThanOrEqual(held.milliseconds - 5);
});

test("figures are bounded in number and size", async () => {
  const head = shield("bounds:head");
  for (let index = 0; index < 70; index += 1) await head.putFigure(`figure-${index}`, "1", index);
  await head.putFigure("huge", "x".repeat(1_048_577), 1_000);
  expect(await head.figure("huge")).toBeNull();
  expect(await head.figure("figure-0")).toBeNull();
  expect(await head.figure("figure-69")).toEqual({ value: "1", storedAtMs: 69 });
});

test("without any node every read is a 503 of the node's own shape, and no exception", async () => {
  const target = {
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
  const told = await shield("alone:0").answer("alone", { target, shown: 0n });
  expect(told).toMatchObject({ kind: "down", maybeSent: false, retryAfterSeconds: expect.any(Number) });
});

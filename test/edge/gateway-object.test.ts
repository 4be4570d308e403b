import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Ledger } from "../../src/gateway/ledger.ts";

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

  test("forgets neither figures nor the chain that was learned", async () => {
    const head = shield("figures:head");
    await head.putFigure("total", "123", 7);
    expect(await head.chain(4)).toBe(4);
    await evictDurableObject(head);
    expect(await shield("figures:head").figure("total")).toEqual({ value: "123", storedAtMs: 7 });
    expect(await shield("figures:head").chain(9)).toBe(4);
    expect(await shield("figures:head").figure("other")).toBeNull();
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
    asked: {},
  } as const;
  const told = await shield("alone:0").answer("alone", { target, shown: 0n });
  expect(told).toMatchObject({ kind: "down", maybeSent: false, retryAfterSeconds: expect.any(Number) });
});

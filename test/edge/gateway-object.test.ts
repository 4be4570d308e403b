import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ShieldRequest } from "../../src/gateway/shield/messages.ts";
import { upstreamError } from "../../src/gateway/upstream/client.ts";
import { LEDGER_INFO } from "../../src/gateway/upstream/upstreams.ts";

const shield = (name: string) => env.SHIELD.getByName(name);
const disconnected = async () => upstreamError("connect", "");
const reading = (more: Partial<ShieldRequest> = {}): ShieldRequest => ({
  ...{ request: LEDGER_INFO, era: 0, recent: null, floor: null, offered: null, noteTarget: null },
  ...more,
});

test("an eviction of the home object loses no figure", async () => {
  await shield("v1:home").putFigure("total", "123", 7);
  await evictDurableObject(shield("v1:home"));
  expect(await shield("v1:home").figure("total")).toEqual({ value: "123", storedAtMs: 7 });
  expect(await shield("v1:home").figure("other")).toBeNull();
});

test("a version that no node has is refused after about a second, without an exception", async () => {
  const { found } = await shield("alone:0").answer(reading({ floor: { era: 0, version: 10n ** 15n } }), disconnected);
  expect(found).toMatchObject({ kind: "down", lagging: true });
});

test("the era that one object ends begins for all of them, and survives their evictions", async () => {
  const before = await shield("v1:home").chain(null);
  const chainId = before.chainId ?? 4;
  const ended = { era: before.era, replaced: "test" };
  const after = await shield("v1:home").chain({ chainId, servedBy: null, ended });
  expect(after.era).toBeGreaterThan(before.era);
  await evictDurableObject(shield("v1:home"));
  expect(await shield("v1:home").chain({ chainId, servedBy: null, ended })).toMatchObject({ era: after.era });
  const { found } = await shield("fresh:0").answer(reading({ floor: { era: 0, version: 10n ** 15n } }), disconnected);
  expect(found).toMatchObject({ kind: "found", value: { era: after.era } });
});

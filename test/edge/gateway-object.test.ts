import "../support/started-workers.js";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ShieldRequest } from "../../src/gateway/shield/messages.ts";
import { upstreamError } from "../../src/gateway/upstream/client.ts";
import { LEDGER_INFO } from "../../src/gateway/upstream/upstreams.ts";

const shield = (name: string) => env.SHIELD.getByName(name);
const disconnected = async () => upstreamError("connect", "");
const reading = (more: Partial<ShieldRequest> = {}): ShieldRequest => ({
  request: LEDGER_INFO,
  era: 0,
  recent: null,
  floor: null,
  offered: null,
  recordTarget: null,
  ...more,
});

test("a version that no node has is refused after about a second, without an exception", async () => {
  const { found } = await shield("alone:0").answer(reading({ floor: { era: 0, version: 10n ** 15n } }), disconnected);
  expect(found).toMatchObject({ kind: "down", why: "lagging" });
});

test("an era that has begun at the home object is that of every shield object that wakes", async () => {
  const home = env.HOME.getByName("home");
  const before = await home.chain(null);
  const ended = { era: before.era, replaced: "test" };
  const after = await home.chain({ chainId: before.chainId ?? 4, servedBy: null, ended });
  expect(after.era).toBeGreaterThan(before.era);
  const { found } = await shield("fresh:0").answer(reading({ floor: { era: 0, version: 10n ** 15n } }), disconnected);
  expect(found).toMatchObject({ kind: "found", value: { era: after.era } });
});

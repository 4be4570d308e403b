import { expect, test } from "vitest";
import { ResponseLru } from "../../../src/gateway/cache/lru.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import type { CachedResponse, Retention } from "../../../src/gateway/node-types.ts";
import type { ShieldResult } from "../../../src/gateway/shield/coalescer.ts";
import type { Ledger } from "../../../src/gateway/tip/ledger-headers.ts";
import { requestFor } from "./requests.ts";

const NOW_MS = 1_000_000;
const ledger = (version: bigint): Ledger => ({
  chainId: 4,
  version,
  oldestVersion: 0n,
  timestampMicros: 0n,
  epoch: 1n,
  blockHeight: version,
  oldestBlockHeight: 0n,
});

/** A gateway whose tip is 9 and whose shield answers with a body of version 5. */
async function answered(
  atLeast: bigint | null,
  retention: Retention,
  source: "asked" | "stale",
): Promise<number | string> {
  const value: CachedResponse = {
    ...{ status: 200, contentType: "application/json", body: new Uint8Array([0x37]), extras: {}, etag: '"e"' },
    ...{ ledger: ledger(5n), retention: retention, seconds: 60, storedAtMs: NOW_MS - 2_000 },
  };
  const lease = { ledger: ledger(9n), milliseconds: 100, confirmed: source === "asked", unconfirmedMs: 3_000 };
  const told: ShieldResult = { kind: "value", value, source, ageMs: 2_000, lease, attempts: [] };
  const gateway = new Gateway({
    now: () => NOW_MS,
    memory: new ResponseLru(1_000, 1_000),
    cached: async () => undefined,
    cache: async () => undefined,
    shield: async () => told,
    lease: async () => lease,
    log: () => undefined,
    count: null,
    staleIfErrorSeconds: 30,
  });
  const target = await requestFor("GET", "/v1/accounts/0x1");
  const circumstances = { region: "here", atLeast, requestId: "r", waitUntil: () => undefined };
  const served = await gateway.answer(target, circumstances);
  if (served.kind === "served") return served.source;
  return served.kind === "node" ? served.status : served.kind;
}

test.each<[bigint | null, Retention, "asked" | "stale", number | string, string]>([
  [null, "until-tip", "stale", "stale", "who asks for no version gets the last good answer, labelled"],
  [5n, "until-tip", "stale", "stale", "the last good answer knows the version asked for"],
  [6n, "until-tip", "stale", 503, "the tip is past it, the last good answer is not"],
  [9n, "ttl", "stale", 503, "an estimate of before the version asked for"],
  [9n, "immutable", "asked", "asked", "what is pinned was so before"],
  [10n, "until-tip", "stale", 503, "nobody knows that version yet"],
])("at least version %s of a %s body that is %s: %s, because %s", async (atLeast, retention, source, expected) => {
  expect(await answered(atLeast, retention, source)).toBe(expected);
});

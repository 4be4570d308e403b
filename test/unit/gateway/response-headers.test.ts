import { describe, expect, test } from "vitest";
import type { GatewayResult } from "../../../src/gateway/gateway.ts";
import type { CachedResponse, Retention } from "../../../src/gateway/model/node-types.ts";
import { replyOf } from "../../../src/gateway/response-headers.ts";
import { requestFor } from "./requests.ts";
import { ledgerAt } from "./upstream/nodes.ts";

const value = (retention: Retention, more: Partial<CachedResponse> = {}): CachedResponse => ({
  status: 200,
  contentType: "application/json",
  body: new Uint8Array([0x37]),
  extras: {},
  ledger: ledgerAt(7n),
  retention,
  seconds: 86_400,
  storedAtMs: 0,
  etag: '"e"',
  era: 0,
  point: null,
  revealed: null,
  timeless: false,
  ...more,
});

async function headersOf(
  path: string,
  cached: CachedResponse,
  { isProduction = true, ...more }: Partial<GatewayResult> & { isProduction?: boolean } = {},
): Promise<Readonly<Record<string, string>>> {
  const target = await requestFor(
    path.startsWith("/v1/transactions") ? "POST" : "GET",
    path,
    path.startsWith("/v1/transactions") ? "{}" : null,
  );
  const served: GatewayResult = {
    kind: "found",
    target,
    value: cached,
    source: "upstream",
    ageMs: 2_500,
    ledger: ledgerAt(9n),
    recorded: null,
    attempts: [{ upstream: "a", result: "ok", milliseconds: 12 }],
    ...more,
  };
  return replyOf(served, { headerPrefix: "X-NODE-", isProduction }).headers;
}

describe("Cache-Control", () => {
  test.each<[string, CachedResponse, boolean, string]>([
    ["immutable, in production", value("immutable"), true, "public, max-age=86400, immutable"],
    ["immutable, where a chain may be reset", value("immutable"), false, "no-cache"],
    ["an absence at a version", value("immutable", { status: 404 }), true, "no-store"],
    ["valid for some seconds", value("ttl", { seconds: 2 }), true, "public, max-age=2"],
    ["valid until the next commit", value("until-tip"), true, "no-cache"],
    ["not to be stored", value("no-store"), true, "no-store"],
  ])("of what is %s", async (_what, cached, isProduction, expected) => {
    expect((await headersOf("/v1/accounts/0x1", cached, { isProduction }))["Cache-Control"]).toBe(expected);
  });
});

test("the ledger that is named is the one that its caller may see, or none", async () => {
  expect((await headersOf("/v1/accounts/0x1", value("immutable")))["X-NODE-LEDGER-VERSION"]).toBe("9");
  expect(await headersOf("/v1/accounts/0x1", value("immutable"), { ledger: null })).not.toHaveProperty("X-NODE-EPOCH");
});

test("gas has our prefix, a cursor every known prefix; only cached responses have an Age", async () => {
  const headers = await headersOf(
    "/v1/accounts/0x1/resources",
    value("until-tip", { extras: { CURSOR: "00ab", "GAS-USED": "3" } }),
  );
  expect(headers).toMatchObject({
    "X-NODE-CURSOR": "00ab",
    "X-APTOS-CURSOR": "00ab",
    "X-NODE-GAS-USED": "3",
    Age: "2",
    ETag: '"e"',
  });
  const submit = await headersOf("/v1/transactions", value("no-store", { status: 202 }));
  expect([submit["Age"], submit["ETag"]]).toEqual([undefined, undefined]);
});

test("the epoch's key for encrypted transactions is named where it was read now", async () => {
  const extras = { "TXN-ENCRYPTION-KEY": "0xab" };
  const now = await headersOf("/v1", value("until-tip", { extras }));
  expect(now["X-NODE-TXN-ENCRYPTION-KEY"]).toBe("0xab");
  const kept = await headersOf("/v1/accounts/0x1", value("immutable", { extras, timeless: true }));
  expect(kept).not.toHaveProperty("X-NODE-TXN-ENCRYPTION-KEY");
});

test("a hit's response is built once a second and tip, and stays the same for the caller", async () => {
  const cached = value("immutable");
  const first = await headersOf("/v1/accounts/0x1", cached, { source: "memory" });
  expect(await headersOf("/v1/accounts/0x1", cached, { source: "memory", ageMs: 2_999 })).toBe(first);
  expect(await headersOf("/v1/accounts/0x1", cached, { source: "memory", ageMs: 3_000 })).toMatchObject({ Age: "3" });
  const later = await headersOf("/v1/accounts/0x1", cached, { source: "memory", ledger: ledgerAt(10n) });
  expect(later["X-NODE-LEDGER-VERSION"]).toBe("10");
});

describe("Cache-Status", () => {
  test.each<[string, CachedResponse, Partial<GatewayResult>, string]>([
    ["a hit that is immutable", value("immutable"), { source: "memory" }, "edge; hit; ttl=86398; detail=memory"],
    ["a hit in the data centre", value("ttl", { seconds: 60 }), { source: "cache" }, "edge; hit; ttl=57; detail=cache"],
    ["a hit that expired", value("ttl", { seconds: 1 }), { source: "shield" }, "edge; hit; ttl=0; detail=shield"],
    ["a hit until the tip moves", value("until-tip"), { source: "shield" }, "edge; hit; detail=shield"],
    ["a stale response", value("until-tip"), { source: "stale" }, "edge; hit; ttl=-3; detail=upstream-down"],
    ["a miss", value("until-tip"), {}, "edge; fwd=miss; fwd-status=200; stored"],
    ["a miss that is not stored", value("no-store", { status: 404 }), {}, "edge; fwd=miss; fwd-status=404"],
    ["a joined miss", value("ttl"), { source: "collapsed" }, "edge; fwd=miss; collapsed; fwd-status=200; stored"],
  ])("of %s", async (_what, cached, served, expected) => {
    expect((await headersOf("/v1/accounts/0x1", cached, served))["Cache-Status"]).toBe(expected);
  });

  test("of a submit", async () => {
    const headers = await headersOf("/v1/transactions", value("no-store", { status: 202 }));
    expect(headers["Cache-Status"]).toBe("edge; fwd=bypass; fwd-status=202");
  });
});

test.each([
  ["upstream", "cache;desc=upstream, upstream;dur=12"],
  ["shield", "cache;desc=shield"],
] as const)("Server-Timing of a response from %s is %s", async (source, expected) => {
  expect((await headersOf("/v1/accounts/0x1", value("until-tip"), { source }))["Server-Timing"]).toBe(expected);
});

test.each([
  ["until-tip", 399, "no-cache"],
  ["until-tip", 400, "no-store"],
  ["ttl", 200, "public, max-age=2"],
] as const)("Cache-Control of what is %s with status %i", async (retention, status, expected) => {
  const headers = await headersOf("/v1/accounts/0x1", value(retention, { status, seconds: 2.5 }));
  expect(headers["Cache-Control"]).toBe(expected);
});

test.each<[string, CachedResponse, string | undefined]>([
  ["a successful read", value("until-tip"), '"e"'],
  ["an absence", value("until-tip", { status: 404 }), undefined],
  ["a body that is passed on", value("until-tip", { large: { length: 9, stream: new ReadableStream() } }), undefined],
])("%s has the tag %s", async (_what, cached, etag) => {
  expect((await headersOf("/v1/accounts/0x1", cached))["ETag"]).toBe(etag);
});

test("a hit from another source is not the reply of a hit from memory", async () => {
  const cached = value("immutable");
  const hit = await headersOf("/v1/accounts/0x1", cached, { source: "memory" });
  expect(await headersOf("/v1/accounts/0x1", cached, { source: "cache" })).not.toBe(hit);
  const nameless = await headersOf("/v1/accounts/0x1", cached, { source: "memory", ledger: null });
  expect(nameless["X-NODE-LEDGER-VERSION"]).toBeUndefined();
});

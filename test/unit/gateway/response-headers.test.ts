import { describe, expect, test } from "vitest";
import type { CachedResponse, Retention } from "../../../src/gateway/node-types.ts";
import { type GatewayResult, replyOf } from "../../../src/gateway/response-headers.ts";
import { requestFor } from "./requests.ts";
import { ledgerAt } from "./upstream/nodes.ts";

const value = (retention: Retention, more: Partial<CachedResponse> = {}): CachedResponse => ({
  ...{ status: 200, contentType: "application/json", body: new Uint8Array([0x37]), extras: {} },
  ...{ ledger: ledgerAt(7n), retention, seconds: 86_400, storedAtMs: 0, etag: '"e"', epoch: 0 },
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
    ...{ kind: "served", target, value: cached, source: "upstream", ageMs: 2_500, tip: ledgerAt(9n), upstreamMs: 12 },
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

test.each<[string, Retention, string]>([
  ["immutable is the newest known", "immutable", "9"],
  ["valid at its version is that version", "until-tip", "7"],
])("the ledger of an answer that is %s", async (_what, retention, version) => {
  expect((await headersOf("/v1/accounts/0x1", value(retention)))["X-NODE-LEDGER-VERSION"]).toBe(version);
});

test("gas has our prefix, a cursor every known prefix; only cached responses have an Age", async () => {
  const headers = await headersOf(
    "/v1/accounts/0x1/resources",
    value("until-tip", { extras: { cursor: "00ab", "gas-used": "3" } }),
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

test("a hit's response is built once a second and tip, and stays the same for the caller", async () => {
  const cached = value("immutable");
  const first = await headersOf("/v1/accounts/0x1", cached, { source: "memory" });
  expect(await headersOf("/v1/accounts/0x1", cached, { source: "memory", ageMs: 2_999 })).toBe(first);
  expect(await headersOf("/v1/accounts/0x1", cached, { source: "memory", ageMs: 3_000 })).toMatchObject({ Age: "3" });
  const later = await headersOf("/v1/accounts/0x1", cached, { source: "memory", tip: ledgerAt(10n) });
  expect(later["X-NODE-LEDGER-VERSION"]).toBe("10");
});

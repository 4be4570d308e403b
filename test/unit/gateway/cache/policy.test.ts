import { describe, expect, test } from "vitest";
import { ENDPOINTS, type EndpointId } from "../../../../src/chain/endpoints.ts";
import { CACHE_POLICY, cacheRuleFor, responseOf } from "../../../../src/gateway/cache/policy.ts";
import type { ResponseKind } from "../../../../src/gateway/upstream/classify.ts";
import { requestFor } from "../requests.ts";
import { ledgerAt, responseOf as nodeResponse } from "../upstream/nodes.ts";

/** Every kind: the compiler misses one that is not listed. */
const KIND_RECORD: Readonly<Record<ResponseKind, true>> = {
  committed: true,
  current: true,
  pending: true,
  absent_at_version: true,
  absent: true,
  not_yet: true,
  unknown_hash: true,
  late: true,
  disabled: true,
  pruned: true,
  pruned_so_far: true,
  failed: true,
  refused: true,
  unchecked: true,
};
const KINDS = Object.keys(KIND_RECORD) as ResponseKind[]; // the keys of a record over ResponseKind
const NEVER: readonly EndpointId[] = [
  "submit",
  "submit_batch",
  "simulate",
  "encode_submission",
  "healthy",
  "wait_by_hash",
];

const PAIRS = ENDPOINTS.flatMap(({ id }) => KINDS.map((kind) => [id, kind] as const));

test("every rule matches something: none is hidden by an earlier one", () => {
  const deciding = new Set(PAIRS.map(([endpoint, kind]) => cacheRuleFor(endpoint, kind)));
  expect(CACHE_POLICY.filter((rule) => !deciding.has(rule))).toEqual([]);
});

test("only refusals and failures reach the last rule", () => {
  const last = CACHE_POLICY.at(-1);
  const caught = PAIRS.filter(([endpoint, kind]) => cacheRuleFor(endpoint, kind) === last);
  expect(new Set(caught.map(([, kind]) => kind))).toEqual(new Set(["disabled", "failed", "refused"]));
});

describe("no-store", () => {
  test.each(NEVER)("%s, for any response", (endpoint) => {
    for (const kind of KINDS) expect(cacheRuleFor(endpoint, kind)).toMatchObject({ retention: "no-store", seconds: 0 });
  });

  test("for no time", () => {
    const seconds = CACHE_POLICY.filter(({ retention }) => retention === "no-store").map((rule) => rule.seconds);
    expect(new Set(seconds)).toEqual(new Set([0]));
  });

  test.each<ResponseKind>(["pending", "unknown_hash", "refused"])("%s, for any endpoint", (kind) => {
    for (const { id } of ENDPOINTS) expect(cacheRuleFor(id, kind).retention).toBe("no-store");
  });
});

test.each<[EndpointId, ResponseKind, string, number]>([
  ["transaction_by_version", "committed", "immutable", 86_400],
  ["transaction_by_hash", "committed", "immutable", 86_400],
  ["transactions", "current", "until-tip", 3_600],
  ["account_resource", "absent_at_version", "immutable", 86_400],
  ["account_resource", "absent", "until-tip", 3_600],
  ["block_by_height", "not_yet", "until-tip", 0.5],
  ["block_by_height", "pruned", "ttl", 60],
  ["block_by_height", "pruned_so_far", "ttl", 1],
  ["estimate_gas_price", "current", "ttl", 2],
  ["view", "absent_at_version", "no-store", 0],
  ["view", "committed", "immutable", 86_400],
])("%s %s: %s for %d seconds", (endpoint, kind, retention, seconds) => {
  expect(cacheRuleFor(endpoint, kind)).toMatchObject({ retention, seconds });
});

test("a response that may change without a commit is stored for two seconds at most", () => {
  const soft = CACHE_POLICY.filter(({ retention, kinds }) => retention === "ttl" && !kinds.includes("pruned"));
  expect(soft).not.toEqual([]);
  for (const { seconds } of soft) expect(seconds).toBeLessThanOrEqual(2);
});

test.each<["GET" | "POST", string, ResponseKind, number, boolean]>([
  ["GET", "/v1/transactions/by_version/9", "committed", 200, true],
  ["GET", "/v1/estimate_gas_price", "current", 200, true],
  ["GET", "/v1/accounts/0x1", "current", 200, false],
  ["GET", "/v1/accounts/0x1", "refused", 400, false],
  ["POST", "/v1/transactions", "refused", 202, true],
  ["POST", "/v1/transactions", "refused", 400, false],
  ["POST", "/v1/transactions/batch", "refused", 206, false],
  ["GET", "/v1/-/healthy", "refused", 200, true],
  ["POST", "/v1/transactions/encode_submission", "refused", 200, true],
  ["POST", "/v1/transactions/simulate", "current", 200, false],
])("%s %s, %s with status %i, is true at any point of the chain: %s", async (method, path, kind, status, expected) => {
  const request = await requestFor(method, path, method === "POST" ? "{}" : null);
  const result = { response: nodeResponse([], ledgerAt(9n), status), classification: { kind, revealsVersion: 7n } };
  const point = { era: 3, version: 9n };
  const revealed = expected ? { era: 3, version: 7n } : point;
  expect(await responseOf(request, result, 3, 5)).toMatchObject({ timeless: expected, era: 3, point, revealed });
});

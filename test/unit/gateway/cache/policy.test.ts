import { describe, expect, test } from "vitest";
import { CACHE_POLICY, cacheRuleFor, type ResponseKind } from "../../../../src/gateway/cache/policy.ts";
import { ENDPOINTS, type EndpointId } from "../../../../src/gateway/request/endpoints.ts";

const KINDS: readonly ResponseKind[] = [
  "committed",
  "full_page",
  "current",
  "pending",
  "absent_at_version",
  "absent",
  "not_yet",
  "unknown_hash",
  "pruned",
  "pruned_so_far",
  "refused",
];
const NEVER: readonly EndpointId[] = [
  "submit",
  "submit_batch",
  "simulate",
  "encode_submission",
  "healthy",
  "wait_by_hash",
];

test("every rule has its reason, and every endpoint a rule for every answer", () => {
  for (const rule of CACHE_POLICY) expect(rule.because.length).toBeGreaterThan(10);
  for (const { id } of ENDPOINTS) for (const kind of KINDS) expect(cacheRuleFor(id, kind).because).toBeTruthy();
});

describe("what may never be kept is not", () => {
  test.each(NEVER)("%s, whatever it answers", (endpoint) => {
    for (const kind of KINDS) expect(cacheRuleFor(endpoint, kind)).toMatchObject({ retention: "no-store", seconds: 0 });
  });

  test.each<ResponseKind>(["pending", "unknown_hash", "refused"])("%s, whoever answers it", (kind) => {
    for (const { id } of ENDPOINTS) expect(cacheRuleFor(id, kind).retention).toBe("no-store");
  });
});

test.each<[EndpointId, ResponseKind, string, number]>([
  ["transaction_by_version", "committed", "immutable", 86_400],
  ["transaction_by_hash", "committed", "immutable", 86_400],
  ["transactions", "full_page", "immutable", 86_400],
  ["transactions", "current", "until-tip", 3_600],
  ["account_resource", "absent_at_version", "immutable", 86_400],
  ["account_resource", "absent", "until-tip", 3_600],
  ["block_by_height", "not_yet", "until-tip", 0.5],
  ["block_by_height", "pruned", "ttl", 60],
  ["block_by_height", "pruned_so_far", "ttl", 1],
  ["estimate_gas_price", "current", "ttl", 2],
  ["view", "absent_at_version", "no-store", 0],
  ["view", "committed", "immutable", 86_400],
])("%s that is %s is held %s for %d seconds", (endpoint, kind, retention, seconds) => {
  expect(cacheRuleFor(endpoint, kind)).toMatchObject({ retention, seconds });
});

test("nothing that may change is held beyond the second a caller may be behind", () => {
  const soft = CACHE_POLICY.filter(({ retention, answer }) => retention === "ttl" && answer !== "pruned");
  for (const { seconds } of soft) expect(seconds).toBeLessThanOrEqual(2);
});

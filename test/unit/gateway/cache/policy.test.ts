import { describe, expect, test } from "vitest";
import { type AnswerKind, RULES, ruleFor } from "../../../../src/gateway/cache/policy.ts";
import { ENDPOINTS, type EndpointId } from "../../../../src/gateway/request/endpoints.ts";

const KINDS: readonly AnswerKind[] = [
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
  for (const rule of RULES) expect(rule.because.length).toBeGreaterThan(10);
  for (const { id } of ENDPOINTS) for (const kind of KINDS) expect(ruleFor(id, kind).because).toBeTruthy();
});

describe("what may never be kept is not", () => {
  test.each(NEVER)("%s, whatever it answers", (endpoint) => {
    for (const kind of KINDS) expect(ruleFor(endpoint, kind)).toMatchObject({ hold: "never", seconds: 0 });
  });

  test.each<AnswerKind>(["pending", "unknown_hash", "refused"])("%s, whoever answers it", (kind) => {
    for (const { id } of ENDPOINTS) expect(ruleFor(id, kind).hold).toBe("never");
  });
});

test.each<[EndpointId, AnswerKind, string, number]>([
  ["transaction_by_version", "committed", "pinned", 86_400],
  ["transaction_by_hash", "committed", "pinned", 86_400],
  ["transactions", "full_page", "pinned", 86_400],
  ["transactions", "current", "tip", 3_600],
  ["account_resource", "absent_at_version", "pinned", 86_400],
  ["account_resource", "absent", "tip", 3_600],
  ["block_by_height", "not_yet", "tip", 0.5],
  ["block_by_height", "pruned", "timed", 60],
  ["block_by_height", "pruned_so_far", "timed", 1],
  ["estimate_gas_price", "current", "timed", 2],
  ["view", "absent_at_version", "never", 0],
  ["view", "committed", "pinned", 86_400],
])("%s that is %s is held %s for %d seconds", (endpoint, kind, hold, seconds) => {
  expect(ruleFor(endpoint, kind)).toMatchObject({ hold, seconds });
});

test("nothing that may change is held beyond the second a caller may be behind", () => {
  const soft = RULES.filter(({ hold, answer }) => hold === "timed" && answer !== "pruned");
  for (const { seconds } of soft) expect(seconds).toBeLessThanOrEqual(2);
});

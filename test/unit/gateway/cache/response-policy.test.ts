import { expect, test } from "vitest";
import type { ResponseKind } from "../../../../src/gateway/cache/policy.ts";
import { responseOf } from "../../../../src/gateway/cache/policy.ts";
import { requestFor } from "../requests.ts";
import { ledgerAt, responseOf as nodeResponse } from "../upstream/nodes.ts";

const HASH = "a".repeat(64);

test.each<[string, ResponseKind, string]>([
  [`/v1/transactions/by_hash/${HASH}`, "committed", "immutable"],
  [`/v1/transactions/wait_by_hash/${HASH}`, "committed", "immutable"],
  [`/v1/transactions/wait_by_hash/${HASH}`, "pending", "no-store"],
  [`/v1/transactions/wait_by_hash/${HASH}`, "unknown_hash", "no-store"],
  ["/v1/accounts/0x1", "current", "until-tip"],
])("%s that is %s is stored %s, with its epoch and time", async (path, answer, retention) => {
  const request = await requestFor("GET", path);
  const response = nodeResponse({ a: 1 }, ledgerAt(9n));
  const classification = { kind: "valid", answer, revealsVersion: null } as const;
  const stored = await responseOf(request, { response, classification }, 7, 1_000);
  expect(stored).toMatchObject({ retention, epoch: 7, storedAtMs: 1_000, status: 200 });
  // Only a stored response gets a strong validator: others cost no hash.
  expect(stored.etag).toMatch(retention === "no-store" ? /^$/ : /^"[0-9a-f]{32}"$/);
});

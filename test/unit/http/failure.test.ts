import { expect, test } from "vitest";
import { type Failure, toWire } from "../../../src/http/failure.ts";

const FAILURES: readonly (readonly [Failure, number, string, string])[] = [
  [{ kind: "unknown_path" }, 404, "not_found", "web_framework_error"],
  [{ kind: "wrong_method", allow: ["GET", "HEAD"] }, 405, "method_not_allowed", "web_framework_error"],
  [
    { kind: "throttled", quota: 60, windowSeconds: 60, retryAfterSeconds: 7 },
    429,
    "rate_limited",
    "web_framework_error",
  ],
  [{ kind: "invalid_input", message: "no" }, 400, "invalid_input", "web_framework_error"],
  [{ kind: "unsupported_version", requested: "2", served: ["1"] }, 400, "unsupported_version", "web_framework_error"],
  [{ kind: "version_removed", version: "1", successor: null }, 410, "version_removed", "web_framework_error"],
  [{ kind: "unavailable", message: "later", retryAfterSeconds: 5 }, 503, "service_unavailable", "internal_error"],
];

test.each(FAILURES)("%o is %i %s on /api and %s on /v1", (failure, status, apiCode, nodeCode) => {
  const api = toWire(failure, "api");
  const node = toWire(failure, "node");
  expect([api.status, node.status]).toEqual([status, status]);
  expect(JSON.parse(api.body)).toEqual({ message: expect.any(String), error_code: apiCode });
  expect(JSON.parse(node.body)).toEqual({
    message: expect.any(String),
    error_code: nodeCode,
    vm_error_code: null,
  });
  expect(api.headers).toMatchObject({ "Content-Type": "application/json", "Cache-Control": "no-store" });
});

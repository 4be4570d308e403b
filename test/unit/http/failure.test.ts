import { describe, expect, test } from "vitest";
import publicDocument from "../../../openapi/public.json" with { type: "json" };
import { ERROR_STATUS } from "../../../src/chain/error-codes.ts";
import { type Failure, failureReply, isFailure } from "../../../src/http/failure.ts";

const NO_STORE = { "Content-Type": "application/json", "Cache-Control": "no-store" };
const FRAMEWORK = "web_framework_error";

const NODE_FAILURE: Failure = {
  kind: "node",
  status: 410,
  errorCode: "version_pruned",
  message: "pruned",
  retryAfterSeconds: null,
};

interface Expected {
  readonly status: number;
  readonly api: string;
  readonly node: string;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

const ROWS: readonly (readonly [Failure, Expected])[] = [
  [
    { kind: "unknown_path" },
    { status: 404, api: "not_found", node: FRAMEWORK, message: "Path not found. Every path is listed at /docs/." },
  ],
  [
    { kind: "not_found", message: "There is none." },
    { status: 404, api: "not_found", node: FRAMEWORK, message: "There is none." },
  ],
  [
    { kind: "wrong_method", allow: ["GET", "HEAD"] },
    {
      status: 405,
      api: "method_not_allowed",
      node: FRAMEWORK,
      message: "Method not allowed. This path allows GET, HEAD.",
      headers: { Allow: "GET, HEAD" },
    },
  ],
  [
    { kind: "throttled", quota: 60, windowSeconds: 60, retryAfterSeconds: 7 },
    {
      status: 429,
      api: "rate_limited",
      node: FRAMEWORK,
      message: "The limit is 60 requests per 60 seconds; retry in 7 seconds.",
      headers: { "Retry-After": "7" },
    },
  ],
  [
    { kind: "invalid_input", message: "no" },
    { status: 400, api: "invalid_input", node: FRAMEWORK, message: "no" },
  ],
  [
    { kind: "unsupported_version", requested: '2"', served: ["1", "3"] },
    {
      status: 400,
      api: "unsupported_version",
      node: FRAMEWORK,
      message: 'X-API-Version "2\\"" is not supported; allowed: 1, 3.',
    },
  ],
  [
    { kind: "version_removed", version: "1", successor: null },
    { status: 410, api: "version_removed", node: FRAMEWORK, message: "Version 1 was removed." },
  ],
  [
    { kind: "version_removed", version: "1", successor: "https://example.org/2" },
    {
      status: 410,
      api: "version_removed",
      node: FRAMEWORK,
      message: "Version 1 was removed; see https://example.org/2.",
    },
  ],
  [
    { kind: "unavailable", message: "later", retryAfterSeconds: 5 },
    {
      status: 503,
      api: "service_unavailable",
      node: "internal_error",
      message: "later",
      headers: { "Retry-After": "5" },
    },
  ],
  [NODE_FAILURE, { status: 410, api: "version_pruned", node: "version_pruned", message: "pruned" }],
  [
    { ...NODE_FAILURE, retryAfterSeconds: 1 },
    { status: 410, api: "version_pruned", node: "version_pruned", message: "pruned", headers: { "Retry-After": "1" } },
  ],
];

describe.each(ROWS)("%o", (failure, { status, api, node, message, headers }) => {
  test("on /api is an Error object with a code, on /v1 one with the node's code", () => {
    const [onApi, onNode] = [failureReply(failure, "api"), failureReply(failure, "node")];
    expect([onApi.status, onNode.status]).toEqual([status, status]);
    expect(JSON.parse(String(onApi.body))).toEqual({ message, error_code: api });
    expect(JSON.parse(String(onNode.body))).toEqual({ message, error_code: node, vm_error_code: null });
    expect(onApi.headers).toEqual({ ...NO_STORE, ...headers });
    expect(onNode.headers).toEqual({ ...NO_STORE, "Content-Type": "application/json; charset=utf-8", ...headers });
  });
});

test("every code is one that its surface's document or the node's specification lists", () => {
  const documented = publicDocument.components.schemas.Error.properties.error_code.enum;
  const own = ROWS.filter(([failure]) => failure.kind !== "node");
  expect([...new Set(own.map(([, { api }]) => api))].sort()).toEqual([...documented].sort());
  for (const [, { node }] of ROWS) expect(Object.keys(ERROR_STATUS)).toContain(node);
});

test("an unsupported version is quoted up to 40 characters", () => {
  const requested = `${"1".repeat(39)}23`;
  const reply = failureReply({ kind: "unsupported_version", requested, served: ["1"] }, "api");
  const quoted = `${"1".repeat(39)}2`;
  expect(JSON.parse(String(reply.body)).message).toBe(`X-API-Version "${quoted}" is not supported; allowed: 1.`);
});

test("a failure is recognized by its kind, which is a text", () => {
  expect([{ kind: "unknown_path" }, {}, { kind: 7 }, { status: 404 }].map(isFailure)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

import type { ErrorCode } from "../chain/error-codes.ts";
import { JSON_TYPE, NODE_JSON_TYPE } from "../chain/media-types.ts";
import { BoundedMap } from "../memo.ts";

/** Every way a request can fail, as data. Only {@link toWire} turns a failure into a response. */
export type Failure =
  | { readonly kind: "unknown_path" }
  | { readonly kind: "wrong_method"; readonly allow: readonly string[] }
  | {
      readonly kind: "throttled";
      readonly quota: number;
      readonly windowSeconds: number;
      readonly retryAfterSeconds: number;
    }
  | { readonly kind: "invalid_input"; readonly message: string }
  | { readonly kind: "unsupported_version"; readonly requested: string; readonly served: readonly string[] }
  | { readonly kind: "version_removed"; readonly version: string; readonly successor: string | null }
  | { readonly kind: "unavailable"; readonly message: string; readonly retryAfterSeconds: number }
  | NodeFailure;

/** A 400 for a parameter; the message names it and what is allowed. */
export function invalidParameter(message: string): Failure {
  return { kind: "invalid_input", message };
}

export function isFailure(value: object): value is Failure {
  return "kind" in value && typeof value.kind === "string";
}

/** A failure in the chain node's format: error code, status, VM detail. */
export interface NodeFailure {
  readonly kind: "node";
  readonly status: number;
  readonly errorCode: ErrorCode;
  readonly message: string;
  readonly vmErrorCode: number | null;
  /** Sent as Retry-After when not null. */
  readonly retryAfterSeconds: number | null;
}

/** The error codes of `/api` (`Error.error_code` in openapi/public.json). `/v1` uses the node's {@link ErrorCode}. */
export type ApiErrorCode =
  | "not_found"
  | "method_not_allowed"
  | "rate_limited"
  | "invalid_input"
  | "unsupported_version"
  | "version_removed"
  | "service_unavailable";

/** Which of the two documented error formats a path uses. */
export type Surface = "api" | "node";

export interface WireFailure {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

// A flood receives few distinct responses: one for each retry time in seconds.
const throttledResponses = new BoundedMap<string, WireFailure>(8_192);

/** The Error object with its status and headers, always `Cache-Control: no-store`. */
export function toWire(failure: Failure, surface: Surface): WireFailure {
  if (failure.kind !== "throttled") return formatFailure(failure, surface);
  const key = `${surface} ${failure.quota} ${failure.windowSeconds} ${failure.retryAfterSeconds}`;
  const known = throttledResponses.get(key);
  if (known !== undefined) return known;
  const wire = formatFailure(failure, surface);
  throttledResponses.set(key, wire);
  return wire;
}

function formatFailure(failure: Failure, surface: Surface): WireFailure {
  const { status, code, message, headers } = describe(failure);
  const body =
    surface === "api"
      ? JSON.stringify({ message, error_code: code })
      : JSON.stringify({ message, error_code: nodeCode(failure, status), vm_error_code: vmCode(failure) });
  return {
    status,
    body,
    headers: {
      "Content-Type": surface === "api" ? JSON_TYPE : NODE_JSON_TYPE,
      "Cache-Control": "no-store",
      ...headers,
    },
  };
}

interface Description {
  readonly status: number;
  readonly code: ApiErrorCode | ErrorCode;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

function describe(failure: Failure): Description {
  switch (failure.kind) {
    case "unknown_path":
      return { status: 404, code: "not_found", message: "Path not found. Every path is listed at /docs/." };
    case "wrong_method":
      return {
        status: 405,
        code: "method_not_allowed",
        message: `Method not allowed. This path allows ${failure.allow.join(", ")}.`,
        headers: { Allow: failure.allow.join(", ") },
      };
    case "throttled":
      return {
        status: 429,
        code: "rate_limited",
        message: `The limit is ${failure.quota} requests per ${failure.windowSeconds} seconds; retry in ${failure.retryAfterSeconds} seconds.`,
        headers: retryAfter(failure.retryAfterSeconds),
      };
    case "invalid_input":
      return { status: 400, code: "invalid_input", message: failure.message };
    case "unsupported_version":
      return {
        status: 400,
        code: "unsupported_version",
        message: `X-API-Version ${JSON.stringify(failure.requested.slice(0, 40))} is not supported; allowed: ${failure.served.join(", ")}.`,
      };
    case "version_removed":
      return {
        status: 410,
        code: "version_removed",
        message: `Version ${failure.version} was removed${failure.successor === null ? "" : `; see ${failure.successor}`}.`,
      };
    case "unavailable":
      return {
        status: 503,
        code: "service_unavailable",
        message: failure.message,
        headers: retryAfter(failure.retryAfterSeconds),
      };
    case "node":
      return {
        status: failure.status,
        code: failure.errorCode,
        message: failure.message,
        headers: failure.retryAfterSeconds === null ? {} : retryAfter(failure.retryAfterSeconds),
      };
  }
}

function retryAfter(seconds: number): Record<string, string> {
  return { "Retry-After": String(seconds) };
}

/** On `/v1` the edge uses the node's error codes; its own failures are framework errors or internal errors. */
function nodeCode(failure: Failure, status: number): ErrorCode {
  if (failure.kind === "node") return failure.errorCode;
  return status >= 500 ? "internal_error" : "web_framework_error";
}

function vmCode(failure: Failure): number | null {
  return failure.kind === "node" ? failure.vmErrorCode : null;
}

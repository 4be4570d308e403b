import type { ErrorCode } from "../chain/error-codes.ts";
import { JSON_TYPE, NODE_JSON_TYPE } from "../chain/media-types.ts";
import type { Reply } from "./reply.ts";

/** Every way in which a request can fail, as data. Only {@link failureReply} turns a failure into a response. */
export type Failure =
  | { readonly kind: "unknown_path" }
  /** The path exists, but the thing it names does not. */
  | { readonly kind: "not_found"; readonly message: string }
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
  | Unavailability
  | NodeFailure;

interface Unavailability {
  readonly kind: "unavailable";
  readonly message: string;
  readonly retryAfterSeconds: number;
  /** Further members of the Error object: the figures that are known nevertheless. */
  readonly knownMembers?: object;
}

/** Builds a 400 for a parameter. The message names the parameter and the values it allows. */
export function invalidParameter(message: string): Failure {
  return { kind: "invalid_input", message };
}

export function isFailure(value: object): value is Failure {
  return "kind" in value && typeof value.kind === "string";
}

/** A failure in the chain node's error format. */
export interface NodeFailure {
  readonly kind: "node";
  readonly status: number;
  readonly errorCode: ErrorCode;
  readonly message: string;
  /** Value of `Retry-After`; null: the header is not sent. */
  readonly retryAfterSeconds: number | null;
}

/** Error codes of `/api` (`Error.error_code` in openapi/public.json). `/v1` uses the node's {@link ErrorCode}. */
export type ApiErrorCode =
  | "not_found"
  | "method_not_allowed"
  | "rate_limited"
  | "invalid_input"
  | "unsupported_version"
  | "version_removed"
  | "service_unavailable";

/** Which of the two documented error formats a path has. */
export type Surface = "api" | "node";

/** Builds the Error object with its status and headers, always with `Cache-Control: no-store`. */
export function failureReply(failure: Failure, surface: Surface): Reply {
  const [status, code, message] = describe(failure);
  const headers: Record<string, string> = {
    "Content-Type": surface === "api" ? JSON_TYPE : NODE_JSON_TYPE,
    "Cache-Control": "no-store",
  };
  if (failure.kind === "wrong_method") headers["Allow"] = failure.allow.join(", ");
  if ("retryAfterSeconds" in failure && failure.retryAfterSeconds !== null)
    headers["Retry-After"] = String(failure.retryAfterSeconds);
  const knownMembers = failure.kind === "unavailable" ? failure.knownMembers : undefined;
  const body =
    surface === "api" ? { message, error_code: code, ...knownMembers } : { message, ...nodeCodes(failure, status) };
  return { kind: "reply", status, headers, body: JSON.stringify(body) };
}

/** Status, error code on `/api`, and message. */
function describe(failure: Failure): readonly [number, ApiErrorCode | ErrorCode, string] {
  switch (failure.kind) {
    case "unknown_path":
      return [404, "not_found", "Path not found. Every path is listed at /docs/."];
    case "not_found":
      return [404, "not_found", failure.message];
    case "wrong_method":
      return [405, "method_not_allowed", `Method not allowed. This path allows ${failure.allow.join(", ")}.`];
    case "throttled": {
      const limit = `${failure.quota} requests per ${failure.windowSeconds} seconds`;
      return [429, "rate_limited", `The limit is ${limit}; retry in ${failure.retryAfterSeconds} seconds.`];
    }
    case "invalid_input":
      return [400, "invalid_input", failure.message];
    case "unsupported_version": {
      const requested = JSON.stringify(failure.requested.slice(0, 40));
      const allowed = failure.served.join(", ");
      return [400, "unsupported_version", `X-API-Version ${requested} is not supported; allowed: ${allowed}.`];
    }
    case "version_removed": {
      const successor = failure.successor === null ? "" : `; see ${failure.successor}`;
      return [410, "version_removed", `Version ${failure.version} was removed${successor}.`];
    }
    case "unavailable":
      return [503, "service_unavailable", failure.message];
    case "node":
      return [failure.status, failure.errorCode, failure.message];
  }
}

/**
 * Error codes on `/v1`, from the node's list. The edge's own failures are framework errors below 500 and internal
 * errors above.
 */
function nodeCodes(failure: Failure, status: number): { error_code: ErrorCode; vm_error_code: null } {
  const edgeCode = status >= 500 ? "internal_error" : "web_framework_error";
  return { error_code: failure.kind === "node" ? failure.errorCode : edgeCode, vm_error_code: null };
}

/** Every way a request can fail, as data. {@link toWire} is the only place that puts one on the wire. */
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

/** A failure in the chain node's own words: its error code, its status, its VM detail. */
export interface NodeFailure {
  readonly kind: "node";
  readonly status: number;
  readonly errorCode: string;
  readonly message: string;
  readonly vmErrorCode: number | null;
  /** Seconds; sent as Retry-After when not null. */
  readonly retryAfterSeconds: number | null;
}

/** Which of the two documented error vocabularies a path speaks. */
export type Surface = "api" | "node";

export interface WireFailure {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

// A flood gets the same few answers over and over: one for each second that a policy can ask a caller to wait.
const throttledWires = new Map<string, WireFailure>();

/** The Error object, its status and its own header fields. `Cache-Control: no-store` always. */
export function toWire(failure: Failure, surface: Surface): WireFailure {
  if (failure.kind !== "throttled") return spelled(failure, surface);
  const key = `${surface} ${failure.quota} ${failure.windowSeconds} ${failure.retryAfterSeconds}`;
  const known = throttledWires.get(key);
  if (known !== undefined) return known;
  const wire = spelled(failure, surface);
  throttledWires.set(key, wire);
  return wire;
}

function spelled(failure: Failure, surface: Surface): WireFailure {
  const { status, code, message, headers } = placed(failure);
  const body =
    surface === "api"
      ? JSON.stringify({ message, error_code: code })
      : JSON.stringify({ message, error_code: nodeCode(failure, status), vm_error_code: vmCode(failure) });
  return { status, body, headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers } };
}

interface Placed {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

function placed(failure: Failure): Placed {
  switch (failure.kind) {
    case "unknown_path":
      return { status: 404, code: "not_found", message: "There is nothing at this path." };
    case "wrong_method":
      return {
        status: 405,
        code: "method_not_allowed",
        message: `This path allows ${failure.allow.join(", ")}.`,
        headers: { Allow: failure.allow.join(", ") },
      };
    case "throttled":
      return {
        status: 429,
        code: "rate_limited",
        message: `The limit is ${failure.quota} requests per ${failure.windowSeconds} seconds; retry in ${failure.retryAfterSeconds} seconds.`,
        headers: { "Retry-After": String(failure.retryAfterSeconds) },
      };
    case "invalid_input":
      return { status: 400, code: "invalid_input", message: failure.message };
    case "unsupported_version":
      return {
        status: 400,
        code: "unsupported_version",
        message: `X-API-Version ${JSON.stringify(failure.requested.slice(0, 40))} is not served; allowed: ${failure.served.join(", ")}.`,
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
        headers: { "Retry-After": String(failure.retryAfterSeconds) },
      };
    case "node":
      return {
        status: failure.status,
        code: failure.errorCode,
        message: failure.message,
        ...(failure.retryAfterSeconds === null
          ? {}
          : { headers: { "Retry-After": String(failure.retryAfterSeconds) } }),
      };
  }
}

/** On `/v1` the edge speaks the node's own list of codes: what it answers by itself is a framework error, or internal. */
function nodeCode(failure: Failure, status: number): string {
  if (failure.kind === "node") return failure.errorCode;
  return status >= 500 ? "internal_error" : "web_framework_error";
}

function vmCode(failure: Failure): number | null {
  return failure.kind === "node" ? failure.vmErrorCode : null;
}

import type { NodeRequest, NodeResponse } from "../node-types.ts";
import type { ValidResponse } from "./classify-response.ts";

/** Why one attempt returned no usable response. */
export type AttemptError =
  | "connect"
  | "timeout"
  | "truncated"
  | "too_large"
  | "server_error"
  | "throttled"
  /** A 4xx that is not the node's own but a proxy's or firewall's in front of it. */
  | "refused"
  | "invalid"
  | "wrong_chain"
  /** Its ledger version differs from what the upstream itself or another one reports. */
  | "contradicts"
  | "lagging"
  | "pruned"
  /** It was not called: see {@link Connections}. */
  | "no_connection";

export interface UpstreamError {
  readonly kind: "error";
  readonly error: AttemptError;
  /** For the log. */
  readonly detail: string;
  /** The HTTP status; null when there was none. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
}

export function upstreamError(
  error: AttemptError,
  detail: string,
  status: number | null = null,
  retryAfterSeconds: number | null = null,
): UpstreamError {
  return { kind: "error", error, detail, status, retryAfterSeconds };
}

export interface UpstreamResponse {
  readonly kind: "response";
  readonly response: NodeResponse;
  readonly classification: ValidResponse;
  readonly dialect: Dialect | null;
}

/** The result of one request to one upstream. Plain data: it may cross between isolates. */
export type UpstreamResult = UpstreamResponse | UpstreamError;

/** Which media types and header prefix a node uses; learned from its responses. */
export type Dialect = "node" | "aptos";

/** Sends one request to one upstream with one deadline for head and body. Never rejects. */
export type Send = (request: NodeRequest, dialect: Dialect, deadlineMs: number) => Promise<UpstreamResult>;

/** One exchange with the upstream at that index. Rejects only over a lent connection. */
export type Exchange = (upstream: number, ...exchange: Parameters<Send>) => Promise<UpstreamResult>;

import type { Failure } from "./failure.ts";
import type { Reply } from "./reply.ts";

/** Result of a handler. */
export type Outcome = Reply | Failure;

/** A request, parsed once. */
export interface RequestContext {
  readonly request: Request;
  /** Method in upper case. HEAD is handled like GET; `respond` drops the body. */
  readonly method: string;
  /** Path as sent: not percent-decoded, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark; "" when there is none. */
  readonly query: string;
  /** Path parameters by name, not percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * API version that is served, a row of `VERSIONS`. null on /v1, which has no versions, and when the request names no
   * known version.
   */
  readonly version: string | null;
  /** Arrival of the request, in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly requestId: string;
  /** Keeps the isolate alive for work after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export type Handler = (context: RequestContext) => Outcome | Promise<Outcome>;

/** A path of a module, for GET and HEAD; `:name` matches one segment. */
export interface GetRoute {
  readonly path: string;
  /** Period parameters that the route accepts. `any`: the answer is the same for every period. Absent: none. */
  readonly period?: "month and date" | "date" | "from and to" | "any";
  readonly handler: Handler;
}

/** Reads a file that was built with the page; undefined when it cannot be read. */
export type ReadAsset = (path: string) => Promise<string | undefined>;

export const UNREADABLE_DOCUMENT: Failure = {
  kind: "unavailable",
  message: "The document cannot be read now.",
  retryAfterSeconds: 5,
};

/** Route of a path that this deployment does not have, in no period. */
export function routeNotOffered(path: string, message: string): GetRoute {
  return { path, period: "any", handler: () => ({ kind: "not_found", message }) };
}

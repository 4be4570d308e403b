import type { Failure } from "./failure.ts";
import type { Reply } from "./reply.ts";

/** What a handler returns. */
export type Outcome = Reply | Failure;

/** One request, parsed once. */
export interface RequestContext {
  readonly request: Request;
  /** In upper case. HEAD is handled like GET; `respond` drops the body. */
  readonly method: string;
  /** Path as sent, not percent-decoded, without query. */
  readonly path: string;
  /** Query as sent, without the question mark; "" when there is none. */
  readonly query: string;
  /** Path parameters by name, not percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** API version that is served (a row of `VERSIONS`); null on /v1, which has none, and where the header names no row. */
  readonly version: string | null;
  /** When the request arrived, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly requestId: string;
  /** Keeps the isolate alive for work after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export type Handler = (context: RequestContext) => Outcome | Promise<Outcome>;

/** A path of a room, for GET and HEAD; `:name` matches one segment. */
export interface GetRoute {
  readonly path: string;
  /** What it takes of `month`, `date`, `from` and `to`; `any`: its answer holds for every period. Absent: nothing. */
  readonly period?: "month and date" | "from and to" | "any";
  readonly handler: Handler;
}

/** The text of a file built beside the page; undefined when it cannot be read. */
export type ReadAsset = (path: string) => Promise<string | undefined>;

export const UNREADABLE_DOCUMENT: Failure = {
  kind: "unavailable",
  message: "The document cannot be read now.",
  retryAfterSeconds: 5,
};

/** A path that this deployment does not have. */
export function routeNotOffered(path: string, message: string): GetRoute {
  return { path, handler: () => ({ kind: "not_found", message }) };
}

import type { Failure } from "./failure.ts";

/** A response as plain data, without per-caller headers (rate limit, CORS, request id), so that it may be stored. */
export interface Reply {
  readonly kind: "reply";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

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
  /** When the request arrived, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly requestId: string;
  /** Keeps the isolate alive for work after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export type Handler = (context: RequestContext) => Outcome | Promise<Outcome>;

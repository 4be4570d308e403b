import type { Failure } from "./failure.ts";

/** An answer as plain data. Per-caller fields (rate limit, CORS, request id) are not in it: it may be stored. */
export interface Reply {
  readonly kind: "reply";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** What a handler returns: an answer, or a failure as data. */
export type Outcome = Reply | Failure;

/** One request, read once at the border. */
export interface RequestContext {
  readonly request: Request;
  /** Upper-case method; "HEAD" is passed on; the response step drops the body. */
  readonly method: string;
  /** Path as sent, not percent-decoded, without query. */
  readonly path: string;
  /** Query as sent, without the question mark; "" when there is none. */
  readonly query: string;
  /** Path parameters by name, not percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The one clock reading of this request, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly requestId: string;
  /** Lets work outlive the answer. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export type Handler = (ask: RequestContext) => Outcome | Promise<Outcome>;

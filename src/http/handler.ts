import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
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

/** What the limiter said of one request, for answers that have a place in the chain's history. */
export interface Admitted {
  /** Null when the request was admitted. */
  readonly refusal: Failure | null;
  /**
   * Null when the candidate may be the answer: it is noted as shown to the caller. Otherwise what the answer must be at
   * or above; with the node's fields, and noted as shown, when the request was timeless.
   */
  readonly floor: LedgerMark | null;
}

/** Counts one request, once, and keeps what its caller was shown. */
export interface Admission {
  /** Counts nothing: the refusal when the caller is already known to have no quota left. */
  readonly knownRefusal: () => Failure | null;
  /**
   * Whether a read may be sent upstream before the limiter has decided: false for a caller that has no quota left as far
   * as this isolate knows, and after one quota of such reads in a window, so that refused bursts cost no more than that.
   */
  readonly mayReadAhead: () => boolean;
  /**
   * Counts the request. `candidate` is where the chain stands in the answer that could be given at once; `timeless`
   * says that the answer is true at any point, which is then only named in its head. Never rejects.
   */
  readonly admit: (candidate: LedgerMark | null, timeless: boolean) => Promise<Admitted>;
  /** Notes what an answer shows before it leaves; false when the caller's object does not answer. */
  readonly note: (mark: LedgerMark) => Promise<boolean>;
  /** Notes in this isolate what the shield has noted at the caller's object. */
  readonly noteHere: (point: LedgerPoint) => void;
  /** What this isolate alone has shown the caller. */
  readonly seenHere: () => LedgerPoint | null;
  /** The caller's object and its key there, for a note by the shield; null without a caller. */
  readonly noteTarget: () => NoteTarget | null;
}

/** Names an object of the limiter and a caller in it. Plain data: it crosses to the shield. */
export interface NoteTarget {
  readonly object: string;
  readonly region: string;
  readonly key: string;
}

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
  /** The limiter's side of this request. Handlers of the chain's paths ask it themselves; all others need not. */
  readonly admission: Admission;
  /** Keeps the isolate alive for work after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export type Handler = (context: RequestContext) => Outcome | Promise<Outcome>;

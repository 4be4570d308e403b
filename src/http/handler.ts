import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
import type { Failure } from "./failure.ts";
import type { Reply } from "./reply.ts";

/** What a handler returns. */
export type Outcome = Reply | Failure;

/** The limiter's decision about a request whose response has a place in the chain's history. */
export interface Admitted {
  /** Null when the request was admitted. */
  readonly refusal: Failure | null;
  /**
   * Null when `candidate` may be served: it is recorded as seen by the caller. Otherwise the response must be at or
   * above it; for a timeless request it includes the node's ledger headers and is recorded as seen.
   */
  readonly floor: LedgerMark | null;
}

/** Counts one request, once, and tracks which ledger points its caller has seen. */
export interface Admission {
  /** The refusal when the caller is already known to have no quota left. Counts nothing. */
  readonly knownRefusal: () => Failure | null;
  /**
   * Whether a read may be sent upstream before the limiter has decided: false for a caller without quota as far as this
   * isolate knows, and after one quota of such reads per window, which bounds the cost of refused bursts.
   */
  readonly mayReadAhead: () => boolean;
  /**
   * Counts the request. `candidate` is the ledger point of the response that could be served at once; `timeless` means
   * that the response is true at any point and only names one in its headers. Never rejects.
   */
  readonly admit: (candidate: LedgerMark | null, timeless: boolean) => Promise<Admitted>;
  /** Records what a response reveals before it leaves; false when the caller's object does not respond. */
  readonly note: (mark: LedgerMark) => Promise<boolean>;
  /** Records in this isolate what the shield recorded at the caller's object. */
  readonly noteHere: (point: LedgerPoint) => void;
  /** The newest point that this isolate alone has served to the caller. */
  readonly seenHere: () => LedgerPoint | null;
  /**
   * The caller's object and its key there, for use by the shield; null without a caller or while it does not respond.
   */
  readonly noteTarget: () => NoteTarget | null;
}

/** A limiter object and a caller in it. Plain data: it is sent to the shield. */
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
  /** The limiter for this request. Only handlers of chain paths call it themselves. */
  readonly admission: Admission;
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

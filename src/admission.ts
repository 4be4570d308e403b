import type { LedgerPoint } from "./chain/ledger-point.ts";
import type { Failure } from "./http/failure.ts";
import type { Outcome, RequestContext } from "./http/handler.ts";

/** The limiter's decision about a request whose response has a place in the chain's history. */
export interface Admitted {
  /** Null when the request was admitted. */
  readonly refusal: Failure | null;
  /**
   * Null when the offered point is at or above everything that the caller has seen: it is recorded as seen. Otherwise
   * what the caller has seen: the response must be at or above it.
   */
  readonly floor: LedgerPoint | null;
}

/** Counts one request, once, and tracks which ledger points its caller has seen. */
export interface Admission {
  /** The caller, as the limiter tells callers apart. */
  readonly key: string;
  /** The refusal when the caller is already known to have no quota left. Counts nothing. */
  readonly knownRefusal: () => Failure | null;
  /**
   * Whether a read may be sent upstream before the limiter has decided: false for a caller without quota as far as this
   * isolate knows, and after one quota of such reads per window, which bounds the cost of refused bursts.
   */
  readonly mayReadAhead: () => boolean;
  /** Counts the request. `offered` is the point that a response at hand shows, if there is one. Never rejects. */
  readonly admit: (offered: LedgerPoint | null) => Promise<Admitted>;
  /** Records what a response reveals before it leaves. */
  readonly note: (point: LedgerPoint) => Promise<void>;
  /** Records in this isolate what was recorded at the caller's object. */
  readonly noteHere: (point: LedgerPoint) => void;
  /** The newest point that this isolate alone has served to the caller. */
  readonly seenHere: () => LedgerPoint | null;
  /** The caller's object and its key there, for the shield; null without a caller or while it does not respond. */
  readonly noteTarget: () => NoteTarget | null;
}

/** A limiter object and a caller in it. Plain data: it is sent to the shield. */
export interface NoteTarget {
  readonly object: string;
  readonly region: string;
  readonly key: string;
}

/** A request with its admission: handlers of chain paths call the limiter themselves, in parallel with other calls. */
export interface AdmittedContext extends RequestContext {
  readonly admission: Admission;
}

/** One public path and method. A GET row also serves HEAD. Handlers that need no admission ignore it. */
export interface Route {
  readonly method: "GET" | "POST";
  /** `:name` matches one path segment. */
  readonly path: string;
  readonly handler: (context: AdmittedContext) => Outcome | Promise<Outcome>;
}

/** For internal reads: nothing is counted or recorded. */
export const NO_CALLER: Admission = {
  key: "",
  knownRefusal: () => null,
  mayReadAhead: () => true,
  admit: async () => ({ refusal: null, floor: null }),
  note: async () => undefined,
  noteHere: () => undefined,
  seenHere: () => null,
  noteTarget: () => null,
};

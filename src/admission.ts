import type { LedgerPoint } from "./chain/ledger-point.ts";
import type { Failure } from "./http/failure.ts";
import type { Outcome, RequestContext } from "./http/handler.ts";

/** The limiter's decision about a request, admitted or refused, and the floor of its response. */
export interface AdmissionResult {
  /** null: the request was admitted. */
  readonly refusal: Failure | null;
  /**
   * Lowest point that the response may show, because the caller has seen it. null: the offered point is at or above
   * everything the caller has seen, and is now recorded.
   */
  readonly floor: LedgerPoint | null;
}

/** Admission of one request: it counts the request once, and records which ledger points the caller has seen. */
export interface Admission {
  /** Key by which the limiter tells callers apart. */
  readonly key: string;
  /** The refusal, if this isolate knows that the caller has no quota left. Counts nothing. */
  readonly cachedRefusal: () => Failure | null;
  /**
   * Whether a read may be sent upstream before the limiter has decided. False when this isolate knows that no quota is
   * left. Also false once a window has seen a full quota of such early reads: this bounds the cost of refused bursts.
   */
  readonly mayReadAhead: () => boolean;
  /**
   * Counts the request. `offered` is the point of a response that is already at hand, if there is one. Never rejects.
   */
  readonly admit: (offered: LedgerPoint | null) => Promise<AdmissionResult>;
  /** Records the point that a response reveals, before the response leaves. */
  readonly record: (point: LedgerPoint) => Promise<void>;
  /** Records in this isolate a point that the caller's object has recorded. */
  readonly recordHere: (point: LedgerPoint) => void;
  /** The newest point that this isolate itself has served to the caller. */
  readonly seenHere: () => LedgerPoint | null;
  /**
   * The caller's object and its key there, for the shield. null: there is no caller, or the object does not respond.
   */
  readonly recordTarget: () => RecordTarget | null;
}

/**
 * Address of a caller's record: a limiter object and the caller's key in it. Plain data, because it is sent to the
 * shield.
 */
export interface RecordTarget {
  readonly object: string;
  readonly region: string;
  readonly key: string;
}

/** A request with its admission. Handlers of chain paths call the limiter themselves, in parallel with other calls. */
export interface AdmittedContext extends RequestContext {
  readonly admission: Admission;
}

/** One public path and method. A GET row also serves HEAD. Handlers that need no admission ignore it. */
export interface AdmittedRoute {
  readonly method: "GET" | "POST";
  /** `:name` matches one path segment. */
  readonly path: string;
  readonly handler: (context: AdmittedContext) => Outcome | Promise<Outcome>;
}

/** Admission of internal reads: nothing is counted or recorded. */
export const NO_CALLER: Admission = {
  key: "",
  cachedRefusal: () => null,
  mayReadAhead: () => true,
  admit: async () => ({ refusal: null, floor: null }),
  record: async () => undefined,
  recordHere: () => undefined,
  seenHere: () => null,
  recordTarget: () => null,
};

import type { RequestContext } from "../http/handler.ts";

/** An accepted value, and the time at which it was observed, in milliseconds since the epoch. */
export interface Sample<T> {
  readonly kind: "observed";
  readonly value: T;
  readonly observedAtMs: number;
}

/** Reason why loading failed. It may be published, so it contains no address and no secret. */
export interface LoadError {
  readonly kind: "failure";
  readonly reason: string;
}

export function loadError(reason: string): LoadError {
  return { kind: "failure", reason };
}

/** A stored value as text. It is parsed again whenever it is read. */
export interface StoredText {
  readonly value: string;
  readonly storedAtMs: number;
}

/** Store of last accepted values, which outlives isolates. Neither call rejects. */
export interface LastGood {
  /** null: nothing is stored; undefined: the store does not answer, so it is not known. */
  get(name: string): Promise<StoredText | null | undefined>;
  put(name: string, value: string, storedAtMs: number): Promise<void>;
}

/** Arrival of the caller's request, and the way to continue work after its response. */
export type RequestTime = Pick<RequestContext, "nowMs" | "waitUntil">;

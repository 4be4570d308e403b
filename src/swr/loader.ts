import type { RequestContext } from "../http/handler.ts";

/** A value that counts, and when it was true, milliseconds since the epoch. */
export interface Sample<T> {
  readonly kind: "observed";
  readonly value: T;
  readonly observedAtMs: number;
}

/** Why loading failed, as a text that may be published: no address, no secret. */
export interface LoadError {
  readonly kind: "failure";
  readonly reason: string;
}

export function loadError(reason: string): LoadError {
  return { kind: "failure", reason };
}

/** A value as text, which is parsed again when it is read. */
export interface StoredText {
  readonly value: string;
  readonly storedAtMs: number;
}

/** Values that outlive isolates. Neither call rejects. */
export interface LastGood {
  /** null: there is none; undefined: that is not known, because the store does not answer. */
  get(name: string): Promise<StoredText | null | undefined>;
  put(name: string, value: string, storedAtMs: number): Promise<void>;
}

/** When the caller's request arrived, and how to continue work after its response. */
export type RequestTime = Pick<RequestContext, "nowMs" | "waitUntil">;

import type { RequestContext } from "../http/handler.ts";

/** A value and when it was true, milliseconds since the epoch. */
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

/** Loads from the upstream. Its result is validated and never an empty placeholder. */
export type Loader<T> = (nowMs: number) => Promise<Sample<T> | LoadError>;

/** Values that outlive isolates, as text that is parsed again when read. Neither call rejects. */
export interface LastGood {
  get(name: string): Promise<{ readonly value: string; readonly storedAtMs: number } | null>;
  put(name: string, value: string, storedAtMs: number): Promise<void>;
}

/** The same for values that every isolate refreshes. */
export interface FigureStore extends LastGood {
  /** As `put`, unless another isolate of the data centre did so in the last minute. */
  putSometimes(name: string, value: string, storedAtMs: number): Promise<void>;
}

/** When the caller's request arrived, and how to continue work after its response. */
export type RequestTime = Pick<RequestContext, "nowMs" | "waitUntil">;

import type { RequestContext } from "../http/handler.ts";

/** A number and when it was true, milliseconds since the epoch. */
export interface Seen {
  readonly value: bigint;
  readonly atMs: number;
}

/** Readings that await confirmation, by the names of their numbers. */
export type Doubts = ReadonlyMap<string, Seen>;

/** A value and when it was true, milliseconds since the epoch. */
export interface Sample<T> {
  readonly kind: "observed";
  readonly value: T;
  readonly observedAtMs: number;
  /** Numbers in the value that are the last good ones, because their readings are doubtful. */
  readonly doubts?: Doubts;
}

/** Why loading failed, as a text that may be published: no address, no secret. */
export interface LoadError {
  readonly kind: "failure";
  readonly reason: string;
  /** Absent: nothing was read that could change what is doubtful. */
  readonly doubts?: Doubts;
}

export function loadError(reason: string): LoadError {
  return { kind: "failure", reason };
}

/** The last good value, of any age, and what is doubtful. */
export interface Known<T> {
  readonly best: Sample<T> | undefined;
  readonly doubts: Doubts;
}

/** What this isolate knows, from the store while it knows nothing; `stored`: also what others have stored since. */
export type Recall<T> = (from?: "stored") => Promise<Known<T>>;

/** Loads from the upstream. Its result is validated and never an empty placeholder. */
export type Loader<T> = (nowMs: number, recall: Recall<T>) => Promise<Sample<T> | LoadError>;

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

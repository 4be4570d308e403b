import { BoundedMap } from "../../memo.ts";
import type { CachedResponse } from "../node-types.ts";

/** Cost of a value besides its body: key, fields and map entry, rounded up generously. */
const OVERHEAD_BYTES = 1_024;

/** A cache of responses as its users see it. */
export interface ResponseMemory {
  readonly get: (key: string) => CachedResponse | undefined;
  readonly put: (key: string, value: CachedResponse) => void;
}

/** A byte-bounded LRU cache of responses. Contains values only, never a promise. */
export class ResponseLru implements ResponseMemory {
  readonly #values: BoundedMap<string, CachedResponse>;
  readonly #maxValueBytes: number;

  constructor(maxBytes: number, maxValueBytes: number) {
    this.#values = new BoundedMap(maxBytes, costOf);
    this.#maxValueBytes = maxValueBytes;
  }

  get bytes(): number {
    return this.#values.cost;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): CachedResponse | undefined {
    return this.#values.get(key);
  }

  put(key: string, value: CachedResponse): void {
    if (costOf(key, value) > this.#maxValueBytes) this.#values.delete(key);
    else this.#values.set(key, value);
  }

  /** A namespace of this cache for one of several users, who share its bound. */
  scope(name: string): ResponseMemory {
    return { get: (key) => this.get(`${name} ${key}`), put: (key, value) => this.put(`${name} ${key}`, value) };
  }
}

function costOf(key: string, value: CachedResponse): number {
  return value.body.byteLength + 2 * key.length + OVERHEAD_BYTES;
}

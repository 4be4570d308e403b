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
  readonly #values = new Map<string, CachedResponse>();
  readonly #maxBytes: number;
  readonly #maxValueBytes: number;
  #bytes = 0;

  constructor(maxBytes: number, maxValueBytes: number) {
    this.#maxBytes = maxBytes;
    this.#maxValueBytes = maxValueBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): CachedResponse | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    // Reinserting makes the map's first key the least recently used.
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  put(key: string, value: CachedResponse): void {
    this.delete(key);
    const cost = costOf(key, value);
    if (cost > this.#maxValueBytes) return;
    this.#values.set(key, value);
    this.#bytes += cost;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  /** A namespace of this cache for one of several users, who share its bound. */
  scope(name: string): ResponseMemory {
    return { get: (key) => this.get(`${name} ${key}`), put: (key, value) => this.put(`${name} ${key}`, value) };
  }

  delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#bytes -= costOf(key, value);
  }
}

function costOf(key: string, value: CachedResponse): number {
  return value.body.byteLength + 2 * key.length + OVERHEAD_BYTES;
}

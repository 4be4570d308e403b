import { BoundedMap } from "../../memo.ts";
import type { CachedResponse } from "../node-types.ts";

/** A cache of responses as its users see it. Contains values only, never a promise. */
export type ResponseMemory = Pick<BoundedMap<string, CachedResponse>, "get" | "set">;

/** Cost of a value besides its body: key, fields and map entry, rounded up generously. */
const OVERHEAD_BYTES = 1_024;

/** A byte-bounded LRU cache of responses. */
export function responseLru(maxBytes: number): BoundedMap<string, CachedResponse> {
  return new BoundedMap(maxBytes, (key, { body }) => body.byteLength + 2 * key.length + OVERHEAD_BYTES);
}

/** A namespace of a cache for one of several users, who share its bound. */
export function scopeOf(memory: ResponseMemory, name: string): ResponseMemory {
  return {
    get: (key) => memory.get(`${name} ${key}`),
    set: (key, value) => memory.set(`${name} ${key}`, value),
  };
}

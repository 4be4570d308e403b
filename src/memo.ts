/**
 * Caches the result of `make` for each object while that object lives. `make` must depend on the object only: its
 * result is shared by all requests of the isolate.
 */
export function memoByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const built = new WeakMap<Key, Value>();
  return (key) => {
    const known = built.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    built.set(key, value);
    return value;
  };
}

/** A map with at most `maxEntries`: a new key clears a full map. For values that can be recomputed. */
export class BoundedMap<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#values.size >= this.#maxEntries && !this.#values.has(key)) this.#values.clear();
    this.#values.set(key, value);
  }
}

/**
 * Caches the result of `make` for each object while that object lives. All requests of the isolate share the result, so
 * `make` must depend on the object only.
 */
export function memoByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, Value>();
  return (key) => {
    const cached = results.get(key);
    if (cached !== undefined) return cached;
    const value = make(key);
    results.set(key, value);
    return value;
  };
}

/** Makes a cache of one value, which is made anew when one of its inputs is another one. */
export function memoOfLast<Value>(): (inputs: readonly unknown[], make: () => Value) => Value {
  let last: { readonly inputs: readonly unknown[]; readonly value: Value } | null = null;
  return (inputs, make) => {
    if (last === null || last.inputs.some((input, index) => input !== inputs[index])) last = { inputs, value: make() };
    return last.value;
  };
}

/**
 * A map whose entries together cost at most `maxCost`; the least recently used entries are evicted. Only for values
 * that can be recomputed.
 */
export class BoundedMap<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #maxCost: number;
  readonly #costOf: (key: Key, value: Value) => number;
  #cost = 0;

  /** Without `costOf` every entry costs 1. */
  constructor(maxCost: number, costOf: (key: Key, value: Value) => number = () => 1) {
    this.#maxCost = maxCost;
    this.#costOf = costOf;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    // Reinserting makes the map's first key the least recently used.
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /**
   * Returns a value without marking it as used, which saves two thirds of the time. For values that are quickly
   * recomputed.
   */
  peek(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#cost += this.#costOf(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#cost <= this.#maxCost) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#cost -= this.#costOf(key, value);
  }
}

/** Approximate overhead of an entry beside its key and value. */
const ENTRY_BYTES = 100;

/** A cache of at most `maxBytes`. When full it is cleared, which costs a few reads and no bookkeeping. */
export class ByteBoundedCache<Key extends string, Value> {
  readonly #maxBytes: number;
  readonly #bytesOf: (value: Value) => number;
  readonly #entries = new Map<Key, Value>();
  #bytes = 0;

  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** An entry larger than the cache is not stored. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(key, value);
    if (weight > this.#maxBytes) return;
    if (this.#bytes + weight > this.#maxBytes) this.clear();
    this.#entries.set(key, value);
    this.#bytes += weight;
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value !== undefined && this.#entries.delete(key)) this.#bytes -= this.#weigh(key, value);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #weigh(key: Key, value: Value): number {
    return key.length + this.#bytesOf(value) + ENTRY_BYTES;
  }
}

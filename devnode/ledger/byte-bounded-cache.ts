/** What an entry costs beside its key and its value, about. */
const ENTRY_BYTES = 100;

/** A memory with a bound in octets: when full it starts afresh, which costs a few reads and no bookkeeping. */
export class Memory<Key extends string, Value> {
  readonly #most: number;
  readonly #bytesOf: (value: Value) => number;
  readonly #entries = new Map<Key, Value>();
  #bytes = 0;

  constructor(mostBytes: number, bytesOf: (value: Value) => number) {
    this.#most = mostBytes;
    this.#bytesOf = bytesOf;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Not kept when it alone is larger than the memory. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(key, value);
    if (weight > this.#most) return;
    if (this.#bytes + weight > this.#most) this.clear();
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

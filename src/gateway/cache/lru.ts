import type { Value } from "../node-types.ts";

/** What a value costs beside its body: key, fields and the map's own room, generously. */
const OVERHEAD_BYTES = 1_024;

/** A bounded memory of values, least recently used out first. Holds data only, never a promise. */
export class Memory {
  readonly #values = new Map<string, Value>();
  readonly #mostBytes: number;
  readonly #mostValueBytes: number;
  #bytes = 0;

  constructor(mostBytes: number, mostValueBytes: number) {
    this.#mostBytes = mostBytes;
    this.#mostValueBytes = mostValueBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    // Moving it to the end makes the first key of the map the least recently used.
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  put(key: string, value: Value): void {
    this.delete(key);
    const cost = costOf(key, value);
    if (cost > this.#mostValueBytes) return;
    this.#values.set(key, value);
    this.#bytes += cost;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#bytes -= costOf(key, value);
  }
}

function costOf(key: string, value: Value): number {
  return value.body.byteLength + 2 * key.length + OVERHEAD_BYTES;
}

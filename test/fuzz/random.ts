/** Seeded random numbers: the same seed and index generate the same request on every machine. */
export class Random {
  #state: number;

  constructor(seed: number, index: number) {
    // Adjacent seeds and indexes must not generate similar streams.
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) | 0;
    for (let round = 0; round < 4; round += 1) this.#next();
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.#next() / 4_294_967_296) * bound);
  }

  chance(probability: number): boolean {
    return this.#next() < probability * 4_294_967_296;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new RangeError("nothing to pick from");
    return found;
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** Characters of one byte each, from `alphabet`. */
  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join("");
  }

  /** Mulberry32: 32 bits, small and uniform enough for choices. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

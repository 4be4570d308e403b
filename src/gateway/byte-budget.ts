/** Memory that several users of one isolate share. Counts what they say they hold; holds nothing itself. */
export class ByteBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isExceeded(): boolean {
    return this.#usedBytes > this.#maxBytes;
  }

  /** False when there is no room. What is larger than all of it has room when nothing else is held. */
  tryReserve(bytes: number): boolean {
    if (this.#usedBytes > 0 && this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  /** Counts bytes that are held already; negative when they are given up. */
  add(bytes: number): void {
    this.#usedBytes += bytes;
  }
}

/** Accounts for memory that several users of one isolate share. Callers report their own use. */
export class ByteBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when there is no room. A request larger than the whole budget succeeds when nothing else is reserved. */
  tryReserve(bytes: number): boolean {
    if (this.#usedBytes > 0 && this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

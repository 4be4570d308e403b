/**
 * Callers known to be refused, and until when. Exact for a sliding log: no quota becomes free before its oldest
 * admission expires. Bounded: the oldest entry is evicted, which costs its caller's next request one call.
 */
export class DenialCache {
  readonly #untilMs = new Map<string, number>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#untilMs.size;
  }

  /** Milliseconds for which a caller is refused; 0 when unknown. */
  remainingMs(key: string, nowMs: number): number {
    if (this.#untilMs.size === 0) return 0;
    const untilMs = this.#untilMs.get(key);
    if (untilMs === undefined) return 0;
    if (untilMs > nowMs) return untilMs - nowMs;
    this.#untilMs.delete(key);
    return 0;
  }

  remember(key: string, untilMs: number): void {
    this.#untilMs.delete(key);
    if (this.#untilMs.size >= this.#capacity) this.#evictFirst();
    this.#untilMs.set(key, untilMs);
  }

  #evictFirst(): void {
    for (const key of this.#untilMs.keys()) {
      this.#untilMs.delete(key);
      return;
    }
  }
}

/** The rule in its simplest form: every admission is stored and counted again for each decision. */
export class NaiveLog {
  readonly #quota: number;
  readonly #windowMs: number;
  readonly #admissions = new Map<string, readonly number[]>();

  constructor(quota: number, windowMs: number) {
    this.#quota = quota;
    this.#windowMs = windowMs;
  }

  /** Admissions of a caller in the half-open window that ends now. */
  recent(key: string, nowMs: number): number[] {
    return this.#of(key).filter((atMs) => nowMs - atMs < this.#windowMs);
  }

  /** Signed like a decision: refused for -n ms, or n admissions left. */
  take(key: string, nowMs: number): number {
    const recent = this.recent(key, nowMs);
    if (recent.length >= this.#quota) return -((recent[0] ?? 0) + this.#windowMs - nowMs);
    this.#admissions.set(key, [...this.#of(key), nowMs]);
    return this.#quota - recent.length - 1;
  }

  #of(key: string): readonly number[] {
    return this.#admissions.get(key) ?? [];
  }
}

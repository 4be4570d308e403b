/** A clock that advances by whole milliseconds, once all work of the current instant is done. */
export class TickingClock {
  #nowMs = 1_000_000;
  readonly #timers = new Map<number, (() => void)[]>();

  readonly now = (): number => this.#nowMs;

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => {
      const atMs = this.#nowMs + Math.max(1, Math.round(milliseconds));
      const waiting = this.#timers.get(atMs);
      if (waiting === undefined) this.#timers.set(atMs, [wake]);
      else waiting.push(wake);
    });

  /** Lets one millisecond pass. Promises settle before the next macrotask, so nothing is left when this resolves. */
  async tick(): Promise<void> {
    if (this.#isUnderWay()) await new Promise((resolve) => setImmediate(resolve));
    this.#nowMs += 1;
    const due = this.#timers.get(this.#nowMs) ?? [];
    this.#timers.delete(this.#nowMs);
    for (const wake of due) wake();
  }

  /** All work eventually waits for a timer. */
  #isUnderWay(): boolean {
    return this.#timers.size > 0;
  }
}

import type { HashValue } from "../../src/chain/hash-value.ts";

/** Runs `work` once after `delayMs`; the returned function cancels it. */
export type Timer = (delayMs: number, work: () => void) => () => void;

export const WAIT_MS = 1_000;
const MAX_WAITERS = 100;

/** Requests that wait for a pending transaction to settle. They are notified; nothing polls. */
export class TransactionWaiters {
  readonly #timer: Timer;
  readonly #byHash = new Map<HashValue, Set<() => void>>();
  #count = 0;

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  /** Resolves when {@link settled} is called with the hash, or after a second; at once when too many requests wait. */
  wait(hash: HashValue): Promise<void> {
    if (this.#count >= MAX_WAITERS) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#remove(hash, wake);
        resolve();
      };
      const cancel = this.#timer(WAIT_MS, wake);
      const together = this.#byHash.get(hash) ?? new Set();
      this.#byHash.set(hash, together.add(wake));
      this.#count += 1;
    });
  }

  /** The transaction has committed or was dropped. */
  settled(hash: HashValue): void {
    for (const wake of [...(this.#byHash.get(hash) ?? [])]) wake();
  }

  #remove(hash: HashValue, wake: () => void): void {
    const together = this.#byHash.get(hash);
    if (together?.delete(wake)) this.#count -= 1;
    if (together?.size === 0) this.#byHash.delete(hash);
  }
}

/** Native work, such as a digest, takes some turns of the event loop and no simulated time. */
const MAX_IDLE_TURNS = 100_000;

/** A clock that stops until all work waits for it, then jumps to the next timer. */
export class SimulatedTime {
  nowMs: number;
  readonly #timers: { readonly atMs: number; readonly wake: () => void }[] = [];

  constructor(nowMs = 1_000_000) {
    this.nowMs = nowMs;
  }

  readonly now = (): number => this.nowMs;

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => {
      this.#timers.push({ atMs: this.nowMs + milliseconds, wake });
    });

  /** Lets time pass until the work is done. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    for (let idleTurns = 0; idleTurns < MAX_IDLE_TURNS; idleTurns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return done;
      if (this.#wakeNext()) idleTurns = 0;
    }
    throw new Error("everything waits, and for no timer");
  }

  /** Advances the time and resolves expired timers. */
  async pass(milliseconds: number): Promise<void> {
    await this.run(this.sleep(milliseconds));
  }

  /** False when there is no timer. */
  #wakeNext(): boolean {
    this.#timers.sort((left, right) => left.atMs - right.atMs);
    const next = this.#timers.shift();
    if (next === undefined) return false;
    this.nowMs = Math.max(this.nowMs, next.atMs);
    next.wake();
    return true;
  }
}

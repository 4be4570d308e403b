import { DurableObject } from "cloudflare:workers";
import type { LimiterPorts } from "./edge-limiter.ts";
import { Journal } from "./journal.ts";
import { clockAt, MonotonicClock } from "./monotonic-clock.ts";
import type { PackedDecision } from "./packed-decision.ts";
import { type LogLimits, SlidingWindowLog } from "./sliding-window-log.ts";

const FLUSH_MS = 1_000;
const MAX_CALLERS = 100_000;

/**
 * Holds the logs of the callers of one policy, region and shard. Memory decides, without waiting, so calls cannot come
 * between each other. Admissions reach the disk within a second and are read back by a fresh instance: an eviction
 * forgets nothing, a crash at most the last second. Refusals write nothing.
 */
export class LimiterShard extends DurableObject {
  readonly #journal: Journal;
  readonly #clock: MonotonicClock;
  #limits: LogLimits = { quota: 0, windowMs: 0, maxCallers: MAX_CALLERS };
  #log = new SlidingWindowLog(this.#limits);
  #flushing = false;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#journal = new Journal(ctx.storage.sql);
    const { clock } = this.#journal.reload();
    this.#clock = clock === null ? clockAt(Date.now()) : new MonotonicClock(clock);
  }

  /** Counts one request of a caller if it may pass. One number goes back, see {@link PackedDecision}. */
  take(key: string, quota: number, windowSeconds: number): PackedDecision {
    const log = this.#logFor(quota, windowSeconds);
    const timeMs = this.#timeMs();
    const charged = log.chargedKey(key, timeMs);
    const verdict = log.take(charged, timeMs);
    if (verdict >= 0) this.#note(charged, timeMs);
    return verdict;
  }

  /** How a caller stands; counts nothing. */
  peek(key: string, quota: number, windowSeconds: number): PackedDecision {
    const log = this.#logFor(quota, windowSeconds);
    const timeMs = this.#timeMs();
    return log.peek(log.chargedKey(key, timeMs), timeMs);
  }

  /** A clock that was set is written down: a fresh instance could not tell the step from time that passed. */
  #timeMs(): number {
    const readingMs = Date.now();
    const wasSet = this.#clock.wasSet(readingMs);
    const timeMs = this.#clock.advance(readingMs);
    if (wasSet) this.#journal.write(this.#clock.state, this.#limits.windowMs);
    return timeMs;
  }

  /** The log for this policy; a policy that changed begins from the journal, as a fresh instance does. */
  #logFor(quota: number, windowSeconds: number): SlidingWindowLog {
    const windowMs = windowSeconds * 1000;
    if (quota === this.#limits.quota && windowMs === this.#limits.windowMs) return this.#log;
    this.#journal.flush(this.#clock.state, this.#limits.windowMs);
    this.#limits = { quota, windowMs, maxCallers: MAX_CALLERS };
    this.#log = new SlidingWindowLog(this.#limits);
    for (const { key, timeMs } of this.#journal.reload().admissions) this.#log.record(key, timeMs);
    return this.#log;
  }

  #note(key: string, timeMs: number): void {
    this.#journal.note(key, timeMs);
    if (this.#flushing) return;
    this.#flushing = true;
    setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** Waiting for the disk is what holds an eviction back until the journal is written; a bare timer loses it. */
  async #flush(): Promise<void> {
    this.#flushing = false;
    this.#journal.flush(this.#clock.state, this.#limits.windowMs);
    await this.ctx.storage.sync();
  }
}

/** Reaches the objects of a namespace. Their ids are kept; a stub belongs to one request. */
export function limiterShardStub(namespace: DurableObjectNamespace<LimiterShard>): LimiterPorts["shardStub"] {
  return (name, region) => {
    const id = namespace.idFromName(name);
    const options = region === "world" ? {} : { locationHint: region };
    return () => namespace.get(id, options);
  };
}

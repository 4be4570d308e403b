import { DurableObject } from "cloudflare:workers";
import { isAtLeast, type LedgerMark, type LedgerPoint } from "../chain/ledger-point.ts";
import type { LocationHint } from "../config.ts";
import { placement } from "../placement/location-hint.ts";
import type { AdmittedBelow, LimiterPorts } from "./edge-limiter.ts";
import { Journal } from "./journal.ts";
import { clockAt, MonotonicClock } from "./monotonic-clock.ts";
import type { PackedDecision } from "./packed-decision.ts";
import { ShownVersions } from "./shown-versions.ts";
import { type LogLimits, SlidingWindowLog } from "./sliding-window-log.ts";

const FLUSH_MS = 1_000;
const MAX_CALLERS = 100_000;
/** Written without holding answers back; who must know that it is on the disk waits for `sync`. */
const UNCONFIRMED = { allowUnconfirmed: true } as const;
const NEWEST_KEY = "newest";
/** Raised when the stored mark changes its meaning. */
const NEWEST_FORMAT = 1;
const SHOWN = { keepMs: 60_000, maxCallers: MAX_CALLERS / 2 } as const;

interface StoredMark extends LedgerMark {
  readonly format: number;
}

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
  readonly #shown: ShownVersions;
  /** The newest point that any caller of this object was shown, and the newest that is on the disk. */
  #newest: LedgerMark | null;
  #stored: LedgerMark | null;
  #storing: Promise<void> = Promise.resolve();
  #flushing = false;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#journal = new Journal(ctx.storage.sql);
    const { clock } = this.#journal.reload();
    this.#clock = clock === null ? clockAt(Date.now()) : new MonotonicClock(clock);
    const stored = ctx.storage.kv.get<StoredMark>(NEWEST_KEY);
    this.#newest = stored?.format === NEWEST_FORMAT ? stored : null;
    this.#stored = this.#newest;
    this.#shown = new ShownVersions(SHOWN, this.#newest);
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

  /**
   * Counts one request that could be answered at `candidate`, and notes what it will show. Only the number: the
   * candidate is good, or nothing binds. With a floor: the answer must be at or above it. A timeless request is shown
   * the newest point that this object knows.
   */
  admit(
    key: string,
    quota: number,
    windowSeconds: number,
    candidate: LedgerMark | null,
    timeless: boolean,
  ): PackedDecision | AdmittedBelow | Promise<PackedDecision | AdmittedBelow> {
    const decision = this.take(key, quota, windowSeconds);
    if (decision < 0) return decision;
    const floor = this.#shown.floorOf(key);
    if (candidate !== null && isAtLeast(candidate, floor)) return this.#after(this.#show(key, candidate), decision);
    if (timeless && this.#newest !== null)
      return this.#after(this.#show(key, this.#newest), { decision, floor: this.#newest });
    return floor === null ? decision : { decision, floor: { ...floor, fields: "" } };
  }

  /** Notes what a caller is about to be shown; answers, once that is on the disk, with the newest that it was shown. */
  async note(key: string, mark: LedgerMark): Promise<LedgerPoint> {
    await this.#show(key, mark);
    const { epoch, version } = this.#shown.floorOf(key) ?? mark;
    return { epoch, version };
  }

  /** Null when nothing has to be waited for: a point as new is on the disk, from where a fresh instance begins. */
  #show(key: string, mark: LedgerMark): Promise<void> | null {
    this.#shown.note(key, mark, Date.now());
    if (this.#newest === null || !isAtLeast(this.#newest, mark)) this.#store(mark);
    return this.#stored !== null && isAtLeast(this.#stored, mark) ? null : this.#storing;
  }

  #store({ epoch, version, fields }: LedgerMark): void {
    const mark = { epoch, version, fields };
    this.#newest = mark;
    this.ctx.storage.put<StoredMark>(NEWEST_KEY, { format: NEWEST_FORMAT, ...mark }, UNCONFIRMED);
    this.#storing = this.ctx.storage.sync().then(() => {
      if (this.#stored === null || isAtLeast(mark, this.#stored)) this.#stored = mark;
    });
  }

  #after<T>(stored: Promise<void> | null, result: T): T | Promise<T> {
    return stored === null ? result : stored.then(() => result);
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
export function limiterShardStub(
  namespace: DurableObjectNamespace<LimiterShard>,
  home: LocationHint,
): LimiterPorts["shardStub"] {
  return (name, region) => {
    const id = namespace.idFromName(name);
    const options = placement(region, home);
    return () => namespace.get(id, options);
  };
}

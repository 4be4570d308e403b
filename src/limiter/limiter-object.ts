import { DurableObject } from "cloudflare:workers";
import { keyedHash } from "../base/hash/chaskey.ts";
import { logTo } from "../base/log.ts";
import type { Environment } from "../base/settings.ts";
import { isAtLeast, type LedgerPoint } from "../chain/ledger-point.ts";
import { type Config, type LocationHint, parseConfig, type Revision } from "../config.ts";
import { placement, type Region } from "../placement/location-hint.ts";
import { homeObject, type ObjectClass } from "../placement/objects.ts";
import { AwakeClock, clockAt, MonotonicClock } from "./clock.ts";
import { Journal } from "./journal.ts";
import { SeenVersions } from "./seen-versions.ts";
import { type PackedDecision, SlidingWindowLog } from "./sliding-window-log.ts";

const WRITE_EVERY_MS = 1_000;
/** Memory for admissions; all objects of a class in one isolate share 128 MB. */
const MAX_BYTES = 24 * 1_048_576;
/** Option of writes that do not delay responses. Code that needs a write to be on disk awaits `sync`. */
const UNCONFIRMED = { allowUnconfirmed: true } as const;
const NEWEST_KEY = "newest";
/** Version of the stored point's format, raised when its meaning changes. */
const NEWEST_FORMAT = 2;
/** Interval at which a full object reports itself. */
const REPORT_EVERY_MS = 60_000;

const log = logTo(console);

export interface LimiterBindings extends Environment {
  readonly HOME: ObjectClass<{ recordFullLimiter(object: string): Promise<void> }>;
}

/** Result of an admitted request that must not show a ledger below `floor`: it offered an older ledger, or none. */
export interface AdmittedWithFloor {
  readonly decision: PackedDecision;
  readonly floor: LedgerPoint;
}

interface StoredPoint extends LedgerPoint {
  readonly format: number;
}

/**
 * State of the callers of one policy, region and shard: their admissions, and the newest ledger point each has seen. A
 * caller is stored under a keyed hash of its address, in memory and on disk.
 * Decisions use memory only and never await, so calls cannot interleave. The first admission of a second is written at
 * once, which needs no billed timer; the others of that second are written together. Evictions lose nothing. A crash or
 * deployment loses at most the last second's admissions after its first. Refusals write nothing.
 */
export class LimiterShard extends DurableObject<LimiterBindings> {
  readonly #hash: (key: string) => string;
  readonly #journal: Journal;
  readonly #awakeClock = new AwakeClock();
  readonly #clock: MonotonicClock;
  readonly #seen: SeenVersions;
  readonly #log: SlidingWindowLog;
  /**
   * Whether the admissions on disk were replayed into the log. The first call does so, because it brings the policy.
   */
  #isReplayed = false;
  /** The newest point that any caller of this object has seen (`#newest`), and the newest one on disk (`#stored`). */
  #newest: LedgerPoint | null;
  #stored: LedgerPoint | null;
  #storing: Promise<void> = Promise.resolve();
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #isWriteScheduled = false;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #reportedDropped = 0;

  constructor(ctx: DurableObjectState, env: LimiterBindings) {
    super(ctx, env);
    const { storage } = ctx;
    // Key of the hash. Neither the salt nor the id is in the stored rows. Without a salt, whoever knows the id could
    // find addresses by trying them all.
    this.#hash = keyedHash(`${env["LIMITER_SALT"] ?? ""} ${ctx.id}`);
    this.#journal = new Journal({
      kv: storage.kv,
      put: (key, value) => void storage.put(key, value, UNCONFIRMED),
      delete: (key) => void storage.delete(key, UNCONFIRMED),
    });
    const { clock } = this.#journal;
    this.#clock = clock === undefined ? clockAt(Date.now()) : new MonotonicClock(clock);
    this.#log = new SlidingWindowLog({ quota: 0, windowMs: 0, maxBytes: MAX_BYTES });
    const stored = storage.kv.get<StoredPoint>(NEWEST_KEY);
    this.#newest = stored?.format === NEWEST_FORMAT ? stored : null;
    this.#stored = this.#newest;
    this.#seen = new SeenVersions(this.#newest);
  }

  /**
   * Counts one request if it is admitted. The result is a number ({@link PackedDecision}) in three cases: the request
   * is refused, it has no floor, or `offered` is at or above the floor and was recorded as seen. Otherwise the result
   * has the floor, which the response must reach. `nowMs` is the caller's clock; see {@link AwakeClock}.
   */
  take(
    key: string,
    quota: number,
    windowSeconds: number,
    nowMs: number,
    offered: LedgerPoint | null = null,
  ): PackedDecision | AdmittedWithFloor | Promise<PackedDecision | AdmittedWithFloor> {
    const caller = this.#hash(key);
    const timeMs = this.#advance(quota, windowSeconds, nowMs);
    const decision = this.#log.take(caller, timeMs);
    if (decision < 0) return decision;
    this.#record(caller, timeMs);
    this.#reportDropped(timeMs);
    const floor = this.#seen.floorOf(caller);
    if (offered !== null && isAtLeast(offered, floor)) {
      const stored = this.#recordSeen(caller, offered);
      return stored === null ? decision : stored.then(() => decision);
    }
    return floor === null ? decision : { decision, floor };
  }

  /**
   * Records the point that a caller is about to see. Once it is on disk, returns the newest point that the caller has
   * seen.
   */
  async recordSeen(key: string, point: LedgerPoint): Promise<LedgerPoint> {
    const caller = this.#hash(key);
    await this.#recordSeen(caller, point);
    const { era, version } = this.#seen.floorOf(caller) ?? point;
    return { era, version };
  }

  /**
   * Records a seen point. Returns the write to wait for; null when a point at least as new is on disk already, from
   * which a restart would begin.
   */
  #recordSeen(caller: string, point: LedgerPoint): Promise<void> | null {
    this.#seen.record(caller, point, this.#clock.state.timeMs);
    if (this.#newest === null || !isAtLeast(this.#newest, point)) this.#store(point);
    return this.#stored !== null && isAtLeast(this.#stored, point) ? null : this.#storing;
  }

  #store({ era, version }: LedgerPoint): void {
    const point = { era, version };
    this.#newest = point;
    this.ctx.storage.put<StoredPoint>(NEWEST_KEY, { format: NEWEST_FORMAT, ...point }, UNCONFIRMED);
    this.#storing = this.ctx.storage.sync().then(() => {
      if (this.#stored === null || isAtLeast(point, this.#stored)) this.#stored = point;
    });
  }

  /** The decision about a caller without counting a request. */
  peek(key: string, quota: number, windowSeconds: number, nowMs: number): PackedDecision {
    const timeMs = this.#advance(quota, windowSeconds, nowMs);
    return this.#log.peek(this.#hash(key), timeMs);
  }

  /**
   * Revision that this object runs, which shortly after a deployment may be the previous one; null: its settings are
   * invalid.
   */
  revision(): Revision | null {
    const config = this.#config();
    return config && { buildRevision: config.buildRevision, versionId: config.versionId };
  }

  /** Reports dropped callers, at most once a minute: in the log, and to the home object for the health report. */
  #reportDropped(timeMs: number): void {
    const dropped = this.#log.dropped - this.#reportedDropped;
    if (dropped === 0 || timeMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    this.#reportedAtMs = timeMs;
    this.#reportedDropped += dropped;
    const shard = this.ctx.id.name ?? this.ctx.id.toString();
    log("limiter_full", { shard, dropped });
    const config = this.#config();
    if (config === null) return;
    const home = homeObject(this.env.HOME, config.homeRegion);
    this.ctx.waitUntil(home.recordFullLimiter(shard).catch(() => undefined));
  }

  /** null: the settings are invalid. */
  #config(): Config | null {
    const parsed = parseConfig(this.env);
    return parsed.kind === "problems" ? null : parsed.config;
  }

  /**
   * Applies the policy and returns the clock's time. When the wall clock was set, that is persisted, because a new
   * instance could not detect it.
   */
  #advance(quota: number, windowSeconds: number, callerMs: number): number {
    this.#log.setPolicy(quota, windowSeconds * 1000);
    const readingMs = this.#awakeClock.read(Date.now(), callerMs);
    const wasSet = this.#clock.wasSet(readingMs);
    const timeMs = this.#clock.advance(readingMs);
    if (!this.#isReplayed) this.#journal.replay(timeMs, this.#log);
    this.#isReplayed = true;
    if (wasSet) this.#journal.write(this.#clock.state, this.#log.retentionMs);
    return timeMs;
  }

  #record(caller: string, timeMs: number): void {
    this.#journal.record(caller, timeMs);
    const sinceMs = timeMs - this.#writtenAtMs;
    // The interval is checked even while a timer is pending: after the system clock was set back, that timer fires
    // late.
    if (sinceMs >= WRITE_EVERY_MS) this.#write();
    else if (!this.#isWriteScheduled) {
      this.#isWriteScheduled = true;
      setTimeout(() => this.#flush(), WRITE_EVERY_MS - sinceMs);
    }
  }

  #write(): void {
    this.#writtenAtMs = this.#clock.state.timeMs;
    this.#journal.flush(this.#clock.state, this.#log.retentionMs);
  }

  /** Waits for the disk, because only pending storage operations delay an eviction; a timer alone does not. */
  async #flush(): Promise<void> {
    this.#isWriteScheduled = false;
    this.#write();
    await this.ctx.storage.sync();
  }
}

/**
 * Returns a function that calls a limiter object by name. Object ids are cached; each request needs a stub of its own.
 */
export function limiterShardStub(namespace: DurableObjectNamespace<LimiterShard>, home: LocationHint) {
  return (name: string, region: Region): (() => DurableObjectStub<LimiterShard>) => {
    const id = namespace.idFromName(name);
    const options = placement(region, home);
    return () => namespace.get(id, options);
  };
}

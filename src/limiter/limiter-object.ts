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

const GATHER_MS = 1_000;
/** Of admissions; objects of a class share 128 MB. */
const MAX_BYTES = 24 * 1_048_576;
/** Bypasses the output gate; code that needs the write to be on disk awaits `sync`. */
const UNCONFIRMED = { allowUnconfirmed: true } as const;
const NEWEST_KEY = "newest";
/** Raised when the stored point changes its meaning. */
const NEWEST_FORMAT = 2;
/** How often a full object reports itself. */
const REPORT_EVERY_MS = 60_000;

const log = logTo(console);

export interface LimiterBindings extends Environment {
  readonly HOME: ObjectClass<{ noteFull(object: string): Promise<void> }>;
}

/** Admitted, but the offered point is below what the caller has seen, or none was offered. */
export interface AdmittedBelow {
  readonly decision: PackedDecision;
  readonly floor: LedgerPoint;
}

interface StoredPoint extends LedgerPoint {
  readonly format: number;
}

/**
 * State of the callers of one policy, region and shard: their admissions, and the newest ledger point each has seen. A
 * caller is known by a keyed hash of its address, on disk too.
 * Decisions use memory only and never await, so calls cannot interleave. The first admission of a second is written at
 * once, which needs no billed timer; the rest of that second is batched. Evictions lose nothing; a crash or deployment
 * loses at most the last second's admissions after its first. Refusals write nothing.
 */
export class LimiterShard extends DurableObject<LimiterBindings> {
  readonly #hash: (key: string) => string;
  readonly #journal: Journal;
  readonly #awake = new AwakeClock();
  readonly #clock: MonotonicClock;
  readonly #seen: SeenVersions;
  readonly #log: SlidingWindowLog;
  /** Whether the log has what is on disk, from the first call on, which brings the policy. */
  #isReplayed = false;
  /** The newest point that any caller of this object has seen, and the newest one on disk. */
  #newest: LedgerPoint | null;
  #stored: LedgerPoint | null;
  #storing: Promise<void> = Promise.resolve();
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #isGathering = false;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #reportedDropped = 0;

  constructor(ctx: DurableObjectState, env: LimiterBindings) {
    super(ctx, env);
    const { storage } = ctx;
    // Neither is in a row. Whoever knows the id can try all addresses, unless there is a salt.
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
   * Counts one request if it is admitted. A number, see {@link PackedDecision}: refused, or admitted without a floor,
   * or `offered` is at or above it and recorded as seen. With a floor: the response must be at or above it. `nowMs` is
   * the caller's clock; see {@link AwakeClock}.
   */
  take(
    key: string,
    quota: number,
    windowSeconds: number,
    nowMs: number,
    offered: LedgerPoint | null = null,
  ): PackedDecision | AdmittedBelow | Promise<PackedDecision | AdmittedBelow> {
    const caller = this.#hash(key);
    const timeMs = this.#timeUnder(quota, windowSeconds, nowMs);
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

  /** Records what a caller is about to see; once that is on disk, returns the newest point the caller has seen. */
  async note(key: string, point: LedgerPoint): Promise<LedgerPoint> {
    const caller = this.#hash(key);
    await this.#recordSeen(caller, point);
    const { era, version } = this.#seen.floorOf(caller) ?? point;
    return { era, version };
  }

  /** Null when there is nothing to wait for: a point at least as new is on disk, and a restart begins from it. */
  #recordSeen(caller: string, point: LedgerPoint): Promise<void> | null {
    this.#seen.note(caller, point, this.#clock.state.timeMs);
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

  /** The caller's decision without counting a request. */
  peek(key: string, quota: number, windowSeconds: number, nowMs: number): PackedDecision {
    const timeMs = this.#timeUnder(quota, windowSeconds, nowMs);
    return this.#log.peek(this.#hash(key), timeMs);
  }

  /** What this object runs, which after a deployment may be the version before; null: its settings are invalid. */
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
    this.ctx.waitUntil(home.noteFull(shard).catch(() => undefined));
  }

  /** null: the settings are invalid. */
  #config(): Config | null {
    const parsed = parseConfig(this.env);
    return parsed.kind === "problems" ? null : parsed.config;
  }

  /**
   * The clock's time, with the policy in force. A clock step is persisted, because a new instance could not detect it.
   */
  #timeUnder(quota: number, windowSeconds: number, callerMs: number): number {
    this.#log.setPolicy(quota, windowSeconds * 1000);
    const readingMs = this.#awake.read(Date.now(), callerMs);
    const wasSet = this.#clock.wasSet(readingMs);
    const timeMs = this.#clock.advance(readingMs);
    if (!this.#isReplayed) this.#journal.replay(timeMs, this.#log);
    this.#isReplayed = true;
    if (wasSet) this.#journal.write(this.#clock.state, this.#log.retentionMs);
    return timeMs;
  }

  #record(caller: string, timeMs: number): void {
    this.#journal.note(caller, timeMs);
    const sinceMs = timeMs - this.#writtenAtMs;
    // Also while it gathers: a timer that was set while the clock stood is late by as much as that was set back.
    if (sinceMs >= GATHER_MS) this.#write();
    else if (!this.#isGathering) {
      this.#isGathering = true;
      setTimeout(() => this.#flush(), GATHER_MS - sinceMs);
    }
  }

  #write(): void {
    this.#writtenAtMs = this.#clock.state.timeMs;
    this.#journal.flush(this.#clock.state, this.#log.retentionMs);
  }

  /** Only pending storage operations delay an eviction until the journal is written; a timer alone does not. */
  async #flush(): Promise<void> {
    this.#isGathering = false;
    this.#write();
    await this.ctx.storage.sync();
  }
}

/** Calls the objects of a namespace. Object ids are cached; each request needs its own stub. */
export function limiterShardStub(namespace: DurableObjectNamespace<LimiterShard>, home: LocationHint) {
  return (name: string, region: Region): (() => DurableObjectStub<LimiterShard>) => {
    const id = namespace.idFromName(name);
    const options = placement(region, home);
    return () => namespace.get(id, options);
  };
}

import { isAtLeast, type LedgerMark, type LedgerPoint, laterOf } from "../../chain/ledger-point.ts";
import type { NoteTarget } from "../../http/handler.ts";
import { ageMs, isNotBelow, isTimeless } from "../cache/freshness.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import { markOfResponse, markOfTip } from "../tip/known-tip.ts";
import type { Attempt, UpstreamsDown } from "../upstream/failover.ts";
import type { Exchange } from "../upstream/upstream-result.ts";
import { Coalescer, type CoalescerPorts, type Found, foundAs } from "./coalescer.ts";
import type { ShieldRequest, ShieldResult } from "./messages.ts";
import { ShieldCache, type ShieldCachePorts } from "./shield-cache.ts";

export interface ShieldPorts extends CoalescerPorts, ShieldCachePorts {
  /** Indexes of the upstreams whose newest ledger is outdated. */
  readonly outdated: () => readonly number[];
  /**
   * Records a mark at a caller's limiter object; returns the point the caller has seen, or null when the object does
   * not respond.
   */
  readonly note: (target: NoteTarget, mark: LedgerMark) => Promise<LedgerPoint | null>;
  /** Every responding upstream is below what a caller has seen: the chain may have been reset. */
  readonly onLagging: () => void;
}

/** How long lagging upstreams may take to catch up before a read fails. */
const LAG_PATIENCE_MS = 1_000;
/** A coalesced response may be below a joining caller's floor, which then calls again, at most this often. */
const MAX_ROUNDS = 4;

interface Seen {
  readonly shows: LedgerMark | null;
  readonly isNoted: boolean;
}

/** Before the attempts are known. */
const LAGGING = { kind: "down", maybeSent: false, lagging: true, retryAfterSeconds: 1 } as const;

const NOTHING_NOTED: Seen = { shows: null, isNoted: true };

/** Answers the isolates of a region: from its cache or the upstreams, never below a floor; records what callers see. */
export class ShieldCore {
  readonly #ports: ShieldPorts;
  readonly #cache: ShieldCache;
  readonly #coalescer: Coalescer;

  constructor(ports: ShieldPorts) {
    this.#ports = ports;
    this.#cache = new ShieldCache(ports);
    this.#coalescer = new Coalescer(ports, this.#cache);
  }

  /** `exchange` lends the calling request's connections. Never rejects. */
  async answer(read: ShieldRequest, exchange: Exchange): Promise<ShieldResult> {
    const { now, watch } = this.#ports;
    const startedAtMs = now();
    watch.enter(Math.max(read.epoch, read.floor?.epoch ?? 0));
    const found = await this.#find(read, exchange);
    const seen = found.kind === "found" ? await this.#note(read, found) : NOTHING_NOTED;
    const [nowMs, tip] = [now(), watch.tip];
    const facts = {
      attempts: found.attempts,
      outdated: this.#ports.outdated(),
      tip,
      tipAgeMs: tip === null ? 0 : Math.max(0, nowMs - tip.confirmedAtMs),
      elapsedMs: nowMs - startedAtMs,
    };
    if (found.kind === "down") return { ...found, ...facts };
    const { value, source } = found;
    return { kind: "value", value, source, ageMs: ageMs(value, tip, nowMs), ...seen, ...facts };
  }

  async #find(read: ShieldRequest, exchange: Exchange): Promise<Found | UpstreamsDown> {
    const { watch } = this.#ports;
    const { request, minVersion, polled } = read;
    if (polled !== null) return this.#settled(request, polled);
    if (minVersion !== null && !(await watch.reach(minVersion, LAG_PATIENCE_MS))) return { ...LAGGING, attempts: [] };
    const required = minVersion === null ? null : { epoch: watch.epoch, version: minVersion };
    const floor = laterOf(read.floor, required);
    return (await this.#cached(read, floor)) ?? this.#fetch(request, floor, exchange);
  }

  /**
   * Stores the commit that an isolate's long poll found before its caller sees it, so that no lagging node can make a
   * read through another isolate pending again. Prefers a stored final response over a pending one.
   */
  #settled(request: NodeRequest, polled: CachedResponse): Found {
    // Timestamped with this object's clock: the isolate's clock may differ.
    const own = { ...polled, storedAtMs: this.#ports.now() };
    const stored = this.#cache.store(request, own);
    return foundAs(stored === own ? "upstream" : "shield", stored);
  }

  async #cached({ request, noteTarget }: ShieldRequest, floor: LedgerPoint | null): Promise<Found | null> {
    const value = await this.#cache.current(request, floor);
    if (value === undefined) return null;
    const found = foundAs("shield", value);
    const mark = markOfResponse(value);
    if (isTimeless(value, request) || mark === null || noteTarget === null) return found;
    // Another isolate may have served the caller a newer version than the calling one knows.
    const callerFloor = await this.#ports.note(noteTarget, mark);
    return isAtLeast(mark, callerFloor) ? { ...found, isNoted: callerFloor !== null } : null;
  }

  /** From the upstreams; when none returns a usable response, the last good one. */
  async #fetch(request: NodeRequest, floor: LedgerPoint | null, exchange: Exchange): Promise<Found | UpstreamsDown> {
    const { now, watch } = this.#ports;
    const untilMs = now() + LAG_PATIENCE_MS;
    const attempts: Attempt[] = [];
    let down: UpstreamsDown = { ...LAGGING, attempts };
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const fetched = await this.#coalescer.read(request, floor, exchange);
      attempts.push(...fetched.attempts);
      if (fetched.kind === "found") {
        if (isNotBelow(fetched.value, request, floor)) return { ...fetched, attempts };
        await fetched.value.large?.stream.cancel();
        continue;
      }
      down = { ...fetched, attempts };
      if (down.lagging) this.#ports.onLagging();
      const leftMs = untilMs - now();
      if (floor === null || !down.lagging || leftMs <= 0 || !(await watch.reach(floor.version, leftMs))) break;
    }
    const value = this.#cache.lastGood(request, floor);
    return value === undefined ? down : foundAs("stale", value, attempts);
  }

  /** Records what a response reveals at its caller's limiter object before it leaves, unless that is known there. */
  async #note({ request, minVersion, noted, noteTarget }: ShieldRequest, found: Found): Promise<Seen> {
    const { value, reveals } = found;
    const { tip } = this.#ports.watch;
    const mark = markOfResponse(value);
    const isOwn = !isTimeless(value, request);
    // A timeless response reports the newest point its caller may see, unless its body reveals a later commit.
    const newest = minVersion !== null && tip !== null ? laterOf(mark, markOfTip(tip)) : mark;
    const shows = isOwn ? mark : newest;
    if (shows === null) return NOTHING_NOTED;
    const given = isOwn || minVersion !== null || reveals === null ? shows : { ...shows, version: reveals };
    if (!isOwn && noted !== null && isAtLeast(noted, given)) return NOTHING_NOTED;
    const isNoted = found.isNoted ?? (noteTarget !== null && (await this.#ports.note(noteTarget, shows)) !== null);
    return { shows, isNoted };
  }
}

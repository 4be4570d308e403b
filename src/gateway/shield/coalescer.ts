import { isAtLeast, type LedgerMark, type LedgerPoint, laterOf } from "../../chain/ledger-point.ts";
import type { NoteTarget } from "../../http/handler.ts";
import { ageMs, cacheKeyOf, canServeStale, isFresh, isStorable, isTimeless } from "../cache/freshness.ts";
import type { ResponseMemory } from "../cache/lru.ts";
import { responseOf } from "../cache/response-of.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import { type KnownTip, markOfResponse, markOfTip } from "../tip/ledger-mark.ts";
import type { Attempt, FailoverResult } from "../upstream/failover.ts";
import { type Exchange, LentConnections } from "./connections.ts";
import type { TipWatch } from "./tip-watch.ts";

/** One read that an isolate sends to the shield. Plain data. */
export interface ShieldRequest {
  readonly request: NodeRequest;
  /** The highest chain epoch known to the isolate. */
  readonly epoch: number;
  /** The caller has already seen this point; a response with a place in the chain's history must be at or above it. */
  readonly floor: LedgerPoint | null;
  /** `X-Min-Ledger-Version`. */
  readonly minVersion: bigint | null;
  /** Already recorded as seen by the caller; nothing at or below it is recorded again. */
  readonly noted: LedgerPoint | null;
  /** Where to record what the response reveals; null without a caller, and while its object does not respond. */
  readonly noteTarget: NoteTarget | null;
}

/** The response of a node to an isolate's long poll. Plain data. */
export interface PollResult {
  readonly request: NodeRequest;
  readonly value: CachedResponse;
  /** Where to record what the response reveals; null without a caller, and while its object does not respond. */
  readonly noteTarget: NoteTarget | null;
}

/** What to answer a long poll with. */
export interface SettledPoll {
  /** The cached response, when it is final and the node's is not; null: use the node's. */
  readonly final: { readonly value: CachedResponse; readonly ageMs: number } | null;
  /** What the node's response reveals was recorded for the caller. */
  readonly isNoted: boolean;
}

interface ResultFacts {
  readonly attempts: readonly Attempt[];
  readonly tip: KnownTip | null;
  /** Milliseconds since an upstream last reported the tip. */
  readonly tipAgeMs: number;
  /** Time spent in the shield; the rest of the call was network. */
  readonly elapsedMs: number;
}

export type ShieldResult =
  | (ResultFacts & {
      readonly kind: "value";
      readonly value: CachedResponse;
      readonly source: "shield" | "upstream" | "collapsed" | "stale";
      readonly ageMs: number;
      /**
       * The point to report with the value, recorded for the caller unless `isNoted` is false. Null: `request.noted`
       * covers it.
       */
      readonly shows: LedgerMark | null;
      readonly isNoted: boolean;
    })
  | (ResultFacts & {
      readonly kind: "down";
      /** Upstreams responded, but all below the floor. */
      readonly isBehind: boolean;
      readonly retryAfterSeconds: number;
    });

export interface ShieldPorts {
  readonly now: () => number;
  readonly watch: TipWatch;
  /** Calls the upstreams over the object's own or lent connections. The tip in a response is already verified. */
  readonly call: (request: NodeRequest, floor: LedgerPoint | null, lent: LentConnections) => Promise<FailoverResult>;
  readonly memory: ResponseMemory;
  readonly staleIfErrorSeconds: number;
  /** Responses that outlive the object's memory; bounded. */
  readonly recall: (key: string) => CachedResponse | undefined;
  readonly keep: (key: string, value: CachedResponse) => void;
  /**
   * Records a mark at a caller's limiter object; returns the point the caller has seen, or null when the object does
   * not respond.
   */
  readonly note: (target: NoteTarget, mark: LedgerMark) => Promise<LedgerPoint | null>;
}

/** How long lagging upstreams may take to catch up before a read fails. */
const LAG_PATIENCE_MS = 1_000;
/** A coalesced response may be below a joining caller's floor, which then calls again, at most this often. */
const MAX_ROUNDS = 4;
/** After a change this recent the chain has probably moved again: checking the tip would only cost time. */
const MOVING_MS = 5_000;

/** An upstream call in progress, shared by all requests that want its response. */
interface Flight {
  readonly lent: LentConnections;
  readonly received: Promise<Received>;
}

type Down = Extract<FailoverResult, { kind: "down" }>;
type Received = Found | Down;

interface Found {
  readonly kind: "found";
  readonly value: CachedResponse;
  readonly source: "shield" | "upstream" | "collapsed" | "stale";
  /** The highest version whose commit the value reveals; null when that is its own ledger version. */
  readonly reveals: bigint | null;
  /** It was compared with what its caller has seen, and noted. */
  readonly isNoted: boolean;
  readonly attempts: readonly Attempt[];
}

interface Missing {
  readonly kind: "missing";
  readonly isBehind: boolean;
  readonly retryAfterSeconds: number;
  readonly attempts: readonly Attempt[];
}

/**
 * Coalesces equal reads into one upstream call, caches the responses, and records what each caller sees. Runs in a
 * Durable Object: only there may one request wait for another's promise, and one client's disconnect does not affect
 * the others.
 */
export class ShieldCore {
  readonly #ports: ShieldPorts;
  readonly #flights = new Map<string, Flight>();

  constructor(ports: ShieldPorts) {
    this.#ports = ports;
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
      tip,
      tipAgeMs: tip === null ? 0 : Math.max(0, nowMs - tip.confirmedAtMs),
      elapsedMs: nowMs - startedAtMs,
    };
    if (found.kind === "missing") return { ...found, ...facts, kind: "down" };
    const { value, source } = found;
    return { kind: "value", value, source, ageMs: ageMs(value, tip, nowMs), ...seen, ...facts };
  }

  /**
   * Stores the commit that an isolate's long poll found before its caller sees it, so that no lagging node can make a
   * read through another isolate pending again. Prefers a stored final response over a pending one. Never rejects.
   */
  async settle({ request, value, noteTarget }: PollResult): Promise<SettledPoll> {
    const { memory, note, now, watch } = this.#ports;
    watch.enter(value.epoch);
    const nowMs = now();
    // Timestamped with this object's clock: the isolate's clock may differ.
    if (value.retention === "immutable" && value.epoch === watch.epoch)
      memory.put(cacheKeyOf(request), { ...value, storedAtMs: nowMs });
    const final = value.retention === "immutable" ? undefined : this.#final(request);
    const mark = markOfResponse(value);
    const isNoted = mark === null || (noteTarget !== null && (await note(noteTarget, mark)) !== null);
    return { final: final === undefined ? null : { value: final, ageMs: nowMs - final.storedAtMs }, isNoted };
  }

  /** The cached response of a request, if it is immutable. */
  #final(request: NodeRequest): CachedResponse | undefined {
    const { memory, now, watch } = this.#ports;
    const value = memory.get(cacheKeyOf(request));
    const isFinal = value?.retention === "immutable" && value.epoch === watch.epoch;
    return isFinal && isFresh(value, watch.tip, now()) ? value : undefined;
  }

  async #find(read: ShieldRequest, exchange: Exchange): Promise<Found | Missing> {
    const { watch } = this.#ports;
    const { minVersion } = read;
    if (minVersion !== null && !(await watch.reach(minVersion, LAG_PATIENCE_MS)))
      return { kind: "missing", isBehind: true, retryAfterSeconds: 1, attempts: [] };
    const required = minVersion === null ? null : { epoch: watch.epoch, version: minVersion };
    const floor = laterOf(read.floor, required);
    return (await this.#cached(read, floor)) ?? this.#fetch(read.request, floor, exchange);
  }

  /** A cached response that may be served. On a quiet chain, one check of the tip serves all keys. */
  async #cached({ request, noteTarget }: ShieldRequest, floor: LedgerPoint | null): Promise<Found | null> {
    const { memory, now, watch } = this.#ports;
    const value = memory.get(cacheKeyOf(request));
    // Until the tip of a new epoch is known, the epoch alone separates the chains.
    if (value === undefined || value.epoch !== watch.epoch) return null;
    const found = { kind: "found", value, source: "shield", reveals: null, isNoted: false, attempts: [] } as const;
    if (isTimeless(value, request)) return isFresh(value, watch.tip, now()) ? found : null;
    const mark = markOfResponse(value);
    if (mark === null || !isAtLeast(mark, floor)) return null;
    const isResting = watch.isAt(mark) && now() - watch.changedAtMs > MOVING_MS;
    if (isResting && !isFresh(value, watch.tip, now())) await watch.confirm();
    if (!isFresh(value, watch.tip, now())) return null;
    // Another isolate may have served the caller a newer version than the calling one knows.
    const callerFloor = noteTarget === null ? null : await this.#ports.note(noteTarget, mark);
    return isAtLeast(mark, callerFloor) ? { ...found, isNoted: callerFloor !== null } : null;
  }

  /** Calls the upstreams, or joins a call in progress. */
  async #fetch(request: NodeRequest, floor: LedgerPoint | null, exchange: Exchange): Promise<Found | Missing> {
    const { now, watch } = this.#ports;
    const untilMs = now() + LAG_PATIENCE_MS;
    const attempts: Attempt[] = [];
    let isShared = true;
    for (let round = 1; ; round += 1) {
      const joined: Flight | undefined = isShared ? this.#flights.get(request.key) : undefined;
      const flight: Flight = joined ?? this.#depart(request, floor, isShared);
      flight.lent.offer(exchange);
      const received = await flight.received;
      // The attempts of a joined call are reported by the request that started it.
      if (joined === undefined) attempts.push(...received.attempts);
      if (received.kind === "found") {
        const { value } = received;
        // It is passed on to the request that started the call.
        isShared = value.large === undefined;
        if (joined !== undefined && !isShared) continue;
        const mark = markOfResponse(value);
        if (isTimeless(value, request) || mark === null || isAtLeast(mark, floor))
          return { ...received, source: joined === undefined ? received.source : "collapsed", attempts };
        await value.large?.stream.cancel();
      } else {
        const isBehind = floor !== null && received.lagging;
        const leftMs = untilMs - now();
        const isReached = isBehind && leftMs > 0 && (await watch.reach(floor.version, leftMs));
        if (!isReached) return this.#stale(request, floor, { ...received, kind: "missing", isBehind, attempts });
      }
      if (round === MAX_ROUNDS)
        return this.#stale(request, floor, { kind: "missing", isBehind: true, retryAfterSeconds: 1, attempts });
    }
  }

  #depart(request: NodeRequest, floor: LedgerPoint | null, isShared: boolean): Flight {
    const lent = new LentConnections();
    const landing = this.#land(request, floor, lent);
    if (!isShared) return { lent, received: landing };
    const flight = { lent, received: landing.finally(() => this.#flights.delete(request.key)) };
    this.#flights.set(request.key, flight);
    return flight;
  }

  async #land(request: NodeRequest, floor: LedgerPoint | null, lent: LentConnections): Promise<Received> {
    const { call, now, watch } = this.#ports;
    // A response from before a replacement belongs to the old epoch.
    const { epoch } = watch;
    const result = await call(request, floor, lent);
    if (result.kind === "down") return result;
    if (result.response.ledger !== null && epoch === watch.epoch) watch.report(result.response.ledger);
    const value = await responseOf(request, result, epoch, now());
    const { attempts, classification } = result;
    // A final response may have been stored meanwhile; an older pending one must not replace it.
    const final = value.retention === "immutable" ? undefined : this.#final(request);
    const found = { kind: "found", isNoted: false, attempts } as const;
    if (final !== undefined) {
      await value.large?.stream.cancel();
      return { ...found, value: final, source: "shield", reveals: null };
    }
    if (isStorable(value)) this.#store(cacheKeyOf(request), value);
    return { ...found, value, source: "upstream", reveals: classification.revealsVersion };
  }

  /** Persisted only from the second fetch on: keys read once would evict those in regular use. */
  #store(key: string, value: CachedResponse): void {
    const isReadAgain = this.#ports.memory.get(key) !== undefined;
    this.#ports.memory.put(key, value);
    if (value.retention !== "immutable" && isReadAgain) this.#ports.keep(key, value);
  }

  /** No upstream returned a usable response: serves the last good one, if young enough and not below the floor. */
  #stale(request: NodeRequest, floor: LedgerPoint | null, missing: Missing): Found | Missing {
    const { memory, now, recall, staleIfErrorSeconds, watch } = this.#ports;
    const key = cacheKeyOf(request);
    const value = memory.get(key) ?? recall(key);
    if (value === undefined || value.epoch !== watch.epoch || !canServeStale(value)) return missing;
    if (ageMs(value, watch.tip, now()) > staleIfErrorSeconds * 1_000) return missing;
    const mark = markOfResponse(value);
    if (!isTimeless(value, request) && mark !== null && !isAtLeast(mark, floor)) return missing;
    return { kind: "found", value, source: "stale", reveals: null, isNoted: false, attempts: missing.attempts };
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
    const isNoted = found.isNoted || (noteTarget !== null && (await this.#ports.note(noteTarget, shows)) !== null);
    return { shows, isNoted };
  }
}

interface Seen {
  readonly shows: LedgerMark | null;
  readonly isNoted: boolean;
}

const NOTHING_NOTED: Seen = { shows: null, isNoted: true };

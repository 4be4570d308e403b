import { isAtLeast, type LedgerMark, type LedgerPoint, laterOf } from "../../chain/ledger-point.ts";
import type { NoteTarget } from "../../http/handler.ts";
import { ageMs, cacheKeyOf, canServeStale, isFresh, isTimeless } from "../cache/freshness.ts";
import type { ResponseMemory } from "../cache/lru.ts";
import { responseOf } from "../cache/response-of.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import { type KnownTip, markOfResponse, markOfTip } from "../tip/ledger-mark.ts";
import type { Attempt, FailoverResult } from "../upstream/failover.ts";
import { type Exchange, LentConnections } from "./connections.ts";
import type { TipWatch } from "./tip-watch.ts";

/** One read of an isolate. Plain data. */
export interface ShieldRequest {
  readonly request: NodeRequest;
  /** The highest epoch that the isolate has heard of. */
  readonly epoch: number;
  /** The caller is known to have been shown this; an answer that has a place in the chain's history is at or above it. */
  readonly floor: LedgerPoint | null;
  /** `X-Min-Ledger-Version`. */
  readonly minVersion: bigint | null;
  /** Already noted as shown to the caller; nothing at or below it is noted again. */
  readonly noted: LedgerPoint | null;
  /** Where to note what the answer shows; null for reads without a caller. */
  readonly noteTarget: NoteTarget | null;
}

/** What a long poll of an isolate got from a node. Plain data. */
export interface PollResult {
  readonly request: NodeRequest;
  readonly value: CachedResponse;
  /** Where to note what the answer shows; null without a caller. */
  readonly noteTarget: NoteTarget | null;
}

/** What a long poll is answered with. */
export interface SettledPoll {
  /** What is kept here, when that is final and the node's answer was not; null: the node's answer. */
  readonly final: { readonly value: CachedResponse; readonly ageMs: number } | null;
  /** What the node's answer shows was noted for the caller. */
  readonly isNoted: boolean;
}

interface ResultFacts {
  readonly attempts: readonly Attempt[];
  readonly tip: KnownTip | null;
  /** Milliseconds since an upstream last reported the tip. */
  readonly tipAgeMs: number;
  /** Spent here; what else the call took was the way. */
  readonly elapsedMs: number;
}

export type ShieldResult =
  | (ResultFacts & {
      readonly kind: "value";
      readonly value: CachedResponse;
      readonly source: "shield" | "upstream" | "collapsed" | "stale";
      readonly ageMs: number;
      /** To be shown with the value: noted for the caller unless `isNoted` is false. Null: `request.noted` covers it. */
      readonly shows: LedgerMark | null;
      readonly isNoted: boolean;
    })
  | (ResultFacts & {
      readonly kind: "down";
      /** Upstreams answered, but all of them below the floor. */
      readonly isBehind: boolean;
      readonly retryAfterSeconds: number;
    });

export interface ShieldPorts {
  readonly now: () => number;
  readonly watch: TipWatch;
  /** Calls the upstreams, over this object's connections or lent ones. What a response says of the tip is trusted. */
  readonly call: (request: NodeRequest, floor: LedgerPoint | null, lent: LentConnections) => Promise<FailoverResult>;
  readonly memory: ResponseMemory;
  readonly staleIfErrorSeconds: number;
  /** Values that outlive the object's memory; bounded. */
  readonly recall: (key: string) => CachedResponse | undefined;
  readonly keep: (key: string, value: CachedResponse) => void;
  /** Notes a mark at a caller's object; what the caller was shown by then, or null when the object does not answer. */
  readonly note: (target: NoteTarget, mark: LedgerMark) => Promise<LedgerPoint | null>;
}

/** How long upstreams that are all behind may take to catch up before a read is given up. */
const LAG_PATIENCE_MS = 1_000;
/** A collapsed answer may be below its joiner's floor, which then calls anew, so often at most. */
const MAX_ROUNDS = 4;
/** A chain that moved this lately will have moved again: a look-up would only cost time. */
const MOVING_MS = 5_000;

/** An upstream call under way for all who want its answer. */
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
  /** The highest version whose commit the value gives away; null when that is all that its ledger says. */
  readonly reveals: bigint | null;
  readonly attempts: readonly Attempt[];
}

interface Missing {
  readonly kind: "missing";
  readonly isBehind: boolean;
  readonly retryAfterSeconds: number;
  readonly attempts: readonly Attempt[];
}

/**
 * Collapses equal reads into one upstream call, keeps their answers, and notes what each caller is shown. Lives in one
 * object: only there may one request wait on another's promise, and the reset of one client hurts no other.
 */
export class ShieldCore {
  readonly #ports: ShieldPorts;
  readonly #flights = new Map<string, Flight>();

  constructor(ports: ShieldPorts) {
    this.#ports = ports;
  }

  /** `exchange` lends the connections of the request that calls. Never rejects. */
  async answer(read: ShieldRequest, exchange: Exchange | null): Promise<ShieldResult> {
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
   * Keeps the commit that a long poll of an isolate found, before its caller sees it: from then on no node can make a
   * read through another isolate pending again. Of two answers the final one is given out. Never rejects.
   */
  async settle({ request, value, noteTarget }: PollResult): Promise<SettledPoll> {
    const { memory, note, now, watch } = this.#ports;
    watch.enter(value.epoch);
    const nowMs = now();
    // Stored by this object's clock: times of another machine mean nothing here.
    if (value.retention === "immutable" && value.epoch === watch.epoch)
      memory.put(cacheKeyOf(request), { ...value, storedAtMs: nowMs });
    const final = value.retention === "immutable" ? undefined : this.#final(request);
    const mark = markOfResponse(value);
    const isNoted = noteTarget === null || mark === null || (await note(noteTarget, mark)) !== null;
    return { final: final === undefined ? null : { value: final, ageMs: nowMs - final.storedAtMs }, isNoted };
  }

  /** What is kept of a request and true for ever. */
  #final(request: NodeRequest): CachedResponse | undefined {
    const { memory, now, watch } = this.#ports;
    const value = memory.get(cacheKeyOf(request));
    const isFinal = value?.retention === "immutable" && value.epoch === watch.epoch;
    return isFinal && isFresh(value, watch.tip, now()) ? value : undefined;
  }

  async #find(read: ShieldRequest, exchange: Exchange | null): Promise<Found | Missing> {
    const { watch } = this.#ports;
    const { minVersion } = read;
    if (minVersion !== null && !(await watch.reach(minVersion, LAG_PATIENCE_MS)))
      return { kind: "missing", isBehind: true, retryAfterSeconds: 1, attempts: [] };
    const required = minVersion === null ? null : { epoch: watch.epoch, version: minVersion };
    const floor = laterOf(read.floor, required);
    const cached = await this.#cached(read, floor);
    if (cached === null) return this.#fetch(read.request, floor, exchange);
    return { kind: "found", value: cached, source: "shield", reveals: null, attempts: [] };
  }

  /** What is kept and may be given out; on a chain that rests, after one look-up for all keys. */
  async #cached({ request, noteTarget }: ShieldRequest, floor: LedgerPoint | null): Promise<CachedResponse | null> {
    const { memory, now, watch } = this.#ports;
    const value = memory.get(cacheKeyOf(request));
    // Before the tip of a new epoch is known there is nothing else to tell what is of the old one.
    if (value === undefined || value.epoch !== watch.epoch) return null;
    if (isTimeless(value, request)) return isFresh(value, watch.tip, now()) ? value : null;
    const mark = markOfResponse(value);
    if (mark === null || !isAtLeast(mark, floor)) return null;
    const isResting = watch.isAt(mark) && now() - watch.changedAtMs > MOVING_MS;
    if (isResting && !isFresh(value, watch.tip, now())) await watch.confirm();
    if (!isFresh(value, watch.tip, now())) return null;
    // Another isolate may have shown the caller more than the one that calls knows of.
    const callerFloor = noteTarget === null ? null : await this.#ports.note(noteTarget, mark);
    return isAtLeast(mark, callerFloor) ? value : null;
  }

  /** Calls the upstreams, or joins a call that is under way. */
  async #fetch(request: NodeRequest, floor: LedgerPoint | null, exchange: Exchange | null): Promise<Found | Missing> {
    const { now, watch } = this.#ports;
    const untilMs = now() + LAG_PATIENCE_MS;
    const attempts: Attempt[] = [];
    for (let round = 1; ; round += 1) {
      const joined = this.#flights.get(request.key);
      const flight = joined ?? this.#depart(request, floor, exchange);
      if (joined !== undefined && exchange !== null) joined.lent.offer(exchange);
      const received = await flight.received;
      // Those of a call that was joined are reported by who made it.
      if (joined === undefined) attempts.push(...received.attempts);
      if (received.kind === "found") {
        const mark = markOfResponse(received.value);
        if (isTimeless(received.value, request) || mark === null || isAtLeast(mark, floor))
          return { ...received, source: joined === undefined ? received.source : "collapsed", attempts };
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

  #depart(request: NodeRequest, floor: LedgerPoint | null, exchange: Exchange | null): Flight {
    const lent = new LentConnections();
    if (exchange !== null) lent.offer(exchange);
    const received = this.#land(request, floor, lent).finally(() => this.#flights.delete(request.key));
    const flight = { lent, received };
    this.#flights.set(request.key, flight);
    return flight;
  }

  async #land(request: NodeRequest, floor: LedgerPoint | null, lent: LentConnections): Promise<Received> {
    const { call, now, watch } = this.#ports;
    // What a chain answered before it was replaced belongs to its own epoch.
    const { epoch } = watch;
    const result = await call(request, floor, lent);
    if (result.kind === "down") return result;
    if (result.response.ledger !== null && epoch === watch.epoch) watch.report(result.response.ledger);
    const value = await responseOf(request, result, epoch, now());
    const { attempts, classification } = result;
    // It may have become final while a node was asked, which must not be undone by an answer from before.
    const final = value.retention === "immutable" ? undefined : this.#final(request);
    if (final !== undefined) return { kind: "found", value: final, source: "shield", reveals: null, attempts };
    if (value.retention !== "no-store") this.#store(cacheKeyOf(request), value);
    return { kind: "found", value, source: "upstream", reveals: classification.revealsVersion, attempts };
  }

  /** On the disk only from the second time on: keys that are read once would push out those that callers live on. */
  #store(key: string, value: CachedResponse): void {
    const isReadAgain = this.#ports.memory.get(key) !== undefined;
    this.#ports.memory.put(key, value);
    if (value.retention !== "immutable" && isReadAgain) this.#ports.keep(key, value);
  }

  /** No upstream gave a usable answer: the last good one, if it is young enough and not below what its caller saw. */
  #stale(request: NodeRequest, floor: LedgerPoint | null, missing: Missing): Found | Missing {
    const { memory, now, recall, staleIfErrorSeconds, watch } = this.#ports;
    const key = cacheKeyOf(request);
    const value = memory.get(key) ?? recall(key);
    if (value === undefined || value.epoch !== watch.epoch || !canServeStale(value)) return missing;
    if (ageMs(value, watch.tip, now()) > staleIfErrorSeconds * 1_000) return missing;
    const mark = markOfResponse(value);
    if (!isTimeless(value, request) && mark !== null && !isAtLeast(mark, floor)) return missing;
    return { kind: "found", value, source: "stale", reveals: null, attempts: missing.attempts };
  }

  /** Before an answer leaves, what it shows is noted at its caller's object, unless that knows it already. */
  async #note({ request, minVersion, noted, noteTarget }: ShieldRequest, found: Found): Promise<Seen> {
    const { value, source, reveals } = found;
    const { tip } = this.#ports.watch;
    const mark = markOfResponse(value);
    const isOwn = !isTimeless(value, request);
    // A timeless answer shows a later point of the caller's own, unless its body gives a later commit away.
    const newest = minVersion !== null && tip !== null ? laterOf(mark, markOfTip(tip)) : mark;
    const shows = isOwn ? mark : newest;
    if (shows === null) return NOTHING_NOTED;
    const given = isOwn || minVersion !== null || reveals === null ? shows : { ...shows, version: reveals };
    if (!isOwn && noted !== null && isAtLeast(noted, given)) return NOTHING_NOTED;
    // What is kept and has its place in history was noted when it was found good.
    if (noteTarget === null || (isOwn && source === "shield")) return { shows, isNoted: true };
    return { shows, isNoted: (await this.#ports.note(noteTarget, shows)) !== null };
  }
}

interface Seen {
  readonly shows: LedgerMark | null;
  readonly isNoted: boolean;
}

const NOTHING_NOTED: Seen = { shows: null, isNoted: true };

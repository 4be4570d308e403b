import { parseStored, storedText } from "../json.ts";
import type { Log } from "../log.ts";
import type { CachedValue, FreshnessPolicy, Unavailable } from "./cached-value.ts";
import {
  type Doubts,
  type LastGood,
  type LoadError,
  type Loader,
  loadError,
  type Recall,
  type RequestTime,
  type Sample,
  type Seen,
} from "./loader.ts";

export interface SwrSettings<T> {
  /** Name in logs and health reports. */
  readonly name: string;
  /** Key in the store; distinct for every form, upstream and asset, so that another one's value is never served. */
  readonly key: string;
  readonly policy: FreshnessPolicy;
  readonly load: Loader<T>;
  readonly lastGood: LastGood;
  /**
   * The store decides what counts, because others renew it too: a copy that is not fresh is served only after the store
   * was asked, and one that the store does not have any more is dropped. Without it concurrent cold reads of one isolate
   * wait for the first one, which may read a listing of 15 MB.
   */
  readonly storeDecides?: true;
  /** For what happens while a request waits. */
  readonly now: () => number;
  readonly log: Log;
  /** Resolves after a delay. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A row of the store. `value` is absent while only doubtful readings are known. */
interface Stored<T> {
  readonly value?: T;
  readonly doubts: readonly (readonly [string, Seen])[];
}

/** Minimum interval between calls of one isolate to a failing upstream, and the callers' Retry-After. */
const RETRY_SECONDS = 5;
/** How long the answer of a store that decides stands. */
const ASKED_SECONDS = 1;
/** A copy that has been stale for less than this is served while another request asks the store: no burst of calls. */
const ASKING_SECONDS = 10;
const SKEW_MS = 10_000;
/** Poll interval of a waiting read, and the number of polls after which it waits no longer. */
const POLL_MS = 20;
const MAX_POLLS = 250;
/** A load that takes longer belonged to a request that has ended: another one may start. */
const MAX_LOAD_SECONDS = 15;
const LATE = "the upstream has not answered in time";

/**
 * One upstream value with stale-while-revalidate and stale-if-error: from this isolate's memory, then the store, then
 * the upstream. Requests share values only, never promises, because the promise of a finished request may never settle.
 * Concurrent cold reads are one upstream call either because the store's object collapses them, or, where it does not
 * decide, because all but the first poll for its value, for a bounded time.
 */
export class SwrValue<T> {
  readonly name: string;
  readonly policy: FreshnessPolicy;
  readonly #settings: SwrSettings<T>;
  #best: Sample<T> | undefined;
  #doubts: Doubts = new Map();
  #failed: { readonly atMs: number; readonly reason: string } | undefined;
  #renewingAtMs = Number.NEGATIVE_INFINITY;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** When the load in progress began. */
  #loadingAtMs = Number.NEGATIVE_INFINITY;

  constructor(settings: SwrSettings<T>) {
    this.name = settings.name;
    this.policy = settings.policy;
    this.#settings = settings;
  }

  /** A value young enough to be served by this policy, or why there is none. Never rejects. */
  async read(when: RequestTime, policy = this.policy): Promise<CachedValue<T> | Unavailable> {
    const known = this.#known(when, policy);
    if (known !== undefined) return known;
    const { now, storeDecides, pause } = this.#settings;
    let polls = 0;
    for (; !storeDecides && isRecent(this.#loadingAtMs, now(), MAX_LOAD_SECONDS); polls += 1) {
      if (polls === MAX_POLLS) return this.#result(now(), "upstream_failed", policy, LATE);
      await pause(POLL_MS);
    }
    if (polls > 0) return this.#known(when, policy) ?? this.#result(now(), "upstream_failed", policy);
    // No await between the check and starting the load, so that exactly one request starts it.
    const loading = this.#loadThrough(when, policy);
    // Continue even if the first caller disconnects, because others may wait for the value.
    when.waitUntil(loading);
    return loading;
  }

  /** As {@link read}, but serves the remembered value when that takes longer. The load continues. */
  async readWithin(
    when: RequestTime,
    milliseconds: number,
    policy = this.policy,
  ): Promise<CachedValue<T> | Unavailable> {
    const known = this.#known(when, policy);
    if (known !== undefined) return known;
    const { now, pause } = this.#settings;
    const late = pause(milliseconds).then(() => this.#result(now(), "upstream_failed", policy, LATE));
    return Promise.race([this.read(when, policy), late]);
  }

  /** Reads the store, and then the upstream unless the stored value may be served. */
  async #loadThrough(when: RequestTime, policy: FreshnessPolicy): Promise<CachedValue<T> | Unavailable> {
    const { nowMs, waitUntil } = when;
    const { now } = this.#settings;
    const startedAtMs = now();
    this.#loadingAtMs = startedAtMs;
    if (this.#within(nowMs, policy.freshSeconds + ASKING_SECONDS)) this.#askedAtMs = nowMs;
    const isAnswered = await this.#recall(nowMs);
    const isServed = this.#within(nowMs, policy.revalidateSeconds);
    if (isServed && !isAnswered) this.#failed = { atMs: now(), reason: "the store does not answer" };
    const found = isServed ? undefined : await this.#call(nowMs);
    if (this.#loadingAtMs === startedAtMs) this.#loadingAtMs = Number.NEGATIVE_INFINITY;
    if (found === undefined) return this.#known(when, policy) ?? this.#result(now(), "fresh", policy);
    if (found.kind === "failure") return this.#serveStale(found, policy);
    waitUntil(this.#save(nowMs));
    return this.#result(now(), "fetched", policy);
  }

  /** The result without waiting; undefined when the upstream must be called. */
  #known({ nowMs, waitUntil }: RequestTime, policy: FreshnessPolicy): CachedValue<T> | Unavailable | undefined {
    if (this.#within(nowMs, policy.freshSeconds)) return this.#result(nowMs, "fresh", policy);
    const failure = this.#recentFailure(nowMs);
    if (failure !== undefined) return this.#result(nowMs, "upstream_failed", policy, failure);
    const isAsked = !this.#settings.storeDecides || isRecent(this.#askedAtMs, nowMs, ASKED_SECONDS);
    if (!isAsked || !this.#within(nowMs, policy.revalidateSeconds)) return undefined;
    if (!isRecent(this.#renewingAtMs, nowMs, RETRY_SECONDS)) waitUntil(this.#revalidate(nowMs, policy));
    return this.#result(nowMs, "revalidating", policy);
  }

  /** Adopts what another isolate has stored meanwhile; calls the upstream only when that is not fresh. */
  async #revalidate(nowMs: number, policy: FreshnessPolicy): Promise<void> {
    this.#renewingAtMs = nowMs;
    if (!isRecent(this.#askedAtMs, nowMs, ASKED_SECONDS)) await this.#recall(nowMs);
    if (!this.#within(nowMs, policy.freshSeconds)) await this.renew(nowMs);
  }

  /** Loads the value whatever its age; it is stored when this resolves. Never rejects. */
  async renew(nowMs: number): Promise<CachedValue<T> | Unavailable> {
    const found = await this.#call(nowMs);
    if (found.kind === "failure") return this.#serveStale(found, this.policy);
    await this.#save(nowMs);
    return this.#result(this.#settings.now(), "fetched", this.policy);
  }

  async #call(nowMs: number): Promise<Sample<T> | LoadError> {
    const { name, load, log, now } = this.#settings;
    this.#renewingAtMs = nowMs;
    const recall: Recall<T> = async (from) => {
      if (from === "stored" || this.#best === undefined) await this.#recall(nowMs);
      return { best: this.#best, doubts: this.#doubts };
    };
    const found = await load(nowMs, recall).catch((cause: unknown) => {
      log("unexpected", { figure: name, cause: String(cause) });
      return loadError("the upstream's answer could not be read");
    });
    this.#renewingAtMs = Number.NEGATIVE_INFINITY;
    this.#failed = found.kind === "failure" ? { atMs: now(), reason: found.reason } : undefined;
    if (found.kind === "observed") this.#adopt(found, nowMs);
    else log("figure_not_renewed", { figure: name, reason: found.reason });
    if (found.doubts !== undefined) await this.#remember(found.doubts, nowMs);
    return found;
  }

  /** Stores a change of what is doubtful at once: the reading that confirms it may be another isolate's. */
  async #remember(doubts: Doubts, nowMs: number): Promise<void> {
    const isSame = storedText([...doubts]) === storedText([...this.#doubts]);
    this.#doubts = doubts;
    if (!isSame) await this.#save(nowMs);
  }

  /** Another isolate may have stored a newer value. */
  async #serveStale(problem: LoadError, policy: FreshnessPolicy): Promise<CachedValue<T> | Unavailable> {
    await this.#recall(this.#settings.now());
    return this.#result(this.#settings.now(), "upstream_failed", policy, problem.reason);
  }

  /** Whether the store has answered. */
  async #recall(nowMs: number): Promise<boolean> {
    const { key, lastGood, storeDecides } = this.#settings;
    const before = this.#best;
    const stored = await lastGood.get(key);
    if (stored === undefined) return false;
    this.#askedAtMs = nowMs;
    // What was loaded meanwhile is newer than this answer.
    if (stored === null && storeDecides && this.#best === before) this.#best = undefined;
    // A timestamp ahead of our clock by more than the tolerated skew would extend the value's lifetime: ignore it.
    if (stored === null || stored.storedAtMs > nowMs + SKEW_MS) return true;
    const row = parseStored<Stored<T>>(stored.value);
    const observedAtMs = Math.min(stored.storedAtMs, nowMs);
    if (row === undefined || (this.#best !== undefined && observedAtMs < this.#best.observedAtMs)) return true;
    this.#doubts = new Map(row.doubts);
    if (row.value !== undefined) this.#best = { kind: "observed", value: row.value, observedAtMs };
    return true;
  }

  #save(nowMs: number): Promise<void> {
    const { key, lastGood } = this.#settings;
    const row: Stored<T | undefined> = { value: this.#best?.value, doubts: [...this.#doubts] };
    return lastGood.put(key, storedText(row), this.#best?.observedAtMs ?? nowMs);
  }

  #adopt(found: Sample<T>, nowMs: number): void {
    const best = this.#best;
    const isAhead = best !== undefined && best.observedAtMs > nowMs + SKEW_MS;
    if (best === undefined || isAhead || found.observedAtMs >= best.observedAtMs) this.#best = found;
  }

  #recentFailure(nowMs: number): string | undefined {
    const failed = this.#failed;
    return failed !== undefined && isRecent(failed.atMs, nowMs, RETRY_SECONDS) ? failed.reason : undefined;
  }

  #within(nowMs: number, seconds: number): boolean {
    // A clock that was set back makes a value of the time before it neither fresh nor served.
    if (this.#best === undefined || this.#best.observedAtMs > nowMs + SKEW_MS) return false;
    return nowMs - this.#best.observedAtMs <= seconds * 1000;
  }

  #result(
    nowMs: number,
    how: CachedValue<T>["origin"],
    policy: FreshnessPolicy,
    error: string | null = null,
  ): CachedValue<T> | Unavailable {
    if (this.#best === undefined || !this.#within(nowMs, policy.maxStaleSeconds))
      return { kind: "unavailable", reason: error ?? "there is no value yet", retryAfterSeconds: RETRY_SECONDS };
    const { value, observedAtMs } = this.#best;
    const ageSeconds = Math.max(0, Math.floor((nowMs - observedAtMs) / 1000));
    const failed = error ?? this.#recentFailure(nowMs) ?? null;
    const doubts = [...this.#doubts.keys()];
    return { kind: "cached", value, observedAtMs, ageSeconds, origin: how, error: failed, doubts, policy };
  }
}

/** Whether something happened at most that long ago; nothing did after now, unless the clock was set back since. */
function isRecent(atMs: number, nowMs: number, seconds: number): boolean {
  return nowMs - atMs < seconds * 1000 && atMs <= nowMs + SKEW_MS;
}

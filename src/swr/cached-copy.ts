import { isFuture } from "../base/utc.ts";
import type { CachedValue, FreshnessPolicy, Unavailable } from "./cached-value.ts";
import type { RequestTime, Sample } from "./loader.ts";
import type { ReadMode, SharedAnswer } from "./shared-value.ts";

export interface CachedCopyPorts<T> {
  readonly policy: FreshnessPolicy;
  /**
   * Asks the object that reads the value, with the time of the isolate's own copy. null: the object does not answer.
   * Never rejects.
   */
  readonly ask: (ifNewerThan: number | null, mode: ReadMode) => Promise<SharedAnswer<T> | null>;
  /** Current time, for work that goes on while a request waits. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface Patience {
  /** `cached` by default: a copy that may still be served is returned at once, and renewed behind the response. */
  readonly mode?: ReadMode;
  /**
   * Time limit of a read, after which the copy is served, or a failure if there is no copy. The call to the object goes
   * on.
   */
  readonly withinMs?: number;
}

/** How long no new call is made after a failure, and the callers' Retry-After. */
const RETRY_SECONDS = 5;
/** How long a copy that is not fresh is served without another call, after a request of this isolate has asked. */
const ASKED_SECONDS = 1;
/**
 * A copy that became stale less than this ago is served while another request asks, so that no burst of calls arises.
 */
const ASKING_SECONDS = 10;
const SKEW_MS = 10_000;
const LATE = "the upstream has not answered in time";
const AWAY = "the object that reads it does not answer";

/**
 * An isolate's copy of a value that one object reads for all isolates. A stale copy is served only after asking the
 * object, because other isolates may have shown a newer value. A value that the object has dropped is dropped here too.
 * Requests share values, never promises: the promise of a finished request may never settle.
 */
export class CachedCopy<T> {
  readonly policy: FreshnessPolicy;
  readonly #ports: CachedCopyPorts<T>;
  #latest: Sample<T> | null = null;
  #unconfirmed: readonly string[] = [];
  #lastFailure: { readonly atMs: number; readonly reason: string } | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** Time at which a request began to wait, behind its own response, for the reading under way. */
  #waitingAtMs = Number.NEGATIVE_INFINITY;

  constructor(ports: CachedCopyPorts<T>) {
    this.policy = ports.policy;
    this.#ports = ports;
  }

  /** Returns a value young enough to be served, or the reason why there is none. Never rejects. */
  async read(when: RequestTime, patience: Patience = {}): Promise<CachedValue<T> | Unavailable> {
    const { mode = "cached", withinMs } = patience;
    const { now, pause } = this.#ports;
    const cached = this.#withoutCall(when.nowMs, mode);
    if (cached !== null) return cached;
    const answer = this.#ask(when, mode);
    // The call goes on if this caller disconnects or stops waiting, because other requests are served its result.
    when.waitUntil(answer);
    if (withinMs === undefined) return answer;
    return Promise.race([answer, pause(withinMs).then(() => this.#result(now(), "upstream_failed", LATE))]);
  }

  /** The result if no call is needed; null: the object must be asked. */
  #withoutCall(nowMs: number, mode: ReadMode): CachedValue<T> | Unavailable | null {
    if (mode === "force") return null;
    const { freshSeconds, revalidateSeconds } = this.policy;
    if (this.#isWithin(nowMs, freshSeconds)) return this.#result(nowMs, "fresh");
    const failure = this.#recentError(nowMs);
    if (failure !== null) return this.#result(nowMs, "upstream_failed", failure);
    const isBeingAsked = mode === "cached" && isRecent(this.#askedAtMs, nowMs, ASKED_SECONDS);
    return isBeingAsked && this.#isWithin(nowMs, revalidateSeconds) ? this.#result(nowMs, "revalidating") : null;
  }

  async #ask(when: RequestTime, mode: ReadMode): Promise<CachedValue<T> | Unavailable> {
    const { nowMs } = when;
    const { freshSeconds, revalidateSeconds } = this.policy;
    if (this.#isWithin(nowMs, freshSeconds + ASKING_SECONDS)) this.#askedAtMs = nowMs;
    let answer = await this.#adopt(mode);
    if (answer?.reading === "under_way") {
      this.#askedAtMs = nowMs;
      if (!this.#isWithin(nowMs, revalidateSeconds)) answer = await this.#adopt("revalidate");
      else if (!isRecent(this.#waitingAtMs, nowMs, RETRY_SECONDS)) when.waitUntil(this.#adoptNext(nowMs));
    }
    const unread = this.#isWithin(nowMs, freshSeconds) ? "fresh" : "revalidating";
    const origin = answer?.reading === "made" ? "fetched" : unread;
    return this.#result(this.#ports.now(), answer === null || answer.error !== null ? "upstream_failed" : origin);
  }

  /**
   * Takes over the reading under way when it ends. Otherwise later requests of this isolate would get an older value
   * than other isolates serve.
   */
  async #adoptNext(nowMs: number): Promise<void> {
    this.#waitingAtMs = nowMs;
    await this.#adopt("revalidate");
    this.#waitingAtMs = Number.NEGATIVE_INFINITY;
  }

  async #adopt(mode: ReadMode): Promise<SharedAnswer<T> | null> {
    const { ask, now } = this.#ports;
    const before = this.#latest;
    const answer = await ask(before?.observedAtMs ?? null, mode);
    const reason = answer === null ? AWAY : answer.error;
    this.#lastFailure = reason === null ? null : { atMs: now(), reason };
    if (answer === null) return null;
    const { good, unconfirmed } = answer;
    this.#unconfirmed = unconfirmed;
    // Another request may have taken over a newer value while this one waited.
    const isNewest = (sample: Sample<T> | null) => (sample?.observedAtMs ?? 0) > (this.#latest?.observedAtMs ?? 0);
    if (good !== "same" && (this.#latest === before || isNewest(good))) this.#latest = good;
    return answer;
  }

  #recentError(nowMs: number): string | null {
    return this.#lastFailure !== null && isRecent(this.#lastFailure.atMs, nowMs, RETRY_SECONDS)
      ? this.#lastFailure.reason
      : null;
  }

  #isWithin(nowMs: number, seconds: number): boolean {
    if (this.#latest === null || isFuture(this.#latest.observedAtMs, nowMs + SKEW_MS)) return false;
    return nowMs - this.#latest.observedAtMs <= seconds * 1_000;
  }

  #result(
    nowMs: number,
    origin: CachedValue<T>["origin"],
    error = this.#recentError(nowMs),
  ): CachedValue<T> | Unavailable {
    const { policy } = this;
    if (this.#latest === null || !this.#isWithin(nowMs, policy.maxStaleSeconds))
      return { kind: "unavailable", reason: error ?? "there is no value yet", retryAfterSeconds: RETRY_SECONDS };
    const { value, observedAtMs } = this.#latest;
    const ageSeconds = Math.max(0, Math.floor((nowMs - observedAtMs) / 1_000));
    return { kind: "cached", value, observedAtMs, ageSeconds, origin, error, unconfirmed: this.#unconfirmed, policy };
  }
}

/** Whether an instant lies at most so many seconds back. A future timestamp within the tolerated skew counts as now. */
function isRecent(atMs: number, nowMs: number, seconds: number): boolean {
  return nowMs - atMs < seconds * 1_000 && !isFuture(atMs, nowMs + SKEW_MS);
}

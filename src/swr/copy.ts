import { isFuture } from "../base/utc.ts";
import type { CachedValue, FreshnessPolicy, Unavailable } from "./cached-value.ts";
import type { Said, Wanted } from "./kept.ts";
import type { RequestTime, Sample } from "./loader.ts";

export interface CopyPorts<T> {
  readonly policy: FreshnessPolicy;
  /** Asks the object that reads the value, saying of when the copy is. null: it does not answer. Never rejects. */
  readonly ask: (have: number | null, wanted: Wanted) => Promise<Said<T> | null>;
  /** For what happens while a request waits. */
  readonly now: () => number;
  /** Resolves after a delay. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface Patience {
  /** By default what is known, as long as it may be served while it is renewed. */
  readonly wanted?: Wanted;
  /** When it takes longer, the copy is served, or none. What was asked for goes on. */
  readonly withinMs?: number;
}

/** How long a failure stands, and the callers' Retry-After. */
const RETRY_SECONDS = 5;
/** How long the object's answer stands. */
const ASKED_SECONDS = 1;
/** A copy that has been stale for less than this is served while another request asks: no burst of calls. */
const ASKING_SECONDS = 10;
const SKEW_MS = 10_000;
const LATE = "the upstream has not answered in time";
const AWAY = "the object that reads it does not answer";

/**
 * An isolate's copy of a value that one object reads for all. A copy that is not fresh is served only after the object
 * was asked, because other isolates may have shown a newer one; what the object does not have any more is dropped.
 * Requests share values only, never promises, because the promise of a finished request may never settle.
 */
export class Copy<T> {
  readonly policy: FreshnessPolicy;
  readonly #ports: CopyPorts<T>;
  #good: Sample<T> | null = null;
  #doubts: readonly string[] = [];
  #failed: { readonly atMs: number; readonly reason: string } | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** When a request began to wait, after its response, for the reading that is under way. */
  #waitingAtMs = Number.NEGATIVE_INFINITY;

  constructor(ports: CopyPorts<T>) {
    this.policy = ports.policy;
    this.#ports = ports;
  }

  /** A value young enough to be served, or why there is none. Never rejects. */
  async read(when: RequestTime, patience: Patience = {}): Promise<CachedValue<T> | Unavailable> {
    const { wanted = "known", withinMs } = patience;
    const { now, pause } = this.#ports;
    const known = this.#known(when.nowMs, wanted);
    if (known !== null) return known;
    const asked = this.#ask(when, wanted);
    // Also if this caller disconnects or waits no longer: others are served what is learned.
    when.waitUntil(asked);
    if (withinMs === undefined) return asked;
    return Promise.race([asked, pause(withinMs).then(() => this.#result(now(), "upstream_failed", LATE))]);
  }

  /** The result without a call; null when the object must be asked. */
  #known(nowMs: number, wanted: Wanted): CachedValue<T> | Unavailable | null {
    if (wanted === "new") return null;
    const { freshSeconds, revalidateSeconds } = this.policy;
    if (this.#isWithin(nowMs, freshSeconds)) return this.#result(nowMs, "fresh");
    const failure = this.#justFailed(nowMs);
    if (failure !== null) return this.#result(nowMs, "upstream_failed", failure);
    const isAsked = wanted === "known" && isRecent(this.#askedAtMs, nowMs, ASKED_SECONDS);
    return isAsked && this.#isWithin(nowMs, revalidateSeconds) ? this.#result(nowMs, "revalidating") : null;
  }

  async #ask(when: RequestTime, wanted: Wanted): Promise<CachedValue<T> | Unavailable> {
    const { nowMs } = when;
    const { freshSeconds, revalidateSeconds } = this.policy;
    if (this.#isWithin(nowMs, freshSeconds + ASKING_SECONDS)) this.#askedAtMs = nowMs;
    let said = await this.#adopt(wanted);
    if (said?.reading === "under_way") {
      this.#askedAtMs = nowMs;
      if (!this.#isWithin(nowMs, revalidateSeconds)) said = await this.#adopt("fresh");
      else if (!isRecent(this.#waitingAtMs, nowMs, RETRY_SECONDS)) when.waitUntil(this.#adoptNext(nowMs));
    }
    const unmade = this.#isWithin(nowMs, freshSeconds) ? "fresh" : "revalidating";
    const made = said?.reading === "made" ? "fetched" : unmade;
    return this.#result(this.#ports.now(), said === null || said.failed !== null ? "upstream_failed" : made);
  }

  /** So that no later request is served what is older than others are by then. */
  async #adoptNext(nowMs: number): Promise<void> {
    this.#waitingAtMs = nowMs;
    await this.#adopt("fresh");
    this.#waitingAtMs = Number.NEGATIVE_INFINITY;
  }

  async #adopt(wanted: Wanted): Promise<Said<T> | null> {
    const { ask, now } = this.#ports;
    const before = this.#good;
    const said = await ask(before?.observedAtMs ?? null, wanted);
    const reason = said === null ? AWAY : said.failed;
    this.#failed = reason === null ? null : { atMs: now(), reason };
    if (said === null) return null;
    const { good, doubts } = said;
    this.#doubts = doubts;
    // What was learned meanwhile may be newer than this answer.
    const isNewest = (said: Sample<T> | null) => (said?.observedAtMs ?? 0) > (this.#good?.observedAtMs ?? 0);
    if (good !== "same" && (this.#good === before || isNewest(good))) this.#good = good;
    return said;
  }

  #justFailed(nowMs: number): string | null {
    return this.#failed !== null && isRecent(this.#failed.atMs, nowMs, RETRY_SECONDS) ? this.#failed.reason : null;
  }

  #isWithin(nowMs: number, seconds: number): boolean {
    if (this.#good === null || isFuture(this.#good.observedAtMs, nowMs + SKEW_MS)) return false;
    return nowMs - this.#good.observedAtMs <= seconds * 1_000;
  }

  #result(
    nowMs: number,
    origin: CachedValue<T>["origin"],
    error = this.#justFailed(nowMs),
  ): CachedValue<T> | Unavailable {
    const { policy } = this;
    if (this.#good === null || !this.#isWithin(nowMs, policy.maxStaleSeconds))
      return { kind: "unavailable", reason: error ?? "there is no value yet", retryAfterSeconds: RETRY_SECONDS };
    const { value, observedAtMs } = this.#good;
    const ageSeconds = Math.max(0, Math.floor((nowMs - observedAtMs) / 1_000));
    return { kind: "cached", value, observedAtMs, ageSeconds, origin, error, doubts: this.#doubts, policy };
  }
}

/** Whether something happened at most that long ago. */
function isRecent(atMs: number, nowMs: number, seconds: number): boolean {
  return nowMs - atMs < seconds * 1_000 && !isFuture(atMs, nowMs + SKEW_MS);
}

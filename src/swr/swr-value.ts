import type { RequestContext } from "../http/handler.ts";
import type { Log } from "../log.ts";
import type { CachedValue, FreshnessPolicy, Unavailable } from "./cached-value.ts";

/** A value and when it was true, milliseconds since the epoch. */
export interface Sample<T> {
  readonly kind: "observed";
  readonly value: T;
  readonly observedAtMs: number;
}

/** Why a value could not be had, in words fit for the public: no address, no secret. */
export interface LoadError {
  readonly kind: "failure";
  readonly reason: string;
}

/** Asks the upstream. Whatever it resolves to has been validated; it never resolves to an empty stand-in. */
export type Loader<T> = (nowMs: number) => Promise<Sample<T> | LoadError>;

/** Values that outlive isolates, as text. What is read back is parsed again. Neither call rejects. */
export interface LastGood {
  get(name: string): Promise<{ readonly value: string; readonly storedAtMs: number } | null>;
  put(name: string, value: string, storedAtMs: number): Promise<void>;
}

/** The caller's instant, and its leave to go on after the answer. */
export type RequestTime = Pick<RequestContext, "nowMs" | "waitUntil">;

export interface SwrSettings<T> {
  /** As logs and health spell it. */
  readonly name: string;
  /** Where the store keeps it: different for every upstream and asset, so that a new setting never answers an old value. */
  readonly key: string;
  readonly policy: FreshnessPolicy;
  readonly load: Loader<T>;
  /** The value as text for the store, and back; undefined when the text is not (or no longer) such a value. */
  readonly text: { readonly write: (value: T) => string; readonly read: (stored: string) => T | undefined };
  readonly lastGood: LastGood;
  readonly log: Log;
  /** Lets time pass. With it, concurrent cold reads of one isolate wait for the first one's value; see {@link SwrValue}. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** While the upstream fails it is asked this seldom by one isolate, and callers are told to come back after it. */
const RETRY_SECONDS = 5;
/** A value is written to the store this seldom by one isolate: a row a minute, not a row a request. */
const KEEP_EVERY_SECONDS = 60;
const SKEW_MS = 10_000;
/** How often a waiting read looks whether the value has come, and after how many looks it asks by itself. */
const LOOK_MS = 20;
const LOOKS = 250;

/**
 * Keeps one upstream value: memory of this isolate, then the store, then the upstream; stale-while-revalidate and
 * stale-if-error by hand. Between requests only values are shared, never promises: one that belongs to a finished
 * request can never settle. So concurrent cold reads are one upstream call either because the loader's far end coalesces,
 * or, with `pause`, because all but the first look out for its value and ask only when it stays away.
 */
export class SwrValue<T> {
  readonly name: string;
  readonly policy: FreshnessPolicy;
  readonly #settings: SwrSettings<T>;
  #best: Sample<T> | undefined;
  #failed: { readonly atMs: number; readonly reason: string } | undefined;
  #renewingAtMs = Number.NEGATIVE_INFINITY;
  #savedAtMs = Number.NEGATIVE_INFINITY;
  #recalledAtMs = Number.NEGATIVE_INFINITY;
  /** Stands for the question that is out; another one each time. */
  #question: symbol | undefined;

  constructor(settings: SwrSettings<T>) {
    this.name = settings.name;
    this.policy = settings.policy;
    this.#settings = settings;
  }

  /** A value young enough to be answered, or why there is none. Never rejects. */
  async read(when: RequestTime): Promise<CachedValue<T> | Unavailable> {
    const known = this.#known(when);
    if (known !== undefined) return known;
    const { pause } = this.#settings;
    // No await between the last look and the question: of many that find nobody asking, one asks.
    for (let out = this.#question; pause !== undefined && out !== undefined; out = this.#question) {
      for (let look = 0; look < LOOKS && this.#question === out; look += 1) await pause(LOOK_MS);
      if (this.#question === undefined) return this.#known(when) ?? this.#reading(when.nowMs, "upstream_failed");
      if (this.#question === out) break;
    }
    const answering = this.#answer(when);
    // The first caller may go away; what it asked for is still wanted.
    when.waitUntil(answering);
    return answering;
  }

  /** As {@link read}, but when `patience` is at its end what is remembered must do. The question goes on. */
  async readWithin(when: RequestTime, patience: () => Promise<void>): Promise<CachedValue<T> | Unavailable> {
    const known = this.#known(when);
    if (known !== undefined) return known;
    const late = patience().then(() =>
      this.#reading(when.nowMs, "upstream_failed", "the upstream has not answered in time"),
    );
    return Promise.race([this.read(when), late]);
  }

  /** Asks the store, if that may do, and then the upstream. */
  async #answer(when: RequestTime): Promise<CachedValue<T> | Unavailable> {
    const { nowMs, waitUntil } = when;
    const question = Symbol(this.name);
    this.#question = question;
    if (this.policy.revalidateSeconds > 0) await this.#recall(nowMs);
    const found = this.#within(nowMs, this.policy.revalidateSeconds) ? undefined : await this.#call(nowMs);
    if (this.#question === question) this.#question = undefined;
    if (found === undefined) return this.#known(when) ?? this.#reading(nowMs, "fresh");
    if (found.kind === "failure") return this.#serveStale(nowMs, found);
    if (nowMs - this.#savedAtMs >= KEEP_EVERY_SECONDS * 1000) waitUntil(this.#keep(found, nowMs));
    return this.#reading(nowMs, "fetched");
  }

  /** What can be said without waiting for anyone; undefined when the upstream must be asked. */
  #known({ nowMs, waitUntil }: RequestTime): Promise<CachedValue<T> | Unavailable> | undefined {
    if (this.#within(nowMs, this.policy.freshSeconds)) return Promise.resolve(this.#reading(nowMs, "fresh"));
    const failure = this.#recentFailure(nowMs);
    if (failure !== undefined) return this.#afterFailure(failure, nowMs);
    if (!this.#within(nowMs, this.policy.revalidateSeconds)) return undefined;
    if (nowMs - this.#renewingAtMs >= RETRY_SECONDS * 1000) waitUntil(this.renew(nowMs));
    return Promise.resolve(this.#reading(nowMs, "revalidating"));
  }

  /** While the upstream rests after a failure. */
  async #afterFailure(failure: string, nowMs: number): Promise<CachedValue<T> | Unavailable> {
    if (!this.#within(nowMs, this.policy.maxStaleSeconds)) await this.#recallSometimes(nowMs);
    return this.#reading(nowMs, "upstream_failed", failure);
  }

  /** Asks the upstream however young the value is, and has kept the answer when it resolves. Never rejects. */
  async renew(nowMs: number): Promise<CachedValue<T> | Unavailable> {
    const found = await this.#call(nowMs);
    if (found.kind === "failure") return this.#serveStale(nowMs, found);
    await this.#keep(found, nowMs);
    return this.#reading(nowMs, "fetched");
  }

  async #call(nowMs: number): Promise<Sample<T> | LoadError> {
    const { name, load, log } = this.#settings;
    this.#renewingAtMs = nowMs;
    const found = await load(nowMs).catch((cause: unknown): LoadError => {
      log("unexpected", { figure: name, cause: String(cause) });
      return { kind: "failure", reason: "the upstream's answer could not be read" };
    });
    this.#renewingAtMs = Number.NEGATIVE_INFINITY;
    this.#failed = found.kind === "failure" ? { atMs: nowMs, reason: found.reason } : undefined;
    if (found.kind === "observed") this.#adopt(found);
    else log("figure_not_renewed", { figure: name, reason: found.reason });
    return found;
  }

  /** What another isolate kept may be younger than what this one remembers. */
  async #serveStale(nowMs: number, problem: LoadError): Promise<CachedValue<T> | Unavailable> {
    await this.#recall(nowMs);
    return this.#reading(nowMs, "upstream_failed", problem.reason);
  }

  /** A store without a younger value is not asked at every call. */
  async #recallSometimes(nowMs: number): Promise<void> {
    if (nowMs - this.#recalledAtMs < RETRY_SECONDS * 1000) return;
    this.#recalledAtMs = nowMs;
    await this.#recall(nowMs);
  }

  async #recall(nowMs: number): Promise<void> {
    const { key, lastGood, text } = this.#settings;
    const stored = await lastGood.get(key);
    // A date ahead of our clock by more than clocks differ would lengthen a life: it is not believed.
    if (stored === null || stored.storedAtMs > nowMs + SKEW_MS) return;
    const value = text.read(stored.value);
    if (value !== undefined) this.#adopt({ kind: "observed", value, observedAtMs: Math.min(stored.storedAtMs, nowMs) });
  }

  #keep({ value, observedAtMs }: Sample<T>, nowMs: number): Promise<void> {
    this.#savedAtMs = nowMs;
    const { key, lastGood, text } = this.#settings;
    return lastGood.put(key, text.write(value), observedAtMs);
  }

  #adopt(found: Sample<T>): void {
    if (this.#best === undefined || found.observedAtMs >= this.#best.observedAtMs) this.#best = found;
  }

  #recentFailure(nowMs: number): string | undefined {
    const failed = this.#failed;
    return failed !== undefined && nowMs - failed.atMs < RETRY_SECONDS * 1000 ? failed.reason : undefined;
  }

  #within(nowMs: number, seconds: number): boolean {
    return this.#best !== undefined && nowMs - this.#best.observedAtMs <= seconds * 1000;
  }

  #reading(nowMs: number, how: CachedValue<T>["origin"], error: string | null = null): CachedValue<T> | Unavailable {
    const { policy } = this;
    if (this.#best === undefined || !this.#within(nowMs, policy.maxStaleSeconds))
      return { kind: "missing", reason: error ?? "there is no value yet", retryAfterSeconds: RETRY_SECONDS };
    const { value, observedAtMs } = this.#best;
    const ageSeconds = Math.max(0, Math.floor((nowMs - observedAtMs) / 1000));
    const failed = error ?? this.#recentFailure(nowMs) ?? null;
    return { kind: "reading", value, observedAtMs, ageSeconds, origin: how, error: failed, policy };
  }
}

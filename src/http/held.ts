import type { Ask, Log } from "./reply.ts";

/** A value and when it was true, milliseconds since the epoch. */
export interface Observed<T> {
  readonly kind: "observed";
  readonly value: T;
  readonly observedAtMs: number;
}

/** Why a value could not be had, in words fit for the public: no address, no secret. */
export interface Fault {
  readonly kind: "fault";
  readonly reason: string;
}

/** Asks the upstream. Whatever it resolves to has been validated; it never resolves to an empty stand-in. */
export type Load<T> = (nowMs: number) => Promise<Observed<T> | Fault>;

/** Values that outlive isolates, as text. What is read back is parsed again. Neither call rejects. */
export interface LastGood {
  get(name: string): Promise<{ readonly value: string; readonly storedAtMs: number } | null>;
  put(name: string, value: string, storedAtMs: number): Promise<void>;
}

export interface Keeping {
  /** Up to this age a value is answered without a question asked. */
  readonly freshSeconds: number;
  /** Up to this age it is answered at once and renewed behind the answer. At most keepSeconds. */
  readonly revalidateSeconds: number;
  /** Up to this age it stands in while the upstream fails. */
  readonly keepSeconds: number;
  /** How long callers and shared caches may hold an answer, counted from the reading: `max-age`. */
  readonly sharedSeconds: number;
}

/** A value that may be answered, with its true age. */
export interface Reading<T> {
  readonly kind: "reading";
  readonly value: T;
  readonly observedAtMs: number;
  readonly ageSeconds: number;
  readonly how: "fetched" | "fresh" | "revalidating" | "upstream_failed";
  /** Why the upstream failed when it was last asked, seconds ago; null when it did not. */
  readonly fault: string | null;
  readonly keeping: Keeping;
}

export interface Missing {
  readonly kind: "missing";
  readonly reason: string;
  readonly retryAfterSeconds: number;
}

export interface HeldSettings<T> {
  /** As logs and health spell it. */
  readonly name: string;
  /** Where the store keeps it: different for every upstream and asset, so that a new setting never answers an old value. */
  readonly key: string;
  readonly keeping: Keeping;
  readonly load: Load<T>;
  /** The value as text for the store, and back; undefined when the text is not (or no longer) such a value. */
  readonly text: { readonly write: (value: T) => string; readonly read: (stored: string) => T | undefined };
  readonly lastGood: LastGood;
  readonly log: Log;
}

/** While the upstream fails it is asked this seldom by one isolate, and callers are told to come back after it. */
const RETRY_SECONDS = 5;
/** A value is written to the store this seldom by one isolate: a row a minute, not a row a request. */
const KEEP_EVERY_SECONDS = 60;
const SKEW_MS = 10_000;

/**
 * Keeps one upstream value: memory of this isolate, then the store, then the upstream; stale-while-revalidate and
 * stale-if-error by hand. Between requests only values are shared, never promises: one that belongs to a finished
 * request can never settle. Concurrent cold reads are one upstream call because the loader's far end coalesces.
 */
export class Held<T> {
  readonly name: string;
  readonly keeping: Keeping;
  readonly #settings: HeldSettings<T>;
  #best: Observed<T> | undefined;
  #failed: { readonly atMs: number; readonly reason: string } | undefined;
  #renewingAtMs = Number.NEGATIVE_INFINITY;
  #keptAtMs = Number.NEGATIVE_INFINITY;

  constructor(settings: HeldSettings<T>) {
    this.name = settings.name;
    this.keeping = settings.keeping;
    this.#settings = settings;
  }

  /** A value young enough to be answered, or why there is none. Never rejects. */
  async read({ nowMs, waitUntil }: Pick<Ask, "nowMs" | "waitUntil">): Promise<Reading<T> | Missing> {
    const { freshSeconds, revalidateSeconds, keepSeconds } = this.keeping;
    if (!this.#within(nowMs, Math.max(freshSeconds, revalidateSeconds)) && revalidateSeconds > 0)
      await this.#recall(nowMs);
    if (this.#within(nowMs, freshSeconds)) return this.#reading(nowMs, "fresh");

    const failure = this.#recentFailure(nowMs);
    if (this.#within(nowMs, revalidateSeconds)) {
      if (failure !== undefined) return this.#reading(nowMs, "upstream_failed", failure);
      if (nowMs - this.#renewingAtMs >= RETRY_SECONDS * 1000) waitUntil(this.renew(nowMs));
      return this.#reading(nowMs, "revalidating");
    }
    if (failure !== undefined) {
      if (!this.#within(nowMs, keepSeconds)) await this.#recall(nowMs);
      return this.#reading(nowMs, "upstream_failed", failure);
    }
    const found = await this.#ask(nowMs);
    if (found.kind === "fault") return this.#standIn(nowMs, found);
    if (nowMs - this.#keptAtMs >= KEEP_EVERY_SECONDS * 1000) waitUntil(this.#keep(found, nowMs));
    return this.#reading(nowMs, "fetched");
  }

  /** Asks the upstream however young the value is, and has kept the answer when it resolves. Never rejects. */
  async renew(nowMs: number): Promise<Reading<T> | Missing> {
    const found = await this.#ask(nowMs);
    if (found.kind === "fault") return this.#standIn(nowMs, found);
    await this.#keep(found, nowMs);
    return this.#reading(nowMs, "fetched");
  }

  async #ask(nowMs: number): Promise<Observed<T> | Fault> {
    const { name, load, log } = this.#settings;
    this.#renewingAtMs = nowMs;
    const found = await load(nowMs).catch((cause: unknown): Fault => {
      log("unexpected", { figure: name, cause: String(cause) });
      return { kind: "fault", reason: "the upstream's answer could not be read" };
    });
    this.#renewingAtMs = Number.NEGATIVE_INFINITY;
    this.#failed = found.kind === "fault" ? { atMs: nowMs, reason: found.reason } : undefined;
    if (found.kind === "observed") this.#adopt(found);
    else log("figure_not_renewed", { figure: name, reason: found.reason });
    return found;
  }

  /** What another isolate kept may be younger than what this one remembers. */
  async #standIn(nowMs: number, fault: Fault): Promise<Reading<T> | Missing> {
    await this.#recall(nowMs);
    return this.#reading(nowMs, "upstream_failed", fault.reason);
  }

  async #recall(nowMs: number): Promise<void> {
    const { key, lastGood, text } = this.#settings;
    const stored = await lastGood.get(key);
    // A date ahead of our clock by more than clocks differ would lengthen a life: it is not believed.
    if (stored === null || stored.storedAtMs > nowMs + SKEW_MS) return;
    const value = text.read(stored.value);
    if (value !== undefined) this.#adopt({ kind: "observed", value, observedAtMs: Math.min(stored.storedAtMs, nowMs) });
  }

  #keep({ value, observedAtMs }: Observed<T>, nowMs: number): Promise<void> {
    this.#keptAtMs = nowMs;
    const { key, lastGood, text } = this.#settings;
    return lastGood.put(key, text.write(value), observedAtMs);
  }

  #adopt(found: Observed<T>): void {
    if (this.#best === undefined || found.observedAtMs >= this.#best.observedAtMs) this.#best = found;
  }

  #recentFailure(nowMs: number): string | undefined {
    const failed = this.#failed;
    return failed !== undefined && nowMs - failed.atMs < RETRY_SECONDS * 1000 ? failed.reason : undefined;
  }

  #within(nowMs: number, seconds: number): boolean {
    return this.#best !== undefined && nowMs - this.#best.observedAtMs <= seconds * 1000;
  }

  #reading(nowMs: number, how: Reading<T>["how"], fault: string | null = null): Reading<T> | Missing {
    const { keeping } = this;
    if (this.#best === undefined || !this.#within(nowMs, keeping.keepSeconds))
      return { kind: "missing", reason: fault ?? "there is no value yet", retryAfterSeconds: RETRY_SECONDS };
    const { value, observedAtMs } = this.#best;
    const ageSeconds = Math.max(0, Math.floor((nowMs - observedAtMs) / 1000));
    const failed = fault ?? this.#recentFailure(nowMs) ?? null;
    return { kind: "reading", value, observedAtMs, ageSeconds, how, fault: failed, keeping };
  }
}

/** Age and Cache-Status (RFC 9211) of an answer made from a reading. */
export function agedFields(reading: Reading<unknown>): Record<string, string> {
  const { ageSeconds, keeping } = reading;
  return { Age: String(ageSeconds), "Cache-Status": `edge; ${cacheState(reading, keeping.freshSeconds - ageSeconds)}` };
}

/** The same, and how long the answer may be held. */
export function heldFields(reading: Reading<unknown>): Record<string, string> {
  return { ...agedFields(reading), "Cache-Control": `public, max-age=${reading.keeping.sharedSeconds}` };
}

function cacheState({ how }: Reading<unknown>, ttlSeconds: number): string {
  switch (how) {
    case "fetched":
      return "fwd=miss; stored";
    case "fresh":
      return `hit; ttl=${ttlSeconds}`;
    case "revalidating":
      return `hit; ttl=${ttlSeconds}; detail=revalidating`;
    case "upstream_failed":
      return `hit; ttl=${ttlSeconds}; detail=upstream-failed`;
  }
}

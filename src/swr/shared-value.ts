import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import { type LoadError, loadError, type Sample } from "./loader.ts";

/**
 * How a value is asked for. `cached`: whatever the object has, at once; a reading that is due goes on behind the
 * answer. `revalidate`: a due reading is awaited; none is due while the value is fresh, or seconds after a failure.
 * `force`: a reading is made now, in any case.
 */
export type ReadMode = "cached" | "revalidate" | "force";

/** Answer to an isolate that may have a copy of the value. */
export interface SharedAnswer<T> {
  /** The last accepted value, of any age; `same`: the asker's copy is that value; null: nothing was accepted yet. */
  readonly good: Sample<T> | "same" | null;
  /** Why the last reading, seconds ago, failed; null when it did not fail, or failed longer ago. */
  readonly error: string | null;
  /** Names of numbers in the value whose newer readings await confirmation; the value still has the older ones. */
  readonly unconfirmed: readonly string[];
  /** Reading that the question led to: `made` before the answer, or still `under_way` after it. */
  readonly reading: "made" | "under_way" | "none";
}

export interface SharedValuePorts<T> {
  /** Name of the value in log events. */
  readonly name: string;
  readonly freshSeconds: number;
  /** Minimum interval between readings while they fail; 5 by default. */
  readonly retrySeconds?: number;
  readonly good: () => Sample<T> | null;
  readonly unconfirmed?: () => readonly string[];
  /**
   * Reads and validates the value. If it is accepted, `good` returns it from then on, and null is returned. A placeholder
   * without data is never accepted.
   */
  readonly load: (nowMs: number) => Promise<LoadError | null>;
  readonly now: () => number;
  readonly log: Log;
}

const RETRY_SECONDS = 5;

/**
 * A value that one Durable Object reads for every isolate of the deployment. Simultaneous questions share one reading.
 * A failed reading leaves the last accepted value in place.
 */
export class SharedValue<T> {
  readonly #ports: SharedValuePorts<T>;
  #lastFailure: { readonly reason: string; readonly atMs: number } | null = null;
  #underWay: Promise<LoadError | null> | null = null;

  constructor(ports: SharedValuePorts<T>) {
    this.#ports = ports;
  }

  /** The reading that is under way, or starts now if `mode` asks for one; null: no reading is needed. Never rejects. */
  reading(mode: ReadMode): Promise<LoadError | null> | null {
    const { freshSeconds, good, now } = this.#ports;
    // Copies are fresh up to and including this age. The value must be too, or a fresh copy would be read anew.
    const isFresh = isWithin(good()?.observedAtMs ?? null, freshSeconds * 1_000 + 1, now());
    const isDue = mode === "force" || (!isFresh && this.#recentError === null);
    if (this.#underWay === null && isDue)
      this.#underWay = this.#load().finally(() => {
        this.#underWay = null;
      });
    return this.#underWay;
  }

  /** Answers an isolate whose copy was observed at `ifNewerThan`; null: it has no copy. Never rejects. */
  async get(ifNewerThan: number | null, mode: ReadMode): Promise<SharedAnswer<T>> {
    const reading = this.reading(mode);
    const error = mode === "cached" ? null : await reading;
    const good = this.#ports.good();
    return {
      good: good !== null && good.observedAtMs === ifNewerThan ? "same" : good,
      error: this.#recentError,
      unconfirmed: this.#ports.unconfirmed?.() ?? [],
      reading: reading === null || error !== null ? "none" : mode === "cached" ? "under_way" : "made",
    };
  }

  get #recentError(): string | null {
    const { reason, atMs } = this.#lastFailure ?? { reason: null, atMs: null };
    const { retrySeconds = RETRY_SECONDS, now } = this.#ports;
    return isWithin(atMs, retrySeconds * 1_000, now()) ? reason : null;
  }

  async #load(): Promise<LoadError | null> {
    const { name, load, now, log } = this.#ports;
    const error = await load(now()).catch((cause: unknown) => {
      log("unexpected", { figure: name, cause: cause instanceof Error ? cause.stack : String(cause) });
      // The reason is published, and an exception's text may contain secrets.
      return loadError("the upstream's answer could not be read");
    });
    this.#lastFailure = error && { reason: error.reason, atMs: now() };
    if (error !== null) log("figure_not_renewed", { figure: name, reason: error.reason });
    return error;
  }
}

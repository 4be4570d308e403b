import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import { type LoadError, loadError, type Sample } from "./loader.ts";

/**
 * What is asked for: what is known now, at once; what is known when it has been read anew, unless it is fresh or could
 * not be read just now; or a reading that is made now.
 */
export type Wanted = "known" | "fresh" | "new";

/** What is said of a value to one who has a copy of it. */
export interface Said<T> {
  /** The last one that counts, of any age; `same`: what the asker has; null: there is none. */
  readonly good: Sample<T> | "same" | null;
  /** Why the last reading, a moment ago, failed; null: it did not. */
  readonly failed: string | null;
  /** Names of numbers in the value that stand for newer ones, which await confirmation. */
  readonly doubts: readonly string[];
  /** What the question led to: a reading that was made before the answer, or goes on after it. */
  readonly reading: "made" | "under_way" | "none";
}

export interface KeptPorts<T> {
  /** In logs. */
  readonly name: string;
  readonly freshSeconds: number;
  /** Minimum interval between readings while they fail; 5 by default. */
  readonly retrySeconds?: number;
  readonly good: () => Sample<T> | null;
  readonly doubts?: () => readonly string[];
  /** Reads the value; `good` has it then, if it counts. Its result is validated and never an empty placeholder. */
  readonly load: (nowMs: number) => Promise<LoadError | null>;
  readonly now: () => number;
  readonly log: Log;
}

const RETRY_SECONDS = 5;

/**
 * One value that an object reads for every isolate of the deployment, and nobody else does: questions at the same time
 * share one reading. One that fails leaves the last good value as it is.
 */
export class Kept<T> {
  readonly #ports: KeptPorts<T>;
  #failed: { readonly reason: string; readonly atMs: number } | null = null;
  #pending: Promise<LoadError | null> | null = null;

  constructor(ports: KeptPorts<T>) {
    this.#ports = ports;
  }

  /** The reading that is under way, or begins now because it is wanted; null: none is. Never rejects. */
  reading(wanted: Wanted): Promise<LoadError | null> | null {
    const { freshSeconds, good, now } = this.#ports;
    // To its last millisecond, as copies count: none may still be fresh when it is read anew.
    const isFresh = isWithin(good()?.observedAtMs ?? null, freshSeconds * 1_000 + 1, now());
    const isDue = wanted === "new" || (!isFresh && this.#justFailed === null);
    if (this.#pending === null && isDue)
      this.#pending = this.#load().finally(() => {
        this.#pending = null;
      });
    return this.#pending;
  }

  /** For one whose copy was observed then; null: it has none. Never rejects. */
  async say(have: number | null, wanted: Wanted): Promise<Said<T>> {
    const reading = this.reading(wanted);
    const failed = wanted === "known" ? null : await reading;
    const good = this.#ports.good();
    return {
      good: good !== null && good.observedAtMs === have ? "same" : good,
      failed: this.#justFailed,
      doubts: this.#ports.doubts?.() ?? [],
      reading: reading === null || failed !== null ? "none" : wanted === "known" ? "under_way" : "made",
    };
  }

  get #justFailed(): string | null {
    const { reason, atMs } = this.#failed ?? { reason: null, atMs: null };
    const { retrySeconds = RETRY_SECONDS, now } = this.#ports;
    return isWithin(atMs, retrySeconds * 1_000, now()) ? reason : null;
  }

  async #load(): Promise<LoadError | null> {
    const { name, load, now, log } = this.#ports;
    const error = await load(now()).catch((cause: unknown) => {
      log("unexpected", { figure: name, cause: cause instanceof Error ? cause.stack : String(cause) });
      // The reason is published: never the text of an exception.
      return loadError("the upstream's answer could not be read");
    });
    this.#failed = error && { reason: error.reason, atMs: now() };
    if (error !== null) log("figure_not_renewed", { figure: name, reason: error.reason });
    return error;
  }
}

/** One document of the API, or that there is none that may be displayed. */
export type Reading<T> =
  | { readonly kind: "value"; readonly value: T; readonly isStale: boolean }
  | { readonly kind: "failed" };

type Listener<T> = (reading: Reading<T>) => void;

const REFRESH_SECONDS = 60;
/** A value that could not be renewed for this long is marked as stale. */
const STALE_SECONDS = 300;
/** After this time it is no longer displayed. */
const MAX_AGE_SECONDS = 3_600;

/** The script's own origin serves the figures. */
const ORIGIN = new URL(import.meta.url).origin;

/** One document of the API, read once a minute at most for all elements of a page together. */
export class Source<T> {
  readonly path: string;
  readonly #parse: (body: unknown) => T;
  readonly #listeners = new Set<Listener<T>>();
  #value: T | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #nextAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();

  /** `parse` throws for another shape, which is a failure as any other. */
  constructor(path: string, parse: (body: unknown) => T) {
    this.path = path;
    this.#parse = parse;
    document.addEventListener("visibilitychange", () => this.#schedule());
  }

  /** Calls the listener with each new reading until the returned function is called. */
  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    if (this.#readAtMs > 0) listener(this.#reading());
    this.#schedule();
    return () => {
      this.#listeners.delete(listener);
      this.#schedule();
    };
  }

  /** No requests without listeners or in a hidden tab. Values grow old while there is none, too. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0 || document.hidden) return;
    const waitMs = Math.min(Math.max(0, this.#nextAtMs - Date.now()), 1_000 * REFRESH_SECONDS);
    this.#timer = setTimeout(() => {
      if (Date.now() >= this.#nextAtMs) void this.#read();
      else this.#tell();
    }, waitMs);
  }

  async #read(): Promise<void> {
    // A request that hangs ends when the next one begins.
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#wait(REFRESH_SECONDS);
    this.#schedule();
    try {
      const response = await fetch(ORIGIN + this.path, { signal: this.#abort.signal });
      if (response.ok) {
        this.#value = this.#parse(await response.json());
        this.#readAtMs = Date.now() - 1_000 * (Number(response.headers.get("Age")) || 0);
      } else if (response.status === 404) {
        // This deployment does not have it, as its message says: there is no use in asking again.
        this.#nextAtMs = Number.POSITIVE_INFINITY;
        console.warn(`${ORIGIN + this.path}: ${((await response.json()) as { message?: string }).message}`);
      } else this.#wait(Math.max(REFRESH_SECONDS, Number(response.headers.get("Retry-After") ?? 0)));
    } catch {
      // Unreachable or another shape: handled like any other failure.
    }
    this.#tell();
  }

  /** Random jitter, so that the pages of a busy site do not send requests at the same time. */
  #wait(seconds: number): void {
    this.#nextAtMs = Date.now() + seconds * 1_000 * (1 + Math.random() / 10);
  }

  #tell(): void {
    const reading = this.#reading();
    for (const listener of this.#listeners) listener(reading);
    this.#schedule();
  }

  #reading(): Reading<T> {
    const ageSeconds = (Date.now() - this.#readAtMs) / 1_000;
    if (this.#value === undefined || ageSeconds > MAX_AGE_SECONDS) return { kind: "failed" };
    return { kind: "value", value: this.#value, isStale: ageSeconds > STALE_SECONDS };
  }
}

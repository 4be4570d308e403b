/** One member of the document, or that there is none that may be displayed. */
export type Reading<T> =
  | { readonly kind: "value"; readonly value: T; readonly isStale: boolean; readonly asOfMs: number }
  | { readonly kind: "failed" };

type Listener<T> = (reading: Reading<T>) => void;

/** `/api/page`: a member without an answer is null, and in `unavailable` unless the deployment does not have it. */
interface Page {
  readonly as_of: string | null;
  readonly unavailable: object;
  readonly [member: string]: unknown;
}

const REFRESH_SECONDS = 60;
/** A value that could not be renewed for this long is marked as stale. */
const STALE_SECONDS = 300;
/** After this time it is no longer displayed. */
const MAX_AGE_SECONDS = 3_600;

/** The script's own origin serves the figures. */
export const ORIGIN = new URL(import.meta.url).origin;
const ADDRESS = `${ORIGIN}/api/page`;

const sources: Pick<Source<unknown>, "isFollowed" | "take" | "tell">[] = [];
let nextAtMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let abort = new AbortController();

document.addEventListener("visibilitychange", schedule);

/** One member of the document, which is read once a minute at most for all elements of a page together. */
export class Source<T> {
  readonly member: string;
  readonly #parse: (body: unknown) => T;
  readonly #listeners = new Set<Listener<T>>();
  #value: T | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #asOfMs = 0;
  #isAbsent = false;

  /** Makes the source of a member. `parse` throws an error for a value of another shape, which counts as a failure. */
  constructor(member: string, parse: (body: unknown) => T) {
    this.member = member;
    this.#parse = parse;
    sources.push(this);
  }

  get isFollowed(): boolean {
    return !this.#isAbsent && this.#listeners.size > 0;
  }

  /** Calls the listener with each new reading until the returned function is called. */
  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    if (this.#readAtMs > 0) listener(this.#reading());
    schedule();
    return () => {
      this.#listeners.delete(listener);
      schedule();
    };
  }

  /** Takes the member that was true so long ago; what is not there keeps the last value. */
  take(page: Page, ageMs: number): void {
    const member = page[this.member];
    if (member === null) {
      this.#isAbsent = !(this.member in page.unavailable);
      // There is no use in asking again.
      if (this.#isAbsent && this.#listeners.size > 0) console.warn(`${ADDRESS}: this deployment has no ${this.member}`);
      return;
    }
    try {
      this.#value = this.#parse(member);
      // The member's own time is compared with the document's: the reader's clock may be wrong.
      const { as_of: asOf = page.as_of } = member as { as_of?: string };
      this.#asOfMs = Date.parse(asOf ?? "") || Date.now();
      this.#readAtMs = Date.now() - ageMs - (Date.parse(page.as_of ?? "") - Date.parse(asOf ?? "") || 0);
    } catch {
      // Another shape: handled like any other failure.
    }
  }

  tell(): void {
    const reading = this.#reading();
    for (const listener of this.#listeners) listener(reading);
  }

  #reading(): Reading<T> {
    const ageSeconds = (Date.now() - this.#readAtMs) / 1_000;
    if (this.#value === undefined || ageSeconds > MAX_AGE_SECONDS) return { kind: "failed" };
    return { kind: "value", value: this.#value, isStale: ageSeconds > STALE_SECONDS, asOfMs: this.#asOfMs };
  }
}

/** No requests without listeners or in a hidden tab. Values grow old while there is none, too. */
function schedule(): void {
  clearTimeout(timer);
  if (document.hidden || !sources.some(({ isFollowed }) => isFollowed)) return;
  const waitMs = Math.min(Math.max(0, nextAtMs - Date.now()), 1_000 * REFRESH_SECONDS);
  timer = setTimeout(() => (Date.now() >= nextAtMs ? void read() : tell()), waitMs);
}

async function read(): Promise<void> {
  // A request that hangs ends when the next one begins.
  abort.abort();
  abort = new AbortController();
  wait(REFRESH_SECONDS);
  schedule();
  try {
    const response = await fetch(ADDRESS, { signal: abort.signal });
    if (response.ok) {
      const page = (await response.json()) as Page; // what is of another type throws
      for (const source of sources) source.take(page, 1_000 * (Number(response.headers.get("Age")) || 0));
    } else if (response.status === 404) {
      // The address belongs to another service or another version of this one, so it is not asked again.
      nextAtMs = Number.POSITIVE_INFINITY;
      console.warn(`${ADDRESS} is not found`);
    } else wait(Math.max(REFRESH_SECONDS, Number(response.headers.get("Retry-After") ?? 0)));
  } catch {
    // Unreachable or another shape: handled like any other failure.
  }
  tell();
}

/** Random jitter, so that no page asks exactly one window of the limit after its last request. */
function wait(seconds: number): void {
  nextAtMs = Date.now() + seconds * 1_000 * (1 + Math.random() / 4);
}

function tell(): void {
  for (const source of sources) source.tell();
  schedule();
}

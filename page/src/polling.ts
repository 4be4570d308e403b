/** What is known of one API document: the last valid value, when it was true, and why it could not be renewed since. */
export interface Reading<T> {
  readonly value: T | undefined;
  readonly readAtMs: number | undefined;
  readonly failure: string | undefined;
}

/** The minimum pause, even if a response states less. */
const MIN_SECONDS = 5;
/** The maximum pause, so that an open page recovers within a minute of a failure's end. */
const MAX_SECONDS = 60;
const RETRY_SECONDS = 30;
const TIMEOUT_MS = 20_000;

type Parse<T> = (body: unknown) => T;
type Result<T> =
  | { readonly kind: "value"; readonly value: T; readonly readAtMs: number }
  | { readonly kind: "failure"; readonly message: string; readonly retrySeconds: number };

/** One GET. Whatever arrives instead of the document (HTML, nothing, another shape) is a failure. */
export async function read<T>(path: string, parse: Parse<T>): Promise<Result<T>> {
  let retrySeconds = RETRY_SECONDS;
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    retrySeconds = Number(response.headers.get("Retry-After")) || RETRY_SECONDS;
    const body: unknown = await response.json();
    if (response.ok) {
      const ageSeconds = Number(response.headers.get("Age")) || 0;
      return { kind: "value", value: parse(body), readAtMs: Date.now() - ageSeconds * 1_000 };
    }
    const message = (body as { message?: unknown } | null)?.message;
    if (typeof message === "string") return { kind: "failure", message, retrySeconds };
  } catch {
    // No response, or not the API's: the text below.
  }
  return { kind: "failure", message: "This service cannot be reached now.", retrySeconds };
}

/**
 * Reads a document every minute, after a failure at its retry time, and never while the tab is hidden. `show` gets each
 * reading: a failure keeps the last value.
 */
export function poll<T>(path: string, parse: Parse<T>, show: (reading: Reading<T>) => void): void {
  let reading: Reading<T> = { value: undefined, readAtMs: undefined, failure: undefined };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isDue, isReading] = [false, false];
  const load = async (): Promise<void> => {
    clearTimeout(timer);
    isDue = document.hidden;
    if (isDue || isReading) return;
    isReading = true;
    const result = await read(path, parse);
    isReading = false;
    const seconds = result.kind === "failure" ? result.retrySeconds : MAX_SECONDS;
    timer = setTimeout(load, Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS) * 1_000);
    reading =
      result.kind === "failure"
        ? { ...reading, failure: result.message }
        : { value: result.value, readAtMs: result.readAtMs, failure: undefined };
    show(reading);
  };
  document.addEventListener("visibilitychange", () => (isDue && !document.hidden ? void load() : undefined));
  void load();
}

/** Runs once, as soon as the element is in view. */
export function whenSeen(element: Element, run: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    run();
  });
  observer.observe(element);
}

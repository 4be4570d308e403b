import { timeOf } from "../../schedule-format/format.ts";
import { serviceNow, setClock } from "./clock.ts";
import { keepFocus } from "./dom.ts";

/** What is known of one API document: the last valid value, when it was true, and why it could not be renewed since. */
export interface Reading<T> {
  readonly value: T | undefined;
  readonly readAtMs: number | undefined;
  readonly failure: Failure | undefined;
}

/** Before the first answer. */
export const UNREAD = { value: undefined, readAtMs: undefined, failure: undefined } as const;

/** `reason`: what the API says of a figure that it cannot name now, such as which wallet is missing; else empty. */
export interface Failure {
  readonly retrySeconds: number;
  readonly reason: string;
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
  | ({ readonly kind: "failure" } & Failure);

/** One GET. Whatever arrives instead of the document (HTML, nothing, another shape) is a failure. */
export async function read<T>(path: string, parse: Parse<T>): Promise<Result<T>> {
  let [retryAfter, reason] = [RETRY_SECONDS, ""];
  try {
    // Not from the browser's own cache, whose answers are of another time.
    const response = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT_MS) });
    setClock(response);
    retryAfter = Number(response.headers.get("Retry-After")) || RETRY_SECONDS;
    if (response.status === 429) reason = "Your network is over this service’s limit of requests.";
    const body: unknown = await response.json();
    if (response.ok) {
      const value = parse(body);
      const asOfMs = Date.parse(String((body as { as_of?: unknown }).as_of));
      return { kind: "value", value, readAtMs: Number.isFinite(asOfMs) ? asOfMs : serviceNow() };
    }
    const { message, error_code: code } = body as { message?: unknown; error_code?: unknown };
    if (code === "service_unavailable" && typeof message === "string") reason = message;
  } catch {
    // No response, or not the API's.
  }
  return { kind: "failure", reason, retrySeconds: Math.min(Math.max(retryAfter, MIN_SECONDS), MAX_SECONDS) };
}

/**
 * Reads a document every minute, after a failure at its retry time, and never while the tab is hidden. `show` gets each
 * reading: a failure keeps the last value.
 */
export function poll<T>(path: string, parse: Parse<T>, show: (reading: Reading<T>) => void): void {
  let reading: Reading<T> = UNREAD;
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
    timer = setTimeout(load, seconds * 1_000);
    const before = reading;
    reading =
      result.kind === "failure"
        ? { ...before, failure: result }
        : { value: result.value, readAtMs: result.readAtMs, failure: undefined };
    keepFocus(() => {
      try {
        show(reading);
      } catch {
        // A document of another shape: the last one is shown again.
        reading = { ...before, failure: { reason: "", retrySeconds: MAX_SECONDS } };
        show(reading);
      }
    });
  };
  document.addEventListener("visibilitychange", () => (isDue && !document.hidden ? void load() : undefined));
  void load();
}

/**
 * Why a reading is not renewed, in words; empty while it is. `what` is the subject of the sentence. `isDated`: its time is
 * beside it.
 */
export function renewalText({ readAtMs, failure }: Reading<unknown>, what: string, isDated = false): string {
  if (failure === undefined) return "";
  const again = isDated ? "again since then" : `again since ${timeOf(readAtMs ?? 0)}`;
  const since = `could not be read${readAtMs === undefined ? "" : ` ${again}`}`;
  return `${what} ${since}. ${failure.reason} Next try within a minute.`.replace("  ", " ");
}

/** Runs once, as soon as one of the elements is in view. */
export function whenSeen(elements: readonly Element[], run: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    run();
  });
  for (const element of elements) observer.observe(element);
}

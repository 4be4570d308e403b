import { timeOf } from "../view/format.ts";
import { serviceNow, setClock } from "./clock.ts";
import { keepFocus } from "./dom.ts";

/** A reading of an API document: the last valid value, when it was true, and why it could not be renewed since. */
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
/** The pause after an answer, and the most that a failure's retry time counts. */
const MAX_SECONDS = 60;
const RETRY_SECONDS = 30;
const TIMEOUT_MS = 20_000;

type Parse<T> = (body: unknown) => T;
type Result<T> =
  | { readonly value: T; readonly readAtMs: number; readonly failure?: undefined }
  | { readonly failure: Failure };

/** One GET. Whatever arrives instead of the document (HTML, nothing, another shape) is a failure. */
export async function read<T>(path: string, parse: Parse<T>): Promise<Result<T>> {
  let [retryAfter, reason] = [RETRY_SECONDS, ""];
  try {
    // Not from the browser's own cache, whose answers are of another time.
    const response = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT_MS) });
    setClock(response);
    retryAfter = Number(response.headers.get("Retry-After")) || RETRY_SECONDS;
    if (response.status === 429) reason = "Your network is over this service’s limit of requests.";
    if (response.ok) return resultOf(await response.json(), parse);
  } catch {
    // No response, or not the API's.
  }
  return failureOf(reason, retryAfter);
}

/** Throws where the body is of another shape. */
function resultOf<T>(body: unknown, parse: Parse<T>): Result<T> {
  const value = parse(body);
  const { as_of: asOf } = body as { as_of?: string };
  return { value, readAtMs: Date.parse(asOf ?? "") || serviceNow() };
}

function failureOf(reason: string, retryAfter: number): { readonly failure: Failure } {
  return { failure: { reason, retrySeconds: Math.min(Math.max(retryAfter, MIN_SECONDS), MAX_SECONDS) } };
}

/** `/api/page`: what its paths answer at one instant; null where one has no answer, for a reason. */
interface Page {
  readonly unavailable: Readonly<Record<string, { readonly message: string; readonly retry_after: number }>>;
  readonly [member: string]: unknown;
}

function memberOf<T>(page: unknown, name: string, parse: Parse<T>): Result<T> {
  try {
    const { [name]: body, unavailable } = page as Page; // what is of another type throws
    if (body !== null) return resultOf(body, parse);
    const { message, retry_after: retryAfter } = unavailable[name] ?? {};
    return failureOf(message ?? "", retryAfter ?? RETRY_SECONDS);
  } catch {
    return failureOf("", RETRY_SECONDS);
  }
}

/** Takes what the document says of one member. Returns after how many seconds it is asked for again. */
type Follow = (page: Result<unknown>) => number;

/** Follows one member: `show` gets each reading, in which a failure keeps the last value. */
export function member<T>(name: string, parse: Parse<T>, show: (reading: Reading<T>) => void): Follow {
  let reading: Reading<T> = UNREAD;
  return (page) => {
    const before = reading;
    reading = { ...before, failure: undefined, ...(page.failure ? page : memberOf(page.value, name, parse)) };
    keepFocus(() => {
      try {
        show(reading);
      } catch {
        // A document of another shape: the last one is shown again.
        reading = { ...before, ...failureOf("", MAX_SECONDS) };
        show(reading);
      }
    });
    return reading.failure?.retrySeconds ?? MAX_SECONDS;
  };
}

/**
 * Reads the document about once a minute, after a failure at its retry time, and never while the tab is hidden. Each
 * pause is up to a quarter longer: no tab asks exactly one window of a limit after its last request, always before others.
 */
export function poll(members: readonly Follow[]): void {
  /** A reading whose time came while the tab was hidden: only then is none under way, nor a timer. */
  let isDue = false;
  const load = async (): Promise<void> => {
    isDue = document.hidden;
    if (isDue) return;
    const page = await read("/api/page", (body) => body);
    const seconds = Math.min(...members.map((follow) => follow(page)));
    setTimeout(load, seconds * 1_000 * (1 + Math.random() / 4));
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
  return `${what} ${since}. ${failure.reason} Next try in about a minute.`.replace("  ", " ");
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

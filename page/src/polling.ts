import { timeOf } from "../view/format.ts";
import { serviceNow, setClock } from "./clock.ts";
import { keepFocus } from "./dom.ts";

/** Reading of an API document: the last valid value, its time, and why it could not be renewed since. */
export interface Reading<T> {
  readonly value: T | undefined;
  readonly readAtMs: number | undefined;
  readonly failure: Failure | undefined;
}

/** Reading before the first response. */
export const UNREAD = { value: undefined, readAtMs: undefined, failure: undefined } as const;

/**
 * Failure to renew a value. `reason`: the API's reason why it has no figure now, such as a wallet that cannot be read;
 * else empty.
 */
export interface Failure {
  readonly retrySeconds: number;
  readonly reason: string;
}

/** Minimum pause, even if a response states less. */
const MIN_SECONDS = 5;
/** Pause after an answer, and upper bound of a failure's retry time. */
const MAX_SECONDS = 60;
const RETRY_SECONDS = 30;
const TIMEOUT_MS = 20_000;

type Parse<T> = (body: unknown) => T;
type Result<T> =
  | { readonly value: T; readonly readAtMs: number; readonly failure?: undefined }
  | { readonly failure: Failure };

/** Sends one GET. Anything but the document is a failure: HTML, no response, another shape. */
export async function read<T>(path: string, parse: Parse<T>): Promise<Result<T>> {
  let [retryAfter, reason] = [RETRY_SECONDS, ""];
  try {
    // The browser's own cache would answer with an earlier figure.
    const response = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const arrivedMs = Date.now();
    setClock(response);
    retryAfter = Number(response.headers.get("Retry-After")) || RETRY_SECONDS;
    if (response.status === 429) reason = "Your network is over this service’s limit of requests.";
    if (response.ok) {
      const body: unknown = await response.json();
      setClock(response, timeIn(body), arrivedMs);
      return resultOf(body, parse);
    }
  } catch {
    // There is no response, or it is not the API's.
  }
  return failureOf(reason, retryAfter);
}

/** Returns the time of a document's content, to which its `Age` belongs; the page's is the chain's or the listing's. */
function timeIn(body: unknown): string | undefined {
  const { as_of: asOf, rates } = body as { as_of?: string | null; rates?: { as_of?: string } | null };
  return asOf ?? rates?.as_of;
}

/** Parses a body; throws for another shape. */
function resultOf<T>(body: unknown, parse: Parse<T>): Result<T> {
  const value = parse(body);
  const { as_of: asOf } = body as { as_of?: string };
  return { value, readAtMs: Date.parse(asOf ?? "") || serviceNow() };
}

function failureOf(reason: string, retryAfter: number): { readonly failure: Failure } {
  return { failure: { reason, retrySeconds: Math.min(Math.max(retryAfter, MIN_SECONDS), MAX_SECONDS) } };
}

/**
 * Document `/api/page`: the answers of its paths at one instant. null: a path has no answer; `unavailable` has the
 * reason.
 */
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

/** Takes its member from the document. Returns after how many seconds to ask again. */
type Follow = (page: Result<unknown>) => number;

/**
 * Follows one member of the polled document: `show` is called with each reading. After a failure the reading keeps the
 * last value beside the failure.
 */
export function member<T>(name: string, parse: Parse<T>, show: (reading: Reading<T>) => void): Follow {
  let reading: Reading<T> = UNREAD;
  return (page) => {
    const before = reading;
    reading = { ...before, failure: undefined, ...(page.failure ? page : memberOf(page.value, name, parse)) };
    keepFocus(() => {
      try {
        show(reading);
      } catch {
        // The document has another shape: show the last one again.
        reading = { ...before, ...failureOf("", MAX_SECONDS) };
        show(reading);
      }
    });
    return reading.failure?.retrySeconds ?? MAX_SECONDS;
  };
}

/** Reads the document about once a minute, after a failure at its retry time, and never while the tab is hidden. */
export function poll(members: readonly Follow[]): void {
  const load = async (): Promise<void> => {
    const page = await read("/api/page", (body) => body);
    later(load, Math.min(...members.map((follow) => follow(page))));
  };
  whenVisible(load);
}

/** Reads a document until there is an answer. `show` is called with it, and with undefined after each failure. */
export async function readUntilAnswered<T>(
  path: string,
  parse: Parse<T>,
  show: (value: T | undefined) => void,
): Promise<void> {
  const { failure, ...answer } = await read(path, parse);
  show("value" in answer ? answer.value : undefined);
  if (failure !== undefined) later(() => readUntilAnswered(path, parse, show), failure.retrySeconds);
}

/**
 * Calls `run` after a pause, if the tab is not hidden. The pause is randomly up to a quarter longer, so that tabs of one
 * network do not always reach the limit in the same order.
 */
function later(run: () => Promise<void>, seconds: number): void {
  setTimeout(() => whenVisible(run), seconds * 1_000 * (1 + Math.random() / 4));
}

/** Calls `run` at once; in a hidden tab as soon as it is visible. */
function whenVisible(run: () => Promise<void>): void {
  if (document.hidden) document.addEventListener("visibilitychange", () => whenVisible(run), { once: true });
  else void run();
}

/** Says why a reading is not renewed; empty while it is. `what` is the sentence's subject. */
export function renewalText({ readAtMs, failure }: Reading<unknown>, what: string): string {
  if (failure === undefined) return "";
  const since = readAtMs === undefined ? "" : ` again since ${timeOf(readAtMs)}`;
  return `${what} could not be read${since}. ${failure.reason} Next try in about a minute.`.replace("  ", " ");
}

/** Calls `run` once, as soon as one of the elements is in view. */
export function whenSeen(elements: readonly Element[], run: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    run();
  });
  for (const element of elements) observer.observe(element);
}

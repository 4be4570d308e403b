import type { AddressFile } from "../../src/addresses/registered-address.ts";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { FIGURES } from "../../src/figures.ts";
import { figurePaths, targetOf } from "./addressed.ts";

/** Complete response. */
export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Body with one character per byte, so that a byte-order mark is visible. */
  readonly body: string;
  /** Time at which the response arrived, by this machine's clock. */
  readonly atMs: number;
}

/** Responses by name. The checks read these and send no requests of their own. */
export type Answers = Awaited<ReturnType<typeof probe>>;

export interface ProbePorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Called before each wait, with its reason. */
  readonly onWait?: (reason: string) => void;
}

/** Address and version of a deployment. */
export interface Target {
  readonly address: string;
  /** Value of the platform's header that selects a version; null: the version that serves. */
  readonly override: string | null;
}

export const OVERRIDE_HEADER = "Cloudflare-Workers-Version-Overrides";
const REQUEST_MS = 20_000;
const MAX_WAIT_SECONDS = 60;
const PAGE = "https://page.example";

/** Sends all requests that the checks need, one after the other. Rejects when the deployment does not respond. */
export async function probe(target: Target, ports: ProbePorts, addresses: AddressFile | null = null) {
  const health = await requestOnce(target, "/api/health", {}, ports);
  // Requests after the first may stay unanswered, as by a node that hangs. The check that reads the response reports
  // it.
  const ask = (path: string, init: RequestInit) =>
    requestOnce(target, path, init, ports).catch((cause: unknown) => noAnswer(path, cause, ports));
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => ask(path, { headers });
  const hasStarted = parseObject(health.body)?.["status"] !== "not_started";
  /** Requests a bare number; as text if the deployment says that JSON readers would round it. */
  const getBare = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await get(path, headers);
    return isNotOffered(answer) && answer.body.includes(AS_TEXT) ? get(path + AS_TEXT, headers) : answer;
  };
  const max = await getBare(MAXIMUM);
  const schedule = await get("/api/unlock-schedule");
  // Before the schedule's start only the maximum is a figure.
  const figurePath = hasStarted ? CIRCULATING : MAXIMUM;
  const bare = isNotOffered(max) ? CIRCULATING : MAXIMUM;
  const figure = await getBare(figurePath, { Origin: PAGE });
  // A figure on chain may move between two requests, so that its tag does too.
  const steady = isNotOffered(schedule) ? await get(DOCUMENT) : figure;
  return {
    health,
    hasStarted,
    figure,
    repeated: await get(figure.path, { Origin: PAGE }),
    conditional: await get(steady.path, { "If-None-Match": steady.headers.get("ETag") ?? '"none"' }),
    max,
    schedule,
    breakdown: await get("/api/supply-breakdown"),
    preflight: await ask("/api/rates", { method: "OPTIONS", headers: PREFLIGHT }),
    version: await get(bare, { "X-API-Version": "9" }),
    unknownPath: await get("/api/does-not-exist"),
    // Trackers use plain scripts, which a zone's bot protection may block.
    script: await get(max.path, { "User-Agent": "Python-urllib/3.12" }),
    trackers: await inTurn(BARE_NUMBERS, (path) => get(path, COINGECKO)),
    onChain: await inTurn(ON_CHAIN, (path) => get(`${path}?decimals=exact&format=plain`)),
    // Health reports what depends on nodes.
    forms: await inTurn(
      formsOf(isAway(figure) && bare === CIRCULATING ? null : bare, !isNotOffered(schedule)),
      async (form) => ({
        form,
        answer: await get(form.path, form.headers),
      }),
    ),
    node: await get("/v1"),
    oldest: await get("/v1/blocks/by_height/0"),
    // Figures may change meanwhile, so they are requested before and after the addresses.
    registered: {
      before: await inTurn(figurePaths(addresses), (path) => get(path)),
      asked: await inTurn(addresses?.entries ?? [], (entry) => get(targetOf(entry))),
      after: await inTurn(figurePaths(addresses), (path) => get(path)),
    },
  };
}

const CIRCULATING = "/api/circulating-supply";
const MAXIMUM = "/api/max-supply";
const AS_TEXT = "?format=plain";
/** A document that only a deployment changes. */
const DOCUMENT = "/api/openapi.json";

/** Whether a response says that the deployment does not have its path. */
export function isNotOffered({ status, body }: Pick<Answer, "status" | "body">): boolean {
  return status === 404 && parseObject(body)?.["error_code"] === "not_found";
}

/** Whether a figure is not served now. */
export function isAway({ status }: Pick<Answer, "status">): boolean {
  return status === 503;
}

const BARE_NUMBERS = [CIRCULATING, MAXIMUM, "/api/total-supply"];
const ON_CHAIN = FIGURES.flatMap(({ path, source }) => (source === "native" && path !== null ? [path] : []));
/** Header fields that CoinGecko's client sends. */
const COINGECKO = { "X-Requested-With": "com.coingecko", "User-Agent": "CoinGecko +https://coingecko.com/" };

/**
 * Lists requests of trackers and pages, with the type and the beginning that each response must have. `bare`: path of a
 * bare number; null: none is served now.
 */
function formsOf(bare: string | null, hasUnlocks: boolean) {
  return [
    ...(bare === null ? [] : bareForms(bare)),
    ...(hasUnlocks ? UNLOCK_FORMS : []),
    { path: "/feed.atom", headers: {}, type: "application/atom+xml", begin: /^<\?xml/ },
    { path: "/", headers: {}, type: "text/html", begin: /<html/ },
  ];
}

function bareForms(path: string) {
  return [
    { path, headers: { Accept: "text/plain" }, type: "text/plain", begin: /^\d+$/ },
    { path: `${path}?format=result`, headers: {}, type: "application/json", begin: /^\{"result":"\d+"\}$/ },
  ];
}

const UNLOCK_FORMS = [
  { path: "/api/allocations", headers: {}, type: "application/json", begin: /^\{/ },
  { path: "/api/unlock-schedule.csv", headers: {}, type: "text/csv", begin: /^month,effective_from,/ },
  { path: "/api/unlock-events.csv", headers: {}, type: "text/csv", begin: /^at,bucket,/ },
  { path: "/api/unlock-events.ics", headers: {}, type: "text/calendar", begin: /^BEGIN:VCALENDAR/ },
];

/** Parses a JSON object; null for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = parseJson(text);
  return isRecord(parsed) ? parsed : null;
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

const PREFLIGHT = {
  Origin: PAGE,
  "Access-Control-Request-Method": "GET",
  "Access-Control-Request-Headers": "x-api-version",
};

/**
 * Sends a request, and once more after a 429. The quota was used up by this machine, so it is no error of the
 * deployment.
 */
export async function requestOnce(target: Target, path: string, init: RequestInit, ports: ProbePorts): Promise<Answer> {
  const first = await send(target, path, init, ports);
  const seconds = Number(first.headers.get("Retry-After") ?? "0");
  if (first.status !== 429 || seconds > MAX_WAIT_SECONDS) return first;
  ports.onWait?.(`waiting ${seconds} s: this address has used up its requests of the last minute at ${target.address}`);
  await ports.pause(seconds * 1000);
  return send(target, path, init, ports);
}

async function send(target: Target, path: string, init: RequestInit, { fetch, now }: ProbePorts): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (target.override !== null) headers.set(OVERRIDE_HEADER, target.override);
  const signal = AbortSignal.timeout(REQUEST_MS);
  const response = await fetch(target.address + path, { ...init, headers, redirect: "manual", signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { path, status: response.status, headers: response.headers, body, atMs: now() };
}

/** Stands for a missing response: status 0, and the reason as its body. */
function noAnswer(path: string, cause: unknown, { now }: ProbePorts): Answer {
  const body = cause instanceof Error ? cause.message : String(cause);
  return { path, status: 0, headers: new Headers(), body, atMs: now() };
}

/** One complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** One character per byte, so that a byte-order mark is visible. */
  readonly body: string;
  /** When the response arrived, by this machine's clock. */
  readonly atMs: number;
}

/** Responses by name. Checks read these and send no requests. */
export type Answers = Awaited<ReturnType<typeof probe>>;

export interface ProbePorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

const REQUEST_MS = 20_000;
const MAX_WAIT_SECONDS = 60;
const PAGE = "https://page.example";

/** Sends all requests that the checks need, one after the other. Rejects when the deployment does not respond. */
export async function probe(origin: string, ports: ProbePorts) {
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    requestOnce(origin, path, { headers }, ports);
  const circulating = await get("/api/circulating-supply", { Origin: PAGE });
  return {
    circulating,
    repeated: await get("/api/circulating-supply", { Origin: PAGE }),
    conditional: await get("/api/circulating-supply", { "If-None-Match": circulating.headers.get("ETag") ?? '"none"' }),
    max: await get("/api/max-supply"),
    schedule: await get("/api/unlock-schedule"),
    health: await get("/api/health"),
    preflight: await requestOnce(origin, "/api/rates", { method: "OPTIONS", headers: PREFLIGHT }, ports),
    version: await get("/api/max-supply", { "X-API-Version": "9" }),
    unknownPath: await get("/api/does-not-exist"),
    // Trackers use plain scripts, which a zone's bot protection may block.
    script: await get("/api/max-supply", { "User-Agent": "Python-urllib/3.12" }),
    trackers: await inTurn(BARE_NUMBERS, async (path) => ({ path, answer: await get(path, COINGECKO) })),
    node: await get("/v1"),
  };
}

const BARE_NUMBERS = ["/api/circulating-supply", "/api/max-supply", "/api/total-supply"];
/** The fields that CoinGecko's own client sends. */
const COINGECKO = { "X-Requested-With": "com.coingecko", "User-Agent": "CoinGecko +https://coingecko.com/" };

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

/** Waits once for a used-up quota: it is our own use, not an error of the deployment. */
async function requestOnce(origin: string, path: string, init: RequestInit, ports: ProbePorts): Promise<Answer> {
  const first = await send(origin + path, init, ports);
  const seconds = Number(first.headers.get("Retry-After") ?? "0");
  if (first.status !== 429 || seconds > MAX_WAIT_SECONDS) return first;
  await ports.pause(seconds * 1000);
  return send(origin + path, init, ports);
}

async function send(url: string, init: RequestInit, { fetch, now }: ProbePorts): Promise<Answer> {
  const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(REQUEST_MS) });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { status: response.status, headers: response.headers, body, atMs: now() };
}

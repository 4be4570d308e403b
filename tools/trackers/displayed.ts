import { isRecord } from "../../src/base/json.ts";

/** What a tracker displays of one token; null: it displays none. */
export interface Displayed {
  readonly kind: "displayed";
  readonly circulating: number | null;
  readonly total: number | null;
  readonly max: number | null;
  /** CoinMarketCap displays it beside circulating; undefined: the tracker has no such figure. */
  readonly unlocked?: number | null;
}

/** Why there is nothing to compare. `renamed` and `missing` last until somebody acts, the others may pass. */
export interface NotDisplayed {
  readonly kind: "rate_limited" | "down" | "refused" | "renamed" | "missing";
  readonly message: string;
}

/** A tracker's public API. */
export interface Tracker {
  readonly name: string;
  readonly url: string;
  /** The environment variable with its key, and the header field that takes it. */
  readonly key: { readonly variable: string; readonly header: string; readonly isRequired: boolean };
  readonly path: (id: string) => string;
  /** The record of a token in a response; undefined: the response has none. */
  readonly record: (body: unknown, id: string) => Readonly<Record<string, unknown>> | undefined;
  /** The object of the record that has the figures. */
  readonly figures: (record: Readonly<Record<string, unknown>>) => unknown;
  readonly hasUnlocked: boolean;
}

/** The shapes are recorded, with their sources, in the tests. */
export const TRACKERS = {
  coingecko: {
    name: "CoinGecko",
    url: "https://api.coingecko.com/api/v3",
    key: { variable: "COINGECKO_API_KEY", header: "x-cg-demo-api-key", isRequired: false },
    path: (id) =>
      `/coins/${encodeURIComponent(id)}?localization=false&tickers=false&community_data=false&developer_data=false`,
    record: (body) => (isRecord(body) && isRecord(body["market_data"]) ? body : undefined),
    figures: (record) => record["market_data"],
    hasUnlocked: false,
  },
  cmc: {
    name: "CoinMarketCap",
    url: "https://pro-api.coinmarketcap.com",
    key: { variable: "CMC_API_KEY", header: "X-CMC_PRO_API_KEY", isRequired: true },
    path: (id) => `/v3/cryptocurrency/quotes/latest?id=${encodeURIComponent(id)}`,
    record: (body, id) => {
      const data = isRecord(body) ? body["data"] : undefined;
      // A list in version 3, an object by id before.
      const records = Array.isArray(data) ? data : isRecord(data) ? Object.values(data) : [];
      return records.filter(isRecord).find((each) => String(each["id"]) === id);
    },
    figures: (record) => record,
    hasUnlocked: true,
  },
} as const satisfies Readonly<Record<string, Tracker>>;

export interface Asked {
  readonly tracker: Tracker;
  readonly id: string;
  readonly key: string | undefined;
  /** Our token's symbol, which the tracker's record must have. */
  readonly symbol: string;
}

const DEADLINE_MS = 20_000;

/** What a tracker displays. Never rejects, and no message contains the key. */
export async function displayedBy({ tracker, id, key, symbol }: Asked): Promise<Displayed | NotDisplayed> {
  const headers = { Accept: "application/json", ...(key === undefined ? {} : { [tracker.key.header]: key }) };
  const signal = AbortSignal.timeout(DEADLINE_MS);
  // A redirect would get the key too.
  const init = { headers, signal, redirect: "manual" } as const;
  const response = await fetch(tracker.url + tracker.path(id), init).catch(() => undefined);
  if (response === undefined) return not("down", "is down: it does not respond");
  const body: unknown = await response.json().catch(() => undefined);
  const code = errorCodeOf(body);
  // CoinMarketCap's 1008 to 1011 are its limits, also with status 200.
  if (response.status === 429 || code === 429 || (code >= 1008 && code <= 1011))
    return not(
      "rate_limited",
      `limits the requests of this key or address; try again later, or set ${tracker.key.variable}`,
    );
  if (response.status >= 500 || (code >= 500 && code < 600))
    return not("down", `is down: it answers ${response.status}`);
  if (response.status === 401 || response.status === 402 || response.status === 403)
    return not("refused", `refuses the request (${response.status}); check ${tracker.key.variable}`);
  if (response.status >= 300 && response.status < 400)
    return not("renamed", `redirects ${id} to another id; look it up on the token's page`);
  if (response.status === 404 || response.status === 400)
    return not("missing", `has no token with the id ${id}; look it up on the token's page`);
  if (body === undefined) return not("down", "is down: its response is not JSON");
  const record = tracker.record(body, id);
  if (record === undefined) return not("missing", `has no token with the id ${id}; look it up on the token's page`);
  const theirs = String(record["symbol"]);
  if (String(record["id"]) !== id || theirs.toUpperCase() !== symbol.toUpperCase())
    return not("renamed", `calls ${id} now ${shown(record["id"])} with the symbol ${shown(theirs)}; ours is ${symbol}`);
  const figures = tracker.figures(record);
  const figure = (name: string): number | null => figureOf(isRecord(figures) ? figures[name] : null);
  return {
    kind: "displayed",
    circulating: figure("circulating_supply"),
    total: figure("total_supply"),
    max: figure("max_supply"),
    ...(tracker.hasUnlocked ? { unlocked: figure("unlocked_circulating_supply") } : {}),
  };
}

function not(kind: NotDisplayed["kind"], message: string): NotDisplayed {
  return { kind, message };
}

function errorCodeOf(body: unknown): number {
  const status = isRecord(body) ? body["status"] : undefined;
  return isRecord(status) ? Number(status["error_code"] ?? 0) : 0;
}

/** Trackers write 0 for a figure that they have not verified. */
function figureOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : null;
}

/** Foreign text for a report that becomes Markdown. */
function shown(value: unknown): string {
  return String(value)
    .replace(/[^\w .$-]/g, "?")
    .slice(0, 40);
}

import { isRecord } from "../../src/base/json.ts";

/** Figures that a tracker displays for a token; null: it displays none. */
export interface DisplayedFigures {
  readonly kind: "displayed";
  readonly circulating: number | null;
  readonly total: number | null;
  readonly max: number | null;
  /** Unlocked figure beside the circulating one; undefined: the tracker has no such field. */
  readonly unlocked?: number | null;
}

/** Reason why there is nothing to compare. `renamed` and `missing` last until somebody acts; the others may pass. */
export interface NotDisplayed {
  readonly kind: "rate_limited" | "down" | "refused" | "renamed" | "missing";
  readonly message: string;
}

/** Public API of a tracker. */
export interface Tracker {
  readonly name: string;
  readonly url: string;
  /** Environment variable with the key, and the header field for it. */
  readonly key: { readonly variable: string; readonly header: string; readonly isRequired: boolean };
  readonly path: (id: string) => string;
  /** Finds the token's record in a response; undefined: it has none. */
  readonly record: (body: unknown, id: string) => Readonly<Record<string, unknown>> | undefined;
  /** Returns the record's object with the figures. */
  readonly figures: (record: Readonly<Record<string, unknown>>) => unknown;
  readonly hasUnlocked: boolean;
}

/** Trackers that are supported. The tests record their responses, with the sources. */
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
      // The data is a list in version 3, and an object by id in earlier versions.
      const records = Array.isArray(data) ? data : isRecord(data) ? Object.values(data) : [];
      return records.filter(isRecord).find((each) => String(each["id"]) === id);
    },
    figures: (record) => record,
    hasUnlocked: true,
  },
} as const satisfies Readonly<Record<string, Tracker>>;

export interface TrackerRequest {
  readonly tracker: Tracker;
  readonly id: string;
  readonly key: string | undefined;
  /** Symbol of our token, which the tracker's record must have. */
  readonly symbol: string;
}

const DEADLINE_MS = 20_000;

/** Requests what a tracker displays. Never rejects, and no message contains the key. */
export async function displayedBy({
  tracker,
  id,
  key,
  symbol,
}: TrackerRequest): Promise<DisplayedFigures | NotDisplayed> {
  const headers = { Accept: "application/json", ...(key === undefined ? {} : { [tracker.key.header]: key }) };
  const signal = AbortSignal.timeout(DEADLINE_MS);
  // A redirect's target would receive the key too.
  const init = { headers, signal, redirect: "manual" } as const;
  const response = await fetch(tracker.url + tracker.path(id), init).catch(() => undefined);
  if (response === undefined) return notDisplayed("down", "is down: it does not respond");
  const body: unknown = await response.json().catch(() => undefined);
  const code = errorCodeOf(body);
  // CoinMarketCap's 1008 to 1011 are its limits, also with status 200.
  if (response.status === 429 || code === 429 || (code >= 1008 && code <= 1011))
    return notDisplayed(
      "rate_limited",
      `limits the requests of this key or address; try again later, or set ${tracker.key.variable}`,
    );
  if (response.status >= 500 || (code >= 500 && code < 600))
    return notDisplayed("down", `is down: it answers ${response.status}`);
  if (response.status === 401 || response.status === 402 || response.status === 403)
    return notDisplayed("refused", `refuses the request (${response.status}); check ${tracker.key.variable}`);
  if (response.status >= 300 && response.status < 400)
    return notDisplayed("renamed", `redirects ${id} to another id; look it up on the token's page`);
  if (response.status === 404 || response.status === 400)
    return notDisplayed("missing", `has no token with the id ${id}; look it up on the token's page`);
  if (body === undefined) return notDisplayed("down", "is down: its response is not JSON");
  const record = tracker.record(body, id);
  if (record === undefined)
    return notDisplayed("missing", `has no token with the id ${id}; look it up on the token's page`);
  const theirs = String(record["symbol"]);
  if (String(record["id"]) !== id || theirs.toUpperCase() !== symbol.toUpperCase())
    return notDisplayed(
      "renamed",
      `calls ${id} now ${printableText(record["id"])} with the symbol ${printableText(theirs)}; ours is ${symbol}`,
    );
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

function notDisplayed(kind: NotDisplayed["kind"], message: string): NotDisplayed {
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

/** Cleans foreign text for a report that becomes Markdown. */
function printableText(value: unknown): string {
  return String(value)
    .replace(/[^\w .$-]/g, "?")
    .slice(0, 40);
}

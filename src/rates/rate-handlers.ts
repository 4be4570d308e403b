import { instantText } from "../base/utc.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import { decodeSegment } from "../chain/parameters.ts";
import { bareFormat, bareNumber } from "../http/bare-number.ts";
import { type Failure, invalidParameter, isFailure } from "../http/failure.ts";
import type { GetRoute, Handler } from "../http/handler.ts";
import { withQuery } from "../http/query-params.ts";
import { ok, publicFor, type Reply, tagged } from "../http/reply.ts";
import { ageHeaders, type CachedValue, unavailable } from "../swr/cached-value.ts";
import { MEAN_NAMES } from "./mean-windows.ts";
import { type PublishedProduct, productAt, staleAtMs } from "./product.ts";
import type { ProductCatalog } from "./published.ts";

/**
 * Routes of `/api/rates`, `/api/rates/{id}`, and of one value of a product as a bare number. They answer 503 once the
 * values exceed their bounds.
 */
export function ratesRoutes(products: ProductCatalog): GetRoute[] {
  return [
    { path: "/api/rates", handler: listingHandler(products) },
    { path: "/api/rates/:id", handler: productHandler(products) },
  ];
}

const SUBJECT = "Yield rates are";

/** Parameters of `/api/rates`, each with the text of a product that it is compared with. */
const FILTERS: Readonly<Record<string, (product: PublishedProduct) => string | null>> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  provider: ({ provider }) => provider,
  chain: ({ chain }) => chain,
  asset: ({ asset }) => asset.symbol,
  status: ({ status }) => status,
  source: ({ source }) => source,
};

function listingHandler(products: ProductCatalog): Handler {
  let cached: { readonly products: readonly PublishedProduct[]; readonly page: Page } | undefined;
  return async (context) => {
    const current = await products.read(context);
    if (current.kind === "unavailable") return unavailable(SUBJECT, current);
    const { value, observedAtMs } = current;
    const filters = requestedFilters(context.query);
    if (isFailure(filters)) return filters;
    const { nowMs } = context;
    let page: Page;
    if (filters.size > 0) {
      const matching = value.filter((product) => matches(productAt(product, nowMs), filters));
      if (matching.length === 0) return noneMatches(filters);
      page = pageOf(matching, observedAtMs, nowMs);
    } else {
      const isCurrent =
        cached?.products === value && cached.page.observedAtMs === observedAtMs && nowMs < cached.page.changesAtMs;
      if (cached === undefined || !isCurrent) cached = { products: value, page: pageOf(value, observedAtMs, nowMs) };
      page = cached.page;
    }
    return ok(page.reply.body, { ...page.reply.headers, ...validity(current, page.changesAtMs, nowMs) });
  };
}

interface Page {
  readonly reply: Reply;
  readonly observedAtMs: number;
  /** Time at which the next product becomes stale. */
  readonly changesAtMs: number;
}

/** The page is serialized once per reading and change of status, not per request. */
function pageOf(products: readonly PublishedProduct[], observedAtMs: number, nowMs: number): Page {
  const data = products.map((product) => productAt(product, nowMs));
  const body = JSON.stringify({ as_of: instantText(observedAtMs), count: data.length, data });
  const name = `rates-${observedAtMs.toString(36)}`;
  const reply = tagged(name, body, JSON_TYPE, origin(products, observedAtMs));
  const changes = products.map(staleAtMs).filter((atMs) => atMs > nowMs);
  return { reply, observedAtMs, changesAtMs: Math.min(...changes) };
}

/**
 * Returns headers with the time at which the products were read, and the ledger version of the product that is computed
 * from the chain, if there is one.
 */
function origin(products: readonly PublishedProduct[], observedAtMs: number): Record<string, string> {
  const read = { "Last-Modified": new Date(observedAtMs).toUTCString() };
  const version = products.find(({ methodology }) => methodology)?.methodology?.ledger_version;
  return version === undefined ? read : { ...read, "X-Ledger-Version": version };
}

/** `max-age` ends with the next change of a product's status, so that no copy outlives it. */
function validity(current: CachedValue<unknown>, changesAtMs: number, nowMs: number): Record<string, string> {
  const seconds = Math.min(current.policy.sharedSeconds, Math.max(1, Math.floor((changesAtMs - nowMs) / 1000)));
  return { ...ageHeaders(current), "Cache-Control": publicFor(seconds) };
}

type Filters = ReadonlyMap<string, string>;

/** A parameter without a value is ignored, like every unknown parameter on any path. */
function requestedFilters(query: string): Filters | Failure {
  const filters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (value === "" || !Object.hasOwn(FILTERS, name)) continue;
    if (filters.has(name)) return invalidParameter(`Parameter ${name} is given more than once.`);
    filters.set(name, value);
  }
  return filters;
}

function matches(product: PublishedProduct, filters: Filters): boolean {
  return [...filters].every(([name, wanted]) => FILTERS[name]?.(product)?.toLowerCase() === wanted.toLowerCase());
}

function noneMatches(filters: Filters): Failure {
  const wanted = [...filters].map(([name, value]) => `${name} ${quoted(value)}`).join(" and ");
  return { kind: "not_found", message: `No product has ${wanted}. Every product is listed at /api/rates.` };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

/** Members of a product that are numbers. */
const VALUES = [
  "apy",
  "apy_base",
  "apy_reward",
  "apr",
  "apy_net",
  "apr_net",
  "commission_percent",
  "staked",
  "staked_percent",
  "yearly_emission",
  ...MEAN_NAMES,
  "apy_change_7d",
  "tvl",
  "tvl_usd",
  "min_deposit",
  "compounds_per_year",
  "lockup_seconds",
  "cooldown_seconds",
] as const satisfies readonly (keyof PublishedProduct)[];

function productHandler(products: ProductCatalog): Handler {
  return withQuery(["value", "format"], async (params, context) => {
    const { nowMs } = context;
    const id = decodeSegment(context.params["id"] ?? "");
    const current = await products.find(context, id);
    if (current.kind === "unavailable") return unavailable(SUBJECT, current);
    if (current.value === undefined) return noneMatches(new Map([["id", id]]));
    const product = productAt(current.value, nowMs);
    const headers = {
      ...origin([product], current.observedAtMs),
      ...validity(current, staleAtMs(product) > nowMs ? staleAtMs(product) : Number.POSITIVE_INFINITY, nowMs),
    };
    if (params["value"] !== undefined) return oneValue(product, params["value"], params["format"], context, headers);
    if (params["format"] !== undefined) return invalidParameter("Parameter format needs the parameter value.");
    return tagged("rate", JSON.stringify(product), JSON_TYPE, headers);
  });
}

/**
 * Serves one value of a product as a bare number in canonical form. It answers 404 when the value is not known, and 503
 * when the product's row is out of date.
 */
function oneValue(
  product: PublishedProduct,
  value: string,
  format: string | undefined,
  { request, nowMs }: Parameters<Handler>[0],
  headers: Readonly<Record<string, string>>,
): Reply | Failure {
  const name = VALUES.find((each) => each === value);
  if (name === undefined) return invalidParameter(`Parameter value must be one of ${VALUES.join(", ")}.`);
  const form = bareFormat(format, request);
  if (typeof form !== "string") return form;
  const found = product[name];
  if (found === null || found === undefined)
    return { kind: "not_found", message: `The ${name} of product ${quoted(product.id)} is not known.` };
  if (staleAtMs(product) <= nowMs) {
    const message = `The rates of product ${quoted(product.id)} are out of date since ${product.stale_after}.`;
    return { kind: "unavailable", message, retryAfterSeconds: RETRY_SECONDS };
  }
  const digits = canonical(String(found));
  return bareNumber(digits, form, { ...headers, ETag: `"${digits}-${form}"` });
}

const RETRY_SECONDS = 60;

/**
 * Writes a value canonically. Amounts are texts whose fraction may end in zeros. Numbers have no exponent: at most 2^53
 * and five decimals.
 */
function canonical(decimal: string): string {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}

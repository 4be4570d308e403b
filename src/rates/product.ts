import type { components } from "../../openapi/public.generated.ts";
import { isRecord } from "../base/json.ts";
import { instantText } from "../base/utc.ts";
import { MAX_PERCENT, YEAR_SECONDS } from "../chain/staking.ts";
import type { MeanName } from "./mean-windows.ts";
import { apyOf, type Percent, sum } from "./percent.ts";
import { Fields } from "./row-validation.ts";

export const KINDS = ["staking", "liquid_staking", "lending", "vault", "savings", "liquidity"] as const;
const RATE_TYPES = ["variable", "fixed"] as const;
const WINDOWS = ["spot", "24h", "7d", "30d"] as const;
const STATUSES = ["active", "paused", "deprecated", "stale"] as const;

/** A published yield product, as the API document describes it. */
export type PublishedProduct = Readonly<components["schemas"]["YieldProduct"]>;
/** Means over a product's recorded days. */
export type PublishedMeans = Pick<PublishedProduct, MeanName>;
/** A product as its listing states it; its 30-day mean is the listing's own. */
export type Product = Omit<PublishedProduct, Exclude<keyof PublishedMeans, "apy_mean_30d"> | "apy_mean_30d_source">;

/** Age at which a rate is marked stale. Public listings are updated every hour. */
export const CURRENT_SECONDS = 7_200;

/** Values that a row inherits from its listing, and the bounds of its validation. */
export interface RowTerms {
  /** Time at which the listing was read, in milliseconds since the epoch. */
  readonly observedAtMs: number;
  /** Date of the listing, used by rows without a date of their own. */
  readonly listedAtMs: number;
  /** Whether sample products pass. They are for development and must never be published as an offer. */
  readonly samplesAllowed: boolean;
}

/**
 * Percentage points by which two figures of an upstream may differ before they contradict each other, because upstreams
 * round.
 */
const TOLERANCE: Percent = 0.02;
/** Time by which an upstream's clock may be ahead of ours. */
const AHEAD_MS = 300_000;
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Most reward assets of a product; more than any product has. */
export const MAX_REWARD_ASSETS = 20;

/**
 * Parses a row in our own format; a string is the reason why the row is rejected. `id`, `name`, `kind`, `provider` and
 * `asset.symbol` are required. An absent status means active; any other absent member is not known. Unknown keys are
 * dropped; an invalid known key rejects the row.
 */
export function readProduct(row: Readonly<Record<string, unknown>>, terms: RowTerms): Product | string {
  const read = new Fields(row);
  const asset = readAsset(row["asset"], read);
  const asOfMs = read.instant("as_of") ?? terms.listedAtMs;
  const staleAfterMs = read.instant("stale_after") ?? asOfMs + CURRENT_SECONDS * 1000;
  const product: Product = {
    id: read.text("id", 128),
    name: read.text("name"),
    kind: read.choice("kind", KINDS),
    provider: read.text("provider"),
    url: read.link("url"),
    chain: read.textOrNull("chain", 64),
    asset,
    reward_assets: read.textsOrNull("reward_assets", MAX_REWARD_ASSETS, 1_000),
    ...readRates(read),
    rate_type: read.choiceOrNull("rate_type", RATE_TYPES),
    window: read.choiceOrNull("window", WINDOWS),
    apy_mean_30d: read.percent("apy_mean_30d"),
    apy_change_7d: read.percent("apy_change_7d"),
    tvl: read.decimal("tvl"),
    tvl_usd: read.usd("tvl_usd"),
    min_deposit: read.decimal("min_deposit"),
    lockup_seconds: read.whole("lockup_seconds"),
    cooldown_seconds: read.whole("cooldown_seconds"),
    status: read.choiceOrNull("status", STATUSES) ?? "active",
    as_of: instantText(asOfMs),
    stale_after: instantText(staleAfterMs),
    source: read.textOrNull("source") ?? "listing",
    featured: read.flag("featured"),
    order: read.whole("order"),
  };
  if (!ID.test(product.id)) read.refuse("id", "is not a slug");
  if (asOfMs > terms.observedAtMs + AHEAD_MS) read.refuse("as_of", "is in the future");
  if (staleAfterMs < asOfMs) read.refuse("stale_after", "is before as_of");
  return validateProduct(product, read.problem, terms);
}

/** Applies the time to a product: from `stale_after` on its rates are nobody's offer, so it is no longer active. */
export function productAt(product: PublishedProduct, nowMs: number): PublishedProduct {
  return product.status === "active" && nowMs >= staleAtMs(product) ? { ...product, status: "stale" } : product;
}

/** Describes a listing whose active products are out of date; null: none is. */
export function staleProblem(products: readonly Product[], nowMs: number): string | null {
  const stale = products.filter((product) => product.status === "active" && staleAtMs(product) <= nowMs);
  const [first] = stale;
  if (first === undefined) return null;
  const others = stale.length === 1 ? "" : ` and ${stale.length - 1} more`;
  return `The rates of ${first.id}${others} are out of date since ${first.stale_after}: the listing has no newer row.`;
}

/**
 * Time from which the product's row is out of date, in milliseconds since the epoch; infinity without `stale_after`.
 */
export function staleAtMs({ stale_after }: Pick<Product, "stale_after">): number {
  return stale_after === null ? Number.POSITIVE_INFINITY : Date.parse(stale_after);
}

/** Validates a product from any upstream; a string is the reason why its row is rejected. */
export function validateProduct(product: Product, problem: string | null, terms: RowTerms): Product | string {
  return problem ?? (product.source === "sample" && !terms.samplesAllowed ? "source is sample" : product);
}

type Rates = Pick<Product, "apy" | "apy_base" | "apy_reward" | "apr" | "compounds_per_year">;

/**
 * Reads the rates of a row. Missing rates are computed where arithmetic allows, and never guessed. Rates that
 * contradict each other reject the row.
 */
export function readRates(read: Fields): Rates {
  const apr = read.percent("apr");
  const compoundsPerYear = read.whole("compounds_per_year", YEAR_SECONDS);
  const base = read.percent("apy_base");
  const reward = read.percent("apy_reward");
  const parts = base === null || reward === null ? null : sum(base, reward);
  const compounded = apr === null || compoundsPerYear === null ? null : apyOf(apr, compoundsPerYear);
  const reported = read.percent("apy");
  if (differ(reported, parts)) read.refuse("apy", "is not apy_base + apy_reward");
  if (differ(reported ?? parts, compounded)) read.refuse("apy", "is not apr compounded compounds_per_year times");
  const apy = parts ?? reported ?? compounded;
  // Given rates are already within bounds; computed ones may not be.
  if (apy !== null && !(apy <= MAX_PERCENT)) read.refuse("apy", `is beyond ${MAX_PERCENT} percent`);
  return { apy, apy_base: base, apy_reward: reward, apr, compounds_per_year: compoundsPerYear };
}

function differ(left: Percent | null, right: Percent | null): boolean {
  return left !== null && right !== null && Math.abs(left - right) > TOLERANCE;
}

function readAsset(value: unknown, row: Fields): Product["asset"] {
  const given = isRecord(value) ? value : {};
  const read = new Fields(given, "asset.");
  const asset = {
    symbol: read.text("symbol", 64),
    address: read.textOrNull("address", 1_000),
    decimals: read.whole("decimals", 255),
  };
  if (read.problem !== null) row.refuse("asset", `is refused: ${read.problem}`);
  return asset;
}

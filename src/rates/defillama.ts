import { instantText } from "../base/utc.ts";
import { parseStructTag } from "../chain/type-tag.ts";
import {
  CURRENT_SECONDS,
  KINDS,
  MAX_REWARD_ASSETS,
  type Product,
  type RowTerms,
  readRates,
  validateProduct,
} from "./product.ts";
import { Fields } from "./row-validation.ts";

const MAX_ADDRESS_CHARACTERS = 1_000;

/**
 * Whether a text has the form of a token's address: hex, base58, bech32, a Move type tag, or `chain:address`. It cannot
 * contain markup.
 */
function isTokenAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS_CHARACTERS) return false;
  return /^[A-Za-z0-9][A-Za-z0-9._:-]*$/.test(text) || parseStructTag(text) !== undefined;
}

/**
 * Parses a list of token addresses. Returns null when an element is not an address or there are too many: the rest
 * would be taken for the whole list.
 */
function tokenAddresses(list: unknown): string[] | null {
  const isAddress = (value: unknown): value is string => typeof value === "string" && isTokenAddress(value);
  return Array.isArray(list) && list.length <= MAX_REWARD_ASSETS && list.every(isAddress) ? list : null;
}

/** Pools to include. Names are compared case-insensitively. */
export interface PoolFilter {
  /** null: every chain. */
  readonly chain: string | null;
  /** Projects with the kind of their products; null: not known. An empty map means all projects. */
  readonly projects: ReadonlyMap<string, Product["kind"]>;
  /** Whether DefiLlama has a page for each pool: the listing is DefiLlama's, not another one in its format. */
  readonly isDefillama: boolean;
}

/** Parses `project` and `project:kind` items. The kind is a setting because the listing does not contain it. */
export function poolFilter(
  chain: string | null,
  projects: readonly string[],
  listingUrl: string | null = null,
): PoolFilter {
  const entries = projects.map((item): [string, Product["kind"]] => {
    const [project = "", kind] = item.split(":");
    return [project.trim().toLowerCase(), KINDS.find((known) => known === kind?.trim()) ?? null];
  });
  const isDefillama = listingUrl !== null && /(^|\.)llama\.fi$/.test(new URL(listingUrl).hostname);
  return { chain: chain?.toLowerCase() ?? null, projects: new Map(entries), isDefillama };
}

/** Whether a row is in the format of DefiLlama's `/pools`, whose key is `pool` instead of `id`. */
export function hasPoolFormat(row: Readonly<Record<string, unknown>>): boolean {
  return "pool" in row && !("id" in row);
}

export function passesFilter(row: Readonly<Record<string, unknown>>, filter: PoolFilter): boolean {
  const { chain, project } = row;
  if (filter.chain !== null && !(typeof chain === "string" && chain.toLowerCase() === filter.chain)) return false;
  return filter.projects.size === 0 || (typeof project === "string" && filter.projects.has(project.toLowerCase()));
}

/**
 * Converts a pool to a product; a string is the reason why it is rejected. A null yield stays null, because the listing
 * does not distinguish "none" from "unknown". The rates are APYs; the listing has no simple rates, terms, or amounts in
 * the asset.
 */
export function readPool(
  row: Readonly<Record<string, unknown>>,
  filter: PoolFilter,
  terms: RowTerms,
): Product | string {
  const renamed = { ...row, apy_base: row["apyBase"], apy_reward: row["apyReward"], apr: null };
  const read = new Fields({ ...renamed, compounds_per_year: null });
  const [pool, project, symbol] = [read.text("pool", 128), read.text("project"), read.text("symbol", 64)];
  const meta = read.textOrNull("poolMeta");
  const underlying = tokenAddresses(row["underlyingTokens"]);
  const several = row["exposure"] === "multi";
  const product: Product = {
    id: pool,
    name: `${project} ${symbol}${meta === null ? "" : ` (${meta})`}`,
    kind: filter.projects.get(project.toLowerCase()) ?? (several ? "liquidity" : null),
    provider: project,
    url: filter.isDefillama ? `https://defillama.com/yields/pool/${encodeURIComponent(pool)}` : read.link("url"),
    chain: read.textOrNull("chain", 64),
    asset: { symbol, address: underlying?.length === 1 ? (underlying[0] ?? null) : null, decimals: null },
    reward_assets: tokenAddresses(row["rewardTokens"]),
    ...readRates(read),
    rate_type: null,
    window: null,
    apy_mean_30d: read.percent("apyMean30d"),
    apy_change_7d: read.percent("apyPct7D"),
    tvl: null,
    tvl_usd: read.usd("tvlUsd"),
    min_deposit: null,
    lockup_seconds: null,
    cooldown_seconds: null,
    // Only live pools are listed; a pool that stops reporting disappears.
    status: "active",
    as_of: instantText(terms.listedAtMs),
    stale_after: instantText(terms.listedAtMs + CURRENT_SECONDS * 1000),
    source: "defillama",
    featured: false,
    order: null,
  };
  // A pool without a yield violates the listing's own schema, which requires a finite apy and tvl.
  if (product.apy === null) read.refuse("apy", "is missing");
  if (product.tvl_usd === null) read.refuse("tvlUsd", "is missing");
  return validateProduct(product, read.problem, terms);
}

import { parseStructTag } from "../chain/type-tag.ts";
import { instantText } from "../utc.ts";
import { KINDS, type Product, type RejectedRow, readRates, type Terms, validateProduct } from "./product.ts";
import { Fields } from "./row-validation.ts";

const MAX_ADDRESS_CHARACTERS = 1_000;

/** Hex, base58 or bech32, a type tag of a Move chain, or `chain:address`; nothing that a page could take for markup. */
function isTokenAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS_CHARACTERS) return false;
  return /^[A-Za-z0-9][A-Za-z0-9._:-]*$/.test(text) || parseStructTag(text) !== undefined;
}

/** Which pools are wanted. Names are compared without regard to case. */
export interface PoolFilter {
  /** null: every chain. */
  readonly chain: string | null;
  /** Project to the kind of product it offers (null: unknown); empty: every project. */
  readonly projects: ReadonlyMap<string, Product["kind"]>;
}

/** Reads `project` and `project:kind` items; the listing itself does not say what kind of product a pool is. */
export function poolFilter(chain: string | null, projects: readonly string[]): PoolFilter {
  const entries = projects.map((item): [string, Product["kind"]] => {
    const [project = "", kind] = item.split(":");
    return [project.trim().toLowerCase(), KINDS.find((known) => known === kind?.trim()) ?? null];
  });
  return { chain: chain?.toLowerCase() ?? null, projects: new Map(entries) };
}

/** Whether a row is one of DefiLlama's `/pools`: keyed by `pool`, where ours are keyed by `id`. */
export function isPool(row: Readonly<Record<string, unknown>>): boolean {
  return "pool" in row && !("id" in row);
}

export function isWanted(row: Readonly<Record<string, unknown>>, filter: PoolFilter): boolean {
  const { chain, project } = row;
  if (filter.chain !== null && !(typeof chain === "string" && chain.toLowerCase() === filter.chain)) return false;
  return filter.projects.size === 0 || (typeof project === "string" && filter.projects.has(project.toLowerCase()));
}

/**
 * Re-shapes one pool. A null part of a yield stays null: the listing does not tell "none" from "unknown". Its rates
 * are APYs; it says nothing of simple rates, terms, or amounts in the asset.
 */
export function readPool(
  row: Readonly<Record<string, unknown>>,
  filter: PoolFilter,
  terms: Terms,
): Product | RejectedRow {
  const renamed = { ...row, apy_base: row["apyBase"], apy_reward: row["apyReward"], apr: null };
  const read = new Fields({ ...renamed, compounds_per_year: null });
  const [pool, project, symbol] = [read.text("pool", 128), read.text("project"), read.text("symbol", 64)];
  const meta = read.textOrNull("poolMeta");
  const underlying = row["underlyingTokens"];
  const [only] = Array.isArray(underlying) && underlying.length === 1 ? underlying : [];
  const several = row["exposure"] === "multi";
  const product: Product = {
    id: pool,
    name: `${project} ${symbol}${meta === null ? "" : ` (${meta})`}`,
    kind: filter.projects.get(project.toLowerCase()) ?? (several ? "liquidity" : null),
    provider: project,
    url: `https://defillama.com/yields/pool/${encodeURIComponent(pool)}`,
    asset: { symbol, address: typeof only === "string" && isTokenAddress(only) ? only : null, decimals: null },
    ...readRates(read),
    rate_type: null,
    window: null,
    apy_mean_30d: read.percent("apyMean30d"),
    tvl: null,
    tvl_usd: read.usd("tvlUsd"),
    min_deposit: null,
    lockup_seconds: null,
    cooldown_seconds: null,
    // Only live pools are listed there: one that stops reporting disappears.
    status: "active",
    as_of: instantText(terms.listedAtMs),
    stale_after: instantText(terms.listedAtMs + terms.currentSeconds * 1000),
    source: "defillama",
    featured: false,
    order: null,
  };
  // A pool without a yield is the listing's own gap (its schema demands a finite apy and tvl).
  if (product.apy === null) read.refuse("apy", "is missing");
  if (product.tvl_usd === null) read.refuse("tvlUsd", "is missing");
  return validateProduct(product, read.problem, terms);
}

import { DAY_MS, instantText } from "../base/utc.ts";
import type { SharePrice } from "../chain/share-price.ts";
import { type Growth, growthsUpTo, type RecordedPrice } from "./price-growth.ts";
import type { Product } from "./product.ts";

const FORMULA = "apy = 100 ((price / since)^(31536000 / seconds) - 1)";

/** Age at which a price is marked stale: the price of one day may be missing. */
const STALE_MS = 2 * DAY_MS;

/**
 * Makes the product of a share price. Its yield is the growth over 7 recorded days, which is null until they are there.
 * `prices`: recorded prices in the order of days.
 */
export function sharePriceProduct(share: SharePrice, prices: readonly RecordedPrice[], order: number): Product {
  const { id, name, kind, provider, url, asset, chain, contract, view, decimals } = share;
  const last = prices.at(-1) ?? null;
  const growths = last && growthsUpTo(last, new Map(prices.map((price) => [price.day, price])));
  const apy = growths?.["7d"].apy ?? null;
  return {
    ...{ id, name, kind, provider, url, chain, asset },
    reward_assets: null,
    apy,
    apy_base: apy,
    // What is paid beside the price is not known.
    apy_reward: null,
    apr: null,
    compounds_per_year: null,
    rate_type: "variable",
    window: "7d",
    apy_mean_30d: null,
    apy_change_7d: null,
    tvl: null,
    tvl_usd: null,
    min_deposit: null,
    lockup_seconds: null,
    cooldown_seconds: null,
    status: "active",
    as_of: last && instantText(last.atMs),
    stale_after: last && instantText(last.atMs + STALE_MS),
    source: "share_price",
    featured: false,
    order,
    share_price: {
      ...{ chain, contract, view, decimals },
      formula: FORMULA,
      price: last && priceView(last),
      growth_7d: growthView(growths?.["7d"]),
      growth_30d: growthView(growths?.["30d"]),
    },
  };
}

/** Writes a recorded price as responses publish it. */
export function priceView({ day, value, ledgerVersion, atMs, source, witnesses }: RecordedPrice) {
  return { date: day, value, ledger_version: ledgerVersion, at: instantText(atMs), source, witnesses };
}

function growthView(growth: Growth | undefined) {
  const { since = null, seconds = null, apy = null } = growth ?? {};
  return { apy, seconds, since: since && priceView(since) };
}

import type { MakeStakingProduct } from "../home/staking.ts";
import type { Reading } from "../onchain/reading.ts";
import type { Product } from "../rates/product.ts";
import { type ProductCatalog, publishedProducts } from "../rates/published.ts";
import { type CachedValue, type Unavailable, withOlderPart } from "../swr/cached-value.ts";
import type { Copies, FigurePorts } from "./copies.ts";

/**
 * How long a page waits for the listing. A listing that hangs is then replaced by its last good products. Means and
 * products of a chain get less time, because a page can do without them.
 */
const LISTING = { withinMs: 4_000 };
const MEANS = { withinMs: 1_000 };
const STAKING = { withinMs: 3_000 };
const SHARE_PRICES = { withinMs: 3_000 };
const RETRY_SECONDS = 60;

/** Makes the catalog of yield products; null: this deployment has none. */
export function products(
  { config, schedule }: FigurePorts,
  copies: Copies,
  stakingProduct: MakeStakingProduct,
): ProductCatalog | null {
  const { native, listing, sharePrices, means } = copies;
  const staking = config.staking ? native : null;
  if (means === null) return null;
  return publishedProducts({
    listing: listing && ((when) => listing.read(when, LISTING)),
    staking: staking && (async (when) => stakingOf(await staking.read(when, STAKING), stakingProduct)),
    sharePrices: sharePrices && {
      ids: (schedule.sharePrices ?? []).map(({ id }) => id),
      read: (when) => sharePrices.read(when, SHARE_PRICES),
    },
    means: (when) => means.read(when, MEANS),
  });
}

/** Makes the native staking product, as old as its own reading. */
function stakingOf(
  current: CachedValue<Reading> | Unavailable,
  stakingProduct: MakeStakingProduct,
): CachedValue<Product> | Unavailable {
  if (current.kind === "unavailable") return current;
  const value = stakingProduct(current.value);
  if (typeof value === "string") return { kind: "unavailable", reason: value, retryAfterSeconds: RETRY_SECONDS };
  return withOlderPart({ ...current, value }, current.value.staking?.good?.readAtMs ?? current.observedAtMs);
}

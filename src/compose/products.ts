import type { StakingProduct } from "../home/staking.ts";
import type { Reading } from "../onchain/reading.ts";
import type { Product } from "../rates/product.ts";
import { type ProductCatalog, publishedProducts } from "../rates/published.ts";
import { type CachedValue, type Unavailable, withOlderPart } from "../swr/cached-value.ts";
import type { Copies, FigurePorts } from "./copies.ts";

/**
 * A page waits no longer than this: for what it can do without (means, the chain's product at its first reading), and
 * for a listing that hangs, whose last good products it gets then.
 */
const LISTING = { withinMs: 4_000 };
const MEANS = { withinMs: 1_000 };
const STAKING = { withinMs: 3_000 };
const RETRY_SECONDS = 60;

/** The yield products of a deployment; null: it has none. */
export function products({ config }: FigurePorts, copies: Copies, stakingIn: StakingProduct): ProductCatalog | null {
  const { native, listing, means } = copies;
  const staking = config.staking ? native : null;
  if (means === null) return null;
  return publishedProducts({
    listing: listing && ((when) => listing.read(when, LISTING)),
    staking: staking && (async (when) => stakingOf(await staking.read(when, STAKING), stakingIn)),
    means: (when) => means.read(when, MEANS),
  });
}

/** The product, as old as its own reading. */
function stakingOf(
  current: CachedValue<Reading> | Unavailable,
  stakingIn: StakingProduct,
): CachedValue<Product> | Unavailable {
  if (current.kind === "unavailable") return current;
  const value = stakingIn(current.value);
  if (typeof value === "string") return { kind: "unavailable", reason: value, retryAfterSeconds: RETRY_SECONDS };
  return withOlderPart({ ...current, value }, current.value.staking?.good?.readAtMs ?? current.observedAtMs);
}

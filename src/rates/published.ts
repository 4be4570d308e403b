import { NATIVE_STAKING } from "../chain/staking.ts";
import { agedAsOldestOf, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { MEAN_NAMES } from "./mean-windows.ts";
import { sum } from "./percent.ts";
import type { Product, PublishedMeans, PublishedProduct } from "./product.ts";

type Current<T> = CachedValue<T> | Unavailable;
type ReadCurrent<T> = (when: RequestTime) => Promise<Current<T>>;

/** Products that can be served now. */
export interface ProductCatalog {
  /** Returns all products, as old as the oldest of them, or why there are none. */
  readonly read: ReadCurrent<readonly PublishedProduct[]>;
  /** Returns one product with its own age; undefined: no product has this id. */
  readonly find: (when: RequestTime, id: string) => Promise<Current<PublishedProduct | undefined>>;
}

/** Means that a product's daily rows give for the last days. */
export interface RecordedMeans extends PublishedMeans {
  readonly apy_7d_ago: number | null;
}

/** Means by product id. */
export type MeansById = Readonly<Record<string, RecordedMeans>>;

/** Sources of the products. null: this deployment does not have the source. */
export interface ProductSources {
  readonly listing: ReadCurrent<readonly Product[]> | null;
  readonly staking: ReadCurrent<Product> | null;
  /** Products of share prices. Their ids are known while they cannot be read, so such a product is never unknown. */
  readonly sharePrices: { readonly ids: readonly string[]; readonly read: ReadCurrent<readonly Product[]> } | null;
  /** Means of recorded days; while they cannot be read, every mean is unknown. */
  readonly means: ReadCurrent<MeansById>;
}

interface CurrentProducts {
  readonly products: readonly PublishedProduct[];
  /** The part that must be readable for the list to be complete: the listing, or without one any product of a chain. */
  readonly list: Current<unknown>;
  /** Source of a product by its id. */
  readonly sourceOf: (id: string) => Current<unknown>;
  /** All parts that the products come from. */
  readonly parts: readonly Current<unknown>[];
}

const NONE: Unavailable = { kind: "unavailable", reason: "this deployment has none", retryAfterSeconds: 0 };

/**
 * Joins the products of a chain and the listed ones, each with the means of its recorded days. Listed products never
 * have the id of one of a chain. The same objects are returned until something is read anew.
 */
export function publishedProducts({ listing, staking, sharePrices, means }: ProductSources): ProductCatalog {
  let cached: { readonly inputs: readonly unknown[]; readonly products: readonly PublishedProduct[] } | undefined;
  const readAll = async (when: RequestTime): Promise<CurrentProducts> => {
    const [listed, chainProduct, prices, meansNow] = await Promise.all([
      listing?.(when) ?? NONE,
      staking?.(when) ?? NONE,
      sharePrices?.read(when) ?? NONE,
      means(when),
    ]);
    const byId = presentIn(meansNow) ?? NO_MEANS;
    const inputs = [presentIn(listed), presentIn(chainProduct), presentIn(prices), byId];
    if (cached === undefined || !inputs.every((each, index) => each === cached?.inputs[index])) {
      const present = [presentIn(chainProduct) ?? [], presentIn(prices) ?? [], presentIn(listed) ?? []].flat();
      const products = present.map((product) => withMeans(product, meansOf(product, byId)));
      cached = { inputs, products };
    }
    const ofChain = [...(staking === null ? [] : [chainProduct]), ...(sharePrices === null ? [] : [prices])];
    const list = listing === null ? (ofChain.find(({ kind }) => kind === "cached") ?? ofChain[0] ?? NONE) : listed;
    return {
      list,
      products: cached.products,
      parts: [chainProduct, prices],
      // A product of a chain does not wait for a listing that cannot be read.
      sourceOf: (id) => {
        if (staking !== null && id === NATIVE_STAKING) return chainProduct;
        return sharePrices?.ids.includes(id) ? prices : list;
      },
    };
  };
  return {
    read: async (when) => {
      const { list, products, parts } = await readAll(when);
      return list.kind === "cached" ? { ...agedAsOldestOf(list, parts), value: products } : list;
    },
    find: async (when, id) => {
      const { sourceOf, products } = await readAll(when);
      const source = sourceOf(id);
      return source.kind === "cached" ? { ...source, value: products.find((each) => each.id === id) } : source;
    },
  };
}

function presentIn<T>(current: Current<T>): T | undefined {
  return current.kind === "cached" ? current.value : undefined;
}

const NO_MEANS: MeansById = {};
// Cast: one member for each mean.
const UNKNOWN = {
  apy_7d_ago: null,
  ...Object.fromEntries(MEAN_NAMES.map((name) => [name, null])),
} as RecordedMeans;

/** An id comes from outside and may be the name of a member that every object inherits. */
function meansOf({ id }: Product, byId: MeansById): RecordedMeans {
  return (Object.hasOwn(byId, id) ? byId[id] : undefined) ?? UNKNOWN;
}

/** Adds means to a product. The listing's own means win; ours fill in where it has none. */
function withMeans(product: Product, { apy_7d_ago: apyWeekAgo, ...means }: RecordedMeans): PublishedProduct {
  const { apy, apy_mean_30d: listed, apy_change_7d: change } = product;
  return {
    ...product,
    ...means,
    apy_mean_30d: listed ?? means.apy_mean_30d,
    apy_mean_30d_source: listed !== null ? "listing" : means.apy_mean_30d !== null ? "history" : null,
    apy_change_7d: change ?? (apy === null || apyWeekAgo === null ? null : sum(apy, -apyWeekAgo)),
  };
}

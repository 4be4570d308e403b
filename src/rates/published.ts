import { agedAsOldestOf, type CachedValue, type Unavailable } from "../swr/cached-value.ts";
import type { RequestTime } from "../swr/loader.ts";
import { NATIVE_STAKING } from "./native-staking.ts";
import { sum } from "./percent.ts";
import type { Product, PublishedMeans, PublishedProduct } from "./product.ts";

type Current<T> = CachedValue<T> | Unavailable;
type Source<T> = (when: RequestTime) => Promise<Current<T>>;

/** The products that can be served now, or why there are none. */
export interface Products {
  /** As old as the oldest of them. */
  readonly read: Source<readonly PublishedProduct[]>;
  /** One of them, with its own age; undefined: there is none of this id. */
  readonly find: (when: RequestTime, id: string) => Promise<Current<PublishedProduct | undefined>>;
}

/** What the daily rows of a product say of its last days. */
export interface RecordedMeans extends PublishedMeans {
  readonly apy_7d_ago: number | null;
}

/** By the products' ids. */
export type MeansById = Readonly<Record<string, RecordedMeans>>;

/** null: this deployment does not have it. */
export interface ProductSources {
  readonly listing: Source<readonly Product[]> | null;
  readonly staking: Source<Product> | null;
  /** Without them every mean is unknown. */
  readonly means: Source<MeansById>;
}

interface All {
  readonly products: readonly PublishedProduct[];
  /** What must be readable for the list to be whole, and its age. */
  readonly whole: Current<unknown>;
  readonly own: Current<unknown>;
}

const NONE: Unavailable = { kind: "unavailable", reason: "this deployment has none", retryAfterSeconds: 0 };

/**
 * The chain's own product and the listed ones, of which none has its id; each with the means of its recorded days. The
 * same objects as long as nothing is read anew.
 */
export function publishedProducts({ listing, staking, means }: ProductSources): Products {
  let known: { readonly of: readonly unknown[]; readonly products: readonly PublishedProduct[] } | undefined;
  const readAll = async (when: RequestTime): Promise<All> => {
    const [listed, own, recorded] = await Promise.all([listing?.(when), staking?.(when) ?? NONE, means(when)]);
    const listedProducts = listed?.kind === "cached" ? listed.value : [];
    const added = own.kind === "cached" ? [own.value] : [];
    const byId = recorded.kind === "cached" ? recorded.value : NO_MEANS;
    const of = [listed?.kind === "cached" ? listed.value : null, added[0], byId];
    if (known === undefined || !of.every((each, index) => each === known?.of[index])) {
      const products = [...added, ...listedProducts].map((product) => published(product, meansOf(product, byId)));
      known = { of, products };
    }
    return { whole: listed ?? own, products: known.products, own };
  };
  return {
    read: async (when) => {
      const { whole, products, own } = await readAll(when);
      return whole.kind === "cached" ? { ...agedAsOldestOf(whole, [own]), value: products } : whole;
    },
    // The chain's own product does not wait for a listing that cannot be read.
    find: async (when, id) => {
      const { whole, products, own } = await readAll(when);
      const source = staking !== null && id === NATIVE_STAKING ? own : whole;
      return source.kind === "cached" ? { ...source, value: products.find((each) => each.id === id) } : source;
    },
  };
}

const NO_MEANS: MeansById = {};
const UNKNOWN: RecordedMeans = {
  apy_7d_ago: null,
  apy_mean_7d: null,
  apy_mean_7d_base: null,
  apy_mean_7d_reward: null,
  apy_mean_30d: null,
  apy_mean_30d_base: null,
  apy_mean_30d_reward: null,
};

/** An id is text from outside: it may be the name of what every object inherits. */
function meansOf({ id }: Product, byId: MeansById): RecordedMeans {
  return (Object.hasOwn(byId, id) ? byId[id] : undefined) ?? UNKNOWN;
}

/** What a listing says itself stays: only where it says nothing our own rows do. */
function published(product: Product, { apy_7d_ago: before, ...means }: RecordedMeans): PublishedProduct {
  const { apy, apy_mean_30d: listed, apy_change_7d: change } = product;
  return {
    ...product,
    ...means,
    apy_mean_30d: listed ?? means.apy_mean_30d,
    apy_mean_30d_source: listed !== null ? "listing" : means.apy_mean_30d !== null ? "history" : null,
    apy_change_7d: change ?? (apy === null || before === null ? null : sum(apy, -before)),
  };
}

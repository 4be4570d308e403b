import type { YieldProduct } from "./documents.ts";

/** Basis of a rate: the mean of the last days, or the present. */
export type Basis = "30d" | "7d" | "spot";

/** Rate in percent a year, with its parts if they are known. */
export interface Rate {
  readonly basis: Basis;
  readonly apy: number;
  readonly base: number | null;
  readonly reward: number | null;
}

export const BASIS_NAMES: Readonly<Record<Basis, string>> = { "30d": "30-day mean", "7d": "7-day mean", spot: "Now" };

/** Lists the known rates of a product. The first one is displayed first: the 30-day mean, else the present rate. */
export function ratesOf(product: YieldProduct): Rate[] {
  // The parts are means of our recorded days, so a mean that the listing states itself has none.
  const isOurs = product.apy_mean_30d_source === "history";
  const rates = [
    [
      "30d",
      product.apy_mean_30d,
      isOurs ? product.apy_mean_30d_base : null,
      isOurs ? product.apy_mean_30d_reward : null,
    ],
    ["spot", product.apy, product.apy_base, product.apy_reward],
    ["7d", product.apy_mean_7d, product.apy_mean_7d_base, product.apy_mean_7d_reward],
  ] as const;
  return rates.flatMap(([basis, apy, base, reward]) => (apy === null ? [] : [{ basis, apy, base, reward }]));
}

/** Returns the rate of a product that is displayed; undefined: none is known. */
export function shownRate(product: YieldProduct, basis: Basis = "30d"): Rate | undefined {
  const rates = ratesOf(product);
  return rates.find((rate) => rate.basis === basis) ?? rates.find((rate) => rate.basis === "spot");
}

/**
 * Orders products by their displayed rate, the highest first, after them those without one. Products that are not
 * active come last. Of equal rates the listing's order decides.
 */
export function byRate(products: readonly YieldProduct[], basis: Basis = "30d"): readonly YieldProduct[] {
  const rankOf = (one: YieldProduct): readonly [isActive: number, apy: number] => [
    Number(one.status === "active"),
    shownRate(one, basis)?.apy ?? one.apr ?? -1e9,
  ];
  return [...products].sort((one, other) => {
    const [[active, apy], [otherActive, otherApy]] = [rankOf(one), rankOf(other)];
    return otherActive - active || otherApy - apy;
  });
}

/** Returns the active product with the highest displayed rate. */
export function bestOf(products: readonly YieldProduct[], basis: Basis = "30d"): YieldProduct | undefined {
  return byRate(products, basis).find((one) => one.status === "active" && shownRate(one, basis) !== undefined);
}

import type { YieldProduct } from "./documents.ts";

type SortKey = number | string | null;

/** A stable order of the items; unknown values are last in either direction. */
export function sorted<T>(items: readonly T[], keyOf: (item: T) => SortKey, descending: boolean): T[] {
  const sign = descending ? -1 : 1;
  return [...items].sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "string" || typeof b === "string") return sign * String(a).localeCompare(String(b));
    return sign * (a - b);
  });
}

/** The active product with the highest APY; the badge uses the same rule. */
export function bestOf(products: readonly YieldProduct[]): (YieldProduct & { readonly apy: number }) | undefined {
  const active = products.flatMap((one) =>
    one.status === "active" && one.apy !== null ? [{ ...one, apy: one.apy }] : [],
  );
  return sorted(active, ({ apy }) => apy, true)[0];
}

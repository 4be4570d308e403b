import { TextElement } from "./element.ts";

interface Product {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly apy: number | null;
  readonly stale_after: string | null;
}

/** `<token-apy product="id">`: the APY of a product; without `product` the highest of an active one. */
export class TokenApy extends TextElement {
  static readonly observedAttributes = ["product"];
  readonly path = "/api/rates";

  textOf(value: unknown): { text: string; title: string; isStale: boolean } | null {
    const { data } = value as { readonly data: readonly Product[] };
    const id = this.getAttribute("product");
    const product = id === null ? highest(data) : data.find((one) => one.id === id);
    if (product === undefined || product.apy === null) return null;
    const isStale = product.stale_after !== null && Date.parse(product.stale_after) < Date.now();
    return { text: `${product.apy.toFixed(2)} %`, title: `${product.name}, APY`, isStale };
  }
}

function highest(products: readonly Product[]): Product | undefined {
  const active = products.filter(({ status, apy }) => status === "active" && apy !== null);
  return active.sort((one, other) => (other.apy ?? 0) - (one.apy ?? 0))[0];
}

import type { Rates } from "../src/documents.ts";
import { percent } from "../src/format.ts";
import { bestOf } from "../src/sorting.ts";
import { TextElement } from "./element.ts";

/** `<token-apy product="id">`: the APY of a product; without `product` the highest of an active one. */
export class TokenApy extends TextElement {
  static readonly observedAttributes = ["product"];
  readonly path = "/api/rates";

  textOf(value: unknown): { text: string; title: string; isStale: boolean } | null {
    const { data } = value as Rates; // as the API's document says
    const id = this.getAttribute("product");
    const product = id === null ? bestOf(data) : data.find((one) => one.id === id);
    if (product === undefined || product.apy === null) return null;
    const isStale = product.stale_after !== null && Date.parse(product.stale_after) < Date.now();
    return { text: percent(product.apy), title: `${product.name}, APY`, isStale };
  }
}

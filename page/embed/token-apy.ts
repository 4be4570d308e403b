import type { Rates, YieldProduct } from "../src/documents.ts";
import { percent } from "../src/numbers.ts";
import { bestOf } from "../src/sorting.ts";
import { TextElement } from "./element.ts";

/** The means that the attribute `basis` may name; a product without that mean shows its present rate. */
const MEANS: Readonly<Record<string, (product: YieldProduct) => number | null>> = {
  "30d": (product) => product.apy_mean_30d,
  "7d": (product) => product.apy_mean_7d,
  spot: () => null,
};

/** `<token-apy product="id" basis="30d">`: the APY of a product; without `product` the highest of an active one. */
export class TokenApy extends TextElement {
  static readonly observedAttributes = ["product", "basis"];
  readonly path = "/api/rates";

  textOf(value: unknown): { text: string; title: string; isStale: boolean } | null {
    const { data } = value as Rates; // as the API's document says
    const id = this.getAttribute("product");
    const product = id === null ? bestOf(data) : data.find((one) => one.id === id);
    const basis = this.getAttribute("basis") ?? "30d";
    const meanOf = MEANS[basis];
    if (product === undefined || meanOf === undefined || product.apy === null) return null;
    const [mean, now] = [meanOf(product), percent(product.apy)];
    return {
      text: mean === null ? now : percent(mean),
      title: `${product.name}, APY${mean === null ? "" : `, mean of ${basis}, now ${now}`}`,
      isStale: product.stale_after !== null && Date.parse(product.stale_after) < Date.now(),
    };
  }
}

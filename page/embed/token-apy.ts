import { percent } from "../../src/base/shown-figures.ts";
import { parseRates, type YieldProduct } from "../src/documents.ts";
import { BASIS_NAMES, type Basis, bestOf, shownRate } from "../src/shown-rate.ts";
import { TextElement } from "./element.ts";
import { Source } from "./source.ts";

const RATES = new Source("rates", parseRates);

/** `<token-apy product="id" basis="30d">`: the APY of a product; without `product` the highest of an active one. */
export class TokenApy extends TextElement<readonly YieldProduct[]> {
  static readonly observedAttributes = ["product", "basis", "source"];
  readonly pageMember = RATES;

  textOf(products: readonly YieldProduct[]): { text: string; title: string; isStale: boolean } | null {
    const [id, basis] = [this.getAttribute("product"), this.getAttribute("basis") ?? "30d"];
    if (!isBasis(basis)) return null;
    const product = id === null ? bestOf(products, basis) : products.find((one) => one.id === id);
    const shown = product === undefined ? undefined : shownRate(product, basis);
    if (product === undefined || shown === undefined) return null;
    const { apy: now, stale_after: staleAfter } = product;
    return {
      text: percent(shown.apy),
      title: `${product.name}, APY${shown.basis === "spot" ? "" : `, ${BASIS_NAMES[shown.basis]}, now ${percent(now)}`}`,
      isStale: staleAfter !== null && Date.parse(staleAfter) < Date.now(),
    };
  }
}

function isBasis(text: string): text is Basis {
  return Object.hasOwn(BASIS_NAMES, text);
}

import type { Answer, Rates, YieldProduct } from "./api.ts";
import { byId, h, setText } from "./dom.ts";
import { duration, percent } from "./format.ts";

/** The active product with the highest APY, as `<token-apy>` and the badge choose it. */
export function bestOf(products: readonly YieldProduct[]): (YieldProduct & { readonly apy: number }) | undefined {
  return products
    .flatMap((product) =>
      product.status === "active" && product.apy !== null ? [{ ...product, apy: product.apy }] : [],
    )
    .reduce<(YieldProduct & { readonly apy: number }) | undefined>(
      (best, one) => (best === undefined || one.apy > best.apy ? one : best),
      undefined,
    );
}

/** The highest APY with whose it is, beside the headline figure; a dash where it is not known. */
export function showBestRate(answer: Answer<Rates>, nowMs: number): void {
  const best = answer.kind === "value" ? bestOf(answer.value.data) : undefined;
  setText("best-rate", percent(best?.apy ?? null));
  const note = byId("best-note");
  note.classList.toggle("failure", answer.kind === "failure");
  if (answer.kind === "failure") note.textContent = answer.message;
  else if (best === undefined) note.textContent = "No product has a rate now.";
  else
    note.replaceChildren(h("a", { href: "#yield", dir: "auto", title: best.name }, best.name), ...marks(best, nowMs));
}

function marks({ asset, stale_after, as_of, source }: YieldProduct, nowMs: number): Node[] {
  const isStale = stale_after !== null && Date.parse(stale_after) < nowMs;
  const age = as_of === null ? "" : `, ${duration(Math.max(0, (nowMs - Date.parse(as_of)) / 1000))} old`;
  return [
    h("span", {}, `on ${asset.symbol}`),
    ...(isStale ? [h("span", { class: "mark" }, `stale${age}`)] : []),
    ...(source === "sample" ? [h("span", { class: "mark" }, "sample")] : []),
  ];
}

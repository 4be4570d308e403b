import type { YieldProduct } from "./documents.ts";
import { byId, h, mark, setText } from "./dom.ts";
import { compact, duration, percent } from "./format.ts";
import { renewalText } from "./overview.ts";
import type { Reading } from "./polling.ts";
import { bestOf, sorted } from "./sorting.ts";

type Products = readonly YieldProduct[];

const ORDERS: Readonly<Record<string, (products: Products) => Products>> = {
  featured: (products) => sorted(products, ({ order }) => order, false),
  apy: (products) => sorted(products, ({ apy }) => apy, true),
  tvl: (products) => sorted(products, ({ tvl_usd }) => tvl_usd, true),
  name: (products) => sorted(products, ({ name }) => name, false),
};
const FIRST_ROWS = 8;

/** The highest APY, and where to get it. */
export function showBestRate({ value, failure }: Reading<Products>, nowMs: number): void {
  const best = value === undefined ? undefined : bestOf(value);
  if (best === undefined) {
    setText("best-note", value === undefined ? (failure ?? "") : "No product has a rate now.");
    return;
  }
  setText("best-rate", percent(best.apy));
  const at = best.provider === null || best.provider === best.name ? "" : ` at ${best.provider}`;
  byId("best-note").replaceChildren(linkTo(best, "#yield"), at, ...marksOf(best, nowMs).flatMap((one) => [" ", one]));
}

/** Yield products as rows, in the reader's order, which is kept when new rates arrive. */
export function showRates({ value, failure, readAtMs }: Reading<Products>, nowMs: number): void {
  setText("rates-note", failure === undefined || value !== undefined ? renewalText(failure, readAtMs) : failure);
  if (value === undefined) return;
  const select = byId("rates-order") as HTMLSelectElement; // as the page's HTML has it
  const more = byId("rates-more");
  const fill = (): void => {
    const ordered = ORDERS[select.value]?.(value) ?? value;
    const shown = more.dataset["all"] === undefined ? ordered.slice(0, FIRST_ROWS) : ordered;
    byId("rates-list").replaceChildren(...shown.map((product) => row(product, nowMs)));
    more.hidden = shown.length === value.length;
    more.textContent = `Show all ${value.length}`;
  };
  select.onchange = fill;
  more.onclick = () => {
    more.dataset["all"] = "";
    fill();
  };
  fill();
}

function row(product: YieldProduct, nowMs: number): HTMLElement {
  const { apy, apr, provider, kind, rate_type: type, asset, tvl_usd: tvl, lockup_seconds: lockup } = product;
  const isSimple = apy === null && apr !== null;
  const about = [provider, kind?.replaceAll("_", " "), type === null ? null : `${type} rate`, `on ${asset.symbol}`];
  const facts = [
    ["Base", product.apy_base === null ? null : percent(product.apy_base)],
    ["Reward", product.apy_reward ? percent(product.apy_reward) : null],
    ["30-day mean", product.apy_mean_30d === null ? null : percent(product.apy_mean_30d)],
    ["Value locked", tvl === null ? null : `$${compact(tvl)}`],
    ["Lock-up", lockup === null ? null : lockup === 0 ? "none" : duration(lockup)],
  ].flatMap(([label, text]) =>
    label && text ? [h("div", {}, h("dt", {}, label), h("dd", { class: "number" }, text))] : [],
  );
  return h(
    "li",
    {},
    h("p", { class: "rate number big" }, percent(isSimple ? apr : apy), h("small", {}, isSimple ? " APR" : " APY")),
    h(
      "div",
      { class: "what" },
      h("h3", { dir: "auto" }, linkTo(product), ...marksOf(product, nowMs).flatMap((one) => [" ", one])),
      h("p", { class: "note" }, about.filter((text) => typeof text === "string").join(", ")),
    ),
    h("dl", {}, ...facts),
  );
}

/** The product's name, linked if its address is https; else to `otherwise`, or not at all. */
function linkTo({ name, url }: YieldProduct, otherwise?: string): HTMLElement {
  if (url !== null && /^https:\/\//.test(url)) return h("a", { href: url, rel: "noopener noreferrer nofollow" }, name);
  return otherwise === undefined ? h("span", {}, name) : h("a", { href: otherwise }, name);
}

/** Warnings beside a product's rate: not active, out of date, a sample. */
function marksOf({ status, stale_after, source, as_of }: YieldProduct, nowMs: number): HTMLElement[] {
  const age = as_of === null ? "" : `, ${duration(Math.max(0, (nowMs - Date.parse(as_of)) / 1000))} old`;
  return [
    ...(status === "active" ? [] : [status]),
    ...(stale_after !== null && Date.parse(stale_after) < nowMs ? [`out of date${age}`] : []),
    ...(source === "sample" ? ["sample"] : []),
  ].map(mark);
}

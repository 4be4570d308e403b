import { type Answer, type RateHistory, type Rates, readRateHistory, type YieldProduct } from "./api.ts";
import { byId, h, mark, show, showFailure } from "./dom.ts";
import { compact, duration, percent } from "./format.ts";
import { sorted } from "./sorting.ts";
import { sparkline } from "./sparkline.ts";

type SortName = "featured" | "apy" | "tvl" | "name";

const SORTS: readonly (readonly [SortName, string, (product: YieldProduct) => number | string | null, boolean])[] = [
  ["featured", "Featured", ({ order }) => order, false],
  ["apy", "Highest APY", ({ apy }) => apy, true],
  ["tvl", "Largest TVL", ({ tvl_usd }) => tvl_usd, true],
  ["name", "Name", ({ name }) => name, false],
];
const FIRST_CARDS = 12;

/** The reader's choices, which are kept when new rates arrive. */
let sort: SortName = "featured";
let isComplete = false;

/** The number of products with a sparkline, each of which is a request. */
const MAX_HISTORIES = 4;
const histories = new Map<string, Answer<RateHistory>>();

/** Reads the history of the first products, once each, as it changes once a day. Returns whether there is a new one. */
export async function readHistories({ data }: Rates): Promise<boolean> {
  const missing = sorted(data, ({ order }) => order, false)
    .slice(0, MAX_HISTORIES)
    .filter(({ id }) => !histories.has(id));
  for (const { id } of missing) histories.set(id, await readRateHistory(id));
  return missing.length > 0;
}

/** Yield products as cards, APY first; unknown values sort last. */
export function showRates(answer: Answer<Rates>, nowMs: number): void {
  const panel = byId("rates-panel");
  if (answer.kind === "failure") {
    showFailure(panel, answer.message);
    return;
  }
  const focused = document.activeElement?.id;
  const cards = h("ul", { class: "cards" });
  const products = answer.value.data;
  const more = h("button", { type: "button", id: "rates-more" }, `Show all ${products.length}`);
  const fill = (): void => {
    const [, , key, descending] = SORTS.find(([name]) => name === sort) ?? SORTS[0] ?? unreachable();
    const ordered = sorted(products, key, descending);
    const visible = isComplete ? ordered : ordered.slice(0, FIRST_CARDS);
    cards.replaceChildren(...visible.map((product) => card(product, nowMs)));
    more.hidden = visible.length === products.length;
  };
  more.addEventListener("click", () => {
    isComplete = true;
    fill();
  });
  fill();
  const age = answer.ageSeconds >= 60 ? `, read ${duration(answer.ageSeconds)} ago` : "";
  const lead = h("p", { class: "note" }, `Percent a year, before fees and risks${age}.`);
  show(panel, h("div", { class: "toolbar" }, lead, sortControl(fill)), cards, more);
  if (focused !== undefined && focused !== "" && panel.querySelector(`#${focused}`) !== null) byId(focused).focus();
}

function sortControl(fill: () => void): HTMLElement {
  const select = h(
    "select",
    { id: "rates-sort" },
    ...SORTS.map(([name, label]) => h("option", { value: name }, label)),
  );
  select.value = sort;
  select.addEventListener("change", () => {
    sort = SORTS.find(([name]) => name === select.value)?.[0] ?? "featured";
    fill();
  });
  return h("label", { class: "sort" }, "Order ", select);
}

function card(product: YieldProduct, nowMs: number): HTMLElement {
  const { apy, apr, provider, kind, rate_type } = product;
  const facts = [
    ["Base", product.apy_base === null ? null : percent(product.apy_base)],
    ["Reward", product.apy_reward ? percent(product.apy_reward) : null],
    ["TVL", product.tvl_usd === null ? null : `$${compact(product.tvl_usd)}`],
    [
      "Lock-up",
      product.lockup_seconds === null ? null : product.lockup_seconds === 0 ? "none" : duration(product.lockup_seconds),
    ],
    ["30 d mean", product.apy_mean_30d === null ? null : percent(product.apy_mean_30d)],
  ].flatMap(([name, value]) => (name && value ? [h("div", {}, h("dt", {}, name), h("dd", {}, value))] : []));
  const marks = marksOf(product, nowMs);
  const rate =
    apy === null && apr !== null
      ? h("p", { class: "rate" }, percent(apr), h("abbr", { title: "simple rate a year, not compounded" }, " APR"))
      : h("p", { class: "rate" }, percent(apy), h("abbr", { title: "compounded rate a year" }, " APY"));
  const kinds = [kind?.replaceAll("_", " "), rate_type, product.asset.symbol].filter(
    (text) => typeof text === "string",
  );
  const line = sparkline(histories.get(product.id));
  return h(
    "li",
    { class: marks.length > 0 ? "card panel marked" : "card panel" },
    h("div", { class: "rate-line" }, rate, ...(line === undefined ? [] : [line])),
    h("h3", { dir: "auto" }, name(product)),
    h("p", { class: "note" }, [provider, ...kinds].filter((text) => text !== null).join(" · ")),
    ...(marks.length > 0 ? [h("p", { class: "marks" }, ...marks)] : []),
    h("dl", {}, ...facts),
  );
}

/** Warnings beside a product's rate: not active, stale, a sample. */
export function marksOf({ status, stale_after, source, as_of }: YieldProduct, nowMs: number): HTMLElement[] {
  const age = as_of === null ? "" : `, ${duration(Math.max(0, (nowMs - Date.parse(as_of)) / 1000))} old`;
  return [
    ...(status === "active" ? [] : [status]),
    ...(stale_after !== null && Date.parse(stale_after) < nowMs ? [`stale${age}`] : []),
    ...(source === "sample" ? ["sample"] : []),
  ].map(mark);
}

/** The product's name, linked only if its URL is http or https. */
function name({ name: text, url }: YieldProduct): HTMLElement | string {
  if (url === null || !/^https:\/\//.test(url)) return text;
  return h("a", { href: url, rel: "noopener noreferrer nofollow" }, text);
}

function unreachable(): never {
  throw new Error("no such order");
}

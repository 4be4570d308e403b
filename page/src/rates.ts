import type { Answer, Rates, YieldProduct } from "./api.ts";
import { byId, h, show, showFailure } from "./dom.ts";
import { compact, duration, percent } from "./format.ts";
import { sorted } from "./sorting.ts";

interface Column {
  readonly title: string;
  readonly key: (product: YieldProduct) => number | string | null;
  readonly cell: (product: YieldProduct, nowMs: number) => string;
  readonly number: boolean;
}

const COLUMNS: readonly Column[] = [
  { title: "Product", key: ({ name }) => name, cell: ({ name }) => name, number: false },
  { title: "Kind", key: ({ kind }) => kind, cell: ({ kind }) => kind?.replaceAll("_", " ") ?? "–", number: false },
  { title: "APY", key: ({ apy }) => apy, cell: ({ apy }) => percent(apy), number: true },
  { title: "Base", key: ({ apy_base }) => apy_base, cell: ({ apy_base }) => percent(apy_base), number: true },
  { title: "Reward", key: ({ apy_reward }) => apy_reward, cell: ({ apy_reward }) => percent(apy_reward), number: true },
  {
    title: "TVL (USD)",
    key: ({ tvl_usd }) => tvl_usd,
    cell: ({ tvl_usd }) => (tvl_usd === null ? "–" : compact(tvl_usd)),
    number: true,
  },
  {
    title: "Lock-up",
    key: ({ lockup_seconds }) => lockup_seconds,
    cell: ({ lockup_seconds }) => lockUp(lockup_seconds),
    number: true,
  },
  { title: "Age", key: ({ as_of }) => as_of, cell: age, number: true },
];

/** What the reader sorted by; the next reading is shown in the same order. */
let order: { readonly column: Column; readonly descending: boolean } | undefined;

/** Yield products, sortable by every column; unknown values sort last either way. */
export function showRates(answer: Answer<Rates>, nowMs: number): void {
  const panel = byId("rates-panel");
  const putBack = placeIn(panel);
  if (answer.kind === "failure") {
    showFailure(panel, answer.message);
    return;
  }
  const body = h("tbody");
  const fill = (products: readonly YieldProduct[]): void =>
    body.replaceChildren(...products.map((product) => row(product, nowMs)));
  const arrange = (): void => {
    for (const [index, head] of heads.entries()) {
      const sort = order?.column === COLUMNS[index] ? (order?.descending ? "descending" : "ascending") : null;
      if (sort === null) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", sort);
    }
    fill(order === undefined ? answer.value.data : sorted(answer.value.data, order.column.key, order.descending));
  };
  const heads = COLUMNS.map((column) => {
    const button = h("button", { type: "button" }, column.title);
    button.addEventListener("click", () => {
      order = { column, descending: !(order?.column === column && order.descending) };
      arrange();
    });
    return h("th", { scope: "col" }, button);
  });
  arrange();
  const age = answer.ageSeconds > 0 ? ` Read ${duration(answer.ageSeconds)} ago.` : "";
  show(
    panel,
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Yield products as a table" },
      h("table", {}, h("caption", {}, `Rates in percent a year.${age}`), h("thead", {}, h("tr", {}, ...heads)), body),
    ),
  );
  putBack();
}

/** A new reading must not throw a reader back: remembers focus and sideways scroll, and puts both back. */
function placeIn(panel: HTMLElement): () => void {
  const places = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>("[tabindex], button, a")];
  const active = document.activeElement;
  const focused = active instanceof HTMLElement ? places().indexOf(active) : -1;
  const scrolled = panel.querySelector(".scroll")?.scrollLeft ?? 0;
  return () => {
    places()[focused]?.focus({ preventScroll: true });
    panel.querySelector(".scroll")?.scrollTo({ left: scrolled, behavior: "instant" });
  };
}

function row(product: YieldProduct, nowMs: number): HTMLElement {
  const marks: string[] = [];
  if (product.status !== "active") marks.push(product.status);
  if (product.stale_after !== null && Date.parse(product.stale_after) < nowMs) marks.push("stale");
  if (product.source === "sample") marks.push("sample");
  const cells = COLUMNS.map(({ cell, number }, index) => {
    const attributes: Record<string, string> = number ? { class: "number" } : {};
    if (index > 0) return h("td", attributes, cell(product, nowMs));
    return h(
      "th",
      { scope: "row" },
      name(product),
      ...marks.flatMap((mark) => [" ", h("span", { class: `mark ${mark}` }, mark)]),
    );
  });
  return h("tr", marks.length > 0 ? { class: "marked" } : {}, ...cells);
}

/** The product's name, linked only to an address that is plainly the web. */
function name({ name: text, url }: YieldProduct): HTMLElement | string {
  if (url === null || !/^https:\/\//.test(url)) return text;
  return h("a", { href: url, rel: "noopener noreferrer nofollow" }, text);
}

function lockUp(seconds: number | null): string {
  if (seconds === null) return "–";
  return seconds === 0 ? "none" : duration(seconds);
}

function age({ as_of }: YieldProduct, nowMs: number): string {
  return as_of === null ? "–" : duration(Math.max(0, (nowMs - Date.parse(as_of)) / 1000));
}

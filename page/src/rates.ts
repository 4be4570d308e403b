import { token, yields } from "virtual:site";
import { compact, percent } from "../../src/base/shown-figures.ts";
import { dayOf, duration, timeOf } from "../view/format.ts";
import { serviceNow } from "./clock.ts";
import { parseRateHistory, type YieldProduct } from "./documents.ts";
import { bdi, focusRow, h, mark } from "./dom.ts";
import { byId, setText } from "./elements.ts";
import { type Reading, read, renewalText } from "./polling.ts";
import { BASIS_NAMES, bestOf, byRate, type Rate, ratesOf } from "./shown-rate.ts";
import { sparkline } from "./sparkline.ts";

type Products = readonly YieldProduct[];

/** Number of rows for which there is room before the rates are read (rates.css); the others are shown on demand. */
const FIRST_ROWS = 3;
const HISTORY_DAYS = 90;

/** Shows the highest APY, with a link to the product's own page, or to the steps in its row. */
export function showBestRate(reading: Reading<Products>, nowMs: number): void {
  const { value } = reading;
  const best = value === undefined ? undefined : bestOf(value);
  if (best === undefined) {
    // The section of yields states the reason.
    const unread = reading.failure === undefined ? "" : "Could not be read now.";
    setText("best-rate", "–");
    setText("best-note", value === undefined ? unread : "No product has a rate now.");
    return;
  }
  const [shown, ...others] = ratesOf(best);
  const now = others.find(({ basis }) => basis === "spot");
  setText("best-rate", percent(shown?.apy ?? null));
  // Native staking is offered by the chain itself, so no provider is named.
  const basis = shown?.basis === "30d" ? `, ${BASIS_NAMES["30d"]}` : "";
  const isNamed = best.provider !== null && best.provider !== best.name && best.source !== "ledger";
  const at = isNamed ? [" at ", bdi(best.provider ?? "")] : [];
  const link = linkTo(best, `#${rowId(best)}`);
  if (link instanceof HTMLElement) link.onclick = () => openRow(rowId(best));
  byId("best-note").replaceChildren(
    h("span", { class: "where" }, link, ...at, basis, ...(now === undefined ? [] : [`, now ${percent(now.apy)}`])),
    ...marksOf(best, nowMs).flatMap((one) => [" ", one]),
  );
}

/** Shows yield products as rows, the highest rate first. Opened rows stay open when new rates arrive. */
export function showRates(reading: Reading<Products>, nowMs: number): void {
  const { value, readAtMs = nowMs, failure } = reading;
  setText("rates-note", renewalText(reading, "The yields") || `Read on ${timeOf(readAtMs)}.`);
  byId("rates-note").classList.toggle("failure", failure !== undefined);
  byId("yield").querySelector(".room")?.remove();
  if (value === undefined) return;
  const more = byId("rates-more");
  const list = byId("rates-list");
  const fill = (): void => {
    const ordered = byRate(value);
    const shown = more.dataset["all"] === undefined ? ordered.slice(0, FIRST_ROWS) : ordered;
    const open = new Map([...list.querySelectorAll("details[open]")].map((one) => [one.parentElement?.id ?? "", one]));
    list.replaceChildren(...shown.map((product) => row(product, nowMs, open.get(rowId(product)))));
    more.hidden = shown.length === value.length;
    more.textContent = `Show all ${value.length} yields`;
  };
  more.onclick = () => {
    more.dataset["all"] = "";
    fill();
    focusRow(list.children[FIRST_ROWS]);
  };
  fill();
}

/** Opens the row of a product, even if it is not among the first. */
function openRow(id: string): void {
  if (document.getElementById(id) === null) byId("rates-more").click();
  const details = document.getElementById(id)?.querySelector("details");
  if (details) details.open = true;
}

const rowId = ({ id }: YieldProduct): string => `yield-${id}`;

function row(product: YieldProduct, nowMs: number, opened: Element | undefined): HTMLElement {
  const { apr, provider, kind, rate_type: type, asset, tvl_usd: tvl, lockup_seconds: lockup } = product;
  const [shown, ...others] = ratesOf(product);
  const about = [kind?.replaceAll("_", " "), type === null ? null : `${type} rate`].filter(
    (text) => typeof text === "string",
  );
  const facts = [
    ...others.map((rate) => [BASIS_NAMES[rate.basis], percent(rate.apy), partsOf(rate)]),
    ["Value locked", tvl === null ? null : `$${compact(tvl)}`],
    ["Lock-up", lockup === null ? null : lockup === 0 ? "none" : duration(lockup)],
  ].flatMap(([label, text, parts]) =>
    label && text
      ? [
          h(
            "div",
            {},
            h("dt", {}, label),
            h("dd", { class: "number" }, text),
            ...(parts ? [h("dd", { class: "note" }, parts)] : []),
          ),
        ]
      : [],
  );
  return h(
    "li",
    { id: rowId(product) },
    h(
      "div",
      { class: "rate" },
      h(
        "p",
        { class: "number big" },
        percent(shown?.apy ?? apr),
        h("small", {}, shown === undefined && apr !== null ? " APR" : " APY"),
      ),
      ...[shown?.basis === "30d" ? BASIS_NAMES["30d"] : "", partsOf(shown)].flatMap((text) =>
        text === "" ? [] : [h("p", { class: "note" }, text)],
      ),
    ),
    h(
      "div",
      { class: "what" },
      h("h3", {}, linkTo(product), ...marksOf(product, nowMs).flatMap((one) => [" ", one])),
      h(
        "p",
        { class: "note" },
        ...(provider === null ? [] : [bdi(provider), ", "]),
        about.join(", "),
        ...(asset.symbol === token.symbol ? [] : [", ", h("strong", {}, `on ${asset.symbol}`)]),
      ),
    ),
    h("dl", {}, ...facts),
    opened ?? detailsOf(product),
  );
}

/** Describes the parts of a rate with a reward; "" for a rate without one. */
function partsOf(rate: Rate | undefined): string {
  if (rate === undefined || rate.reward === null || rate.reward === 0) return "";
  return [...(rate.base === null ? [] : [`${percent(rate.base)} base`]), `${percent(rate.reward)} reward`].join(" + ");
}

/** Shows how to get a product, and its last days on demand. */
function detailsOf(product: YieldProduct): HTMLElement {
  const steps = yields[product.id]?.steps ?? [];
  const days = h("div", { class: "days", "aria-live": "polite" });
  const details = h(
    "details",
    {},
    h("summary", {}, "How to get it"),
    steps.length > 0 ? h("ol", {}, ...steps.map((step) => h("li", {}, step))) : h("p", {}, whereOf(product)),
    days,
  );
  details.addEventListener("toggle", () => void showDays(product, days), { once: true });
  return details;
}

function whereOf(product: YieldProduct): Node {
  if (addressOf(product) !== undefined) return h("span", {}, "On its own page: ", linkTo(product), ".");
  return h(
    "span",
    {},
    "The listing names no address for it",
    ...(product.provider === null ? [] : [": ask ", bdi(product.provider)]),
    ".",
  );
}

async function showDays({ id }: YieldProduct, place: HTMLElement): Promise<void> {
  const from = new Date(serviceNow() - HISTORY_DAYS * 86_400_000).toISOString().slice(0, 10);
  const history = await read(`/api/rates/${encodeURIComponent(id)}/history?from=${from}`, parseRateHistory);
  const days = history.failure ? [] : history.value;
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || first === last) {
    const text = history.failure ? "The last days could not be read." : "Too few days are recorded for a line.";
    place.replaceChildren(h("p", { class: "note" }, text));
    return;
  }
  const values = days.map(({ value }) => value);
  const text = `APY from ${dayOf(first.atSeconds * 1_000)} to ${dayOf(last.atSeconds * 1_000)}: between ${percent(Math.min(...values))} and ${percent(Math.max(...values))}, ${days.length} days recorded.`;
  place.replaceChildren(sparkline(days), h("p", { class: "note" }, text));
}

/** Returns the address of a product: the operator's, else the listing's, if it is https. */
function addressOf({ id, url }: YieldProduct): string | undefined {
  const address = yields[id]?.url ?? url;
  return address !== null && /^https:\/\//.test(address) ? address : undefined;
}

/** Makes the product's name, with a link if it has an address; else with the link `otherwise`, or without one. */
function linkTo(product: YieldProduct, otherwise?: string): Element {
  const [name, href] = [bdi(product.name), addressOf(product)];
  if (href !== undefined) return h("a", { href, rel: "noopener noreferrer nofollow" }, name);
  return otherwise === undefined ? name : h("a", { href: otherwise }, name);
}

/** Makes the warnings beside a product's rate: not active, out of date, a sample. */
function marksOf({ status, stale_after, source, as_of }: YieldProduct, nowMs: number): HTMLElement[] {
  const age = as_of === null ? "" : `, ${duration(Math.max(0, (nowMs - Date.parse(as_of)) / 1000))} old`;
  return [
    // The line below describes a stale rate.
    ...(status === "active" || status === "stale" ? [] : [status]),
    ...(stale_after !== null && Date.parse(stale_after) < nowMs ? [`out of date${age}`] : []),
    ...(source === "sample" ? ["sample"] : []),
  ].map(mark);
}

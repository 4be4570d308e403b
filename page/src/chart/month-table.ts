import { h } from "../dom.ts";
import { changeOf, dayOf, share, tokensOf } from "../format.ts";
import { stepAt, type Timeline } from "./timeline.ts";

/** Every step with its change and buckets; filled when it is opened or printed. */
export function monthTable(timeline: Timeline, nowSeconds: number): HTMLElement {
  const body = h("tbody");
  const names = ["From", "Circulating", "Change", "Of max.", ...timeline.buckets.map(({ label }) => label)];
  const head = names.map((name, index) => h("th", { scope: "col", ...(index > 0 ? { class: "number" } : {}) }, name));
  const scroll = h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Unlock schedule as a table" },
    h(
      "table",
      { class: "months" },
      h("caption", {}, `Whole ${timeline.symbol}, cumulative except for the change, rounded down`),
      h("thead", {}, h("tr", {}, ...head)),
      body,
    ),
  );
  const details = h("details", {}, h("summary", {}, "Every month as a table"), scroll);
  const fill = (): void => {
    if (body.childElementCount > 0) return;
    body.append(...rowsOf(timeline, nowSeconds));
    const current = body.querySelector<HTMLElement>("[aria-current]");
    scroll.scrollTop = Math.max(0, (current?.offsetTop ?? 0) - scroll.clientHeight / 2);
  };
  details.addEventListener("toggle", fill);
  window.addEventListener("beforeprint", fill);
  return details;
}

function rowsOf(timeline: Timeline, nowSeconds: number): HTMLElement[] {
  const { steps, decimals, maximum } = timeline;
  const current = stepAt(steps, nowSeconds);
  return steps.map(({ atSeconds, total, change, amounts }, index) =>
    h(
      "tr",
      index === current ? { "aria-current": "date" } : {},
      h("th", { scope: "row" }, dayOf(atSeconds * 1000)),
      ...[
        tokensOf(total, decimals),
        changeOf(change, decimals),
        share(total, maximum),
        ...amounts.map((amount) => tokensOf(amount, decimals)),
      ].map((text) => h("td", { class: "number" }, text)),
    ),
  );
}

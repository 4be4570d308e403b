import { h } from "../dom.ts";
import { changeOf, compact, dayOf, share, tokensOf } from "../format.ts";
import { COLORS, STRIPES } from "./plot.ts";
import type { Timeline } from "./timeline.ts";

/** The legend, which also displays one step: amount, share and change of every bucket. */
export interface Legend {
  readonly element: HTMLTableElement;
  readonly read: (index: number) => void;
  /** null: all buckets. */
  readonly isolate: (bucketId: string | null) => void;
}

export function legendOf(timeline: Timeline, nowSeconds: number, onIsolate: (bucketId: string) => void): Legend {
  const caption = h("caption");
  const rows = timeline.buckets.map(({ id, label }, index) => {
    const key = h(
      "button",
      { type: "button", class: `key stripes-${Math.floor(index / COLORS) % STRIPES.length}`, "aria-pressed": "false" },
      h("span", {}, label),
    );
    key.style.setProperty("--series", `var(--series-${index % COLORS})`);
    key.title = `Show only ${label}`;
    key.addEventListener("click", () => onIsolate(id));
    return { id, key, cells: cellsOf() };
  });
  const total = cellsOf();
  const element = h(
    "table",
    {},
    caption,
    h(
      "thead",
      {},
      h("tr", {}, ...["Bucket", "Amount", "Of max.", "Change"].map((name) => h("th", { scope: "col" }, name))),
    ),
    // The top of the stack first, as in the chart.
    h("tbody", {}, ...rows.map(({ key, cells }) => h("tr", {}, h("th", { scope: "row" }, key), ...cells)).reverse()),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "Circulating"), ...total)),
  );
  return {
    element,
    read: (index) => {
      const step = timeline.steps[index];
      if (step === undefined) return;
      caption.textContent = `From ${dayOf(step.atSeconds * 1000)}${step.atSeconds > nowSeconds ? ", scheduled" : ""}`;
      for (const [bucket, { cells }] of rows.entries())
        fill(cells, timeline, step.amounts[bucket] ?? 0n, step.changes[bucket] ?? 0n);
      fill(total, timeline, step.total, step.change);
    },
    isolate: (bucketId) => {
      for (const { id, key } of rows) {
        key.setAttribute("aria-pressed", String(id === bucketId));
        key.closest("tr")?.classList.toggle("dimmed", bucketId !== null && id !== bucketId);
      }
    },
  };
}

/** One step as a sentence: the slider's value for assistive technology. */
export function sentence(timeline: Timeline, index: number): string {
  const step = timeline.steps[index];
  if (step === undefined) return "";
  const { decimals, buckets, symbol, maximum } = timeline;
  const parts = buckets.map(({ label }, bucket) => `${label} ${tokensOf(step.amounts[bucket] ?? 0n, decimals)}`);
  return `From ${dayOf(step.atSeconds * 1000)}: ${tokensOf(step.total, decimals)} ${symbol} circulating, ${share(step.total, maximum)} of the maximum, change ${changeOf(step.change, decimals)}. ${parts.join(", ")}.`;
}

type Cells = readonly [HTMLElement, HTMLElement, HTMLElement];

function cellsOf(): Cells {
  return [h("td", {}, "–"), h("td", {}, "–"), h("td", {}, "–")];
}

function fill([amount, part, change]: Cells, { decimals, maximum }: Timeline, value: bigint, delta: bigint): void {
  const unit = 10 ** decimals;
  amount.textContent = compact(Number(value) / unit, true);
  amount.title = tokensOf(value, decimals);
  part.textContent = share(value, maximum);
  change.textContent = delta === 0n ? "0" : `${delta > 0n ? "+" : ""}${compact(Number(delta) / unit, true)}`;
  change.title = changeOf(delta, decimals);
}

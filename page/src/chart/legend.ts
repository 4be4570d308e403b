import { compactOf, dayOf, share } from "../../view/format.ts";
import type { Timeline } from "../../view/timeline.ts";
import { h, swatch } from "../dom.ts";
import type { View } from "./view-state.ts";

/** Names and colours of the bands, with their amounts or changes at one step. */
export interface Legend {
  readonly element: HTMLElement;
  /** Line of each band, by its id. */
  readonly lines: readonly { readonly id: string; readonly element: HTMLElement; readonly key: HTMLElement }[];
  readonly read: (index: number, view: Pick<View, "mode" | "bucket">) => void;
}

/** Makes a legend: the total first, then the bands from the top of the stack. `tag`: element of their names. */
export function legendOf(timeline: Timeline, tag: "span" | "button" = "span"): Legend {
  const { decimals, maximum, bands } = timeline;
  const row = (label: Node, className = "") => {
    const [amount, part] = [h("span", { class: "number" }), h("span", { class: "number" })];
    return { element: h("li", { class: className }, label, amount, part), amount, part };
  };
  const name = h("span");
  const total = row(name, "total");
  const rows = bands.map(({ id, label, color }) => {
    const key = h(tag, { class: "key" }, swatch(color), h("span", { dir: "auto" }, label));
    return { id, key, ...row(key) };
  });
  const element = h("ul", { class: "legend" }, total.element, ...rows.map(({ element }) => element).reverse());
  const fill = ({ amount, part }: ReturnType<typeof row>, value: bigint, sign: string): void => {
    amount.textContent = `${value > 0n ? sign : ""}${compactOf(value, decimals, true)}`;
    part.textContent = share(value, maximum);
  };
  return {
    element,
    lines: rows,
    read: (index, { mode, bucket }) => {
      const step = timeline.steps[index];
      if (step === undefined) return;
      const isMonthly = mode === "monthly";
      const [word, sign, sum, parts] = isMonthly
        ? ["On", "+", step.change, step.changes]
        : ["From", "", step.total, step.amounts];
      name.textContent = `${word} ${dayOf(step.atSeconds * 1000)}`;
      for (const [band, one] of rows.entries()) fill(one, parts[band] ?? 0n, sign);
      // The first line is the total of what is drawn.
      fill(total, parts[bands.findIndex(({ id }) => id === bucket)] ?? sum, sign);
    },
  };
}

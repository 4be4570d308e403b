import { compactOf, dayOf, share, tokensOf } from "../../view/format.ts";
import type { Timeline } from "../../view/timeline.ts";
import { h, swatch } from "../dom.ts";
import type { View } from "./view-state.ts";

/** Names and colours of the bands, with their amounts or changes at one step. */
export interface Legend {
  readonly element: HTMLElement;
  readonly read: (index: number, view: Pick<View, "mode" | "bucket">) => void;
  /** Displays one band alone; null: all bands. */
  readonly isolate: (bandId: string | null) => void;
}

/** Makes a legend: the total first, then the bands from the top of the stack. `onIsolate` makes their names buttons. */
export function legendOf(timeline: Timeline, onIsolate?: (bandId: string) => void): Legend {
  const { decimals, maximum, bands } = timeline;
  const row = (label: Node, className = "") => {
    const [amount, part] = [h("span", { class: "number" }), h("span", { class: "number" })];
    return { element: h("li", { class: className }, label, amount, part), amount, part };
  };
  const name = h("span");
  const total = row(name, "total");
  const rows = bands.map(({ id, label, color }) => {
    const square = swatch(color);
    const text = h("span", { dir: "auto" }, label);
    if (onIsolate === undefined) return { id, key: undefined, ...row(h("span", { class: "key" }, square, text)) };
    const key = h("button", { type: "button", class: "key", "aria-pressed": "false" }, square, text);
    key.title = `Show only ${label}`;
    key.addEventListener("click", () => onIsolate(id));
    return { id, key, ...row(key) };
  });
  const element = h("ul", { class: "legend" }, total.element, ...rows.map(({ element }) => element).reverse());
  const fill = ({ amount, part }: ReturnType<typeof row>, value: bigint, sign: string): void => {
    amount.textContent = `${value > 0n ? sign : ""}${compactOf(value, decimals, true)}`;
    amount.title = tokensOf(value, decimals);
    part.textContent = share(value, maximum);
  };
  return {
    element,
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
    isolate: (bandId) => {
      for (const { id, key, element } of rows) {
        key?.setAttribute("aria-pressed", String(id === bandId));
        element.classList.toggle("dimmed", bandId !== null && id !== bandId);
      }
    },
  };
}

import { changeOf, tokensOf } from "../../view/format.ts";
import type { Timeline } from "../../view/timeline.ts";
import { h } from "../dom.ts";
import type { Plot } from "./plot.ts";
import { factsOf } from "./step-facts.ts";
import type { View } from "./view-state.ts";

/** Chart that is a slider for assistive technology: keys and pointer move over the schedule's steps. */
export interface Slider {
  readonly element: HTMLElement;
  /** Displays another drawing of the timeline; the cursor stays on its step. */
  readonly draw: (plot: Plot) => void;
}

const JUMPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 12,
  PageDown: -12,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const KEYS = "Arrow keys move by a month, Page Up and Page Down by a year.";
let sliders = 0;

/**
 * Makes the slider of a drawing, at the step in force now. The cursor is hidden until it is used, and again when the
 * mouse leaves. `onMove` gets each step's index and the drawing's view.
 */
export function sliderOf(timeline: Timeline, name: string, onMove: (index: number, view: View) => void): Slider {
  let current = 0;
  let isUsed = false;
  let drawn: Plot | undefined;
  const keys = h("span", { id: `slider-keys-${++sliders}`, hidden: "" }, KEYS);
  const element = h("div", {
    class: "slider",
    tabindex: "0",
    role: "slider",
    "aria-label": name,
    "aria-describedby": keys.id,
  });
  const moveTo = (index: number, isCursor = true): void => {
    if (drawn === undefined) return;
    const { first, last, view } = drawn;
    current = Math.min(Math.max(index, first), last);
    isUsed = isCursor;
    drawn.moveTo(isUsed ? current : undefined);
    element.setAttribute("aria-valuenow", String(current));
    element.setAttribute("aria-valuetext", sentence(timeline, current, view));
    onMove(current, view);
  };
  const rest = (): void => moveTo(drawn?.home ?? 0, false);
  for (const type of ["pointermove", "pointerdown"] as const)
    element.addEventListener(type, ({ offsetX }) => moveTo(drawn?.stepAtX(offsetX) ?? current));
  element.addEventListener("pointerleave", ({ pointerType }) => (pointerType === "mouse" ? rest() : undefined));
  element.addEventListener("blur", rest);
  element.addEventListener("keydown", (event) => {
    const jump = JUMPS[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    moveTo(current + jump);
  });
  const draw = (plot: Plot): void => {
    drawn = plot;
    element.setAttribute("aria-valuemin", String(plot.first));
    element.setAttribute("aria-valuemax", String(plot.last));
    element.replaceChildren(plot.element, keys);
    if (isUsed) moveTo(current);
    else rest();
  };
  return { element, draw };
}

/** Describes what is drawn of one step in sentences: the slider's value for assistive technology. */
export function sentence(timeline: Timeline, index: number, { mode }: Pick<View, "mode">): string {
  const { steps, decimals, bands } = timeline;
  const [day, amount, part, change, ...names] = factsOf(timeline, index, { mode, bucket: null });
  const isMonthly = mode === "monthly";
  const parts = bands.flatMap(({ label }, band) => {
    const [total = 0n, added = 0n] = [steps[index]?.amounts[band], steps[index]?.changes[band]];
    if (!isMonthly) return [`${label} ${tokensOf(total, decimals)}`];
    return added === 0n ? [] : [`${label} ${changeOf(added, decimals)}`];
  });
  const [when, what] = isMonthly ? ["On", ""] : ["From", " circulating"];
  const more = change === "" ? "" : `, change ${change}`;
  return [`${when} ${day}: ${amount}${what}, ${part}${more}`, ...names, `${parts.join(", ")}.`].join(". ");
}

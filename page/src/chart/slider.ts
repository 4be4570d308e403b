import { h } from "../dom.ts";
import { sentence } from "./legend.ts";
import type { Plot } from "./plot.ts";
import { stepAt, type Timeline } from "./timeline.ts";

/** A chart that is a slider for assistive technology: keys and pointer move over the schedule's steps. */
export interface Slider {
  readonly element: HTMLElement;
  /** Moves the cursor to a step, or to the nearest one. */
  readonly moveTo: (index: number) => void;
  /** Displays another drawing of the same timeline; the cursor stays on its step. */
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

/**
 * Begins on the step in force now, and returns to it when the mouse leaves. `onMove` gets the index of each new step.
 */
export function sliderOf(timeline: Timeline, nowSeconds: number, onMove: (index: number) => void): Slider {
  const last = timeline.steps.length - 1;
  const home = Math.max(0, stepAt(timeline.steps, nowSeconds));
  let current = home;
  let drawn: Plot | undefined;
  const element = h("div", {
    class: "slider",
    tabindex: "0",
    role: "slider",
    "aria-label": "Unlock schedule, month by month. Arrow keys move by a month, Page Up and Page Down by a year.",
    "aria-valuemin": "0",
    "aria-valuemax": last,
  });
  const moveTo = (index: number): void => {
    current = Math.min(Math.max(index, 0), last);
    drawn?.moveTo(current);
    element.setAttribute("aria-valuenow", String(current));
    element.setAttribute("aria-valuetext", sentence(timeline, current));
    onMove(current);
  };
  for (const type of ["pointermove", "pointerdown"] as const)
    element.addEventListener(type, ({ offsetX }) => moveTo(drawn?.stepAtX(offsetX) ?? current));
  element.addEventListener("pointerleave", ({ pointerType }) => (pointerType === "mouse" ? moveTo(home) : undefined));
  element.addEventListener("keydown", (event) => {
    const jump = JUMPS[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    moveTo(current + jump);
  });
  const draw = (plot: Plot): void => {
    drawn = plot;
    element.replaceChildren(plot.element);
    moveTo(current);
  };
  return { element, moveTo, draw };
}

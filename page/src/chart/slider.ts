import { changeOf, dayOf, share, tokensOf } from "../../../schedule-format/format.ts";
import { stepAt, type Timeline } from "../../../schedule-format/timeline.ts";
import { h } from "../dom.ts";
import type { Plot } from "./plot.ts";

/** A chart that is a slider for assistive technology: keys and pointer move over the schedule's steps. */
export interface Slider {
  readonly element: HTMLElement;
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
 * Begins on the step in force now, with the cursor hidden until it is used; the mouse that leaves hides it again.
 * `onMove` gets the index of each step.
 */
export function sliderOf(timeline: Timeline, nowSeconds: number, onMove: (index: number) => void): Slider {
  const last = timeline.steps.length - 1;
  const home = Math.max(0, stepAt(timeline.steps, nowSeconds));
  let current = home;
  let isUsed = false;
  let drawn: Plot | undefined;
  const element = h("div", {
    class: "slider",
    tabindex: "0",
    role: "slider",
    "aria-label": "Unlock schedule, month by month. Arrow keys move by a month, Page Up and Page Down by a year.",
    "aria-valuemin": "0",
    "aria-valuemax": last,
  });
  const moveTo = (index: number, isCursor = true): void => {
    current = Math.min(Math.max(index, 0), last);
    isUsed = isCursor;
    drawn?.moveTo(isUsed ? current : undefined);
    element.setAttribute("aria-valuenow", String(current));
    element.setAttribute("aria-valuetext", sentence(timeline, current));
    onMove(current);
  };
  for (const type of ["pointermove", "pointerdown"] as const)
    element.addEventListener(type, ({ offsetX }) => moveTo(drawn?.stepAtX(offsetX) ?? current));
  element.addEventListener("pointerleave", ({ pointerType }) =>
    pointerType === "mouse" ? moveTo(home, false) : undefined,
  );
  element.addEventListener("blur", () => moveTo(home, false));
  element.addEventListener("keydown", (event) => {
    const jump = JUMPS[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    moveTo(current + jump);
  });
  const draw = (plot: Plot): void => {
    drawn = plot;
    element.replaceChildren(plot.element);
    moveTo(current, isUsed);
  };
  return { element, draw };
}

/** One step as a sentence: the slider's value for assistive technology. */
export function sentence(timeline: Timeline, index: number): string {
  const step = timeline.steps[index];
  if (step === undefined) return "";
  const { decimals, bands, symbol, maximum } = timeline;
  const parts = bands.map(({ label }, band) => `${label} ${tokensOf(step.amounts[band] ?? 0n, decimals)}`);
  const change = index === 0 ? "" : `, change ${changeOf(step.change, decimals)}`;
  const cliffs = step.cliffs.map((cliff) => ` ${cliff}.`).join("");
  return `From ${dayOf(step.atSeconds * 1000)}: ${tokensOf(step.total, decimals)} ${symbol} circulating, ${share(step.total, maximum)} of the maximum${change}.${cliffs} ${parts.join(", ")}.`;
}

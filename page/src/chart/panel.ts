import { brand } from "virtual:site";
import { dayOf } from "../../view/format.ts";
import type { Timeline } from "../../view/timeline.ts";
import type { ObservedDay } from "../documents.ts";
import { flash, h } from "../dom.ts";
import { byId } from "../elements.ts";
import { pngOf } from "./export.ts";
import { legendOf } from "./legend.ts";
import { observedLines } from "./observed.ts";
import { type Plot, plot, type Size } from "./plot.ts";
import { sliderOf } from "./slider.ts";
import { DEFAULT_VIEW, parseView, type View, viewQuery } from "./view-state.ts";

const MIN_WIDTH = 240;

/** Draws a chart in an element of the page, and again when the element's width or the text's size changes. */
function draws(host: HTMLElement, make: (size: Size) => void): () => void {
  let size: Size | undefined;
  const draw = (): void => (size === undefined ? undefined : make(size));
  // An observer reports once at its start, after the layout, so the first drawing forces no layout.
  new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.contentRect ?? {};
    const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    if ((size?.width === width && size.scale === scale) || width === 0) return;
    size = { width: Math.max(width, MIN_WIDTH), height, scale };
    draw();
  }).observe(host);
  return draw;
}

/** Charts of the page, at an instant. */
export interface Charts {
  readonly draw: (nowSeconds: number) => void;
  readonly observe: (days: readonly ObservedDay[]) => void;
}

/** Makes the bars of the next twelve months, and the chart of the whole schedule with its controls and legend. */
export function scheduleCharts(timeline: Timeline, nowSeconds: number): Charts {
  let drawnSeconds = nowSeconds;
  const now = (): number => drawnSeconds;
  const next = nextMonths(timeline, now);
  const { redraw, observe } = wholeSchedule(timeline, now);
  return {
    draw: (seconds) => {
      drawnSeconds = seconds;
      next();
      redraw();
    },
    observe,
  };
}

function nextMonths(timeline: Timeline, now: () => number): () => void {
  const host = byId("next-chart");
  const slider = sliderOf(timeline, "Unlocks of the next twelve months", () => undefined);
  host.replaceChildren(slider.element);
  const view: View = { ...DEFAULT_VIEW, mode: "monthly", range: "1y" };
  return draws(host, (size) => slider.draw(plot(timeline, view, now(), size)));
}

function wholeSchedule(timeline: Timeline, now: () => number) {
  const host = byId("chart");
  let view = parseView(
    location.search,
    timeline.bands.map(({ id }) => id),
  );
  let observed: readonly ObservedDay[] = [];
  let drawn: Plot | undefined;
  const change = (part: Partial<View>): void => {
    view = { ...view, ...part };
    // The address is a link to this view, and leads to the chart.
    history.replaceState(history.state, "", `${location.pathname}${viewQuery(view)}#schedule`);
    redraw();
  };
  const legend = legendOf(timeline, "button");
  for (const [index, { id, key }] of legend.lines.entries()) {
    key.setAttribute("type", "button");
    key.title = `Show only ${timeline.bands[index]?.label}`;
    key.onclick = () => change({ bucket: view.bucket === id ? null : id });
  }
  const slider = sliderOf(timeline, "The vesting schedule", legend.read);
  host.replaceChildren(slider.element);
  byId("legend").replaceChildren(legend.element);
  const controls = [...byId("controls").querySelectorAll("button")];
  for (const control of controls) control.onclick = () => change({ [control.name]: control.value }); // named and valued in the page's HTML as a view's members
  const redraw = draws(host, (size) => {
    drawn = plot(timeline, view, now(), size, (places) => observedLines(observed, places));
    slider.draw(drawn);
    for (const { id, key, element } of legend.lines) {
      key.setAttribute("aria-pressed", String(view.bucket === id));
      element.classList.toggle("dimmed", view.bucket !== null && view.bucket !== id);
    }
    for (const control of controls)
      control.setAttribute("aria-pressed", String(view[control.name as keyof View] === control.value));
  });
  byId("save-png").onclick = () => {
    if (drawn === undefined) return;
    pngOf(drawn.element, `${brand.name}, ${dayOf(now() * 1_000)}, ${location.origin}/`).then(
      (href) => h("a", { href, download: `${timeline.symbol.toLowerCase()}-unlocks.png` }).click(),
      () => flash(byId("save-png"), "Failed"),
    );
  };
  const cliffs = timeline.steps.some((step) => step.cliffs.length > 0) ? ["▼ cliff"] : [];
  const showKey = (...parts: readonly (Node | string)[]): void =>
    byId("chart-key").replaceChildren("Solid: unlocked. Light: planned. ", ...cliffs, ...parts);
  showKey();
  const observe = (days: readonly ObservedDay[]): void => {
    // A line needs two points.
    if (days.length < 2) return;
    observed = days;
    const [total, circulating] = [h("span", { class: "line-key" }), h("span", { class: "line-key circulating" })];
    showKey(". Observed on chain:", total, " total", circulating, " circulating");
    redraw();
  };
  return { redraw, observe };
}

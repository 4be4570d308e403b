import { site } from "virtual:site";
import type { Answer, History, UnlockSchedule } from "../api.ts";
import { byId, copy, flash, h } from "../dom.ts";
import { compact, dayOf } from "../format.ts";
import { download, pngOf, viewCsv } from "./export.ts";
import { type Legend, legendOf } from "./legend.ts";
import { monthTable } from "./month-table.ts";
import { type ObservedDay, observedDays } from "./observed.ts";
import { type Plot, plot } from "./plot.ts";
import { sliderOf } from "./slider.ts";
import { type Milestone, milestonesOf, type Timeline, timelineOf } from "./timeline.ts";
import { parseView, type View, viewQuery } from "./view-state.ts";

const LABELS = new Map(site.buckets.map(({ id, label }) => [id, label]));
/** The chart with its controls, legend, milestones and month table; called again with every new schedule. */
export function showSchedule(schedule: UnlockSchedule, nowMs: number): void {
  byId("chart-panel").setAttribute("aria-busy", "false");
  const timeline = timelineOf(schedule, LABELS);
  const nowSeconds = nowMs / 1000;
  const chart = chartOf(timeline, nowSeconds);
  byId("milestones").replaceChildren(...milestones(timeline, nowSeconds, chart.moveTo));
  byId("month-table").replaceChildren(monthTable(timeline, nowSeconds));
}

let observed: readonly ObservedDay[] = [];
let redrawNow: (() => void) | undefined;

/** Lines of what was observed on chain, and their key; nothing when fewer than two days are known. */
export function showObserved(answer: Answer<History>): void {
  if (answer.kind === "failure") return;
  observed = observedDays(answer.value);
  if (observed.length === 0) return;
  const hasCirculating = observed.some(({ circulating }) => circulating !== null);
  byId("chart-key").replaceChildren(
    "Observed on chain: ",
    h("span", { class: "line-key total" }, "total"),
    ...(hasCirculating ? [" ", h("span", { class: "line-key circulating" }, "circulating")] : []),
  );
  redrawNow?.();
}

let resized: ResizeObserver | undefined;

function chartOf(timeline: Timeline, nowSeconds: number): { readonly moveTo: (index: number) => void } {
  const host = byId("chart");
  let view = parseView(
    location.search,
    timeline.buckets.map(({ id }) => id),
  );
  let drawn: Plot | undefined;

  const redraw = (): void => {
    const size = { width: Math.max(host.clientWidth, 240), height: host.clientHeight };
    drawn = plot(timeline, view, nowSeconds, size, observed);
    slider.draw(drawn);
    legend.isolate(view.bucket);
    press(view);
  };
  const change = (part: Partial<View>): void => {
    view = { ...view, ...part };
    history.replaceState(null, "", `${location.pathname}${viewQuery(view)}${location.hash}`);
    redraw();
  };
  const legend: Legend = legendOf(timeline, nowSeconds, (id) => change({ bucket: view.bucket === id ? null : id }));
  const slider = sliderOf(timeline, nowSeconds, legend.read);
  host.replaceChildren(slider.element);
  byId("legend").replaceChildren(legend.element);
  enableControls(change);
  enableActions(
    timeline,
    () => view,
    () => drawn,
  );
  resized?.disconnect();
  // An observer reports once when it starts: the chart is not drawn again for that.
  let drawnWidth = host.clientWidth;
  resized = new ResizeObserver(() => {
    if (host.clientWidth === drawnWidth) return;
    drawnWidth = host.clientWidth;
    redraw();
  });
  resized.observe(host);
  redraw();
  redrawNow = redraw;
  return slider;
}

const CONTROLS = ["mode", "unit", "range"] as const;

function controlsOf(name: (typeof CONTROLS)[number]): HTMLButtonElement[] {
  return [...byId("controls").querySelectorAll<HTMLButtonElement>(`[name=${name}]`)];
}

/** The page's HTML has the buttons; they work once there is a chart. */
function enableControls(change: (part: Partial<View>) => void): void {
  for (const name of CONTROLS)
    for (const control of controlsOf(name)) {
      control.disabled = false;
      const part = { [name]: parseView(`${name}=${control.value}`, [])[name] };
      control.onclick = () => change(part);
    }
}

function press(view: View): void {
  for (const name of CONTROLS)
    for (const control of controlsOf(name)) control.setAttribute("aria-pressed", String(control.value === view[name]));
}

function enableActions(timeline: Timeline, viewNow: () => View, plotNow: () => Plot | undefined): void {
  const name = `${timeline.symbol.toLowerCase()}-unlocks`;
  const enable = (id: string, run: (self: HTMLElement) => void): void => {
    const element = byId(id);
    element.removeAttribute("disabled");
    element.onclick = () => run(element);
  };
  enable("copy-link", (self) => copy(`${location.origin}${location.pathname}${viewQuery(viewNow())}#unlocks`, self));
  enable("save-png", (self) => {
    const drawn = plotNow();
    if (drawn === undefined) return;
    pngOf(drawn.element, `${site.brand.name}, ${timeline.symbol} unlock schedule`).then(
      (image) => download(image, `${name}.png`),
      () => flash(self, "Failed"),
    );
  });
  enable("save-csv", () => download(new Blob([viewCsv(timeline)], { type: "text/csv" }), `${name}.csv`));
}

const KIND_NAMES = {
  launch: "Launch",
  cliff: "Cliff",
  start: "First unlock",
  faster: "Faster",
  complete: "Fully unlocked",
} as const;
const MAX_MILESTONES = 8;

/** The milestones as buttons that move the cursor there; of many, those around now. */
function milestones(timeline: Timeline, nowSeconds: number, moveTo: (index: number) => void): HTMLElement[] {
  const all = milestonesOf(timeline);
  const unit = 10 ** timeline.decimals;
  const atOf = ({ index }: Milestone): number => timeline.steps[index]?.atSeconds ?? 0;
  const ahead = all.findIndex((one) => atOf(one) > nowSeconds);
  const from = Math.max(0, Math.min((ahead === -1 ? all.length : ahead) - 3, all.length - MAX_MILESTONES));
  return all.slice(from, from + MAX_MILESTONES).map((one) => {
    const names = one.buckets.map((bucket) => timeline.buckets[bucket]?.label ?? "");
    const who = names.length > 2 ? `${names.length} buckets` : names.join(", ");
    const chip = h(
      "button",
      { type: "button", class: atOf(one) > nowSeconds ? "chip ahead" : "chip", title: names.join(", ") },
      h("strong", {}, `${KIND_NAMES[one.kind]}: ${who}`),
      ` ${dayOf(atOf(one) * 1000)} `,
      h("span", { class: "note" }, `+${compact(Number(one.amount) / unit)}`),
    );
    chip.addEventListener("click", () => moveTo(one.index));
    return chip;
  });
}

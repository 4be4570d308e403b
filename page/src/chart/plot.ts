import { svg } from "../dom.ts";
import { compact, dayOf } from "../format.ts";
import { type Layer, type Layers, layersOf } from "./layers.ts";
import { type ObservedDay, observedLines } from "./observed.ts";
import { timeTicks, valueTicks } from "./scale.ts";
import { milestonesOf, stepAt, type Timeline } from "./timeline.ts";
import type { View } from "./view-state.ts";

/** Bucket colours; further buckets repeat them with stripes. */
export const COLORS = 8;
export const STRIPES = ["", "M0 8L8 0M-2 2L2 -2M6 10L10 6", "M0 4H8", "M4 0V8"];
const LABEL_WIDTH = 56;
const MARGIN = { top: 24, right: 12, bottom: 26, left: 56 } as const;

/** A drawn chart: the places of its steps, and a cursor for one of them. */
export interface Plot {
  readonly element: SVGSVGElement;
  /** The step in force at a horizontal position, in the element's own pixels. */
  readonly stepAtX: (x: number) => number;
  readonly moveTo: (index: number) => void;
}

interface Frame extends Layers {
  readonly width: number;
  readonly height: number;
  readonly x: (seconds: number) => number;
  readonly y: (value: number) => number;
}

let drawn = 0;

/** Draws one view of the schedule as steps, without smoothing. Colours are custom properties of the page. */
export function plot(
  timeline: Timeline,
  view: View,
  nowSeconds: number,
  size: { readonly width: number; readonly height: number },
  observed: readonly ObservedDay[] = [],
): Plot {
  const frame = frameOf(layersOf(timeline, view, nowSeconds), size);
  drawn += 1;
  const id = (name: string): string => `chart-${drawn}-${name}`;
  const nowX = Math.min(Math.max(frame.x(nowSeconds), MARGIN.left), size.width - MARGIN.right);
  const cursor = svg("line", {
    class: "cursor",
    y1: MARGIN.top,
    y2: size.height - MARGIN.bottom,
    visibility: "hidden",
  });
  const element = svg(
    "svg",
    { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, "aria-hidden": "true" },
    definitions(id, frame, nowX),
    ...grid(frame, view),
    svg("g", { "clip-path": `url(#${id("past")})` }, ...bands(timeline, view, frame, id)),
    svg(
      "g",
      { class: "future", "clip-path": `url(#${id("future")})`, opacity: "0.5" },
      ...bands(timeline, view, frame, id),
    ),
    svg("rect", { ...area(nowX, size.width - MARGIN.right - nowX, size), fill: `url(#${id("veil")})` }),
    ...maximumLine(timeline, view, frame),
    ...observedOf(observed, timeline, view, frame),
    ...today(frame, nowSeconds),
    ...markers(timeline, view, frame),
    cursor,
  );
  const { steps } = timeline;
  return {
    element,
    stepAtX: (px) => {
      const ratio = (px - MARGIN.left) / (size.width - MARGIN.left - MARGIN.right);
      const seconds = frame.fromSeconds + Math.min(Math.max(ratio, 0), 1) * (frame.toSeconds - frame.fromSeconds);
      return Math.max(0, stepAt(steps, seconds));
    },
    moveTo: (index) => {
      const at = frame.x(centre(steps, index, view));
      const isInside = at >= MARGIN.left - 1 && at <= size.width - MARGIN.right + 1;
      cursor.setAttribute("x1", String(at));
      cursor.setAttribute("x2", String(at));
      cursor.setAttribute("visibility", isInside ? "visible" : "hidden");
    },
  };
}

function frameOf(layers: Layers, size: { readonly width: number; readonly height: number }): Frame {
  const wide = size.width - MARGIN.left - MARGIN.right;
  const high = size.height - MARGIN.top - MARGIN.bottom;
  const round = (value: number): number => Math.round(value * 10) / 10;
  const { fromSeconds, toSeconds, min, max } = layers;
  return {
    ...layers,
    ...size,
    x: (seconds) => round(MARGIN.left + ((seconds - fromSeconds) / (toSeconds - fromSeconds)) * wide),
    y: (value) => round(MARGIN.top + (1 - (value - min) / (max - min)) * high),
  };
}

function area(x: number, width: number, { height }: { readonly height: number }): Record<string, number> {
  return { x, y: MARGIN.top, width: Math.max(0, width), height: Math.max(0, height - MARGIN.top - MARGIN.bottom) };
}

function definitions(id: (name: string) => string, frame: Frame, nowX: number): SVGDefsElement {
  const right = frame.width - MARGIN.right;
  const clip = (name: string, x: number, width: number): SVGElement =>
    svg("clipPath", { id: id(name) }, svg("rect", area(x, width, frame)));
  const patterns = frame.layers
    .filter(({ bucket }) => bucket >= COLORS)
    .map(({ bucket }) =>
      svg(
        "pattern",
        { id: id(`bucket-${bucket}`), width: 8, height: 8, patternUnits: "userSpaceOnUse" },
        svg("rect", { width: 8, height: 8, fill: `var(--series-${bucket % COLORS})` }),
        svg("path", {
          d: STRIPES[Math.floor(bucket / COLORS) % STRIPES.length] ?? "",
          stroke: "var(--panel)",
          "stroke-width": 2,
        }),
      ),
    );
  const veil = svg(
    "pattern",
    { id: id("veil"), width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    svg("path", { d: "M0 6L6 0", stroke: "var(--panel)", "stroke-width": 1, opacity: "0.55" }),
  );
  return svg(
    "defs",
    {},
    clip("past", MARGIN.left, nowX - MARGIN.left),
    clip("future", nowX, right - nowX),
    veil,
    ...patterns,
  );
}

function grid(frame: Frame, view: View): SVGElement[] {
  const right = frame.width - MARGIN.right;
  const values = valueTicks(frame.min, frame.max, frame.height < 280 ? 4 : 5).flatMap((value) => [
    svg("line", {
      class: value === 0 ? "axis" : "grid",
      x1: MARGIN.left,
      x2: right,
      y1: frame.y(value),
      y2: frame.y(value),
    }),
    svg(
      "text",
      { class: "tick", x: MARGIN.left - 8, y: frame.y(value) + 4, "text-anchor": "end" },
      view.unit === "percent" ? `${Number(value.toPrecision(6))} %` : compact(value, true),
    ),
  ]);
  const times = timeTicks(frame.fromSeconds, frame.toSeconds, frame.width / 80).map(({ atSeconds, label }) =>
    timeLabel(frame.x(atSeconds), label, frame),
  );
  return [...values, ...times];
}

/** Under its instant; a label that would leave the drawing ends at its edge. */
function timeLabel(x: number, label: string, { width, height }: Frame): SVGElement {
  const isLast = x > width - LABEL_WIDTH / 2;
  const place = isLast ? { x: width, "text-anchor": "end" } : { x, "text-anchor": "middle" };
  return svg("text", { class: "tick", y: height - 8, ...place }, label);
}

function bands({ steps }: Timeline, view: View, frame: Frame, id: (name: string) => string): SVGElement[] {
  return frame.layers.map((layer) =>
    svg("path", {
      d: view.mode === "cumulative" ? stairs(layer, steps, frame) : bars(layer, steps, frame),
      fill: layer.bucket < COLORS ? `var(--series-${layer.bucket})` : `url(#${id(`bucket-${layer.bucket}`)})`,
      stroke: "var(--panel)",
      "stroke-width": view.mode === "cumulative" && frame.layers.length <= COLORS ? 1 : 0,
    }),
  );
}

type Times = readonly { readonly atSeconds: number }[];

/** The outline of a band: along the tops to the right, back along the bottoms. */
function stairs({ tops, bottoms }: Layer, steps: Times, frame: Frame): string {
  const ends = [...steps.slice(1).map(({ atSeconds }) => atSeconds), frame.toSeconds];
  const there = tops.map((top, index) => `V${frame.y(top)}H${frame.x(ends[index] ?? 0)}`);
  const back = bottoms.map((bottom, index) => `V${frame.y(bottom)}H${frame.x(steps[index]?.atSeconds ?? 0)}`).reverse();
  return `M${frame.x(steps[0]?.atSeconds ?? 0)} ${frame.y(bottoms[0] ?? 0)}${there.join("")}${back.join("")}Z`;
}

/** A bar for every step, as wide as the step lasts, less a gap. */
function bars({ tops, bottoms }: Layer, steps: Times, frame: Frame): string {
  return tops
    .map((top, index) => {
      const [from, to] = edges(steps, index, frame);
      const bottom = bottoms[index] ?? 0;
      if (top === bottom) return "";
      const gap = Math.min(2, (to - from) / 5);
      return `M${from + gap / 2} ${frame.y(bottom)}V${frame.y(top)}H${to - gap / 2}V${frame.y(bottom)}Z`;
    })
    .join("");
}

function edges(steps: Times, index: number, frame: Frame): readonly [number, number] {
  return [frame.x(steps[index]?.atSeconds ?? 0), frame.x(steps[index + 1]?.atSeconds ?? frame.toSeconds)];
}

/** The cursor's position for a step: at the step, or in the middle of its bar. */
function centre(steps: Times, index: number, view: View): number {
  const at = steps[index]?.atSeconds ?? 0;
  const next = steps[index + 1]?.atSeconds ?? at;
  return view.mode === "monthly" ? (at + next) / 2 : at;
}

function maximumLine({ maximum, decimals }: Timeline, view: View, frame: Frame): SVGElement[] {
  if (view.mode !== "cumulative") return [];
  const value = view.unit === "percent" ? 100 : Number(maximum) / 10 ** decimals;
  if (value > frame.max) return [];
  const y = frame.y(value);
  return [
    svg("line", { class: "maximum", x1: MARGIN.left, x2: frame.width - MARGIN.right, y1: y, y2: y }),
    svg("text", { class: "label", x: MARGIN.left + 6, y: y + 14 }, "Maximum"),
  ];
}

/** Observed figures are of the whole supply: there are none of one bucket or of a month's change. */
function observedOf(days: readonly ObservedDay[], timeline: Timeline, view: View, frame: Frame): SVGElement[] {
  if (view.mode !== "cumulative" || view.bucket !== null) return [];
  const whole = view.unit === "percent" ? Number(timeline.maximum) / 100 : 10 ** timeline.decimals;
  return observedLines(days, (amount) => Number(amount) / whole, frame);
}

function today(frame: Frame, nowSeconds: number): SVGElement[] {
  if (nowSeconds < frame.fromSeconds || nowSeconds > frame.toSeconds) return [];
  const x = frame.x(nowSeconds);
  const isLate = x > frame.width - 90;
  const anchor = isLate ? "end" : "start";
  return [
    svg("line", { class: "today", x1: x, x2: x, y1: MARGIN.top - 8, y2: frame.height - MARGIN.bottom }),
    svg(
      "text",
      { class: "label", x: x + (isLate ? -5 : 5), y: MARGIN.top - 10, "text-anchor": anchor },
      isLate ? "today" : "today, then scheduled",
    ),
  ];
}

/** A triangle on top of every cliff, start and faster pace in view. */
function markers(timeline: Timeline, view: View, frame: Frame): SVGElement[] {
  const names = { cliff: "Cliff", start: "First unlock", faster: "Faster from here" } as const;
  return milestonesOf(timeline).flatMap(({ index, kind, buckets }) => {
    const at = timeline.steps[index]?.atSeconds ?? 0;
    if (kind === "launch" || kind === "complete" || at < frame.fromSeconds || at > frame.toSeconds) return [];
    const visible = buckets
      .map((bucket) => timeline.buckets[bucket])
      .filter((one) => view.bucket === null || one?.id === view.bucket);
    if (visible.length === 0) return [];
    const x = frame.x(centre(timeline.steps, index, view));
    const title = `${names[kind]}, ${dayOf(at * 1000)}: ${visible.map((one) => one?.label).join(", ")}`;
    return [
      svg(
        "path",
        { class: `marker ${kind}`, d: `M${x - 5} ${MARGIN.top - 8}H${x + 5}L${x} ${MARGIN.top}Z` },
        svg("title", {}, title),
      ),
    ];
  });
}

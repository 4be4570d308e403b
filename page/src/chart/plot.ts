import { svg } from "../dom.ts";
import { changeOf, compact, dayOf, share, tokensOf } from "../format.ts";
import { timeTicks, valueTicks } from "./scale.ts";
import { inUnit, type Layer, type Stack, stackOf } from "./stack.ts";
import { stepAt, type Timeline } from "./timeline.ts";
import { stepsOf, type View } from "./view-state.ts";

const TOP = 30;
const LEFT = 56;
const LINE_PX = 18;
const CHARACTER_PX = 7.8;
const MONTH_SECONDS = 30.44 * 86_400;
/** From this width on the bands are named at the right edge. */
const LABELLED_WIDTH = 600;
const MAX_LABEL_CHARACTERS = 24;
/** What has not unlocked yet is the same colour, lighter, under a line of the full colour. */
const FUTURE_OPACITY = 0.38;

/** A drawn chart: the places of its steps, and a cursor for one of them. */
export interface Plot {
  readonly element: SVGSVGElement;
  /** The step at a horizontal position, in the element's own pixels. */
  readonly stepAtX: (x: number) => number;
  /** Displays the cursor and its card at a step; undefined hides both. */
  readonly moveTo: (index: number | undefined) => void;
}

/** Steps are equally wide: index 2.5 is the middle of the third one. */
interface Frame extends Stack {
  readonly width: number;
  readonly height: number;
  readonly right: number;
  readonly bottom: number;
  readonly first: number;
  readonly last: number;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

/** Where a value at an instant is drawn; undefined outside of the drawing. */
export type Places = (seconds: number, amount: bigint) => { readonly x: number; readonly y: number } | undefined;

/** What is drawn, and the instant before which it is the past. */
interface Scene {
  readonly timeline: Timeline;
  readonly view: View;
  readonly nowSeconds: number;
}

/**
 * Draws one view of the schedule as steps, without smoothing. Colours are custom properties of the element around it
 * (`--text`, `--muted`, `--line`, `--background`, `--series-0` and so on), so that page, embed and PNG share one drawing.
 */
export function plot(
  timeline: Timeline,
  view: View,
  nowSeconds: number,
  size: { readonly width: number; readonly height: number },
  overlay: (places: Places) => readonly SVGElement[] = () => [],
): Plot {
  const scene = { timeline, view, nowSeconds };
  const frame = frameOf(scene, size);
  const { first, last } = frame;
  const isMonthly = view.mode === "monthly";
  const current = stepAt(timeline.steps, nowSeconds);
  const nowIndex = isMonthly ? current + 1 : indexAt(timeline, nowSeconds);
  const cursor = svg("g", { class: "cursor", visibility: "hidden" });
  const element = svg(
    "svg",
    { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, "aria-hidden": "true" },
    ...grid(scene, frame),
    ...frame.layers.flatMap((layer) => band(layer, frame, nowIndex, isMonthly)),
    ...maximumLine(scene, frame),
    // What was observed is of the whole supply: there is none of one band or of a month's change.
    ...(isMonthly || view.bucket !== null ? [] : overlay(placesOf(scene, frame))),
    ...today(nowIndex, frame),
    ...marks(scene, frame),
    ...labels(scene, frame),
    cursor,
  );
  return {
    element,
    stepAtX: (px) => {
      const index = first + Math.floor(((px - LEFT) / (frame.right - LEFT)) * (last - first + 1));
      return Math.min(Math.max(index, first), last);
    },
    moveTo: (index) => {
      const isInside = index !== undefined && index >= first && index <= last;
      cursor.setAttribute("visibility", isInside ? "visible" : "hidden");
      cursor.replaceChildren(...(isInside ? cursorAt(index, scene, frame) : []));
    },
  };
}

function frameOf(
  { timeline, view, nowSeconds }: Scene,
  size: { readonly width: number; readonly height: number },
): Frame {
  const { steps, bands } = timeline;
  const [first, last] = stepsOf(view.range, stepAt(steps, nowSeconds), steps.length - 1);
  const stack = stackOf(timeline, view, [first, last]);
  const longest = Math.min(MAX_LABEL_CHARACTERS, Math.max(...bands.map(({ label }) => label.length)));
  const right = size.width - (isLabelled(view, size.width) ? longest * CHARACTER_PX + 12 : 8);
  const bottom = size.height - (view.mode === "monthly" ? 40 : 24);
  const round = (value: number): number => Math.round(value * 10) / 10;
  return {
    ...stack,
    ...size,
    first,
    last,
    right,
    bottom,
    x: (index) => round(LEFT + ((index - first) / (last - first + 1)) * (right - LEFT)),
    y: (value) => round(TOP + (1 - (value - stack.min) / (stack.max - stack.min)) * (bottom - TOP)),
  };
}

function isLabelled(view: View, width: number): boolean {
  return view.mode === "cumulative" && view.bucket === null && width >= LABELLED_WIDTH;
}

/** The place of an instant among the steps, of which the last one is drawn a month long. */
function indexAt({ steps }: Timeline, seconds: number): number {
  const index = Math.max(0, stepAt(steps, seconds));
  const from = steps[index]?.atSeconds ?? 0;
  const to = steps[index + 1]?.atSeconds ?? from + MONTH_SECONDS;
  return index + (seconds - from) / (to - from);
}

function text(
  x: number,
  y: number,
  content: string,
  attributes: Readonly<Record<string, string | number>> = {},
): SVGElement {
  return svg(
    "text",
    { x, y, fill: "var(--muted)", "font-size": 13, "font-family": "system-ui, sans-serif", ...attributes },
    content,
  );
}

function line(
  from: readonly [number, number],
  to: readonly [number, number],
  attributes: Readonly<Record<string, string | number>>,
): SVGElement {
  return svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], ...attributes });
}

function grid(scene: Scene, frame: Frame): SVGElement[] {
  const { view, timeline } = scene;
  const values = valueTicks(frame.min, frame.max, frame.height < 240 ? 3 : 5).flatMap((value) => [
    line([LEFT, frame.y(value)], [frame.right, frame.y(value)], {
      stroke: value === 0 ? "var(--muted)" : "var(--line)",
    }),
    text(
      LEFT - 8,
      frame.y(value) + 4,
      view.unit === "percent" ? String(Number(value.toPrecision(6))) : compact(value),
      { class: "tick", "text-anchor": "end" },
    ),
  ]);
  const unit = view.unit === "percent" ? "% of the maximum" : timeline.symbol;
  return [
    text(0, 14, unit, { class: "unit" }),
    ...values,
    ...(view.mode === "monthly" ? bandTicks(scene, frame) : times(scene, frame)),
  ];
}

/** Months or years under the axis, with a mark at each. */
function times({ timeline }: Scene, frame: Frame): SVGElement[] {
  const { steps } = timeline;
  const from = steps[frame.first]?.atSeconds ?? 0;
  const to = steps[frame.last + 1]?.atSeconds ?? (steps[frame.last]?.atSeconds ?? 0) + MONTH_SECONDS;
  return timeTicks(from, to, frame.right - LEFT).flatMap(({ atSeconds, label }) => {
    const x = frame.x(indexAt(timeline, atSeconds));
    const half = (label.length * CHARACTER_PX) / 2;
    return [
      line([x, frame.bottom], [x, frame.bottom + 5], { stroke: "var(--muted)" }),
      text(Math.min(x, frame.width - half), frame.height - 4, label, { class: "tick", "text-anchor": "middle" }),
    ];
  });
}

/** Each bar's own month, or where there is no room for that every second, third, or each year's first one. */
function bandTicks({ timeline }: Scene, frame: Frame): SVGElement[] {
  const wide = frame.x(frame.first + 1) - LEFT;
  const every = [1, 2, 3].find((count) => count * wide >= 27);
  const years = Math.ceil(44 / (12 * wide));
  let named = "";
  return timeline.steps.slice(frame.first, frame.last + 1).flatMap(({ atSeconds }, offset) => {
    const [month = "", year = ""] = dayOf(atSeconds * 1_000)
      .split(" ")
      .slice(1);
    const x = frame.x(frame.first + offset + 0.5);
    const isNewYear = year !== named;
    named = year;
    const place = { class: "tick", "text-anchor": "middle" };
    if (every === undefined)
      return isNewYear && (offset === 0 ? month === "Jan" : Number(year) % years === 0)
        ? [text(x, frame.height - 22, year, place)]
        : [];
    return [
      ...(offset % every === 0 ? [text(x, frame.height - 22, month, place)] : []),
      ...(isNewYear ? [text(Math.max(x, LEFT + 14), frame.height - 6, year, place)] : []),
    ];
  });
}

/** The past solid, the future light: steps that touch, or bars that do not. */
function band(layer: Layer, frame: Frame, nowIndex: number, isMonthly: boolean): SVGElement[] {
  const now = Math.min(Math.max(nowIndex, frame.first), frame.last + 1);
  const color = `var(--series-${layer.band})`;
  const draw = isMonthly ? bars : stairs;
  const part = (name: string, from: number, to: number): SVGElement[] => {
    const { area, edge } = draw(layer, frame, from, to);
    if (area === "") return [];
    const isFuture = name === "future";
    return [
      svg("path", {
        class: `band ${name}`,
        "data-band": layer.band,
        d: area,
        fill: color,
        "fill-opacity": isFuture ? FUTURE_OPACITY : 1,
      }),
      svg("path", {
        class: "edge",
        d: edge,
        fill: "none",
        stroke: isFuture ? color : "var(--background)",
        "stroke-width": isFuture ? 1.5 : 0.75,
      }),
    ];
  };
  return [...part("past", frame.first, now), ...part("future", now, frame.last + 1)];
}

interface Outline {
  readonly area: string;
  readonly edge: string;
}

/** A band from one place to another: along the tops to the right, back along the bottoms. */
function stairs({ tops, bottoms }: Layer, { x, y }: Frame, from: number, to: number): Outline {
  const indexes = Array.from({ length: Math.ceil(to) - Math.floor(from) }, (_, offset) => Math.floor(from) + offset);
  if (to <= from || indexes.every((index) => tops[index] === bottoms[index])) return { area: "", edge: "" };
  const there = indexes.map((index) => `V${y(tops[index] ?? 0)}H${x(Math.min(index + 1, to))}`).join("");
  const back = indexes
    .map((index) => `V${y(bottoms[index] ?? 0)}H${x(Math.max(index, from))}`)
    .reverse()
    .join("");
  const start = `M${x(from)} `;
  return {
    area: `${start}${y(bottoms[indexes[0] ?? 0] ?? 0)}${there}${back}Z`,
    edge: `${start}${y(tops[indexes[0] ?? 0] ?? 0)}${there.slice(there.indexOf("H"))}`,
  };
}

/** A bar for every step of a range, in the middle of its own band. */
function bars({ tops, bottoms }: Layer, { x, y }: Frame, from: number, to: number): Outline {
  let area = "";
  for (let index = from; index < to; index += 1) {
    const [top = 0, bottom = 0] = [tops[index], bottoms[index]];
    const gap = Math.min(8, (x(index + 1) - x(index)) * 0.2) / 2;
    if (top !== bottom) area += `M${x(index) + gap} ${y(bottom)}V${y(top)}H${x(index + 1) - gap}V${y(bottom)}Z`;
  }
  return { area, edge: area };
}

function maximumLine({ timeline, view }: Scene, frame: Frame): SVGElement[] {
  const value = inUnit(timeline, view, timeline.maximum);
  if (view.mode !== "cumulative" || view.bucket !== null || value > frame.max) return [];
  const y = frame.y(value);
  const label = `Maximum ${compact(inUnit(timeline, { ...view, unit: "tokens" }, timeline.maximum))}`;
  return [
    line([LEFT, y], [frame.right, y], { class: "maximum", stroke: "var(--muted)", "stroke-dasharray": "6 4" }),
    text(LEFT + 6, y + 16, label, { fill: "var(--text)" }),
  ];
}

function placesOf({ timeline, view }: Scene, frame: Frame): Places {
  return (seconds, amount) => {
    const [index, value] = [indexAt(timeline, seconds), inUnit(timeline, view, amount)];
    const isInside = index >= frame.first && index <= frame.last + 1 && value >= 0 && value <= frame.max;
    return isInside ? { x: frame.x(index), y: frame.y(value) } : undefined;
  };
}

function today(nowIndex: number, frame: Frame): SVGElement[] {
  if (nowIndex <= frame.first || nowIndex >= frame.last + 1) return [];
  const x = frame.x(nowIndex);
  const isLate = x > frame.right - 48;
  return [
    line([x, TOP - 6], [x, frame.bottom], { class: "today", stroke: "var(--text)" }),
    text(x + (isLate ? -4 : 4), TOP - 10, "today", { fill: "var(--text)", "text-anchor": isLate ? "end" : "start" }),
  ];
}

/** A triangle above every step at which the schedule's phases begin, change or end. */
function marks({ timeline, view }: Scene, frame: Frame): SVGElement[] {
  return timeline.steps.flatMap((step, index) => {
    if (step.marks.length === 0 || index < frame.first || index > frame.last) return [];
    const x = frame.x(index + (view.mode === "monthly" ? 0.5 : 0));
    return [svg("path", { class: "mark", d: `M${x - 4} ${TOP - 6}h8l-4 6z`, fill: "var(--text)" })];
  });
}

/** The bands' names at the right edge, each beside the end of its band, moved apart where they would touch. */
function labels({ timeline, view }: Scene, frame: Frame): SVGElement[] {
  if (!isLabelled(view, frame.width)) return [];
  const places = frame.layers
    .map(({ band, tops, bottoms }) => ({
      band,
      y: frame.y(((tops[frame.last] ?? 0) + (bottoms[frame.last] ?? 0)) / 2) + 4,
    }))
    .reverse();
  let free = TOP + 4;
  const moved = places.map(({ band, y }) => {
    free = Math.max(y, free) + LINE_PX - 2;
    return { band, y: free - LINE_PX + 2 };
  });
  const excess = Math.max(0, (moved.at(-1)?.y ?? 0) - frame.bottom);
  return moved.map(({ band, y }) => {
    const { label = "" } = timeline.bands[band] ?? {};
    const short = label.length > MAX_LABEL_CHARACTERS ? `${label.slice(0, MAX_LABEL_CHARACTERS - 1)}…` : label;
    return svg(
      "g",
      { class: "label" },
      svg("rect", { x: frame.right + 4, y: y - excess - 10, width: 3, height: 12, fill: `var(--series-${band})` }),
      text(frame.right + 11, y - excess, short, { fill: "var(--text)" }),
    );
  });
}

/** The cursor's line and a card with the step's figures, on the side where there is room. */
function cursorAt(index: number, { timeline, view }: Scene, frame: Frame): SVGElement[] {
  const step = timeline.steps[index];
  if (step === undefined) return [];
  const { decimals, maximum, symbol, bands } = timeline;
  const band = bands.findIndex(({ id }) => id === view.bucket);
  const [amount, change] =
    band === -1 ? [step.total, step.change] : [step.amounts[band] ?? 0n, step.changes[band] ?? 0n];
  const lines = [
    dayOf(step.atSeconds * 1_000),
    `${tokensOf(amount, decimals)} ${symbol}`,
    `${share(amount, maximum)} of the maximum`,
    ...(index === 0 ? [] : [`${changeOf(change, decimals)} on this day`]),
    ...step.marks,
  ].map((one) => (one.length > 34 ? `${one.slice(0, 33)}…` : one));
  const wide = Math.max(...lines.map((one) => one.length)) * CHARACTER_PX + 20;
  const x = frame.x(index + (view.mode === "monthly" ? 0.5 : 0));
  const left = x + 10 + wide < frame.width ? x + 10 : Math.max(0, x - 10 - wide);
  return [
    line([x, TOP], [x, frame.bottom], { stroke: "var(--text)", "stroke-dasharray": "3 3" }),
    svg("rect", { x: left, y: TOP + 4, width: wide, height: lines.length * LINE_PX + 12, rx: 6, fill: "var(--text)" }),
    ...lines.map((one, row) =>
      text(left + 10, TOP + 22 + row * LINE_PX, one, {
        fill: "var(--on-text)",
        ...(row === 0 ? { "font-weight": 600 } : {}),
      }),
    ),
  ];
}

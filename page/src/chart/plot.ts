import { compact } from "../../../src/base/shown-figures.ts";
import { monthOf } from "../../view/format.ts";
import { valueTicks } from "../../view/scale.ts";
import { placeOf, stepAt, type Timeline } from "../../view/timeline.ts";
import { svg } from "../dom.ts";
import { inUnit, type Layer, type Stack, stackOf } from "./stack.ts";
import { factsOf } from "./step-facts.ts";
import { stepsOf, type View } from "./view-state.ts";

const [TOP, LEFT] = [30, 56];
const [LINE_PX, CHARACTER_PX] = [18, 7.8];
/** Most characters of the unit that have room beside `today`. */
const MAX_UNIT = 8;
/** Width from which today's value has room beside the unit. */
const VALUE_WIDTH = 240;
/** Numbers of months between two names under the axis, and the widths that the names of a month and a year need. */
const MONTHS_BETWEEN = [1, 2, 3, 6, 12, 24, 60, 120, 240];
const [MONTH_PX, YEAR_PX] = [30, 44];

/** Drawn chart: the places of its steps, and a cursor for one of them. */
export interface Plot {
  readonly element: SVGSVGElement;
  readonly view: View;
  /** Range of drawn steps, and the step in force now. */
  readonly first: number;
  readonly last: number;
  readonly home: number;
  /** Returns the step at a horizontal position, in the element's own pixels. */
  readonly stepAtX: (x: number) => number;
  /** Displays the cursor and its card at a step; undefined hides both. */
  readonly moveTo: (index: number | undefined) => void;
}

/** Size in pixels. `scale` is the browser's font size relative to 16 px; text and lines are enlarged by it. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** Drawing area in which steps are equally wide: index 2.5 is the middle of the third one. */
interface Frame extends Stack, Omit<Size, "scale"> {
  readonly right: number;
  readonly bottom: number;
  readonly first: number;
  readonly last: number;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

/** Returns the point of a value at an instant; undefined outside of the drawing. */
export type Places = (seconds: number, amount: bigint) => { readonly x: number; readonly y: number } | undefined;

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
  { width, height, scale }: Size,
  overlay: (places: Places) => readonly SVGElement[] = () => [],
): Plot {
  const scene = { timeline, view, nowSeconds };
  const size = { width: width / scale, height: height / scale };
  const frame = frameOf(scene, size);
  const { first, last } = frame;
  const isMonthly = view.mode === "monthly";
  const current = stepAt(timeline.steps, nowSeconds);
  const nowIndex = isMonthly ? current + 1 : placeOf(timeline, nowSeconds);
  const cursor = svg("g", { class: "cursor", visibility: "hidden" });
  const element = svg(
    "svg",
    { viewBox: `0 0 ${size.width} ${size.height}`, width, height, "aria-hidden": "true" },
    ...grid(scene, frame),
    ...frame.layers.flatMap((layer) => band(scene, layer, frame, nowIndex)),
    ...maximumLine(scene, frame),
    // Observed figures exist only for the whole supply, not for one band or a month's change.
    ...(isMonthly || view.bucket !== null ? [] : overlay(placesOf(scene, frame))),
    ...today(scene, nowIndex, frame),
    ...cliffs(scene, frame),
    cursor,
  );
  return {
    element,
    view,
    first,
    last,
    home: Math.min(Math.max(current, first), last),
    stepAtX: (px) => {
      const index = first + Math.floor(((px / scale - LEFT) / (frame.right - LEFT)) * (last - first + 1));
      return Math.min(Math.max(index, first), last);
    },
    moveTo: (index) => {
      const isInside = index !== undefined && index >= first && index <= last;
      cursor.setAttribute("visibility", isInside ? "visible" : "hidden");
      cursor.replaceChildren(...(isInside ? cursorAt(index, scene, frame) : []));
    },
  };
}

function frameOf({ timeline, view, nowSeconds }: Scene, size: Pick<Frame, "width" | "height">): Frame {
  const { steps } = timeline;
  const [first, last] = stepsOf(view.range, stepAt(steps, nowSeconds), steps.length - 1);
  const stack = stackOf(timeline, view, nowSeconds, [first, last]);
  const right = size.width - 16;
  const bottom = size.height - 40;
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

function text(
  x: number,
  y: number,
  content: string,
  attributes: Readonly<Record<string, string | number>> = {},
): SVGElement {
  return svg("text", { x, y, fill: "var(--muted)", "font-size": 12.5, ...attributes }, content);
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
  // A short word at most, because `today` may be beside it.
  const unit = view.unit === "percent" ? "%" : timeline.symbol.slice(0, MAX_UNIT);
  return [text(0, 14, unit, { class: "unit" }), ...values, ...timeTicks(scene, frame)];
}

/** Draws months under the axis, and years below them: each under its own step, or as many as have room. */
function timeTicks({ timeline, view }: Scene, frame: Frame): SVGElement[] {
  const wide = frame.x(frame.first + 1) - LEFT;
  const every = MONTHS_BETWEEN.find((months) => months * wide >= (months < 12 ? MONTH_PX : YEAR_PX)) ?? 480;
  const place = { class: "tick", "text-anchor": "middle" };
  let isFirst = true;
  return timeline.steps.slice(frame.first, frame.last + 1).flatMap(({ atSeconds }, offset) => {
    const at = new Date(atSeconds * 1_000);
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    if ((year * 12 + month) % every !== 0) return [];
    const x = frame.x(frame.first + offset + (view.mode === "monthly" ? 0.5 : 0));
    const names = [
      ...(every < 12 ? [monthOf(at.getTime()).split(" ")[0] ?? ""] : []),
      ...(month === 0 || (isFirst && (12 - month) * wide >= YEAR_PX) ? [String(year)] : []),
    ];
    isFirst = false;
    return [
      line([x, frame.bottom], [x, frame.bottom + 5], { stroke: "var(--muted)" }),
      ...names.map((name, row) => text(x, frame.bottom + 18 + row * 16, name, place)),
    ];
  });
}

/**
 * Draws the past as a solid area. The future is a tint with an outline in the full colour, which is seen on any
 * background.
 */
function band({ timeline, view }: Scene, layer: Layer, frame: Frame, nowIndex: number): SVGElement[] {
  // A band that is wholly unlocked has nothing planned.
  const isLeft = timeline.steps.some(({ changes }, index) => index >= nowIndex && changes[layer.band] !== 0n);
  const now = isLeft ? Math.min(Math.max(nowIndex, frame.first), frame.last + 1) : frame.last + 1;
  const { color = "" } = timeline.bands[layer.band] ?? {};
  const draw = view.mode === "monthly" ? bars : stairs;
  const part = (name: string, d: string, style: Readonly<Record<string, string | number>>): SVGElement[] => {
    const attributes = { class: `band ${name}`, "data-band": layer.band, d, fill: color, "stroke-width": 0.75 };
    return d === "" ? [] : [svg("path", { ...attributes, ...style })];
  };
  return [
    ...part("past", draw(layer, frame, frame.first, now), { stroke: "var(--background)" }),
    ...part("future", draw(layer, frame, now, frame.last + 1), { stroke: color, "fill-opacity": 0.34 }),
  ];
}

/** Draws a band between two places: along its tops to the right, and back along its bottoms. */
function stairs({ tops, bottoms }: Layer, { x, y }: Frame, from: number, to: number): string {
  const indexes = Array.from({ length: Math.ceil(to) - Math.floor(from) }, (_, offset) => Math.floor(from) + offset);
  if (to <= from || indexes.every((index) => tops[index] === bottoms[index])) return "";
  const there = indexes.map((index) => `V${y(tops[index] ?? 0)}H${x(Math.min(index + 1, to))}`).join("");
  const back = indexes.map((index) => `V${y(bottoms[index] ?? 0)}H${x(Math.max(index, from))}`).reverse();
  return `M${x(from)} ${y(bottoms[indexes[0] ?? 0] ?? 0)}${there}${back.join("")}Z`;
}

/** Draws a bar for every step of a range, in the middle of the step. */
function bars({ tops, bottoms }: Layer, { x, y }: Frame, from: number, to: number): string {
  let area = "";
  for (let index = from; index < to; index += 1) {
    const [top = 0, bottom = 0] = [tops[index], bottoms[index]];
    const gap = Math.min(8, (x(index + 1) - x(index)) * 0.2) / 2;
    if (top !== bottom) area += `M${x(index) + gap} ${y(bottom)}V${y(top)}H${x(index + 1) - gap}V${y(bottom)}Z`;
  }
  return area;
}

function maximumLine({ timeline, view }: Scene, frame: Frame): SVGElement[] {
  const value = inUnit(timeline, view, timeline.maximum);
  if (view.mode !== "cumulative" || view.bucket !== null || value > frame.max) return [];
  const y = frame.y(value);
  const label = `Maximum ${compact(inUnit(timeline, { ...view, unit: "tokens" }, timeline.maximum))}`;
  return [
    line([LEFT, y], [frame.right, y], { class: "maximum", stroke: "var(--muted)", "stroke-dasharray": "6 4" }),
    text(LEFT + 6, y - 5, label),
  ];
}

function placesOf({ timeline, view }: Scene, frame: Frame): Places {
  return (seconds, amount) => {
    const [index, value] = [placeOf(timeline, seconds), inUnit(timeline, view, amount)];
    const isInside = index >= frame.first && index <= frame.last + 1 && value >= 0 && value <= frame.max;
    return isInside ? { x: frame.x(index), y: frame.y(value) } : undefined;
  };
}

/** Draws the line of today with its amount. */
function today({ view }: Scene, nowIndex: number, frame: Frame): SVGElement[] {
  if (nowIndex <= frame.first || nowIndex >= frame.last + 1) return [];
  const x = frame.x(nowIndex);
  const amount = frame.layers.at(-1)?.tops[Math.floor(nowIndex)] ?? 0;
  const shown = view.unit === "percent" ? `${amount.toFixed(1)}%` : compact(amount);
  const words = view.mode === "cumulative" && frame.width >= VALUE_WIDTH ? `today ${shown}` : "today";
  const isLate = x > frame.right - words.length * CHARACTER_PX;
  return [
    line([x, TOP - 6], [x, frame.bottom], { class: "today", stroke: "var(--text)" }),
    text(x + (isLate ? -4 : 4), TOP - 10, words, { fill: "var(--text)", "text-anchor": isLate ? "end" : "start" }),
  ];
}

/** Draws a triangle above the step of every cliff. */
function cliffs({ timeline, view }: Scene, frame: Frame): SVGElement[] {
  return timeline.steps.flatMap((step, index) => {
    if (step.cliffs.length === 0 || index < frame.first || index > frame.last) return [];
    const x = frame.x(index + (view.mode === "monthly" ? 0.5 : 0));
    const y = frame.y(Math.max(...frame.layers.map(({ tops }) => tops[index] ?? 0)));
    return [svg("path", { class: "cliff", d: `M${x - 4} ${y - 9}h8l-4 6z`, fill: "var(--text)" })];
  });
}

/** Draws the cursor's line, and a card with the step's figures on the side that has room. */
function cursorAt(index: number, { timeline, view }: Scene, frame: Frame): SVGElement[] {
  const [day, amount, part, change, ...names] = factsOf(timeline, index, view);
  const fits = Math.min(34, Math.floor((frame.width - 20) / CHARACTER_PX));
  const lines = [day, amount, part, ...(change === "" ? [] : [`${change} on this day`]), ...names].map((one) =>
    one.length > fits ? `${one.slice(0, fits - 1)}…` : one,
  );
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

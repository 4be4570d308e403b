import { compact } from "../../src/base/shown-figures.ts";
import { LINE } from "./drawing-cliffs.ts";
import { CROWDED, namedBands } from "./drawing-now.ts";
import type { Places } from "./drawing-places.ts";
import { monthOf, share, tenthsOf } from "./format.ts";
import { el, type Markup, swatch } from "./markup.ts";
import { valueTicks } from "./scale.ts";
import type { Timeline } from "./timeline.ts";

/** Largest numbers of years that have room below the axis, in a wide drawing and on a phone. */
const [WIDE_YEARS, PHONE_YEARS] = [11, 4];
const YEARS_BETWEEN = [1, 2, 3, 4, 5, 10, 20, 50, 100];
/** Share of a band's colour in the colour of its name, in percent. */
export const INK_PERCENT = 62;

/** Writes the amounts at the lines of the grid, and the maximum. */
export function valueLines({ maximum, decimals }: Timeline, { top }: Places): Markup[] {
  const unit = 10 ** decimals;
  const highest = Number(maximum) / unit;
  const values = valueTicks(0, highest, 4).filter((value) => value > 0 && value < highest * 0.9);
  const lines = [
    ...values.map((value) => ({ name: "grid", y: `${top(BigInt(Math.round(value * unit)))}%`, words: compact(value) })),
    { name: "maximum", y: `${top(maximum)}%`, words: `${tenthsOf(maximum, decimals)} maximum` },
  ];
  return [
    ...lines.flatMap(({ name, y, words }) => [
      el("line", { class: name, x2: "100%", y1: y, y2: y }),
      el("text", { y, dy: "-.35em" }, words),
    ]),
    el("line", { class: "axis", x2: "100%", y1: "100%", y2: "100%" }),
  ];
}

/** Writes years below the axis; for a schedule of less than two years some of its months. */
export function timeTicks({ steps }: Timeline, { left }: Places): Markup[] {
  const msOf = (index: number): number => (steps[index]?.atSeconds ?? 0) * 1_000;
  const yearOf = (index: number): number => new Date(msOf(index)).getUTCFullYear();
  const starts = steps.flatMap((_, index) => (index > 0 && yearOf(index) !== yearOf(index - 1) ? [index] : []));
  const isShort = starts.length < 3;
  const quarter = Math.max(1, Math.floor(steps.length / 4));
  const indexes = isShort ? steps.flatMap((_, index) => (index % quarter === 0 ? [index] : [])).slice(0, 4) : starts;
  const every = (most: number): number =>
    YEARS_BETWEEN.find((years) => indexes.length / years <= most) ?? Math.ceil(indexes.length / most);
  const [wide, phone] = [every(WIDE_YEARS), every(PHONE_YEARS)];
  return indexes.flatMap((index, number) => {
    const x = left(index);
    const anchor = x < 2 ? "start" : x > 97 ? "end" : "middle";
    const place = { x: `${x}%`, y: "100%", dy: "1.5em", "text-anchor": anchor };
    const words = isShort ? monthOf(msOf(index)) : String(yearOf(index));
    if (number % phone === 0) return [el("text", place, words)];
    return number % wide === 0 ? [el("text", { class: "wide", ...place }, words)] : [];
  });
}

/** Mixes a band's colour with that of text, so that it can be read on the background of either theme. */
const inkOf = (color: string): string => `color-mix(in srgb,${color} ${INK_PERCENT}%,var(--text))`;

/**
 * Writes the bands' names at the right edge, each beside the end of its band. Names that would touch are moved apart.
 */
export function endLabels(timeline: Timeline, { top }: Places): Markup[] {
  const named = namedBands(timeline);
  const isCrowded = named.length >= CROWDED;
  const high = (isCrowded ? 1.1 : 2.35) * LINE;
  const amounts = timeline.steps.at(-1)?.amounts ?? [];
  const sum = (count: number): bigint => amounts.slice(0, count).reduce((all, amount) => all + amount, 0n);
  let free = 0;
  const places = named.toReversed().map(({ id, label, color, index }) => {
    const middle = (top(sum(index)) + top(sum(index + 1))) / 2;
    const from = Math.max(free, middle - high / 2);
    free = from + high;
    return { id, label, color, from };
  });
  const excess = Math.max(0, free - 102);
  return places.map(({ id, label, color, from }) => {
    const place = { x: "100%", dx: ".8em" };
    return el(
      "text",
      { class: "label", y: `${Math.round((from - excess) * 10) / 10}%` },
      el("tspan", { class: "name", fill: inkOf(color), ...place, dy: "1em" }, label, " "),
      el("tspan", { id: `drawing-part-${id}`, ...(isCrowded ? {} : { ...place, dy: "1.3em" }) }),
    );
  });
}

/** Writes the bands' names and shares below the drawing, if its right edge has no room for them. */
export function keyOf({ bands, steps, maximum }: Timeline): Markup {
  const rows = bands.map(({ label, color }, band) => {
    const part = share(steps.at(-1)?.amounts[band] ?? 0n, maximum, 0);
    return el("li", {}, swatch(color), el("bdi", {}, label), ` ${part}`);
  });
  return el("ul", { class: "names" }, ...rows);
}

import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import { cliffNotes } from "./drawing-cliffs.ts";
import { CROWDED, drawnNow, endOf, namedBands } from "./drawing-now.ts";
import { placesOf } from "./drawing-places.ts";
import { endLabels, keyOf, timeTicks, valueLines } from "./drawing-texts.ts";
import { longMonthOf, monthOf, ordinal, share, tokensOf } from "./format.ts";
import { type Content, el, type Markup } from "./markup.ts";
import type { Timeline } from "./timeline.ts";

/** Height of the shapes in their own units. Their width is one unit for each step. */
const HEIGHT = 400;

/**
 * Draws the whole schedule for the first view, without what depends on the day (drawing-now.ts): its finding in words,
 * and the bands as steps. Shapes stretch with the page and texts do not, so one markup fits every width.
 */
export function drawingOf(
  schedule: UnlockSchedule,
  timeline: Timeline,
  nowMs: number,
): Record<string, readonly Content[]> {
  const places = placesOf(timeline);
  const { outline, bands } = shapesOf(timeline);
  const { symbol, steps } = timeline;
  const [first, last] = [steps[0], steps.at(-1)].map((step) => monthOf((step?.atSeconds ?? 0) * 1_000));
  const name = `Circulating ${symbol}, ${first} to ${last}`;
  return {
    "drawing-title": findingOf(timeline),
    "drawing-note": noteOf(schedule, timeline),
    drawing: [
      el(
        "svg",
        { class: `plot gutter-${gutterOf(timeline)}`, role: "img", "aria-label": name },
        el(
          "pattern",
          { id: "planned", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
          el("rect", { class: "gap", width: 4, height: 6 }),
        ),
        stretched(timeline, ...bands, outline),
        el("g", { id: "drawing-veil" }),
        // A third of the outline shows through the veil. With this line 45 % does.
        stretched(timeline, el("use", { class: "planned", href: "#drawing-outline" })),
        ...valueLines(timeline, places),
        ...timeTicks(timeline, places),
        ...cliffNotes(schedule, timeline, places, drawnNow(timeline, nowMs)),
        ...endLabels(timeline, places),
        el("g", { id: "drawing-now" }),
      ),
      keyOf(timeline),
    ],
  };
}

/** Finding of the drawing: `All of the billion is unlocked by October 2032`. Its verb depends on the day. */
function findingOf(timeline: Timeline): Content[] {
  const { maximum, decimals, symbol } = timeline;
  const { total, atSeconds } = endOf(timeline);
  const part = total === maximum ? "All" : share(total, maximum, 1);
  const whole = `${part} of ${wholeOf(maximum, decimals, symbol)} `;
  return [whole, el("span", { id: "drawing-verb" }), ` ${longMonthOf(atSeconds * 1_000)}`];
}

const NUMBER_WORDS = ["", "thousand", "million", "billion", "trillion"];

/** Writes a maximum in words: `the billion`, `the 10 billion`. Other amounts have digits. */
function wholeOf(maximum: bigint, decimals: number, symbol: string): string {
  const digits = tokensOf(maximum, decimals);
  const [, count = "", zeros = ""] = /^(\d{1,3})((?:,000)+)$/.exec(digits) ?? [];
  const word = NUMBER_WORDS[zeros.length / 4];
  if (count === "" || word === undefined) return `${digits} ${symbol}`;
  return count === "1" ? `the ${word}` : `the ${count} ${word}`;
}

function noteOf({ calendar, sources: [source] }: UnlockSchedule, { symbol }: Timeline): Content[] {
  const note = `${symbol}, steps on the ${ordinal(calendar.stepDay)} of each month `;
  if (source === undefined) return [note];
  return [note, el("a", { href: source.url, rel: "noopener noreferrer", title: source.title }, "Source")];
}

/** Returns the class of the width that the names at the right edge need, by their characters. */
function gutterOf(timeline: Timeline): number {
  const named = namedBands(timeline);
  const share = named.length < CROWDED ? 0 : " 12.3%".length;
  const longest = Math.max(...named.map(({ label }) => label.length)) + share;
  return [16, 24].find((characters) => longest <= characters) ?? 40;
}

function stretched({ steps }: Timeline, ...shapes: readonly Markup[]): Markup {
  const viewBox = `0 0 ${steps.length} ${HEIGHT}`;
  return el("svg", { viewBox, preserveAspectRatio: "none", width: "100%", height: "100%" }, ...shapes);
}

/** Draws the bands as areas down to the axis, the whole stack first, and the outline of the total. */
function shapesOf(timeline: Timeline): { readonly bands: readonly Markup[]; readonly outline: Markup } {
  const { top } = placesOf(timeline);
  const edges = timeline.bands.map((_, band) =>
    timeline.steps.map(({ amounts }) =>
      Math.round(top(amounts.slice(0, band + 1).reduce((sum, amount) => sum + amount, 0n)) * (HEIGHT / 100)),
    ),
  );
  const bands = timeline.bands.map(({ color }, band) => {
    const edge = edges[band] ?? [];
    return el("path", { fill: color, d: `M0 ${HEIGHT}V${edge[0]}${stairs(edge)}V${HEIGHT}z` });
  });
  const total = edges.at(-1) ?? [];
  return {
    bands: bands.toReversed(),
    outline: el("path", { id: "drawing-outline", d: `M0 ${total[0]}${stairs(total)}` }),
  };
}

/**
 * Draws a staircase along distances from above; equal neighbours are one tread. Relative numbers repeat, so they
 * compress well.
 */
function stairs(edge: readonly number[]): string {
  let path = "";
  let tread = 0;
  for (const [index, distance] of edge.entries()) {
    tread += 1;
    const rise = (edge[index + 1] ?? Number.NaN) - distance;
    if (rise === 0) continue;
    path += `h${tread}${Number.isNaN(rise) ? "" : `v${rise}`}`;
    tread = 0;
  }
  return path;
}

import { svg } from "./dom.ts";

const [WIDTH, HEIGHT, PAD] = [240, 48, 4];
const DAY_SECONDS = 86_400;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Makes a path through daily places. A missing day is a gap; a day between two missing ones is a dot. */
export function dailyPath(days: readonly (Place & { readonly atSeconds: number })[]): string {
  let before = Number.NEGATIVE_INFINITY;
  return days
    .map(({ atSeconds, x, y }) => {
      const isNext = atSeconds - before <= DAY_SECONDS;
      before = atSeconds;
      return isNext ? `L${x} ${y}` : `M${x} ${y}h0`;
    })
    .join("");
}

/**
 * Draws a line of daily values, evenly spaced over their days. It is hidden from assistive technology, because text
 * beside it has its values.
 */
export function sparkline(days: readonly { readonly atSeconds: number; readonly value: number }[]): SVGSVGElement {
  const [first = 0, last = 0] = [days[0]?.atSeconds, days.at(-1)?.atSeconds];
  const values = days.map(({ value }) => value);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const round = (pixels: number): number => Math.round(pixels * 10) / 10;
  const places = days.map(({ atSeconds, value }) => ({
    atSeconds,
    x: round(PAD + ((atSeconds - first) / Math.max(last - first, 1)) * (WIDTH - 2 * PAD)),
    y: max === min ? HEIGHT / 2 : round(PAD + ((max - value) / (max - min)) * (HEIGHT - 2 * PAD)),
  }));
  return svg(
    "svg",
    { class: "sparkline", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    svg("path", {
      d: dailyPath(places),
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linecap": "round",
    }),
  );
}

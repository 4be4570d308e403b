import type { Answer, RateHistory } from "./api.ts";
import { svg } from "./dom.ts";
import { dayOf, percent } from "./format.ts";

const [WIDTH, HEIGHT, MAX_POINTS] = [72, 28, 90];

/** The APY of the last days as a small line; undefined when fewer than two are known. */
export function sparkline(history: Answer<RateHistory> | undefined): SVGElement | undefined {
  if (history?.kind !== "value") return undefined;
  const points = history.value.data
    .flatMap(({ date, apy }) => (apy === null ? [] : [{ date, apy, atMs: Date.parse(date) }]))
    .slice(-MAX_POINTS);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return undefined;
  const rates = points.map(({ apy }) => apy);
  const [lowest, highest] = [Math.min(...rates), Math.max(...rates)];
  const span = highest - lowest;
  const x = (atMs: number): number => 2 + ((atMs - first.atMs) / (last.atMs - first.atMs)) * (WIDTH - 4);
  const y = (apy: number): number => (span === 0 ? HEIGHT / 2 : 2 + ((highest - apy) / span) * (HEIGHT - 4));
  const line = points.map(({ atMs, apy }) => `${x(atMs).toFixed(1)},${y(apy).toFixed(1)}`).join(" ");
  const range = `between ${percent(lowest)} and ${percent(highest)}`;
  const label = `APY from ${dayOf(first.date)} to ${dayOf(last.date)}: ${range}, last ${percent(last.apy)}`;
  return svg(
    "svg",
    {
      class: "sparkline",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: "img",
      "aria-label": label,
    },
    svg("title", {}, label),
    svg("polyline", { points: line }),
  );
}

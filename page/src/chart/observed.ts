import type { ObservedDay } from "../documents.ts";
import { svg } from "../dom.ts";
import { dailyPath } from "../sparkline.ts";
import type { Places } from "./plot.ts";

/** Draws the observed total and circulating supply. */
export function observedLines(days: readonly ObservedDay[], placeOf: Places): SVGElement[] {
  return (["total", "circulating"] as const).flatMap((name) => {
    const places = days.flatMap(({ atSeconds, [name]: amount }) => {
      const place = amount === null ? undefined : placeOf(atSeconds, amount);
      return place === undefined ? [] : [{ atSeconds, ...place }];
    });
    if (places.length === 0) return [];
    // A light line under a dark one is visible on the background and on every band.
    const shape = { d: dailyPath(places), fill: "none", "stroke-linecap": "round" };
    const width = name === "total" ? 1.5 : 2.5;
    return [
      svg("path", { class: "halo", stroke: "var(--background)", "stroke-width": 5, ...shape }),
      svg("path", { class: `observed ${name}`, stroke: "var(--text)", "stroke-width": width, ...shape }),
    ];
  });
}

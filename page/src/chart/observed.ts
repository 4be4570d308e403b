import type { ObservedDay } from "../documents.ts";
import { svg } from "../dom.ts";
import type { Places } from "./plot.ts";

const MAX_GAP_SECONDS = 86_400;

/** The observed total and circulating supply: a missing day is a gap, a day between two missing ones a dot. */
export function observedLines(days: readonly ObservedDay[], placeOf: Places): SVGElement[] {
  return (["total", "circulating"] as const).flatMap((name) => {
    let d = "";
    let before = Number.NEGATIVE_INFINITY;
    for (const { atSeconds, [name]: amount } of days) {
      const place = amount === null ? undefined : placeOf(atSeconds, amount);
      if (place === undefined) continue;
      d += atSeconds - before <= MAX_GAP_SECONDS ? `L${place.x} ${place.y}` : `M${place.x} ${place.y}h0`;
      before = atSeconds;
    }
    // Light under dark: visible on the background and on every band.
    const line = (className: string, stroke: string, width: number): SVGElement =>
      svg("path", { class: className, d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round" });
    if (d === "") return [];
    return [
      line("halo", "var(--background)", 5),
      line(`observed ${name}`, "var(--text)", name === "total" ? 1.5 : 2.5),
    ];
  });
}

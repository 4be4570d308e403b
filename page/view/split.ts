import type { UnlockSchedule } from "../../src/supply/schedule.ts";
import type { Unlock } from "../../src/supply/unlock-events.ts";
import { bandsOf, colorOf } from "./bands.ts";
import { compactOf } from "./format.ts";
import { bdi, type Content, el, type Markup, swatch } from "./markup.ts";

/** Number of recipients of the next unlock that are named; the others are counted. */
const NAMED = 2;

/** Draws the recipients of an unlock as one bar, with their names and amounts; empty if the schedule names none. */
export function splitOf(schedule: UnlockSchedule, { amount, buckets }: Unlock): Content[] {
  if (buckets.length === 0) return [];
  const bands = bandsOf(schedule);
  const { decimals } = schedule.token;
  const ordered = [...buckets].sort((one, other) => Number(other.amount - one.amount));
  const named = ordered.length === NAMED + 1 ? ordered : ordered.slice(0, NAMED);
  const others = ordered.length - named.length;
  let left = 0;
  const parts = ordered.map(({ bucket, amount: part }): Markup => {
    const x = left;
    left += Number((part * 10_000n) / amount) / 100;
    const place = { x: `${round(x)}%`, width: `${round(left - x)}%`, height: "100%" };
    return el("rect", { ...place, fill: colorOf({ bands }, bucket.id) });
  });
  return [
    el("svg", { class: "split", width: "100%", "aria-hidden": "true" }, ...parts),
    el(
      "p",
      { id: "next-recipients", class: "names" },
      ...named.flatMap(({ bucket, amount: part }) => [
        el("span", {}, swatch(colorOf({ bands }, bucket.id)), bdi(bucket.label), ` ${compactOf(part, decimals)}`),
        " ",
      ]),
      others > 0 ? `${others} more` : "",
    ),
  ];
}

const round = (percent: number): number => Math.round(percent * 100) / 100;

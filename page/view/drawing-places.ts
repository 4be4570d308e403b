import type { Timeline } from "./timeline.ts";

/** Height of the maximum, in percent of the drawing's height. */
const MAXIMUM_AT = 94;

/** Distances in percent of the drawing: a step's from the left, an amount's from above. */
export interface Places {
  readonly left: (place: number) => number;
  readonly top: (amount: bigint) => number;
}

/** Returns the places of a timeline's steps, which are equally wide, and of its amounts. */
export function placesOf({ steps, maximum }: Timeline): Places {
  const highest = steps.reduce((most, { total }) => (total > most ? total : most), maximum > 0n ? maximum : 1n);
  const round = (percent: number): number => Math.round(percent * 10) / 10;
  return {
    left: (place) => round((place / steps.length) * 100),
    top: (amount) => round(100 - (Number(amount) / Number(highest)) * MAXIMUM_AT),
  };
}

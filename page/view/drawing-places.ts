import type { Timeline } from "./timeline.ts";

/** Share of the drawing's height at which the maximum is, in percent. */
const MAXIMUM_AT = 94;

/** Distances in the drawing in percent: of a place among the steps from the left, of an amount from above. */
export interface Places {
  readonly left: (place: number) => number;
  readonly top: (amount: bigint) => number;
}

/** The places of a timeline's steps, which are equally wide, and of its amounts. */
export function placesOf({ steps, maximum }: Timeline): Places {
  const highest = steps.reduce((most, { total }) => (total > most ? total : most), maximum > 0n ? maximum : 1n);
  const round = (percent: number): number => Math.round(percent * 10) / 10;
  return {
    left: (place) => round((place / steps.length) * 100),
    top: (amount) => round(100 - (Number(amount) / Number(highest)) * MAXIMUM_AT),
  };
}

import type { Timeline } from "../../view/timeline.ts";
import type { View } from "./view-state.ts";

/** Values of one band, stacked on those before it, in the view's unit. They are floats, for display only. */
export interface Layer {
  readonly band: number;
  readonly bottoms: readonly number[];
  readonly tops: readonly number[];
}

export interface Stack {
  readonly layers: readonly Layer[];
  readonly min: number;
  readonly max: number;
}

/** Converts an amount to the view's unit. */
export function inUnit({ decimals, maximum }: Timeline, { unit }: View, amount: bigint): number {
  if (unit === "tokens") return Number(amount) / 10 ** decimals;
  return maximum > 0n ? (Number(amount) / Number(maximum)) * 100 : 0;
}

/** Stacks the bands of a view, and finds the range of their values between two steps. */
export function stackOf(
  timeline: Timeline,
  view: View,
  nowSeconds: number,
  [first, last]: readonly [number, number],
): Stack {
  const { steps, bands, maximum } = timeline;
  const visible = bands.flatMap(({ id }, index) => (view.bucket === null || view.bucket === id ? [index] : []));
  const above = steps.map(() => 0);
  const below = steps.map(() => 0);
  const layers = visible.map((band) => {
    const values = steps.map(({ amounts, changes }, index) =>
      view.mode === "cumulative"
        ? inUnit(timeline, view, amounts[band] ?? 0n)
        : // The amount that circulated at launch was no unlock, and as a bar it would dwarf every other.
          index === 0 && (steps[0]?.atSeconds ?? 0) <= nowSeconds
          ? 0
          : inUnit(timeline, view, changes[band] ?? 0n),
    );
    const bottoms = values.map((value, index) => (value < 0 ? below : above)[index] ?? 0);
    const tops = values.map((value, index) => value + (bottoms[index] ?? 0));
    for (const [index, value] of values.entries()) (value < 0 ? below : above)[index] = tops[index] ?? 0;
    return { band, bottoms, tops };
  });
  const highest = Math.max(0, ...above.slice(first, last + 1));
  const lowest = Math.min(0, ...below.slice(first, last + 1));
  const isWhole = view.mode === "cumulative" && view.range === "all" && view.bucket === null;
  const max = isWhole ? Math.max(inUnit(timeline, view, maximum), highest) : highest;
  return { layers, min: lowest * 1.05, max: max > 0 ? max * 1.05 : 1 };
}

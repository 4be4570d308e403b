import { stepAt, type Timeline } from "./timeline.ts";
import { rangeOf, type View } from "./view-state.ts";

/** One bucket's values as drawn, stacked on the ones before it. Display only: floats, in the view's unit. */
export interface Layer {
  readonly bucket: number;
  readonly bottoms: readonly number[];
  readonly tops: readonly number[];
}

export interface Layers {
  readonly layers: readonly Layer[];
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly min: number;
  readonly max: number;
}

/** The layers of a view of the timeline, and the ranges of both axes. */
export function layersOf(timeline: Timeline, view: View, nowSeconds: number): Layers {
  const { steps, buckets, maximum, decimals } = timeline;
  const unit = 10 ** decimals;
  const inUnit = (amount: bigint): number =>
    view.unit === "tokens" ? Number(amount) / unit : maximum > 0n ? (Number(amount) / Number(maximum)) * 100 : 0;
  const visible = buckets.flatMap(({ id }, index) => (view.bucket === null || view.bucket === id ? [index] : []));
  const above = steps.map(() => 0);
  const below = steps.map(() => 0);
  const layers = visible.map((bucket) => {
    const values = steps.map(({ amounts, changes }, index) =>
      view.mode === "cumulative"
        ? inUnit(amounts[bucket] ?? 0n)
        : // What circulated at launch is no unlock: as a bar it would dwarf every other.
          index === 0
          ? 0
          : inUnit(changes[bucket] ?? 0n),
    );
    const bottoms = values.map((value, index) => (value < 0 ? below : above)[index] ?? 0);
    const tops = values.map((value, index) => value + (bottoms[index] ?? 0));
    for (const [index, value] of values.entries()) (value < 0 ? below : above)[index] = tops[index] ?? 0;
    return { bucket, bottoms, tops };
  });
  const [fromSeconds, toSeconds] = rangeOf(view.range, steps, nowSeconds);
  const first = Math.max(0, stepAt(steps, fromSeconds));
  const last = Math.max(first, stepAt(steps, toSeconds));
  const highest = Math.max(0, ...above.slice(first, last + 1));
  const lowest = Math.min(0, ...below.slice(first, last + 1));
  const whole = inUnit(maximum);
  const isWhole = view.mode === "cumulative" && view.range === "all" && view.bucket === null;
  const max = isWhole ? Math.max(whole, highest) : highest;
  return { layers, fromSeconds, toSeconds, min: lowest * 1.05, max: max > 0 ? max * 1.05 : 1 };
}

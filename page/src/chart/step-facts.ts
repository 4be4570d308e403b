import { changeOf, dayOf, share, tokensOf } from "../../view/format.ts";
import type { Timeline } from "../../view/timeline.ts";
import type { View } from "./view-state.ts";

/**
 * Describes one step of a view in short texts: its day, amount, share of the maximum and change, then its cliffs. The
 * change is empty where the amount is one.
 */
export function factsOf(
  { steps, bands, decimals, maximum, symbol }: Timeline,
  index: number,
  { mode, bucket }: Pick<View, "mode" | "bucket">,
): readonly [day: string, amount: string, part: string, change: string, ...cliffs: readonly string[]] {
  const step = steps[index];
  const band = bands.findIndex(({ id }) => id === bucket);
  const total = (band === -1 ? step?.total : step?.amounts[band]) ?? 0n;
  const change = (band === -1 ? step?.change : step?.changes[band]) ?? 0n;
  const isMonthly = mode === "monthly";
  return [
    dayOf((step?.atSeconds ?? 0) * 1_000),
    `${isMonthly ? changeOf(change, decimals) : tokensOf(total, decimals)} ${symbol}`,
    `${share(isMonthly ? change : total, maximum)} of the maximum`,
    index === 0 || isMonthly ? "" : changeOf(change, decimals),
    ...(step?.cliffs ?? []),
  ];
}

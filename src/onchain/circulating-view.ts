import { tokenText } from "../chain/amount.ts";
import type { Config } from "../config.ts";
import type { CirculatingView } from "../families/chain-node.ts";
import type { Problem } from "../problems.ts";
import type { Schedule } from "../supply/schedule.ts";
import { chainFigures } from "./chain-figures.ts";
import { exceeds, type FigureResult, subtract, unknownFigure } from "./figure-sums.ts";
import { distance } from "./lone-report.ts";
import { type ChainState, type Reading, toTokenUnits } from "./reading.ts";

/** Comparison of what a contract states to circulate with our figure of the same reading. */
interface CirculatingComparison {
  readonly stated: FigureResult;
  readonly ours: FigureResult;
  /** What the contract states less our figure. */
  readonly difference: FigureResult;
}

/** Compares what a contract on a chain states with what circulates on all chains; null: nothing is stated there. */
export function circulatingComparison(
  schedule: Schedule,
  reading: Reading,
  { circulating, confirmedBy }: ChainState,
): CirculatingComparison | null {
  if (circulating === undefined) return null;
  const stated: FigureResult =
    "reason" in circulating
      ? unknownFigure(circulating.reason)
      : { baseUnits: toTokenUnits(circulating.baseUnits, reading), witnesses: confirmedBy.length };
  const { circulatingOrZero: ours } = chainFigures(schedule)(reading);
  return { stated, ours, difference: subtract(stated, ours) };
}

/** Finds views that cannot be read, and those that differ from our figure by more than the tolerance. */
export function circulatingViewProblems(
  schedule: Schedule,
  reading: Reading,
  tolerance: Config["planToleranceBasisPoints"],
): Problem[] {
  const text = (amount: bigint): string => `${tokenText(amount, schedule.token.decimals)} ${schedule.token.symbol}`;
  return reading.chains.flatMap((chain): Problem[] => {
    const view = (schedule.chains ?? []).find(({ id }) => id === chain.id)?.circulatingView;
    const comparison = circulatingComparison(schedule, reading, chain);
    // A missing chain is reported once, not again for its view.
    if (view === undefined || comparison === null || chain.missing !== null) return [];
    const { stated, ours, difference } = comparison;
    const [subject, name] = [view.contract, nameOf(view)];
    if ("reason" in stated) {
      const message = `${name} cannot be read: ${stated.reason}.`;
      return [{ code: "circulating_view_unreadable", subject, message }];
    }
    if ("reason" in ours || "reason" in difference) return [];
    const apart = distance(stated.baseUnits, ours.baseUnits);
    if (!exceeds(apart, ours.baseUnits, tolerance)) return [];
    const side = difference.baseUnits < 0n ? "less" : "more";
    const message = `${name} states ${text(stated.baseUnits)}; ${text(ours.baseUnits)} circulate on chain. The contract states ${text(apart)} ${side}.`;
    return [{ code: "circulating_view_differs", subject, message }];
  });
}

function nameOf({ contract, view }: CirculatingView): string {
  return `${view} of ${contract}`;
}

import { FIGURES, type RecordedFigure } from "../../src/figures.ts";

/**
 * Paths that the sample lacks: its token is on one chain, staking mints it, its phases count months, and all of its
 * allocations list wallets.
 */
export const NOT_OF_THE_SAMPLE: readonly string[] = [
  "/api/escrow-shortfall",
  "/api/burned-by-contract",
  "/api/circulating-supply-daily",
  "/api/circulating-supply-hybrid",
];

/** Recorded figures of the sample: all but those that few tokens have. */
export const RECORDED_OF_THE_SAMPLE: readonly RecordedFigure[] = FIGURES.flatMap((row) =>
  row.recorded && !("mentionedWith" in row) ? [row.name] : [],
);

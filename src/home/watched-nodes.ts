import type { UpstreamReport } from "../chain/upstream-report.ts";
import type { ChainNodes, CirculatingView } from "../families/chain-node.ts";
import type { Wallet } from "../supply/wallets.ts";

/** Nodes of one chain of any family, as the home object probes and asks them. */
export interface WatchedNodes {
  /** State of each node for health. */
  readonly reports: () => Promise<UpstreamReport[]>;
  /** The nodes that a reading asks: those that answer now, with the labels of all configured nodes. */
  readonly nodesForReading: (isOver: () => boolean, reading: ReadingScope) => Promise<ChainNodes>;
}

/** Scope of a reading: the wallets and the view to read, and the lowest version. */
export interface ReadingScope {
  readonly wallets: readonly Wallet[];
  readonly circulatingView?: CirculatingView | null;
  /** The version of the last confirmed supply. */
  readonly floor: bigint;
}

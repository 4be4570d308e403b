import type { UpstreamReport } from "../chain/upstream-report.ts";
import type { ChainNodes } from "../families/chain-node.ts";
import type { Wallet } from "../supply/wallets.ts";

/** The nodes of one chain, of either family, as one object sees them. */
export interface WatchedNodes {
  /** The state of each node. */
  readonly reports: () => Promise<UpstreamReport[]>;
  /** All that are configured, and those that answer. */
  readonly now: (isOver: () => boolean, reading: NodesReading) => Promise<ChainNodes>;
}

/** What they are to read. */
export interface NodesReading {
  readonly wallets: readonly Wallet[];
  /** The last confirmed version. */
  readonly floor: bigint;
}

import type { UpstreamReport } from "../chain/upstream-report.ts";
import type { ChainNode } from "../onchain/chain-node.ts";
import type { Wallet } from "../supply/wallets.ts";

/** The nodes of one chain, of either family, as one object sees them. */
export interface WatchedNodes {
  /** The state of each node. */
  readonly reports: () => Promise<UpstreamReport[]>;
  /** The nodes that answer. */
  readonly answering: (isOver: () => boolean, reading: NodesReading) => Promise<ChainNode[]>;
}

/** What they are to read. */
export interface NodesReading {
  readonly wallets: readonly Wallet[];
  /** The version of the last reading. */
  readonly floor: bigint;
}

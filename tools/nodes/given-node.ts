import type { Holding } from "../../src/chain/holding.ts";
import type { ChainNode, CirculatingView } from "../../src/families/chain-node.ts";
import type { Blocks } from "./blocks.ts";

/** Point of the ledger at which something is read. */
export interface Point {
  readonly chainId: number;
  /** Ledger version; on an EVM chain the block number. */
  readonly version: bigint;
  /** Begin of its block, which is the instant for everything that follows from the schedule. */
  readonly atMs: number;
}

/** Node that a command is given by its address, without cache and failover. Data that it lacks is a Refusal. */
export interface GivenNode {
  /** Finds the point of a version; null: the newest. */
  readonly pointAt: (version: bigint | null) => Promise<Point>;
  /** Returns the node at a version. Wallets and the view are read with the supply where one call can do both. */
  readonly at: (version: bigint, wallets?: readonly Holding[], circulatingView?: CirculatingView) => Promise<ChainNode>;
  readonly blocks: () => Promise<Blocks>;
}

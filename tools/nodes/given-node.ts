import type { Holding } from "../../src/chain/holding.ts";
import type { ChainNode } from "../../src/families/chain-node.ts";
import type { Blocks } from "./blocks.ts";

/** Where in the ledger something is read. */
export interface Point {
  readonly chainId: number;
  /** A ledger version; of an EVM chain a block's number. */
  readonly version: bigint;
  /** When its block began: the instant of everything that the schedule says. */
  readonly atMs: number;
}

/** A node that a command is given by its address: no cache, no failover. What it lacks is a Refusal. */
export interface GivenNode {
  /** null: the newest. */
  readonly pointAt: (version: bigint | null) => Promise<Point>;
  /** The node at a version; `wallets` are read with the supply where one call can do both. */
  readonly at: (version: bigint, wallets?: readonly Holding[]) => Promise<ChainNode>;
  readonly blocks: () => Promise<Blocks>;
}

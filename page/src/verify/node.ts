import type { Asset } from "../../../src/chain/asset.ts";
import type { ChainNode } from "../../../src/families/chain-node.ts";
import type { ChainFamily } from "../../../src/families/family.ts";
import type { NodeFailure } from "./exchange.ts";

/** Chain of the token as this service has read it, for a node of that chain to confirm. */
export interface ServedChain {
  readonly id: string;
  readonly family: ChainFamily;
  /** null: this service states none. */
  readonly chainId: number | null;
  readonly asset: Asset;
  readonly version: bigint;
  /** Hash of the block at that version; null if a version can have only one content. */
  readonly block: string | null;
  readonly readAt: string;
  readonly minted: bigint;
}

/** Facts that a node reports about itself. */
export interface NodeInfo {
  readonly kind: "info";
  readonly chainId: number;
  readonly newest: bigint;
  readonly oldest: bigint;
}

/** A node of the reader's choice. */
export interface BrowserNode {
  readonly info: () => Promise<NodeInfo | NodeFailure>;
  /** Returns the reader of a chain, for a node that has reported this about itself. */
  readonly chain: (info: NodeInfo) => ChainNode;
  /** The first failure of any call so far. */
  readonly firstFailure: () => NodeFailure | undefined;
}

import type { Asset } from "../../../src/chain/asset.ts";
import type { ChainNode } from "../../../src/families/chain-node.ts";
import type { ChainFamily } from "../../../src/families/family.ts";
import type { Trouble } from "./exchange.ts";

/** One chain of the token as this service has read it: what a node of that chain can confirm. */
export interface ServedChain {
  readonly id: string;
  readonly family: ChainFamily;
  /** null: this service says none. */
  readonly chainId: number | null;
  readonly asset: Asset;
  readonly version: bigint;
  /** The hash of that block; null when a version has one content alone. */
  readonly block: string | null;
  readonly readAt: string;
  readonly minted: bigint;
}

/** Facts that a node reports of itself. */
export interface NodeInfo {
  readonly kind: "info";
  readonly chainId: number;
  readonly newest: bigint;
  readonly oldest: bigint;
}

/** A node of the reader's choice. */
export interface BrowserNode {
  readonly info: () => Promise<NodeInfo | Trouble>;
  /** For the words of the node that has said this of itself. */
  readonly chain: (info: NodeInfo) => ChainNode;
  /** The first trouble of any call so far. */
  readonly trouble: () => Trouble | undefined;
}

import type { ChainNode } from "../../../src/onchain/chain-node.ts";
import type { Trouble } from "./exchange.ts";

/** What a node says of itself. */
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

import type { Asset } from "../chain/asset.ts";
import type { Head } from "../chain/heads.ts";
import type { Holding, HoldingKind } from "../chain/holding.ts";
import type { AnsweringNode } from "./chain-node.ts";
import type { JsonExchange, NoAnswer } from "./node-exchange.ts";

/** A text that a person writes, in its one form. */
interface Written<T> {
  /** undefined for anything else. */
  readonly parse: (text: string) => T | undefined;
  /** The allowed form, after "must be". */
  readonly form: string;
}

/** Everything that the product must know of a family of chains. Each family is a folder beside this file. */
export interface FamilyDefinition {
  /** Name of a chain of the family in a sentence, such as "an EVM chain". */
  readonly chain: string;
  readonly address: Written<string>;
  readonly asset: Written<Asset>;
  /** Names of the kinds of assets. */
  readonly assetWords: Readonly<Record<string, string>>;
  /** The asset that is read where nothing names one; null when each chain has only tokens of others. */
  readonly defaultAsset: string | null;
  readonly maxChainId: number;
  /** The kinds of holdings that its chains have. */
  readonly holds: readonly HoldingKind[];
  /** Name of a version, as in "block 12". */
  readonly versionWord: string;
  /** How far heads of healthy nodes differ at most. */
  readonly mostBehindMs: number;
  /** The largest supply that can be written, which is no true one; null when it is an amount like any other. */
  readonly impossibleSupply: bigint | null;
  /** End of every node's address; "" when it may have any path, and a query. */
  readonly urlEnd: string;
  /** End of an explorer's address of a wallet, from which its other pages follow; null when they do not. */
  readonly explorerEnd: string | null;
  /** Whether native staking is read from its chains. */
  readonly hasStaking: boolean;
  readonly calls: NodeCost;
  /** How a node is asked; null when nodes have the interface of the gateway (src/gateway), which then asks them. */
  readonly protocol: NodeProtocol | null;
}

/** The calls that a node is sent. */
interface NodeCost {
  /** By which each configured node is probed. */
  readonly probe: number;
  /** For a reading at a node that is asked, its probe included. */
  readonly reading: (holdings: readonly Holding[], hasStaking: boolean) => number;
  /** Whether all wallets are read with the supply, so that none costs a call of its own. */
  readonly readsWalletsTogether: boolean;
}

/** How a node is reached. */
export interface NodeCalls {
  readonly exchange: JsonExchange;
  /** Receives every call that the node refuses. The text may repeat what the node was sent. */
  readonly onRefusal?: ((method: string, code: number, text: string) => void) | undefined;
}

/** How nodes of a family are asked that have an interface of their own. */
export interface NodeProtocol {
  /** `follows`: whether a node with this chain id is a node of the chain. */
  readonly probe: (calls: NodeCalls, follows: (chainId: number) => boolean) => Promise<ProbedNode>;
}

/** Result of a probe. */
export type ProbedNode =
  | {
      readonly kind: "answers";
      readonly head: Head;
      /** The node for one reading, whose wallets may be read with the supply. */
      readonly node: (calls: NodeCalls, label: string, wallets: readonly Holding[]) => AnsweringNode;
    }
  | { readonly kind: "wrong_chain" }
  | { readonly kind: "fails"; readonly failure: Omit<NoAnswer, "kind"> };

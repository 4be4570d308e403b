import type { Asset } from "../chain/asset.ts";
import type { Head } from "../chain/heads.ts";
import type { Holding, HoldingKind } from "../chain/holding.ts";
import type { AnsweringNode, CirculatingView } from "./chain-node.ts";
import type { JsonExchange, NoAnswer } from "./node-exchange.ts";

/** Parser of a text that people write, with the form that it must have. */
interface TextFormat<T> {
  /** Returns the canonical form; undefined for any other text. */
  readonly parse: (text: string) => T | undefined;
  /** Allowed form, as it reads after "must be". */
  readonly form: string;
}

/** Everything that differs between families of chains. Each family is a folder beside this file. */
export interface FamilyDefinition {
  /** Name of a chain of the family in a sentence, such as "an EVM chain". */
  readonly chain: string;
  readonly address: TextFormat<string>;
  readonly asset: TextFormat<Asset>;
  /** Names of the kinds of assets, for sentences. */
  readonly assetWords: Readonly<Record<string, string>>;
  /** Asset that is read if settings and schedule name none; null when a chain has no such asset. */
  readonly defaultAsset: string | null;
  readonly maxChainId: number;
  /** Kinds of holdings that chains of the family have. */
  readonly holds: readonly HoldingKind[];
  /** Views of a lock that can be read, by signature; empty in a family without locks. */
  readonly lockViews: Readonly<Record<string, LockTerms>>;
  /** Signatures of views by which a contract may state what circulates; empty in a family without them. */
  readonly circulatingViews: readonly string[];
  /** Signatures of the views that report a share's price; empty in a family without such views. */
  readonly priceViews: readonly string[];
  /** Maximum number of wallets on a chain, so that a reading stays within the platform's limit of subrequests. */
  readonly maxWallets: number;
  /** Name of a version, as in "block 12". */
  readonly versionWord: string;
  /** Largest difference in time between the heads of healthy nodes. */
  readonly mostBehindMs: number;
  /**
   * Supply that no token can have, because it is the largest number of its type; null when every supply is possible.
   */
  readonly impossibleSupply: bigint | null;
  /** End of every node's URL; "" when a node may have any path and query. */
  readonly urlEnd: string;
  /** End of an explorer's URL of a wallet, from which its other pages can be derived; null when they cannot. */
  readonly explorerEnd: string | null;
  /** Whether native staking can be read from chains of the family. */
  readonly hasStaking: boolean;
  readonly calls: NodeCost;
  /**
   * Protocol of the family's nodes; null when they have the interface of the gateway (src/gateway), which then calls
   * them.
   */
  readonly protocol: NodeProtocol | null;
}

/** Terms of a view that reports locked tokens. */
export interface LockTerms {
  /** Subject of the view: the whole contract, the contract's holdings of the token, or the address that has the tokens. */
  readonly subject: "contract" | "token" | "address";
}

/** Calls that a node is sent. */
interface NodeCost {
  /** Calls of one probe of one node. */
  readonly probe: number;
  /** Calls of one reading at a node, including its probe. */
  readonly reading: (
    holdings: readonly Holding[],
    hasStaking: boolean,
    hasCirculatingView: boolean,
    sharePrices: number,
  ) => number;
  /** Whether all wallets are read together with the supply, so that a wallet costs no call. */
  readonly readsWalletsTogether: boolean;
}

/** Connection to one node. */
export interface NodeConnection {
  readonly exchange: JsonExchange;
  /** Receives every call that the node refuses. `text` may repeat what the node was sent. */
  readonly onRefusal?: ((method: string, code: number, text: string) => void) | undefined;
}

/** Protocol of a family whose nodes have an interface of their own. */
export interface NodeProtocol {
  /** Probes a node. `follows`: whether a chain id is the one of the configured chain. */
  readonly probe: (calls: NodeConnection, follows: (chainId: number) => boolean) => Promise<ProbedNode>;
}

/** Result of a probe of one node. */
export type ProbedNode =
  | {
      readonly kind: "answers";
      readonly head: Head;
      /** Makes the node for one reading; its wallets and the view may be read together with the supply. */
      readonly node: (
        calls: NodeConnection,
        label: string,
        wallets: readonly Holding[],
        circulatingView: CirculatingView | null,
      ) => AnsweringNode;
    }
  | { readonly kind: "wrong_chain" }
  | { readonly kind: "fails"; readonly failure: Omit<NoAnswer, "kind"> };

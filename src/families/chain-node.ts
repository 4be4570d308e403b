import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import type { Holding } from "../chain/holding.ts";
import type { ReportedPrice, SharePrice } from "../chain/share-price.ts";
import type { StakingTerms } from "../chain/staking.ts";

/** One chain node. Every answer comes from this node, without caches or failover. Calls never reject. */
export interface ChainNode {
  /** Public name of the node. */
  readonly label: string;
  /** Newest ledger version that the node has just reported. */
  readonly newestVersion: bigint;
  /** Reads the supply at a version. `knownDecimals`: not read again; null: they are read. */
  readonly supply: (asset: Asset, ledgerVersion: bigint, knownDecimals: number | null) => Promise<Supply | NodeError>;
  /** Reads the balances at a version, in the order of the holdings. */
  readonly balances: (
    asset: Asset,
    holdings: readonly Holding[],
    ledgerVersion: bigint,
  ) => Promise<readonly (HoldingBalance | NodeError)[]>;
  readonly staking: (ledgerVersion: bigint) => Promise<StakingTerms | NodeError>;
  /** Reads the prices of shares at a version, in their order. Absent in a family that has no views of prices. */
  readonly prices?: (
    asset: Asset,
    prices: readonly SharePrice[],
    ledgerVersion: bigint,
  ) => Promise<readonly (ReportedPrice | NodeError)[]>;
}

/** A node that has just answered a probe. */
export interface AnsweringNode extends ChainNode {
  /** Time of the node's newest version, by the chain's clock. */
  readonly newestAtMs: number;
  /** Reads the time of an earlier version, by the chain's clock; null when the node does not report it. */
  readonly timeOf: (ledgerVersion: bigint) => Promise<number | null>;
}

/** Nodes of a chain at one moment. */
export interface ChainNodes {
  /** Labels of all configured nodes. */
  readonly configured: readonly string[];
  /** Nodes that answer, in the operator's order. */
  readonly answering: readonly AnsweringNode[];
}

/**
 * Finds the nodes of a chain that answer now. After `isOver` returns true they send no more calls, and report nothing
 * for the rest.
 */
export type FindNodes = (isOver: () => boolean) => Promise<ChainNodes>;

/** View of a contract that states how many tokens circulate. It is compared with our figure, and never served as one. */
export interface CirculatingView {
  readonly contract: string;
  /** Signature of the view. */
  readonly view: string;
}

export interface Supply {
  readonly minted: BaseUnits;
  readonly decimals: number;
  /** Amount that the {@link CirculatingView} states at the same version; absent: none is read. */
  readonly circulating?: BaseUnits | NodeError;
  /** Hash of the block; absent in families where two nodes cannot have different blocks of one number. */
  readonly block?: string;
}

/** Tokens in one holding. */
export interface HoldingBalance {
  readonly baseUnits: BaseUnits;
  /** Parts of the stake pool that has the tokens; null for accounts and delegations. */
  readonly stake: StakeParts | null;
  /** Address of the stake pool that a contract names; null: the holding itself states where its tokens are. */
  readonly pool: string | null;
}

/** Parts of a stake pool by the state of the stake. */
export interface StakeParts {
  readonly active: BaseUnits;
  readonly inactive: BaseUnits;
  readonly pendingActive: BaseUnits;
  readonly pendingInactive: BaseUnits;
}

/**
 * Reason why a node gave no value. `silent`: it did not answer at all. `not_reached`: it has not reached the version.
 * `refused`: it answered with something else. The reason may be published, so it contains no address and no secret.
 */
export interface NodeError {
  readonly why: "silent" | "not_reached" | "refused";
  readonly reason: string;
  /** Whether the next block may end it, although no setting changes. */
  readonly mayPass?: true;
}

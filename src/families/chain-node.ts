import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import type { Holding } from "../chain/holding.ts";
import type { StakingTerms } from "../chain/staking.ts";

/** One chain node. Every answer is its own, past every cache. Calls never reject. */
export interface ChainNode {
  /** Its public name. */
  readonly label: string;
  /** The newest ledger version that it has just reported. */
  readonly newestVersion: bigint;
  /** Decimals that are known are not read again. */
  readonly supply: (asset: Asset, ledgerVersion: bigint, knownDecimals: number | null) => Promise<Supply | NodeError>;
  /** In the order of the holdings. */
  readonly balances: (
    asset: Asset,
    holdings: readonly Holding[],
    ledgerVersion: bigint,
  ) => Promise<readonly (Held | NodeError)[]>;
  readonly staking: (ledgerVersion: bigint) => Promise<StakingTerms | NodeError>;
}

/** A node that has just answered our probe. */
export interface AnsweringNode extends ChainNode {
  /** Time of its newest version, by the chain's clock. */
  readonly newestAtMs: number;
  /** Time of an earlier version, by the chain's clock; null when the node does not report it. */
  readonly timeOf: (ledgerVersion: bigint) => Promise<number | null>;
}

/** The nodes of a chain as they are now. */
export interface ChainNodes {
  /** Labels of all that are configured. */
  readonly configured: readonly string[];
  /** In the operator's order. */
  readonly answering: readonly AnsweringNode[];
}

/** The nodes of a chain now. Once `isOver` they send nothing more: what is not reported yet stays so. */
export type AskChainNodes = (isOver: () => boolean) => Promise<ChainNodes>;

export interface Supply {
  readonly minted: BaseUnits;
  readonly decimals: number;
  /** The hash of the block, where nodes may have different blocks of one number. */
  readonly block?: string;
}

/** The tokens in one holding. */
export interface Held {
  readonly baseUnits: BaseUnits;
  /** The parts of the stake pool behind it; null for accounts and delegations. */
  readonly stake: StakeParts | null;
  /** The pool that a contract names; null: the holding itself says where its tokens are. */
  readonly pool: string | null;
}

/** The four parts of a stake pool. */
export interface StakeParts {
  readonly active: BaseUnits;
  readonly inactive: BaseUnits;
  readonly pendingActive: BaseUnits;
  readonly pendingInactive: BaseUnits;
}

/**
 * Why a node has no answer: `silent` did not answer at all, `not_reached` has not got to the version, `refused` answers
 * something else. The reason may be published: no address, no secret.
 */
export interface NodeError {
  readonly why: "silent" | "not_reached" | "refused";
  readonly reason: string;
}

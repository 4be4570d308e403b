import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import type { StakingTerms } from "../chain/staking.ts";
import type { Holding } from "../supply/schedule.ts";

/** What one chain node says. Every answer is its own, past every cache. Calls never reject. */
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

/** The nodes that answer now, in the operator's order. Once `isOver` they send nothing more: what is unsaid stays so. */
export type AnsweringNodes = (isOver: () => boolean) => Promise<readonly ChainNode[]>;

export interface Supply {
  readonly minted: BaseUnits;
  readonly decimals: number;
  /** The hash of the block, where nodes may have different blocks of one number. */
  readonly block?: string;
}

/** What is in one holding. */
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

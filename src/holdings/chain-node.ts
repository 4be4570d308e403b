import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import type { StakingTerms } from "../chain/staking.ts";
import type { Holding } from "../supply/schedule.ts";
import type { LoadError } from "../swr/loader.ts";

/** What one chain node says. Every answer is its own, past every cache. Calls never reject. */
export interface ChainNode {
  /** Its public name. */
  readonly label: string;
  /** The newest ledger version that it has just reported. */
  readonly newestVersion: bigint;
  /** Decimals that are known are not read again. */
  readonly supply: (asset: Asset, ledgerVersion: bigint, knownDecimals: number | null) => Promise<SupplyResult>;
  /** In the order of the holdings. */
  readonly balances: (
    asset: Asset,
    holdings: readonly Holding[],
    ledgerVersion: bigint,
  ) => Promise<readonly BalanceResult[]>;
  readonly staking: (ledgerVersion: bigint) => Promise<StakingResult>;
}

/** The nodes that answer now and follow the chain, in the operator's order. */
export type AnsweringNodes = () => Promise<readonly ChainNode[]>;

export type SupplyResult = SupplyRead | NodeError;
export type BalanceResult = BalanceRead | NodeError;
export type StakingResult = StakingRead | NodeError;

export interface SupplyRead {
  readonly kind: "supply";
  readonly baseUnits: BaseUnits;
  readonly decimals: number;
}

/** `stake`: the parts of the stake pool behind a holding; null for accounts and delegations. */
export interface BalanceRead {
  readonly kind: "balance";
  readonly baseUnits: BaseUnits;
  readonly stake: StakeParts | null;
}

export interface StakingRead {
  readonly kind: "staking";
  readonly terms: StakingTerms;
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
 * something else.
 */
export interface NodeError extends LoadError {
  readonly why: "silent" | "not_reached" | "refused";
}

export function nodeError(why: NodeError["why"], reason: string): NodeError {
  return { kind: "failure", why, reason };
}

import { memoByObject } from "../base/memo.ts";
import { instantText, isFuture } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import type { SharePriceState } from "../chain/share-price.ts";
import type { StakingTerms } from "../chain/staking.ts";
import type { HoldingBalance } from "../families/chain-node.ts";
import { holdingKey, type Wallet } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";

/**
 * Supply of one asset and balances of the listed wallets. On one chain they come from one ledger version, on several
 * chains from one round. A reading is accepted or rejected as a whole.
 */
export interface Reading {
  /** Version on the first chain. */
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
  /** Hash of the block; absent in families where two nodes cannot have different blocks of one number. */
  readonly block?: string;
  /** Decimals of the token. */
  readonly decimals: number;
  /** All tokens that exist, burned tokens included. */
  readonly minted: BaseUnits;
  /** Labels of the nodes that reported `minted`. */
  readonly confirmedBy: readonly string[];
  /** Number of nodes that are configured for the first chain. */
  readonly nodeCount: number;
  /** Wallets and escrows on the chains of the reading, in the schedule's order. */
  readonly wallets: readonly LastWalletBalance[];
  /** null: this deployment does not read native staking. */
  readonly staking: StakingState | null;
  /** Prices of shares in this reading; absent: none are read. */
  readonly prices?: readonly SharePriceState[];
  /** The last complete reading, if this reading is not complete; null: this one is complete, or none ever was. */
  readonly lastComplete: { readonly reading: Reading; readonly observedAtMs: number } | null;
  /** State of each chain that this deployment reads, the first chain first. */
  readonly chains: readonly ChainState[];
  /** Decimals that the reading's amounts have beyond `decimals`, because a chain has smaller base units. Absent: 0. */
  readonly extraDecimals?: number;
  /** A recent drop of the supply on all chains together; null or absent: no drop, or the supply has recovered. */
  readonly supplyDrop?: { readonly from: BaseUnits; readonly atMs: number } | null;
  /** Escrows, by {@link holdingKey}, that held too little in the previous round. */
  readonly previouslyShort?: readonly string[];
}

/** State of the token on one of its chains, from the last accepted reading there. */
export interface ChainState extends Pick<Reading, "confirmedBy" | "nodeCount"> {
  readonly id: string;
  /** Reason why this round has no reading of the chain, so that the members below are older; null when it has one. */
  readonly missing: string | null;
  /** null: the chain was never read. */
  readonly ledgerVersion: bigint | null;
  /** Hash of the block; null in families whose versions have no block hash. */
  readonly block: string | null;
  readonly readAtMs: number;
  /** Supply on the chain, in the base units of the whole reading. */
  readonly minted: BaseUnits;
  /** Labels of the nodes that reported the supply, every wallet and the staking terms. */
  readonly fullyConfirmedBy: readonly string[];
  /** Amount that a contract on the chain states to circulate; absent: none is read. */
  readonly circulating?: StatedCirculating;
}

/** Amount that a contract states to circulate, in the base units of the whole reading; or why it is not known. */
export type StatedCirculating = { readonly baseUnits: BaseUnits } | { readonly reason: string };

/** Terms of native staking, and whether this reading has them. */
export interface StakingState {
  /** The last accepted terms; null: none were ever accepted. */
  readonly good: { readonly terms: StakingTerms; readonly ledgerVersion: bigint; readonly readAtMs: number } | null;
  /** Labels of the nodes that reported the terms; empty when the terms are from an earlier reading. */
  readonly confirmedBy: readonly string[];
  /** Reason why this reading has no terms; null when it has them. */
  readonly unreadable: string | null;
}

/** The last accepted balance of one wallet, and what is unusual about it. */
export interface LastWalletBalance {
  /** {@link holdingKey} of the wallet. */
  readonly holding: string;
  readonly address: string;
  /** Labels of the nodes that reported the balance; empty when the balance is from an earlier reading. */
  readonly confirmedBy: readonly string[];
  /** null: no balance was ever read. */
  readonly balance: Balance | null;
  readonly anomaly: WalletAnomaly | null;
}

export interface Balance extends HoldingBalance {
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
}

export type WalletAnomaly =
  /** No node could read the wallet: its balance is from an earlier reading. */
  | { readonly kind: "unreadable"; readonly reason: string }
  /** The balance fell by more than half in the last day, beyond what the schedule unlocked. */
  | { readonly kind: "dropped"; readonly from: BaseUnits; readonly atMs: number };

/** Describes what is unusual about a wallet in a sentence; null when nothing is. */
export function anomalyText({ anomaly, balance }: Pick<LastWalletBalance, "anomaly" | "balance">, decimals: number) {
  if (anomaly === null) return null;
  if (anomaly.kind === "dropped")
    return `The balance fell by more than half at ${instantText(anomaly.atMs)}; it was ${tokenText(anomaly.from, decimals)} before.`;
  const history = balance === null ? "and never was" : "the balance is an earlier one";
  return `It could not be read, ${history}: ${anomaly.reason}.`;
}

/** Finds the state of a wallet; undefined for a wallet on a chain that is not read. */
export function stateOf(wallet: Wallet, states: readonly LastWalletBalance[]): LastWalletBalance | undefined {
  return byHolding(states).get(holdingKey(wallet));
}

const byHolding = memoByObject(
  (states: readonly LastWalletBalance[]) => new Map(states.map((state) => [state.holding, state])),
);

/** Whether a wallet's balance was read in this reading, and not in an earlier one. */
export function hasCurrentBalance({ balance, anomaly }: LastWalletBalance): boolean {
  return balance !== null && anomaly?.kind !== "unreadable";
}

/** Whether a reading has every chain, and a current balance of every wallet. */
function isComplete(reading: Pick<Reading, "wallets" | "chains">): boolean {
  return reading.wallets.every(hasCurrentBalance) && whyIncomplete(reading) === undefined;
}

/** Whether a reading combines several chains. */
export function hasSeveralChains({ chains }: Pick<Reading, "chains">): boolean {
  return chains.length > 1;
}

/** Reason why a reading lacks its first missing chain; undefined when it has every chain. */
export function whyIncomplete({ chains }: Pick<Reading, "chains">): string | undefined {
  return chains.find(({ missing }) => missing !== null)?.missing ?? undefined;
}

/** Adds the last complete reading to an incomplete one. `good`: the previously accepted reading. */
export function withLastComplete(
  reading: Omit<Reading, "lastComplete">,
  good: Sample<Reading> | null,
  atMs: number,
): Reading {
  if (good === null || isComplete(reading)) return { ...reading, lastComplete: null };
  const { value, observedAtMs } = good;
  const previous = { reading: value, observedAtMs: isFuture(observedAtMs, atMs) ? atMs : observedAtMs };
  return { ...reading, lastComplete: isComplete(value) ? previous : value.lastComplete };
}

/** Decimals of a reading's amounts. */
export function amountDecimals({ decimals, extraDecimals = 0 }: Pick<Reading, "decimals" | "extraDecimals">): number {
  return decimals + extraDecimals;
}

/** Converts an amount of a reading to the base units of the token, rounded down. */
export function toTokenUnits(amount: BaseUnits, { extraDecimals = 0 }: Pick<Reading, "extraDecimals">): BaseUnits {
  return amount / 10n ** BigInt(extraDecimals);
}

/** Adds the current balances. An older balance is skipped: its tokens may be in another wallet by now. */
export function sumOfBalances(wallets: readonly LastWalletBalance[]): BaseUnits {
  return wallets.filter(hasCurrentBalance).reduce((sum, { balance }) => sum + (balance?.baseUnits ?? 0n), 0n);
}

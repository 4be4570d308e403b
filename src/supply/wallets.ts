import { memoByObject } from "../base/memo.ts";
import { type Holding, NATIVE_CHAIN } from "../chain/holding.ts";
import type { TokenChain } from "../families/token-chain.ts";
import { BURN, bucketsOf, type ProjectWallet, type Schedule } from "./schedule.ts";

/** A wallet of the schedule. `bucket`: id of the bucket whose locked tokens it has; null: it has none. */
export type Wallet = ProjectWallet & { readonly bucket: string | null };

/** Lists all wallets of the schedule on any chain: those of buckets, then the others. */
export const walletsOf = memoByObject((schedule: Schedule): readonly Wallet[] => [
  ...bucketsOf(schedule).flatMap(({ id, category, addresses }) =>
    addresses.map((address) => ({ ...address, category, bucket: id })),
  ),
  ...schedule.wallets.map((wallet) => ({ ...wallet, bucket: null })),
]);

/** Builds a key that identifies a holding. The address alone would not do: it may hold tokens in several ways. */
export function holdingKey(holding: Holding): string {
  const { chain, address, holds } = holding;
  return [chain, address, holds, ...Object.values(referenceOf(holding))].filter((part) => part !== null).join(" ");
}

/** Returns the further members that only some kinds of holdings have; null in the others. */
export function referenceOf(holding: Holding) {
  return {
    pool: holding.holds === "delegation" ? holding.pool : null,
    operator: holding.holds === "staking_contract" ? holding.operator : null,
    view: holding.holds === "lock" ? holding.view : null,
    contract: holding.holds === "lock" ? holding.contract : null,
  };
}

/** Whether a holding is on the token's first chain. */
export function isOnFirstChain({ chain }: Pick<Holding, "chain">): boolean {
  return chain === NATIVE_CHAIN;
}

/** Whether a holding is on one of the token's chains. */
export const isOnChain =
  ({ chains = [] }: Pick<Schedule, "chains">): typeof isOnFirstChain =>
  (holding) =>
    isOnFirstChain(holding) || chains.some(({ id }) => id === holding.chain);

/** Whether a chain's supply is bridged: it stands for tokens that exist on another chain. */
export function isBridged({ chains = [] }: Pick<Schedule, "chains">, id: string): boolean {
  return chains.some((chain) => chain.id === id && chain.escrow !== null);
}

/** Lists the holdings to read on one chain: its wallets, and the escrows of supply bridged from it. */
export function holdingsOn(schedule: Schedule, id: string): readonly Wallet[] {
  const listed = walletsOf(schedule).filter(({ chain }) => chain === id);
  const escrows = (schedule.chains ?? []).flatMap(({ escrow }) => (escrow?.chain === id ? [escrowWallet(escrow)] : []));
  // Two bridges may share one escrow, which is read once.
  return [...new Map([...listed, ...escrows].map((wallet) => [holdingKey(wallet), wallet])).values()];
}

/** Makes the wallet under which an escrow is read. */
export function escrowWallet(escrow: NonNullable<TokenChain["escrow"]>): Wallet {
  return { ...escrow, label: "Escrow", holds: "account", category: "other", bucket: null };
}

export function isBurned({ category }: Pick<Wallet, "category">): boolean {
  return category === BURN;
}

/**
 * Whether a wallet's tokens no longer exist. Tokens burned on a bridged chain do not count: the escrow still holds
 * them, so they exist without circulating.
 */
export const isBurnedForGood =
  (schedule: Pick<Schedule, "chains">) =>
  (wallet: Wallet): boolean =>
    isBurned(wallet) && !isBridged(schedule, wallet.chain);

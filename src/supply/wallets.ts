import { memoByObject } from "../base/memo.ts";
import { type Holding, NATIVE_CHAIN } from "../chain/holding.ts";
import type { TokenChain } from "../families/token-chain.ts";
import { BURN, bucketsOf, type ProjectWallet, type Schedule } from "./schedule.ts";

/** A wallet of the schedule; `bucket` is null for one that holds no locked tokens. */
export type Wallet = ProjectWallet & { readonly bucket: string | null };

/** All wallets in the schedule, on any chain: those of the buckets, then the others. */
export const walletsOf = memoByObject((schedule: Schedule): readonly Wallet[] => [
  ...bucketsOf(schedule).flatMap(({ id, category, addresses }) =>
    addresses.map((address) => ({ ...address, category, bucket: id })),
  ),
  ...schedule.wallets.map((wallet) => ({ ...wallet, bucket: null })),
]);

/** What identifies a holding: an address may hold tokens in several ways. */
export function holdingKey(holding: Holding): string {
  const { chain, address, holds } = holding;
  return [chain, address, holds, ...Object.values(referenceOf(holding))].filter((part) => part !== null).join(" ");
}

/** The addresses that only some kinds of holdings have. */
export function referenceOf(holding: Holding): { readonly pool: string | null; readonly operator: string | null } {
  return {
    pool: holding.holds === "delegation" ? holding.pool : null,
    operator: holding.holds === "staking_contract" ? holding.operator : null,
  };
}

/** Whether it is on the token's first chain. */
export function isNative({ chain }: Pick<Holding, "chain">): boolean {
  return chain === NATIVE_CHAIN;
}

/** Whether it is on one of the token's chains. */
export const isOnChain =
  ({ chains = [] }: Pick<Schedule, "chains">): typeof isNative =>
  (holding) =>
    isNative(holding) || chains.some(({ id }) => id === holding.chain);

/** Whether what exists on a chain stands for tokens that exist on another one. */
export function isBridged({ chains = [] }: Pick<Schedule, "chains">, id: string): boolean {
  return chains.some((chain) => chain.id === id && chain.escrow !== null);
}

/** What is read on one chain: its wallets, and the escrows of what is bridged from it, which are no wallets. */
export function holdingsOn(schedule: Schedule, id: string): readonly Wallet[] {
  const listed = walletsOf(schedule).filter(({ chain }) => chain === id);
  const escrows = (schedule.chains ?? []).flatMap(({ escrow }) => (escrow?.chain === id ? [escrowWallet(escrow)] : []));
  // Two bridges may have one escrow.
  return [...new Map([...listed, ...escrows].map((wallet) => [holdingKey(wallet), wallet])).values()];
}

/** An escrow as it is read. */
export function escrowWallet(escrow: NonNullable<TokenChain["escrow"]>): Wallet {
  return { ...escrow, label: "Escrow", holds: "account", category: "other", bucket: null };
}

export function isBurned({ category }: Wallet): boolean {
  return category === BURN;
}

/**
 * Whether its tokens exist no more. What is burned on a bridged chain still has its tokens in the escrow: those exist,
 * and do not circulate.
 */
export const isGone =
  (schedule: Pick<Schedule, "chains">): typeof isBurned =>
  (wallet) =>
    isBurned(wallet) && !isBridged(schedule, wallet.chain);

import { memoByObject } from "../base/memo.ts";
import { BURN, bucketsOf, type Holding, NATIVE_CHAIN, type ProjectWallet, type Schedule } from "./schedule.ts";

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

export function isOnChain({ chain }: Holding): boolean {
  return chain === NATIVE_CHAIN;
}

export function isBurned({ category }: Wallet): boolean {
  return category === BURN;
}

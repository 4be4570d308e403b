import { parseAddress } from "../chain/address.ts";
import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import { parseUnsigned } from "../chain/integer.ts";
import type { ReadView } from "../chain/view.ts";
import { memoByObject } from "../memo.ts";
import { type LoadError, loadError } from "../swr/loader.ts";
import { METADATA, readValues, type ViewedValues } from "./onchain.ts";
import { BURN, type Holding, NATIVE_CHAIN, type ProjectWallet, type Schedule } from "./schedule.ts";

/** A wallet of the schedule; `bucket` is null for one that holds no locked tokens. */
export type Wallet = ProjectWallet & { readonly bucket: string | null };

/** The four parts of a stake pool (`0x1::stake::get_stake`). */
export interface StakeParts {
  readonly active: BaseUnits;
  readonly inactive: BaseUnits;
  readonly pendingActive: BaseUnits;
  readonly pendingInactive: BaseUnits;
}

/** `stake`: the parts of the stake pool behind a wallet; null for accounts and delegations. */
export type BalanceResult =
  | { readonly kind: "balance"; readonly baseUnits: BaseUnits; readonly stake: StakeParts | null }
  | LoadError;

/** All wallets in the schedule, on any chain: those of the buckets, then the others. */
export const walletsOf = memoByObject(({ plan, wallets }: Schedule): readonly Wallet[] => [
  ...(plan.kind === "table" ? [] : plan.buckets).flatMap(({ id, category, addresses }) =>
    addresses.map((address) => ({ ...address, category, bucket: id })),
  ),
  ...wallets.map((wallet) => ({ ...wallet, bucket: null })),
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

/** Reads the balance of one wallet at one ledger version. Never rejects. */
export async function readBalance(
  read: ReadView,
  asset: Asset,
  wallet: Holding,
  ledgerVersion: bigint,
): Promise<BalanceResult> {
  const { address } = wallet;
  const at: ViewAt = (name, values, typeArguments = []) =>
    readValues(read, { function: name, typeArguments, arguments: values, ledgerVersion });
  switch (wallet.holds) {
    case "account":
      return accountBalance(at, asset, address);
    case "stake_pool":
      return stakePool(at, address);
    case "vesting":
      // A vesting contract keeps its grant and rewards in a stake pool; its own balance is empty.
      return stakePoolNamedBy(at, "0x1::vesting::stake_pool_address", [address]);
    case "delegation":
      return delegation(at, wallet.pool, address);
    case "staking_contract":
      return stakingContract(at, [address, wallet.operator]);
  }
}

type ViewAt = (
  name: string,
  values: readonly string[],
  typeArguments?: readonly string[],
) => Promise<ViewedValues | LoadError>;

/** One view per kind of asset: a coin's balance includes its paired fungible store, so nothing is added twice. */
async function accountBalance(at: ViewAt, asset: Asset, address: string): Promise<BalanceResult> {
  const result = await (asset.kind === "coin"
    ? at("0x1::coin::balance", [address], [asset.type])
    : at("0x1::primary_fungible_store::balance", [address, asset.metadata], [METADATA]));
  if (result.kind === "failure") return result;
  const [baseUnits] = amounts(result.values, 1);
  return baseUnits === undefined
    ? loadError("the chain's balance is malformed")
    : { kind: "balance", baseUnits, stake: null };
}

async function stakePool(at: ViewAt, address: string): Promise<BalanceResult> {
  const result = await at("0x1::stake::get_stake", [address]);
  if (result.kind === "failure") return result;
  const [active, inactive, pendingActive, pendingInactive] = amounts(result.values, 4);
  if (active === undefined || inactive === undefined || pendingActive === undefined || pendingInactive === undefined)
    return loadError("the chain's stake pool is malformed");
  const stake = { active, inactive, pendingActive, pendingInactive };
  return { kind: "balance", baseUnits: active + inactive + pendingActive + pendingInactive, stake };
}

async function stakePoolNamedBy(at: ViewAt, view: string, values: readonly string[]): Promise<BalanceResult> {
  const named = await at(view, values);
  if (named.kind === "failure") return named;
  const [pool] = named.values;
  const address = typeof pool === "string" ? parseAddress(pool) : undefined;
  return address === undefined ? loadError("the contract names no stake pool") : stakePool(at, address);
}

/** Active, inactive and pending inactive stake of one delegator. */
async function delegation(at: ViewAt, pool: string, delegator: string): Promise<BalanceResult> {
  const result = await at("0x1::delegation_pool::get_stake", [pool, delegator]);
  if (result.kind === "failure") return result;
  const parts = amounts(result.values, 3);
  if (parts.length === 0) return loadError("the chain's delegated stake is malformed");
  return { kind: "balance", baseUnits: parts.reduce((sum, part) => sum + part), stake: null };
}

/** The contract's stake pool, less the commission that the operator has earned and not yet taken. */
async function stakingContract(at: ViewAt, contract: readonly string[]): Promise<BalanceResult> {
  const [pool, result] = await Promise.all([
    stakePoolNamedBy(at, "0x1::staking_contract::stake_pool_address", contract),
    at("0x1::staking_contract::staking_contract_amounts", contract),
  ]);
  if (pool.kind === "failure") return pool;
  if (result.kind === "failure") return result;
  const [, , commission] = amounts(result.values, 3);
  if (commission === undefined || commission > pool.baseUnits)
    return loadError("the chain's staking contract is malformed");
  return { ...pool, baseUnits: pool.baseUnits - commission };
}

/** Exactly the expected number of amounts, or none. */
function amounts(values: readonly unknown[], count: number): BaseUnits[] {
  const parsed = values.flatMap((value) => (typeof value === "string" ? (parseUnsigned(value, "u128") ?? []) : []));
  return parsed.length === count && values.length === count ? parsed : [];
}

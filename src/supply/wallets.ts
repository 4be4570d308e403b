import { parseAddress } from "../chain/address.ts";
import type { BaseUnits } from "../chain/amount.ts";
import type { Asset } from "../chain/asset.ts";
import { parseUnsigned } from "../chain/integer.ts";
import type { ReadView } from "../chain/view.ts";
import { type LoadError, loadError } from "../swr/loader.ts";
import { METADATA, readValues, type ViewedValues } from "./onchain.ts";
import { type LockedAddress, NATIVE_CHAIN, type Schedule } from "./schedule.ts";

/** A wallet of the schedule, and the bucket whose locked tokens it contains. */
export interface Wallet extends LockedAddress {
  readonly bucket: string;
}

/** The four parts of a stake pool (`0x1::stake::get_stake`). */
export interface StakeParts {
  readonly active: BaseUnits;
  readonly inactive: BaseUnits;
  readonly pendingActive: BaseUnits;
  readonly pendingInactive: BaseUnits;
}

/** `stake`: null for a plain account. */
export type BalanceResult =
  | { readonly kind: "balance"; readonly baseUnits: BaseUnits; readonly stake: StakeParts | null }
  | LoadError;

/** All wallets in the schedule, on any chain. */
export function walletsOf({ plan }: Schedule): Wallet[] {
  if (plan.kind === "table") return [];
  return plan.buckets.flatMap(({ id, addresses }) => addresses.map((address) => ({ ...address, bucket: id })));
}

export function isOnChain({ chain }: Wallet): boolean {
  return chain === NATIVE_CHAIN;
}

/** Reads the balance of one wallet at one ledger version. Never rejects. */
export async function readBalance(
  read: ReadView,
  asset: Asset,
  { address, holds }: Wallet,
  ledgerVersion: bigint,
): Promise<BalanceResult> {
  const at: ViewAt = (name, values, typeArguments = []) =>
    readValues(read, { function: name, typeArguments, arguments: values, ledgerVersion });
  switch (holds) {
    case "account":
      return accountBalance(at, asset, address);
    case "stake_pool":
      return stakePool(at, address);
    case "vesting": {
      // A vesting contract keeps its grant and rewards in a stake pool; its own balance is empty.
      const pool = await at("0x1::vesting::stake_pool_address", [address]);
      if (pool.kind === "failure") return pool;
      const [poolAddress] = pool.values;
      const parsed = typeof poolAddress === "string" ? parseAddress(poolAddress) : undefined;
      return parsed === undefined ? loadError("the vesting contract names no stake pool") : stakePool(at, parsed);
    }
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

/** Exactly the expected number of amounts, or none. */
function amounts(values: readonly unknown[], count: number): BaseUnits[] {
  const parsed = values.flatMap((value) => (typeof value === "string" ? (parseUnsigned(value, "u128") ?? []) : []));
  return parsed.length === count && values.length === count ? parsed : [];
}

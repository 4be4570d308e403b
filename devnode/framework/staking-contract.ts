import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { createResourceAccount, resourceAccountAddress, signerCapability } from "./account.ts";
import { simpleMap } from "./containers.ts";
import { defineModule, type FunctionDefinition, tupleView, view } from "./define.ts";
import { address, bool, type Schema, structsOf, u64, type ValueOf } from "./schema.ts";
import { createPool, ownerCapability, poolAt, type Stake } from "./stake-state.ts";

const declare = structsOf("0x1::staking_contract");

const stakingContract = declare("StakingContract", ["store"], {
  principal: u64,
  pool_address: address,
  owner_cap: ownerCapability,
  commission_percentage: u64,
  signer_cap: signerCapability,
});
type StakingContract = ValueOf<typeof stakingContract>;

/** The contracts of one staker, by operator. */
const store = declare("Store", ["key"], { staking_contracts: simpleMap(address, stakingContract) });

const abort = aborts("0x1::staking_contract", {
  ENO_STAKING_CONTRACT_FOUND_FOR_STAKER: [3, "Staker has no staking contracts."],
  ENO_STAKING_CONTRACT_FOUND_FOR_OPERATOR: [4, "No staking contract between the staker and operator found."],
});

const POOL_SEED = "aptos_framework::staking_contract";
export const COMMISSION_PERCENTAGE = 10n;

export interface NewContract {
  readonly staker: Address;
  readonly operator: Address;
  readonly stake: Stake;
  /** The part of the stake that the staker has put in; the rest are rewards, of which the operator has a share. */
  readonly principal: bigint;
  readonly lockedUntilSeconds: bigint;
}

/** Publishes a contract with its stake pool. The caller must count the stake in the coin's supply. */
export function createStakingContract(session: Session, contract: NewContract): void {
  const { staker, operator, stake, principal, lockedUntilSeconds } = contract;
  const pool_address = resourceAccountAddress(staker, new TextEncoder().encode(`${POOL_SEED}${operator}`));
  createResourceAccount(session, pool_address);
  createPool(session, pool_address, { operator, voter: staker, stake, lockedUntilSeconds });
  const before = session.has(store, staker) ? session.get(store, staker).staking_contracts.data : [];
  const value = {
    principal,
    pool_address,
    owner_cap: { pool_address },
    commission_percentage: COMMISSION_PERCENTAGE,
    signer_cap: { account: pool_address },
  };
  session.put(store, staker, { staking_contracts: { data: [...before, { key: operator, value }] } });
}

function contractOf(session: Session, staker: Address, operator: Address): StakingContract {
  const all = session.get(store, staker, () => abort("not_found", "ENO_STAKING_CONTRACT_FOUND_FOR_STAKER"));
  const found = all.staking_contracts.data.find(({ key }) => key === operator);
  if (found === undefined) throw abort("not_found", "ENO_STAKING_CONTRACT_FOUND_FOR_OPERATOR");
  return found.value;
}

/** Reads one value of a contract. */
const reads = <T>(name: string, result: Schema<T>, read: (contract: StakingContract) => T): FunctionDefinition =>
  view(name, [address, address], result, (session, staker, operator) => read(contractOf(session, staker, operator)));

/** Staking contracts opened by genesis: their state can be read; nothing is added, unlocked or paid. */
export const stakingContractModule = defineModule("0x1::staking_contract", {
  friends: ["genesis", "vesting"],
  structs: [stakingContract, store],
  functions: [
    reads("commission_percentage", u64, ({ commission_percentage }) => commission_percentage),
    reads("last_recorded_principal", u64, ({ principal }) => principal),
    reads("stake_pool_address", address, ({ pool_address }) => pool_address),
    /** (total active stake, accumulated rewards, commission) */
    tupleView("staking_contract_amounts", [address, address], [u64, u64, u64], (session, staker, operator) => {
      const { pool_address, principal, commission_percentage } = contractOf(session, staker, operator);
      const { active, pending_active } = poolAt(session, pool_address);
      const staked = active.value + pending_active.value;
      const rewards = staked - principal;
      return [staked, rewards, (rewards * commission_percentage) / 100n];
    }),
    view(
      "staking_contract_exists",
      [address, address],
      bool,
      (session, staker, operator) =>
        session.has(store, staker) &&
        session.get(store, staker).staking_contracts.data.some(({ key }) => key === operator),
    ),
  ],
});

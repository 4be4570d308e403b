import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { FRAMEWORK, NATIVE_COIN } from "./addresses.ts";
import { nowMicros } from "./chain.ts";
import { deposit, withdraw } from "./coin-state.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import { emitEvent } from "./event.ts";
import { address, bool, u64 } from "./schema.ts";
import {
  addStakeEvent,
  createPool,
  ownerCapability,
  poolAt,
  reactivateStakeEvent,
  type StakePool,
  setOperatorEvent,
  stakeAbort,
  stakePool,
  stakeStructs,
  unlockStakeEvent,
  withdrawStakeEvent,
} from "./stake-state.ts";

/** No pool of this chain is in the validator set, so its stake changes at once and not with the next epoch. */
const VALIDATOR_STATUS_INACTIVE = 4n;
const EMPTY = { active: 0n, inactive: 0n, pendingActive: 0n, pendingInactive: 0n };

/** Changes the pool that the owner controls; aborts when it controls none. */
function updateOwned(session: Session, owner: Address, change: (pool: StakePool, at: Address) => StakePool): void {
  const capability = session.find(ownerCapability, owner);
  if (capability === undefined) throw stakeAbort("not_found", "EOWNER_CAP_NOT_FOUND");
  const at = capability.pool_address;
  session.put(stakePool, at, change(poolAt(session, at), at));
}

function initialize(session: Session, owner: Address, amount: bigint, operator: Address, voter: Address): void {
  createPool(session, owner, { operator: owner, voter: owner, stake: EMPTY, lockedUntilSeconds: 0n });
  session.put(ownerCapability, owner, { pool_address: owner });
  if (operator !== owner) setOperator(session, owner, operator);
  if (voter !== owner) setVoter(session, owner, voter);
  if (amount > 0n) addStake(session, owner, amount);
}

function addStake(session: Session, owner: Address, amount: bigint): void {
  updateOwned(session, owner, (pool, pool_address) => {
    if (amount === 0n) return pool;
    withdraw(session, NATIVE_COIN, owner, amount);
    return {
      ...pool,
      active: { value: pool.active.value + amount },
      add_stake_events: emitEvent(session, pool.add_stake_events, addStakeEvent, {
        pool_address,
        amount_added: amount,
      }),
    };
  });
}

/** Active stake becomes withdrawable when the lockup ends; a larger request unlocks all of it. */
function unlock(session: Session, owner: Address, requested: bigint): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const amount = min(requested, pool.active.value);
    if (amount === 0n) return pool;
    const event = { pool_address, amount_unlocked: amount };
    return {
      ...pool,
      active: { value: pool.active.value - amount },
      pending_inactive: { value: pool.pending_inactive.value + amount },
      unlock_stake_events: emitEvent(session, pool.unlock_stake_events, unlockStakeEvent, event),
    };
  });
}

function reactivate(session: Session, owner: Address, requested: bigint): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const amount = min(requested, pool.pending_inactive.value);
    if (amount === 0n) return pool;
    const event = { pool_address, amount };
    return {
      ...pool,
      active: { value: pool.active.value + amount },
      pending_inactive: { value: pool.pending_inactive.value - amount },
      reactivate_stake_events: emitEvent(session, pool.reactivate_stake_events, reactivateStakeEvent, event),
    };
  });
}

/** Pays inactive stake to the owner; pending stake is inactive once the lockup has ended. */
function withdrawStake(session: Session, owner: Address, requested: bigint): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const expired = nowSeconds(session) >= pool.locked_until_secs;
    const inactive = pool.inactive.value + (expired ? pool.pending_inactive.value : 0n);
    const amount = min(requested, inactive);
    if (amount === 0n) return pool;
    deposit(session, NATIVE_COIN, owner, amount);
    const event = { pool_address, amount_withdrawn: amount };
    return {
      ...pool,
      inactive: { value: inactive - amount },
      pending_inactive: { value: expired ? 0n : pool.pending_inactive.value },
      withdraw_stake_events: emitEvent(session, pool.withdraw_stake_events, withdrawStakeEvent, event),
    };
  });
}

function setOperator(session: Session, owner: Address, new_operator: Address): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const event = { pool_address, old_operator: pool.operator_address, new_operator };
    return {
      ...pool,
      operator_address: new_operator,
      set_operator_events: emitEvent(session, pool.set_operator_events, setOperatorEvent, event),
    };
  });
}

function setVoter(session: Session, owner: Address, voter: Address): void {
  updateOwned(session, owner, (pool) => ({ ...pool, delegated_voter: voter }));
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function nowSeconds(session: Session): bigint {
  return nowMicros(session) / 1_000_000n;
}

/** Stake pools as in the public framework, but without validators: none joins the set, and no rewards are paid. */
export const stakeModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "stake",
  friends: ["block", "genesis", "reconfiguration", "transaction_fee"].map((name) => `0x1::${name}`),
  structs: stakeStructs,
  functions: [
    entry("add_stake", {}, [signer, u64], ({ session }, owner, amount) => addStake(session, owner, amount)),
    view("get_current_epoch_voting_power", {}, [address], [u64], ({ session }, pool) => {
      poolAt(session, pool);
      return [0n];
    }),
    view("get_delegated_voter", {}, [address], [address], ({ session }, pool) => [
      poolAt(session, pool).delegated_voter,
    ]),
    view("get_lockup_secs", {}, [address], [u64], ({ session }, pool) => [poolAt(session, pool).locked_until_secs]),
    view("get_operator", {}, [address], [address], ({ session }, pool) => [poolAt(session, pool).operator_address]),
    view("get_remaining_lockup_secs", {}, [address], [u64], ({ session }, pool) => {
      const left = poolAt(session, pool).locked_until_secs - nowSeconds(session);
      return [left > 0n ? left : 0n];
    }),
    /** (active, inactive, pending_active, pending_inactive) */
    view("get_stake", {}, [address], [u64, u64, u64, u64], ({ session }, at) => {
      const pool = poolAt(session, at);
      return [pool.active.value, pool.inactive.value, pool.pending_active.value, pool.pending_inactive.value];
    }),
    view("get_validator_state", {}, [address], [u64], () => [VALIDATOR_STATUS_INACTIVE]),
    entry("initialize_stake_owner", {}, [signer, u64, address, address], ({ session }, owner, amount, ...who) =>
      initialize(session, owner, amount, ...who),
    ),
    entry("reactivate_stake", {}, [signer, u64], ({ session }, owner, amount) => reactivate(session, owner, amount)),
    entry("set_delegated_voter", {}, [signer, address], ({ session }, owner, voter) => setVoter(session, owner, voter)),
    entry("set_operator", {}, [signer, address], ({ session }, owner, operator) =>
      setOperator(session, owner, operator),
    ),
    view("stake_pool_exists", {}, [address], [bool], ({ session }, pool) => [session.has(stakePool, pool)]),
    entry("unlock", {}, [signer, u64], ({ session }, owner, amount) => unlock(session, owner, amount)),
    entry("withdraw", {}, [signer, u64], ({ session }, owner, amount) => withdrawStake(session, owner, amount)),
  ],
};

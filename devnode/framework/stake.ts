import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { NATIVE_COIN } from "./addresses.ts";
import { nowSeconds } from "./chain.ts";
import { deposit, withdraw } from "./coin-state.ts";
import { defineModule, entry, signer, tupleView, view } from "./define.ts";
import { emitOn } from "./event.ts";
import { address, bool, type Schema, u64 } from "./schema.ts";
import { createPool, ownerCapability, poolAt, type StakePool, stakeAbort, stakePool, streams } from "./stake-state.ts";

/** No pool of this chain is in the validator set, so its stake changes at once and not with the next epoch. */
const VALIDATOR_STATUS_INACTIVE = 4n;
const EMPTY = { active: 0n, inactive: 0n, pendingActive: 0n, pendingInactive: 0n };

/** Changes the pool that the owner controls; aborts when it controls none. */
function updateOwned(session: Session, owner: Address, change: (pool: StakePool, at: Address) => StakePool): void {
  const missing = () => stakeAbort("not_found", "EOWNER_CAP_NOT_FOUND");
  const at = session.get(ownerCapability, owner, missing).pool_address;
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
    const added = { ...pool, active: { value: pool.active.value + amount } };
    return emitOn(session, streams, added, "add_stake_events", { pool_address, amount_added: amount });
  });
}

/** Active stake becomes withdrawable when the lockup ends; a larger request unlocks all of it. */
function unlock(session: Session, owner: Address, requested: bigint): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const amount = min(requested, pool.active.value);
    if (amount === 0n) return pool;
    const event = { pool_address, amount_unlocked: amount };
    return emitOn(session, streams, unlocked(pool, amount), "unlock_stake_events", event);
  });
}

function reactivate(session: Session, owner: Address, requested: bigint): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const amount = min(requested, pool.pending_inactive.value);
    if (amount === 0n) return pool;
    return emitOn(session, streams, unlocked(pool, -amount), "reactivate_stake_events", { pool_address, amount });
  });
}

function unlocked(pool: StakePool, amount: bigint): StakePool {
  const active = { value: pool.active.value - amount };
  return { ...pool, active, pending_inactive: { value: pool.pending_inactive.value + amount } };
}

/** Pays inactive stake to the owner; pending stake is inactive once the lockup has ended. */
function withdrawStake(session: Session, owner: Address, requested: bigint): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const expired = nowSeconds(session) >= pool.locked_until_secs;
    const inactive = pool.inactive.value + (expired ? pool.pending_inactive.value : 0n);
    const amount = min(requested, inactive);
    if (amount === 0n) return pool;
    deposit(session, NATIVE_COIN, owner, amount);
    const left = {
      ...pool,
      inactive: { value: inactive - amount },
      pending_inactive: { value: expired ? 0n : pool.pending_inactive.value },
    };
    return emitOn(session, streams, left, "withdraw_stake_events", { pool_address, amount_withdrawn: amount });
  });
}

function setOperator(session: Session, owner: Address, new_operator: Address): void {
  updateOwned(session, owner, (pool, pool_address) => {
    const event = { pool_address, old_operator: pool.operator_address, new_operator };
    return emitOn(session, streams, { ...pool, operator_address: new_operator }, "set_operator_events", event);
  });
}

function setVoter(session: Session, owner: Address, voter: Address): void {
  updateOwned(session, owner, (pool) => ({ ...pool, delegated_voter: voter }));
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** Reads one value of a pool. */
const reads = <T>(name: string, result: Schema<T>, read: (pool: StakePool, session: Session) => T) =>
  view(name, [address], result, (session, pool) => read(poolAt(session, pool), session));

/** Stake pools as in the public framework, but without validators: none joins the set, and no rewards are paid. */
export const stakeModule = defineModule("0x1::stake", {
  friends: ["block", "genesis", "reconfiguration", "transaction_fee"],
  structs: [ownerCapability, stakePool, ...Object.values(streams)],
  functions: [
    entry("add_stake", [signer, u64], addStake),
    reads("get_current_epoch_voting_power", u64, () => 0n),
    reads("get_delegated_voter", address, ({ delegated_voter }) => delegated_voter),
    reads("get_lockup_secs", u64, ({ locked_until_secs }) => locked_until_secs),
    reads("get_operator", address, ({ operator_address }) => operator_address),
    reads("get_remaining_lockup_secs", u64, ({ locked_until_secs }, session) => {
      const left = locked_until_secs - nowSeconds(session);
      return left > 0n ? left : 0n;
    }),
    /** (active, inactive, pending_active, pending_inactive) */
    tupleView("get_stake", [address], [u64, u64, u64, u64], (session, at) => {
      const pool = poolAt(session, at);
      return [pool.active.value, pool.inactive.value, pool.pending_active.value, pool.pending_inactive.value];
    }),
    view("get_validator_state", [address], u64, () => VALIDATOR_STATUS_INACTIVE),
    entry("initialize_stake_owner", [signer, u64, address, address], initialize),
    entry("reactivate_stake", [signer, u64], reactivate),
    entry("set_delegated_voter", [signer, address], setVoter),
    entry("set_operator", [signer, address], setOperator),
    view("stake_pool_exists", [address], bool, (session, pool) => session.has(stakePool, pool)),
    entry("unlock", [signer, u64], unlock),
    entry("withdraw", [signer, u64], withdrawStake),
  ],
});

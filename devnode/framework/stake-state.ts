import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { newEventHandle } from "./account.ts";
import { NATIVE_COIN } from "./addresses.ts";
import { coin } from "./coin-state.ts";
import { type EventHandle, eventHandle } from "./event.ts";
import { address, bytes, type Schema, struct, u64 } from "./schema.ts";

/** The four parts of a pool's stake, base units of the native coin. Together they are what the pool holds. */
export interface Stake {
  readonly active: bigint;
  readonly inactive: bigint;
  readonly pendingActive: bigint;
  readonly pendingInactive: bigint;
}

type NativeCoins = { readonly value: bigint };

/** `0x1::stake::StakePool`, in the field order of the public framework. */
export interface StakePool {
  readonly active: NativeCoins;
  readonly inactive: NativeCoins;
  readonly pending_active: NativeCoins;
  readonly pending_inactive: NativeCoins;
  readonly locked_until_secs: bigint;
  readonly operator_address: Address;
  readonly delegated_voter: Address;
  readonly initialize_validator_events: EventHandle;
  readonly set_operator_events: EventHandle;
  readonly add_stake_events: EventHandle;
  readonly reactivate_stake_events: EventHandle;
  readonly rotate_consensus_key_events: EventHandle;
  readonly update_network_and_fullnode_addresses_events: EventHandle;
  readonly increase_lockup_events: EventHandle;
  readonly join_validator_set_events: EventHandle;
  readonly distribute_rewards_events: EventHandle;
  readonly unlock_stake_events: EventHandle;
  readonly withdraw_stake_events: EventHandle;
  readonly leave_validator_set_events: EventHandle;
}

const event = <T extends object>(name: string, fields: { readonly [K in keyof T]: Schema<T[K]> }) =>
  struct<T>(`0x1::stake::${name}`, { abilities: ["drop", "store"] }, fields);
const poolOnly = { pool_address: address };

const registerEvent = event("RegisterValidatorCandidateEvent", poolOnly);
export const setOperatorEvent = event<{ pool_address: Address; old_operator: Address; new_operator: Address }>(
  "SetOperatorEvent",
  { pool_address: address, old_operator: address, new_operator: address },
);
export const addStakeEvent = event<{ pool_address: Address; amount_added: bigint }>("AddStakeEvent", {
  pool_address: address,
  amount_added: u64,
});
export const reactivateStakeEvent = event<{ pool_address: Address; amount: bigint }>("ReactivateStakeEvent", {
  pool_address: address,
  amount: u64,
});
const rotateConsensusKeyEvent = event("RotateConsensusKeyEvent", {
  pool_address: address,
  old_consensus_pubkey: bytes,
  new_consensus_pubkey: bytes,
});
const updateAddressesEvent = event("UpdateNetworkAndFullnodeAddressesEvent", {
  pool_address: address,
  old_network_addresses: bytes,
  new_network_addresses: bytes,
  old_fullnode_addresses: bytes,
  new_fullnode_addresses: bytes,
});
const increaseLockupEvent = event("IncreaseLockupEvent", {
  pool_address: address,
  old_locked_until_secs: u64,
  new_locked_until_secs: u64,
});
const joinEvent = event("JoinValidatorSetEvent", poolOnly);
const rewardsEvent = event("DistributeRewardsEvent", { pool_address: address, rewards_amount: u64 });
export const unlockStakeEvent = event<{ pool_address: Address; amount_unlocked: bigint }>("UnlockStakeEvent", {
  pool_address: address,
  amount_unlocked: u64,
});
export const withdrawStakeEvent = event<{ pool_address: Address; amount_withdrawn: bigint }>("WithdrawStakeEvent", {
  pool_address: address,
  amount_withdrawn: u64,
});
const leaveEvent = event("LeaveValidatorSetEvent", poolOnly);

const nativeCoins = coin.of(NATIVE_COIN);
export const stakePool = struct<StakePool>(
  "0x1::stake::StakePool",
  { abilities: ["key"] },
  {
    active: nativeCoins,
    inactive: nativeCoins,
    pending_active: nativeCoins,
    pending_inactive: nativeCoins,
    locked_until_secs: u64,
    operator_address: address,
    delegated_voter: address,
    initialize_validator_events: eventHandle.of(registerEvent.type),
    set_operator_events: eventHandle.of(setOperatorEvent.type),
    add_stake_events: eventHandle.of(addStakeEvent.type),
    reactivate_stake_events: eventHandle.of(reactivateStakeEvent.type),
    rotate_consensus_key_events: eventHandle.of(rotateConsensusKeyEvent.type),
    update_network_and_fullnode_addresses_events: eventHandle.of(updateAddressesEvent.type),
    increase_lockup_events: eventHandle.of(increaseLockupEvent.type),
    join_validator_set_events: eventHandle.of(joinEvent.type),
    distribute_rewards_events: eventHandle.of(rewardsEvent.type),
    unlock_stake_events: eventHandle.of(unlockStakeEvent.type),
    withdraw_stake_events: eventHandle.of(withdrawStakeEvent.type),
    leave_validator_set_events: eventHandle.of(leaveEvent.type),
  },
);

/** The right to control a pool; stored at the account that opened it. */
export const ownerCapability = struct<{ readonly pool_address: Address }>(
  "0x1::stake::OwnerCapability",
  { abilities: ["store", "key"] },
  { pool_address: address },
);

export const stakeStructs = [
  addStakeEvent,
  increaseLockupEvent,
  joinEvent,
  leaveEvent,
  ownerCapability,
  reactivateStakeEvent,
  registerEvent,
  rewardsEvent,
  rotateConsensusKeyEvent,
  setOperatorEvent,
  stakePool,
  unlockStakeEvent,
  updateAddressesEvent,
  withdrawStakeEvent,
];

export const stakeAbort = aborts("0x1::stake", {
  EALREADY_REGISTERED: [8, "Account is already registered as a validator candidate."],
  ESTAKE_POOL_DOES_NOT_EXIST: [14, "Stake pool does not exist at the provided pool address."],
  EOWNER_CAP_NOT_FOUND: [15, "Owner capability does not exist at the provided account."],
  EINVALID_LOCKUP: [18, "Cannot update stake pool's lockup to earlier than current lockup."],
});

/** The pool at an address, or the abort of every function that needs one. */
export function poolAt(session: Session, pool: Address): StakePool {
  const found = session.find(stakePool, pool);
  if (found === undefined) throw stakeAbort("invalid_argument", "ESTAKE_POOL_DOES_NOT_EXIST");
  return found;
}

export interface NewPool {
  readonly operator: Address;
  readonly voter: Address;
  readonly stake: Stake;
  readonly lockedUntilSeconds: bigint;
}

/** Publishes a pool at a new account. The caller must include its stake in the coin's supply. */
export function createPool(
  session: Session,
  at: Address,
  { operator, voter, stake, lockedUntilSeconds }: NewPool,
): void {
  if (session.has(stakePool, at)) throw stakeAbort("already_exists", "EALREADY_REGISTERED");
  const handle = () => newEventHandle(session, at);
  session.put(stakePool, at, {
    active: { value: stake.active },
    inactive: { value: stake.inactive },
    pending_active: { value: stake.pendingActive },
    pending_inactive: { value: stake.pendingInactive },
    locked_until_secs: lockedUntilSeconds,
    operator_address: operator,
    delegated_voter: voter,
    // In the order of the fields: each takes the account's next event stream.
    initialize_validator_events: handle(),
    set_operator_events: handle(),
    add_stake_events: handle(),
    reactivate_stake_events: handle(),
    rotate_consensus_key_events: handle(),
    update_network_and_fullnode_addresses_events: handle(),
    increase_lockup_events: handle(),
    join_validator_set_events: handle(),
    distribute_rewards_events: handle(),
    unlock_stake_events: handle(),
    withdraw_stake_events: handle(),
    leave_validator_set_events: handle(),
  });
}

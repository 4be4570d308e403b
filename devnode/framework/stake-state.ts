import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { newStreams } from "./account.ts";
import { FRAMEWORK, NATIVE_COIN } from "./addresses.ts";
import { coin } from "./coin-state.ts";
import { handlesOf } from "./event.ts";
import { address, bytes, type Schema, structsOf, u8, u64, u128, type ValueOf, vector } from "./schema.ts";
import { stakingConfig } from "./staking-config.ts";

/** The four parts of a pool's stake, base units of the native coin. Together they are what the pool holds. */
export interface Stake {
  readonly active: bigint;
  readonly inactive: bigint;
  readonly pendingActive: bigint;
  readonly pendingInactive: bigint;
}

const declare = structsOf("0x1::stake");
const event = <const F extends Readonly<Record<string, Schema<unknown>>>>(name: string, fields: F) =>
  declare(`${name}Event`, ["drop", "store"], { pool_address: address, ...fields });

export const streams = {
  initialize_validator_events: event("RegisterValidatorCandidate", {}),
  set_operator_events: event("SetOperator", { old_operator: address, new_operator: address }),
  add_stake_events: event("AddStake", { amount_added: u64 }),
  reactivate_stake_events: event("ReactivateStake", { amount: u64 }),
  rotate_consensus_key_events: event("RotateConsensusKey", {
    old_consensus_pubkey: bytes,
    new_consensus_pubkey: bytes,
  }),
  update_network_and_fullnode_addresses_events: event("UpdateNetworkAndFullnodeAddresses", {
    old_network_addresses: bytes,
    new_network_addresses: bytes,
    old_fullnode_addresses: bytes,
    new_fullnode_addresses: bytes,
  }),
  increase_lockup_events: event("IncreaseLockup", { old_locked_until_secs: u64, new_locked_until_secs: u64 }),
  join_validator_set_events: event("JoinValidatorSet", {}),
  distribute_rewards_events: event("DistributeRewards", { rewards_amount: u64 }),
  unlock_stake_events: event("UnlockStake", { amount_unlocked: u64 }),
  withdraw_stake_events: event("WithdrawStake", { amount_withdrawn: u64 }),
  leave_validator_set_events: event("LeaveValidatorSet", {}),
} as const;

const nativeCoins = coin.of(NATIVE_COIN);
/** In the field order of the public framework. */
export const stakePool = declare("StakePool", ["key"], {
  active: nativeCoins,
  inactive: nativeCoins,
  pending_active: nativeCoins,
  pending_inactive: nativeCoins,
  locked_until_secs: u64,
  operator_address: address,
  delegated_voter: address,
  ...handlesOf(streams),
});
export type StakePool = ValueOf<typeof stakePool>;

/** The right to control a pool; stored at the account that opened it. */
export const ownerCapability = declare("OwnerCapability", ["store", "key"], { pool_address: address });

const validatorConfig = declare("ValidatorConfig", ["copy", "drop", "store", "key"], {
  consensus_pubkey: bytes,
  network_addresses: bytes,
  fullnode_addresses: bytes,
  validator_index: u64,
});
const validatorInfo = declare("ValidatorInfo", ["copy", "drop", "store"], {
  addr: address,
  voting_power: u64,
  config: validatorConfig,
});
/** The pools whose stake earns rewards in the current epoch, and their stake in all, base units. */
const validatorSet = declare("ValidatorSet", ["key"], {
  consensus_scheme: u8,
  active_validators: vector(validatorInfo),
  pending_inactive: vector(validatorInfo),
  pending_active: vector(validatorInfo),
  total_voting_power: u128,
  total_joining_power: u128,
});
export const validatorStructs = [validatorConfig, validatorInfo, validatorSet];

const stakeAbort = aborts("0x1::stake", {
  EALREADY_REGISTERED: [8, "Account is already registered as a validator candidate."],
  ESTAKE_POOL_DOES_NOT_EXIST: [14, "Stake pool does not exist at the provided pool address."],
});

/** The pool at an address, or the abort of every function that needs one. */
export function poolAt(session: Session, pool: Address): StakePool {
  return session.get(stakePool, pool, () => stakeAbort("invalid_argument", "ESTAKE_POOL_DOES_NOT_EXIST"));
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
  const none = { value: 0n };
  session.put(stakePool, at, {
    active: none,
    inactive: none,
    pending_active: none,
    pending_inactive: none,
    locked_until_secs: lockedUntilSeconds,
    operator_address: operator,
    delegated_voter: voter,
    ...newStreams(session, at, streams),
  });
  addStake(session, at, stake);
}

/** Adds to every part of a pool. The caller must include the stake in the coin's supply. */
export function addStake(session: Session, at: Address, stake: Stake): void {
  const pool = poolAt(session, at);
  session.put(stakePool, at, {
    ...pool,
    active: { value: pool.active.value + stake.active },
    inactive: { value: pool.inactive.value + stake.inactive },
    pending_active: { value: pool.pending_active.value + stake.pendingActive },
    pending_inactive: { value: pool.pending_inactive.value + stake.pendingInactive },
  });
  setVotingPower(session, at);
}

export function initializeValidators(session: Session): void {
  session.put(validatorSet, FRAMEWORK, {
    consensus_scheme: 0,
    active_validators: [],
    pending_inactive: [],
    pending_active: [],
    total_voting_power: 0n,
    total_joining_power: 0n,
  });
}

/** The stake that earns rewards in the current epoch; 0 for a pool outside the validator set. */
export function votingPower(session: Session, pool: Address): bigint {
  const { active_validators } = session.get(validatorSet, FRAMEWORK);
  return active_validators.find(({ addr }) => addr === pool)?.voting_power ?? 0n;
}

/** A pool is in the validator set while it has the minimum stake. */
function setVotingPower(session: Session, addr: Address): void {
  const { active, pending_inactive } = poolAt(session, addr);
  const { minimum_stake } = session.get(stakingConfig, FRAMEWORK);
  const voting_power = active.value + pending_inactive.value;
  const set = session.get(validatorSet, FRAMEWORK);
  const others = set.active_validators.filter((validator) => validator.addr !== addr);
  const noKeys = { consensus_pubkey: NONE, network_addresses: NONE, fullnode_addresses: NONE };
  const active_validators = [...others, { addr, voting_power, config: { ...noKeys, validator_index: 0n } }]
    .filter((validator) => validator.voting_power >= minimum_stake)
    .map((validator, index) => ({ ...validator, config: { ...validator.config, validator_index: BigInt(index) } }));
  const total_voting_power = active_validators.reduce((total, validator) => total + validator.voting_power, 0n);
  session.put(validatorSet, FRAMEWORK, { ...set, active_validators, total_voting_power });
}

const NONE = new Uint8Array();

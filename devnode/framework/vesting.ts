import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { createResourceAccount, newStreams, resourceAccountAddress, signerCapability } from "./account.ts";
import { simpleMap } from "./containers.ts";
import { defineModule, type ModuleDefinition, view } from "./define.ts";
import { handlesOf } from "./event.ts";
import { address, type Schema, struct, structsOf, u64, type ValueOf, vector } from "./schema.ts";
import { createPool, ownerCapability, type Stake } from "./stake-state.ts";

/** A fraction in units of 2^-32. */
const fixedPoint32 = struct("0x1::fixed_point32::FixedPoint32", ["copy", "drop", "store"], { value: u64 });
const grantPool = struct("0x1::pool_u64::Pool", ["store"], {
  shareholders_limit: u64,
  total_coins: u64,
  total_shares: u64,
  shares: simpleMap(address, u64),
  shareholders: vector(address),
  scaling_factor: u64,
});

const declare = structsOf("0x1::vesting");
/** Each entry is the share of the grant that one period (in seconds) vests; the last one repeats. */
const vestingSchedule = declare("VestingSchedule", ["copy", "drop", "store"], {
  schedule: vector(fixedPoint32),
  start_timestamp_secs: u64,
  period_duration: u64,
  last_vested_period: u64,
});
const stakingInfo = declare("StakingInfo", ["store"], {
  pool_address: address,
  operator: address,
  voter: address,
  commission_percentage: u64,
});

const event = (name: string, fields: Readonly<Record<string, Schema<unknown>>>) =>
  declare(`${name}Event`, ["drop", "store"], { admin: address, vesting_contract_address: address, ...fields });
const pool = { staking_pool_address: address };
const streams = {
  update_operator_events: event("UpdateOperator", {
    ...pool,
    old_operator: address,
    new_operator: address,
    commission_percentage: u64,
  }),
  update_voter_events: event("UpdateVoter", { ...pool, old_voter: address, new_voter: address }),
  reset_lockup_events: event("ResetLockup", { ...pool, new_lockup_expiration_secs: u64 }),
  set_beneficiary_events: event("SetBeneficiary", {
    shareholder: address,
    old_beneficiary: address,
    new_beneficiary: address,
  }),
  unlock_rewards_events: event("UnlockRewards", { ...pool, amount: u64 }),
  vest_events: event("Vest", { ...pool, period_vested: u64, amount: u64 }),
  distribute_events: event("Distribute", { amount: u64 }),
  terminate_events: event("Terminate", {}),
  admin_withdraw_events: event("AdminWithdraw", { amount: u64 }),
};

/** The remaining grant: base units of the native coin that have not vested and been distributed. */
const vestingContract = declare("VestingContract", ["key"], {
  state: u64,
  admin: address,
  grant_pool: grantPool,
  beneficiaries: simpleMap(address, address),
  vesting_schedule: vestingSchedule,
  withdrawal_address: address,
  staking: stakingInfo,
  remaining_grant: u64,
  signer_cap: signerCapability,
  ...handlesOf(streams),
});

type VestingContract = ValueOf<typeof vestingContract>;

const abort = aborts("0x1::vesting", {
  EVESTING_CONTRACT_NOT_FOUND: [10, "No vesting contract found at provided address."],
});

const ACTIVE = 1n;
const MAX_SHAREHOLDERS = 30n;
const POOL_SEED = new TextEncoder().encode("aptos_framework::staking_contract");
/** One forty-eighth of the grant each month of 30 days. */
const FRACTION = 2n ** 32n / 48n;
const PERIOD_SECONDS = 2_592_000n;

export interface NewContract {
  readonly admin: Address;
  readonly grant: bigint;
  readonly stake: Stake;
  readonly lockedUntilSeconds: bigint;
}

/** Publishes a contract whose only shareholder is its admin. The grant is the stake of a pool at a new account. */
export function createContract(session: Session, at: Address, { admin, grant, ...pool }: NewContract): void {
  createResourceAccount(session, at);
  const pool_address = resourceAccountAddress(at, POOL_SEED);
  createResourceAccount(session, pool_address);
  createPool(session, pool_address, { operator: admin, voter: admin, ...pool });
  session.put(ownerCapability, at, { pool_address });
  session.put(vestingContract, at, {
    state: ACTIVE,
    admin,
    grant_pool: {
      shareholders_limit: MAX_SHAREHOLDERS,
      total_coins: grant,
      total_shares: grant,
      shares: { data: [{ key: admin, value: grant }] },
      shareholders: [admin],
      scaling_factor: 1n,
    },
    beneficiaries: { data: [] },
    vesting_schedule: {
      schedule: [{ value: FRACTION }],
      start_timestamp_secs: 0n,
      period_duration: PERIOD_SECONDS,
      last_vested_period: 0n,
    },
    withdrawal_address: admin,
    staking: { pool_address, operator: admin, voter: admin, commission_percentage: 0n },
    remaining_grant: grant,
    signer_cap: { account: at },
    ...newStreams(session, at, streams),
  });
}

function contractAt(session: Session, at: Address): VestingContract {
  return session.get(vestingContract, at, () => abort("not_found", "EVESTING_CONTRACT_NOT_FOUND"));
}

/** Reads one value of a contract. */
const reads = <T>(name: string, result: Schema<T>, read: (contract: VestingContract) => T) =>
  view(name, [address], result, (session, at) => read(contractAt(session, at)));

/** Vesting contracts opened by genesis: their state can be read; nothing vests and no others can be opened. */
export const vestingModules: readonly ModuleDefinition[] = [
  defineModule("0x1::fixed_point32", { structs: [fixedPoint32] }),
  defineModule("0x1::pool_u64", { structs: [grantPool] }),
  defineModule("0x1::vesting", {
    friends: ["genesis"],
    structs: [...Object.values(streams), stakingInfo, vestingContract, vestingSchedule],
    functions: [
      reads("operator", address, ({ staking }) => staking.operator),
      reads("operator_commission_percentage", u64, ({ staking }) => staking.commission_percentage),
      reads("period_duration_secs", u64, ({ vesting_schedule }) => vesting_schedule.period_duration),
      reads("remaining_grant", u64, ({ remaining_grant }) => remaining_grant),
      reads("shareholders", vector(address), ({ grant_pool }) => grant_pool.shareholders),
      reads("stake_pool_address", address, ({ staking }) => staking.pool_address),
      reads("vesting_schedule", vestingSchedule, ({ vesting_schedule }) => vesting_schedule),
      reads("vesting_start_secs", u64, ({ vesting_schedule }) => vesting_schedule.start_timestamp_secs),
      reads("voter", address, ({ staking }) => staking.voter),
    ],
  }),
];

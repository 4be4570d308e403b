import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { createResourceAccount, newEventHandle, resourceAccountAddress, signerCapability } from "./account.ts";
import { FRAMEWORK } from "./addresses.ts";
import { type SimpleMap, simpleMap } from "./containers.ts";
import { type ModuleDefinition, view } from "./define.ts";
import { type EventHandle, eventHandle } from "./event.ts";
import { address, type Schema, struct, u64, vector } from "./schema.ts";
import { createPool, ownerCapability, type Stake } from "./stake-state.ts";

/** A fraction in units of 2^-32. */
interface FixedPoint32 {
  readonly value: bigint;
}

interface VestingSchedule {
  /** The share of the grant that each period vests; the last one repeats. */
  readonly schedule: readonly FixedPoint32[];
  readonly start_timestamp_secs: bigint;
  /** Seconds. */
  readonly period_duration: bigint;
  readonly last_vested_period: bigint;
}

interface GrantPool {
  readonly shareholders_limit: bigint;
  readonly total_coins: bigint;
  readonly total_shares: bigint;
  readonly shares: SimpleMap<Address, bigint>;
  readonly shareholders: readonly Address[];
  readonly scaling_factor: bigint;
}

interface StakingInfo {
  readonly pool_address: Address;
  readonly operator: Address;
  readonly voter: Address;
  readonly commission_percentage: bigint;
}

interface VestingContract {
  readonly state: bigint;
  readonly admin: Address;
  readonly grant_pool: GrantPool;
  readonly beneficiaries: SimpleMap<Address, Address>;
  readonly vesting_schedule: VestingSchedule;
  readonly withdrawal_address: Address;
  readonly staking: StakingInfo;
  /** Base units of the native coin that have not vested and been distributed. */
  readonly remaining_grant: bigint;
  readonly signer_cap: { readonly account: Address };
  readonly update_operator_events: EventHandle;
  readonly update_voter_events: EventHandle;
  readonly reset_lockup_events: EventHandle;
  readonly set_beneficiary_events: EventHandle;
  readonly unlock_rewards_events: EventHandle;
  readonly vest_events: EventHandle;
  readonly distribute_events: EventHandle;
  readonly terminate_events: EventHandle;
  readonly admin_withdraw_events: EventHandle;
}

const fixedPoint32 = struct<FixedPoint32>(
  "0x1::fixed_point32::FixedPoint32",
  { abilities: ["copy", "drop", "store"] },
  { value: u64 },
);
const grantPool = struct<GrantPool>(
  "0x1::pool_u64::Pool",
  { abilities: ["store"] },
  {
    shareholders_limit: u64,
    total_coins: u64,
    total_shares: u64,
    shares: simpleMap(address, u64),
    shareholders: vector(address),
    scaling_factor: u64,
  },
);
const vestingSchedule = struct<VestingSchedule>(
  "0x1::vesting::VestingSchedule",
  { abilities: ["copy", "drop", "store"] },
  { schedule: vector(fixedPoint32), start_timestamp_secs: u64, period_duration: u64, last_vested_period: u64 },
);
const stakingInfo = struct<StakingInfo>(
  "0x1::vesting::StakingInfo",
  { abilities: ["store"] },
  { pool_address: address, operator: address, voter: address, commission_percentage: u64 },
);

const event = (name: string, fields: Readonly<Record<string, Schema<unknown>>>) =>
  struct<Record<string, unknown>>(`0x1::vesting::${name}`, { abilities: ["drop", "store"] }, fields);
const contract = { admin: address, vesting_contract_address: address };
const pooled = { ...contract, staking_pool_address: address };

const events = {
  update_operator_events: event("UpdateOperatorEvent", {
    ...pooled,
    old_operator: address,
    new_operator: address,
    commission_percentage: u64,
  }),
  update_voter_events: event("UpdateVoterEvent", { ...pooled, old_voter: address, new_voter: address }),
  reset_lockup_events: event("ResetLockupEvent", { ...pooled, new_lockup_expiration_secs: u64 }),
  set_beneficiary_events: event("SetBeneficiaryEvent", {
    ...contract,
    shareholder: address,
    old_beneficiary: address,
    new_beneficiary: address,
  }),
  unlock_rewards_events: event("UnlockRewardsEvent", { ...pooled, amount: u64 }),
  vest_events: event("VestEvent", { ...pooled, period_vested: u64, amount: u64 }),
  distribute_events: event("DistributeEvent", { ...contract, amount: u64 }),
  terminate_events: event("TerminateEvent", contract),
  admin_withdraw_events: event("AdminWithdrawEvent", { ...contract, amount: u64 }),
};

const vestingContract = struct<VestingContract>(
  "0x1::vesting::VestingContract",
  { abilities: ["key"] },
  {
    state: u64,
    admin: address,
    grant_pool: grantPool,
    beneficiaries: simpleMap(address, address),
    vesting_schedule: vestingSchedule,
    withdrawal_address: address,
    staking: stakingInfo,
    remaining_grant: u64,
    signer_cap: signerCapability,
    update_operator_events: eventHandle.of(events.update_operator_events.type),
    update_voter_events: eventHandle.of(events.update_voter_events.type),
    reset_lockup_events: eventHandle.of(events.reset_lockup_events.type),
    set_beneficiary_events: eventHandle.of(events.set_beneficiary_events.type),
    unlock_rewards_events: eventHandle.of(events.unlock_rewards_events.type),
    vest_events: eventHandle.of(events.vest_events.type),
    distribute_events: eventHandle.of(events.distribute_events.type),
    terminate_events: eventHandle.of(events.terminate_events.type),
    admin_withdraw_events: eventHandle.of(events.admin_withdraw_events.type),
  },
);

const abort = aborts("0x1::vesting", {
  EVESTING_CONTRACT_NOT_ACTIVE: [8, "Vesting contract needs to be in active state."],
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
  const handle = () => newEventHandle(session, at);
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
    update_operator_events: handle(),
    update_voter_events: handle(),
    reset_lockup_events: handle(),
    set_beneficiary_events: handle(),
    unlock_rewards_events: handle(),
    vest_events: handle(),
    distribute_events: handle(),
    terminate_events: handle(),
    admin_withdraw_events: handle(),
  });
}

function contractAt(session: Session, at: Address): VestingContract {
  const found = session.find(vestingContract, at);
  if (found === undefined) throw abort("not_found", "EVESTING_CONTRACT_NOT_FOUND");
  return found;
}

/** As published: the shareholders of a terminated contract cannot be listed. */
function activeContractAt(session: Session, at: Address): VestingContract {
  const found = contractAt(session, at);
  if (found.state !== ACTIVE) throw abort("invalid_state", "EVESTING_CONTRACT_NOT_ACTIVE");
  return found;
}

/** Reads one value of a contract. */
const reads = <T>(name: string, result: Schema<T>, read: (contract: VestingContract) => T) =>
  view(name, {}, [address], [result], ({ session }, at) => [read(contractAt(session, at))]);

/** Vesting contracts opened by genesis: their state can be read; nothing vests and no others can be opened. */
export const vestingModules: readonly ModuleDefinition[] = [
  { address: FRAMEWORK, name: "fixed_point32", friends: [], structs: [fixedPoint32], functions: [] },
  { address: FRAMEWORK, name: "pool_u64", friends: [], structs: [grantPool], functions: [] },
  {
    address: FRAMEWORK,
    name: "vesting",
    friends: ["0x1::genesis"],
    structs: [...Object.values(events), stakingInfo, vestingContract, vestingSchedule],
    functions: [
      reads("operator", address, ({ staking }) => staking.operator),
      reads("operator_commission_percentage", u64, ({ staking }) => staking.commission_percentage),
      reads("period_duration_secs", u64, ({ vesting_schedule }) => vesting_schedule.period_duration),
      reads("remaining_grant", u64, ({ remaining_grant }) => remaining_grant),
      view("shareholders", {}, [address], [vector(address)], ({ session }, at) => [
        activeContractAt(session, at).grant_pool.shareholders,
      ]),
      reads("stake_pool_address", address, ({ staking }) => staking.pool_address),
      reads("vesting_schedule", vestingSchedule, ({ vesting_schedule }) => vesting_schedule),
      reads("vesting_start_secs", u64, ({ vesting_schedule }) => vesting_schedule.start_timestamp_secs),
      reads("voter", address, ({ staking }) => staking.voter),
    ],
  },
];

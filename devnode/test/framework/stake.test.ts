import { beforeEach, expect, test } from "vitest";
import type { Address } from "../../../src/chain/address.ts";
import { decode } from "../../codec/bcs.ts";
import { ALICE, WALLET_OWNERS } from "../../development-keys.ts";
import { FRAMEWORK, fixedAddress } from "../../framework/addresses.ts";
import { address, u64 } from "../../framework/schema.ts";
import { createPool, votingPower } from "../../framework/stake-state.ts";
import { stakingConfig } from "../../framework/staking-config.ts";
import { given, WALLETS, World } from "../vm/world.ts";

const [COMMUNITY, , FOUNDATION] = WALLET_OWNERS;
const VESTING = fixedAddress("0x7e57");
const [ACCOUNT_AMOUNT = 0n, POOL_AMOUNT = 0n, VESTING_AMOUNT = 0n] = WALLETS.map(({ amount }) => amount);

let world: World;
beforeEach(() => {
  world = new World();
});

function integers(id: string, ...at: readonly Address[]): readonly bigint[] {
  const outcome = world.view(
    id,
    at.map((each) => given(address, each)),
  );
  if (outcome.kind !== "returned") throw new Error(`${id}: ${JSON.stringify(outcome, (_, v) => String(v))}`);
  return outcome.values.map(({ bytes }) => {
    const decoded = decode(u64, bytes);
    if (decoded.kind === "malformed") throw new Error(decoded.message);
    return decoded.value;
  });
}

const stakeOf = (pool: Address) => integers("0x1::stake::get_stake", pool);
const sum = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n);

test("genesis credits each wallet's amount according to its kind", () => {
  expect(world.balance(COMMUNITY.address)).toBe(ACCOUNT_AMOUNT);
  expect(sum(stakeOf(FOUNDATION.address))).toBe(POOL_AMOUNT);
  expect(stakeOf(FOUNDATION.address).every((part) => part > 0n)).toBe(true);
  expect(world.balance(FOUNDATION.address)).toBe(0n);
  expect(integers("0x1::vesting::remaining_grant", VESTING)).toEqual([VESTING_AMOUNT]);
});

test("the validator set has the pools above the minimum stake, with the stake that earns rewards", () => {
  const [active = 0n, , , pendingInactive = 0n] = stakeOf(FOUNDATION.address);
  const [pool] = integers("0x1::stake::get_current_epoch_voting_power", FOUNDATION.address);
  expect(pool).toBe(active + pendingInactive);
  expect(integers("0x1::stake::get_validator_state", FOUNDATION.address)).toEqual([2n]);
  const small = fixedAddress("0xde1e");
  expect(sum(stakeOf(small))).toBe(9_000_000_000_006n);
  expect(integers("0x1::stake::get_current_epoch_voting_power", small)).toEqual([0n]);
  expect(integers("0x1::stake::get_validator_state", small)).toEqual([4n]);
  const set = world.resource("0x1::stake::ValidatorSet");
  expect(set).toMatchObject({ active_validators: [{ addr: FOUNDATION.address, voting_power: String(pool) }] });
  expect(set).toMatchObject({ total_voting_power: String(pool), pending_active: [], pending_inactive: [] });
});

test.each([
  [-1n, false],
  [0n, true],
])("a pool with the minimum stake and %d more earns rewards: %s", (more, isEarning) => {
  const { session } = world;
  const [active, none] = [session.get(stakingConfig, FRAMEWORK).minimum_stake + more, 0n];
  const stake = { active, inactive: none, pendingActive: none, pendingInactive: none };
  const [operator, voter] = [ALICE.address, ALICE.address];
  createPool(session, ALICE.address, { operator, voter, stake, lockedUntilSeconds: 0n });
  expect(votingPower(session, ALICE.address)).toBe(isEarning ? active : 0n);
});

test("the reward rate follows from the fixed-point resource, not from the outdated configuration", () => {
  const [numerator, denominator] = integers("0x1::staking_config::reward_rate");
  // As the public framework divides: at most 10^6 over the largest denominator for it.
  expect([numerator, denominator]).toEqual([999_999n, 62_500_000_000n]);
  const rewards = world.resource("0x1::staking_config::StakingRewardsConfig");
  expect(rewards).toMatchObject({ rewards_rate: { value: String((16n * 2n ** 64n) / 1_000_000n) } });
  expect(world.resource("0x1::staking_config::StakingConfig")).toMatchObject({ rewards_rate: "20" });
});

test.each([
  ["get_stake", "0x1000e", "ESTAKE_POOL_DOES_NOT_EXIST"],
  ["get_lockup_secs", "0x1000e", "ESTAKE_POOL_DOES_NOT_EXIST"],
  ["get_current_epoch_voting_power", "0x1000e", "ESTAKE_POOL_DOES_NOT_EXIST"],
])("stake::%s of an address without a pool aborts with %s", (name, code, reason) => {
  expect(world.view(`0x1::stake::${name}`, [given(address, ALICE.address)])).toMatchObject({
    kind: "failed",
    status: { kind: "move_abort", module: "0x1::stake", code: BigInt(code), reason: { name: reason } },
  });
});

test("vesting::stake_pool_address of an address without a contract aborts", () => {
  expect(world.view("0x1::vesting::stake_pool_address", [given(address, ALICE.address)])).toMatchObject({
    kind: "failed",
    status: { code: 0x6000an, reason: { name: "EVESTING_CONTRACT_NOT_FOUND" } },
  });
});

import { beforeEach, expect, test } from "vitest";
import { decode } from "../../../../devnode/codec/bcs.ts";
import { ALICE, BOB, WALLET_OWNERS } from "../../../../devnode/development-keys.ts";
import { fixedAddress } from "../../../../devnode/framework/addresses.ts";
import { address, u64 } from "../../../../devnode/framework/schema.ts";
import type { Address } from "../../../../src/chain/address.ts";
import { callTo, given, WALLETS, type Who, World } from "../vm/world.ts";

const [COMMUNITY, , FOUNDATION] = WALLET_OWNERS;
const VESTING = fixedAddress("0x7e57");
const [ACCOUNT_AMOUNT = 0n, POOL_AMOUNT = 0n, VESTING_AMOUNT = 0n] = WALLETS.map(({ amount }) => amount);
/** The lockup of a genesis pool ends in 2099. */
const AFTER_LOCKUP_MICROS = 4_102_444_801_000_000n;

let world: World;
beforeEach(() => {
  world = new World();
});

function integers(id: string, at: Address): readonly bigint[] {
  const outcome = world.view(id, [given(address, at)]);
  if (outcome.kind !== "returned") throw new Error(`${id}: ${JSON.stringify(outcome, (_, v) => String(v))}`);
  return outcome.values.map(({ bytes }) => {
    const decoded = decode(u64, bytes);
    if (decoded.kind === "malformed") throw new Error(decoded.message);
    return decoded.value;
  });
}

const stakeOf = (pool: Address) => integers("0x1::stake::get_stake", pool);
const sum = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n);
const stake = (who: Who, name: string, amount: bigint) => world.run(who, `0x1::stake::${name}`, [given(u64, amount)]);

function openPool(who: Who, amount: bigint): string {
  const values = [given(u64, amount), given(address, BOB.address), given(address, who.address)];
  return world.run(who, "0x1::stake::initialize_stake_owner", values);
}

test("genesis credits each wallet's amount according to its kind", () => {
  expect(world.balance(COMMUNITY.address)).toBe(ACCOUNT_AMOUNT);
  expect(sum(stakeOf(FOUNDATION.address))).toBe(POOL_AMOUNT);
  expect(stakeOf(FOUNDATION.address).every((part) => part > 0n)).toBe(true);
  expect(world.balance(FOUNDATION.address)).toBe(0n);
  expect(integers("0x1::vesting::remaining_grant", VESTING)).toEqual([VESTING_AMOUNT]);
});

test("a vesting contract's tokens are in its stake pool, not in its balance", () => {
  const outcome = world.view("0x1::vesting::stake_pool_address", [given(address, VESTING)]);
  if (outcome.kind !== "returned") throw new Error(outcome.kind);
  const decoded = decode(address, outcome.values[0]?.bytes ?? new Uint8Array());
  if (decoded.kind === "malformed") throw new Error(decoded.message);
  expect(decoded.value).not.toBe(VESTING);
  expect(stakeOf(decoded.value)).toEqual([VESTING_AMOUNT, 0n, 0n, 0n]);
  expect(world.balance(VESTING)).toBe(0n);
});

test.each([
  ["get_stake", "0x1000e", "ESTAKE_POOL_DOES_NOT_EXIST"],
  ["get_lockup_secs", "0x1000e", "ESTAKE_POOL_DOES_NOT_EXIST"],
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

test("stake is added from the balance, unlocked, reactivated, and withdrawn after the lockup", () => {
  expect(openPool(ALICE, 100n)).toBe("Executed successfully");
  expect(stake(ALICE, "add_stake", 11n)).toBe("Executed successfully");
  expect(stakeOf(ALICE.address)).toEqual([111n, 0n, 0n, 0n]);
  stake(ALICE, "unlock", 60n);
  stake(ALICE, "reactivate_stake", 10n);
  expect(stakeOf(ALICE.address)).toEqual([61n, 0n, 0n, 50n]);
  const before = world.balance(ALICE.address);
  const gas = before - world.balance(ALICE.address);
  expect(stake(ALICE, "withdraw", 20n)).toBe("Executed successfully");
  expect(stakeOf(ALICE.address)).toEqual([61n, 30n, 0n, 0n]);
  expect(world.balance(ALICE.address)).toBeGreaterThan(before - gas - 2_000_000n);
});

test("unlocking or withdrawing more than the stake is limited to the stake", () => {
  openPool(ALICE, 100n);
  stake(ALICE, "unlock", 2n ** 64n - 1n);
  expect(stakeOf(ALICE.address)).toEqual([0n, 0n, 0n, 100n]);
  stake(ALICE, "withdraw", 2n ** 64n - 1n);
  expect(stakeOf(ALICE.address)).toEqual([0n, 0n, 0n, 0n]);
});

test("unlocked stake stays in the pool until the lockup ends", () => {
  const pending = stakeOf(FOUNDATION.address);
  const fund = [given(address, FOUNDATION.address), given(u64, 100_000_000n)];
  world.run(ALICE, "0x1::aptos_account::transfer", fund);
  stake(FOUNDATION, "withdraw", 2n ** 64n - 1n);
  expect(stakeOf(FOUNDATION.address)).toEqual([pending[0], 0n, pending[2], pending[3]]);
  world.block(AFTER_LOCKUP_MICROS);
  const late = { expirationSeconds: AFTER_LOCKUP_MICROS / 1_000_000n + 60n };
  const values = callTo("0x1::stake::withdraw", [given(u64, 2n ** 64n - 1n)]);
  world.execute(world.transaction(FOUNDATION, values, late));
  expect(stakeOf(FOUNDATION.address)).toEqual([pending[0], 0n, pending[2], 0n]);
});

test("only its owner controls a pool, and an account has at most one", () => {
  expect(stake(BOB, "add_stake", 1n)).toMatch(/^Move abort in 0x1::stake: EOWNER_CAP_NOT_FOUND\(0x6000f\)/);
  openPool(ALICE, 1n);
  expect(openPool(ALICE, 1n)).toMatch(/^Move abort in 0x1::stake: EALREADY_REGISTERED\(0x80008\)/);
});

test("a pool's owner sets its operator and voter", () => {
  openPool(ALICE, 1n);
  const named = (name: string) => world.view(`0x1::stake::${name}`, [given(address, ALICE.address)]);
  expect(named("get_operator")).toMatchObject({ values: [{ bytes: given(address, BOB.address) }] });
  expect(named("get_delegated_voter")).toMatchObject({ values: [{ bytes: given(address, ALICE.address) }] });
});

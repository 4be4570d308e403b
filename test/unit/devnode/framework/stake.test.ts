import { beforeEach, expect, test } from "vitest";
import { decode } from "../../../../devnode/codec/bcs.ts";
import { ALICE, WALLET_OWNERS } from "../../../../devnode/development-keys.ts";
import { fixedAddress } from "../../../../devnode/framework/addresses.ts";
import { address, u64 } from "../../../../devnode/framework/schema.ts";
import type { Address } from "../../../../src/chain/address.ts";
import { given, WALLETS, World } from "../vm/world.ts";

const [COMMUNITY, , FOUNDATION] = WALLET_OWNERS;
const VESTING = fixedAddress("0x7e57");
const [ACCOUNT_AMOUNT = 0n, POOL_AMOUNT = 0n, VESTING_AMOUNT = 0n] = WALLETS.map(({ amount }) => amount);

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

test("genesis credits each wallet's amount according to its kind", () => {
  expect(world.balance(COMMUNITY.address)).toBe(ACCOUNT_AMOUNT);
  expect(sum(stakeOf(FOUNDATION.address))).toBe(POOL_AMOUNT);
  expect(stakeOf(FOUNDATION.address).every((part) => part > 0n)).toBe(true);
  expect(world.balance(FOUNDATION.address)).toBe(0n);
  expect(integers("0x1::vesting::remaining_grant", VESTING)).toEqual([VESTING_AMOUNT]);
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

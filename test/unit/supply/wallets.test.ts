import { describe, expect, test } from "vitest";
import type { ReadView } from "../../../src/chain/view.ts";
import { readBalance, type Wallet } from "../../../src/supply/wallets.ts";

const COIN = { kind: "coin", type: "0x1::aptos_coin::AptosCoin" } as const;
const wallet = (holds: Wallet["holds"]): Wallet => ({
  ...{ chain: "native", address: "0xa", label: "A", bucket: "team", holds },
});

/** The balance of a wallet when the chain's views return these values. */
async function balanceOf(holds: Wallet["holds"], views: Readonly<Record<string, readonly unknown[]>>) {
  const calls: string[] = [];
  const readView: ReadView = async (call) => {
    calls.push(`${call.function} ${call.arguments.join(" ")} at ${call.ledgerVersion}`);
    const values = views[call.function.split("::").at(-1) ?? ""];
    if (values === undefined) return { kind: "refused", status: 400 };
    return { kind: "returned", values, ledgerVersion: 9n, ageSeconds: 0 };
  };
  return { result: await readBalance(readView, COIN, wallet(holds), 9n), calls };
}

const MALFORMED_STAKE = "the chain's stake pool is malformed";

test.each<[Wallet["holds"], Readonly<Record<string, readonly unknown[]>>, bigint, string[]]>([
  ["account", { balance: ["7"] }, 7n, ["0x1::coin::balance 0xa at 9"]],
  ["account", { balance: ["0"] }, 0n, ["0x1::coin::balance 0xa at 9"]],
  ["stake_pool", { get_stake: ["1", "20", "300", "4000"] }, 4_321n, ["0x1::stake::get_stake 0xa at 9"]],
  ["stake_pool", { get_stake: ["0", "0", "0", "0"] }, 0n, ["0x1::stake::get_stake 0xa at 9"]],
  [
    "vesting",
    { stake_pool_address: ["0x00cc"], get_stake: ["1", "20", "300", "4000"] },
    4_321n,
    ["0x1::vesting::stake_pool_address 0xa at 9", "0x1::stake::get_stake 0xcc at 9"],
  ],
])("the balance of a wallet that is %s, from %j", async (holds, views, baseUnits, expected) => {
  const { result, calls } = await balanceOf(holds, views);
  expect(result).toMatchObject({ kind: "balance", baseUnits });
  expect(calls).toEqual(expected);
});

test("each of the four parts of a stake pool has its own member", async () => {
  const { result } = await balanceOf("stake_pool", { get_stake: ["1", "20", "300", "4000"] });
  const stake = { active: 1n, inactive: 20n, pendingActive: 300n, pendingInactive: 4_000n };
  expect(result).toMatchObject({ stake });
});

describe("no balance is guessed from", () => {
  test.each<[string, Wallet["holds"], Readonly<Record<string, readonly unknown[]>>, string]>([
    ["a number", "account", { balance: [7] }, "the chain's balance is malformed"],
    ["a negative amount", "account", { balance: ["-7"] }, "the chain's balance is malformed"],
    ["no value", "account", { balance: [] }, "the chain's balance is malformed"],
    ["two values", "account", { balance: ["7", "7"] }, "the chain's balance is malformed"],
    ["an amount and something else", "account", { balance: ["7", null] }, "the chain's balance is malformed"],
    ["three parts", "stake_pool", { get_stake: ["1", "2", "3"] }, MALFORMED_STAKE],
    ["five parts", "stake_pool", { get_stake: ["1", "2", "3", "4", "5"] }, MALFORMED_STAKE],
    ["four parts, one of which is no amount", "stake_pool", { get_stake: ["1", "2", "3", "x"] }, MALFORMED_STAKE],
    ["five parts, one of which is no amount", "stake_pool", { get_stake: ["1", "2", "x", "3", "4"] }, MALFORMED_STAKE],
    ["a contract without a pool", "vesting", { stake_pool_address: [] }, "the vesting contract names no stake pool"],
    ["a pool without an address", "vesting", { stake_pool_address: ["x"] }, "the vesting contract names no stake pool"],
  ])("%s", async (_what, holds, views, reason) => {
    expect((await balanceOf(holds, views)).result).toEqual({ kind: "failure", reason });
  });
});

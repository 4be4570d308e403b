import { describe, expect, test } from "vitest";
import type { ReadView } from "../../../src/chain/view.ts";
import { readBalance, type Wallet } from "../../../src/supply/wallets.ts";

const COIN = { kind: "coin", type: "0x1::aptos_coin::AptosCoin" } as const;
const owner = { chain: "native", address: "0xa", label: "A", category: "team", bucket: "team" } as const;
const WALLETS: { readonly [Kind in Wallet["holds"]]: Wallet } = {
  account: { ...owner, holds: "account" },
  stake_pool: { ...owner, holds: "stake_pool" },
  vesting: { ...owner, holds: "vesting" },
  delegation: { ...owner, holds: "delegation", pool: "0xdd" },
  staking_contract: { ...owner, holds: "staking_contract", operator: "0xee" },
};

/** The balance of a wallet when the chain's views return these values. */
async function balanceOf(holds: Wallet["holds"], views: Readonly<Record<string, readonly unknown[]>>) {
  const calls: string[] = [];
  const readView: ReadView = async (call) => {
    calls.push(`${call.function} ${call.arguments.join(" ")} at ${call.ledgerVersion}`);
    const values = views[call.function.split("::").at(-1) ?? ""];
    if (values === undefined) return { kind: "refused", status: 400 };
    return { kind: "returned", values, ledgerVersion: 9n, ageSeconds: 0 };
  };
  return { result: await readBalance(readView, COIN, WALLETS[holds], 9n), calls };
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
  ["delegation", { get_stake: ["1", "20", "300"] }, 321n, ["0x1::delegation_pool::get_stake 0xdd 0xa at 9"]],
  ["delegation", { get_stake: ["0", "0", "0"] }, 0n, ["0x1::delegation_pool::get_stake 0xdd 0xa at 9"]],
  [
    "staking_contract",
    {
      stake_pool_address: ["0x00cc"],
      get_stake: ["1", "20", "300", "4000"],
      staking_contract_amounts: ["301", "100", "21"],
    },
    4_300n,
    [
      "0x1::staking_contract::stake_pool_address 0xa 0xee at 9",
      "0x1::staking_contract::staking_contract_amounts 0xa 0xee at 9",
      "0x1::stake::get_stake 0xcc at 9",
    ],
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
    ["a contract without a pool", "vesting", { stake_pool_address: [] }, "the contract names no stake pool"],
    ["a pool without an address", "vesting", { stake_pool_address: ["x"] }, "the contract names no stake pool"],
    ["two parts of a delegation", "delegation", { get_stake: ["1", "2"] }, "the chain's delegated stake is malformed"],
    [
      "a commission above the stake",
      "staking_contract",
      { stake_pool_address: ["0xcc"], get_stake: ["1", "0", "0", "0"], staking_contract_amounts: ["1", "1", "2"] },
      "the chain's staking contract is malformed",
    ],
    [
      "a staking contract without its commission",
      "staking_contract",
      { stake_pool_address: ["0xcc"], get_stake: ["1", "0", "0", "0"], staking_contract_amounts: ["1", "1"] },
      "the chain's staking contract is malformed",
    ],
    [
      "a staking contract whose pool cannot be read",
      "staking_contract",
      { stake_pool_address: ["0xcc"], staking_contract_amounts: ["1", "1", "0"] },
      "the chain node answers 400 to 0x1::stake::get_stake",
    ],
  ])("a balance is refused for %s", async (_what, holds, views, reason) => {
    expect((await balanceOf(holds, views)).result).toEqual({ kind: "failure", reason });
  });
});

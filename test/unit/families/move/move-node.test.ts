import { describe, expect, test } from "vitest";
import { type Asset, parseMoveAsset } from "../../../../src/chain/asset.ts";
import type { ReadResource, ReadView, ViewCall } from "../../../../src/chain/view.ts";
import { moveNode } from "../../../../src/families/move/move-node.ts";
import type { Wallet } from "../../../../src/supply/wallets.ts";

const COIN = { kind: "coin", text: "0x1::aptos_coin::AptosCoin" } as const;
const TOKEN = "0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b";
const METADATA = "0x1::fungible_asset::Metadata";
const U128_MAX = 2n ** 128n - 1n;
const VERSION = 9n;

const owner = { chain: "native", address: "0xa", label: "A", category: "team", bucket: "team" } as const;
const WALLETS: { readonly [Kind in Wallet["holds"]]: Wallet } = {
  account: { ...owner, holds: "account" },
  stake_pool: { ...owner, holds: "stake_pool" },
  vesting: { ...owner, holds: "vesting" },
  delegation: { ...owner, holds: "delegation", pool: "0xdd" },
  staking_contract: { ...owner, holds: "staking_contract", operator: "0xee" },
  lock: { ...owner, holds: "lock", view: "locked()", contract: null },
};

/** A view's answer: values, an error's status, a ledger version that the values are of, or silence. */
type Scripted = readonly unknown[] | number | bigint | "silence";

/** A node that answers views by the last part of their name, and records each call. */
function nodeOf(answerOf: (call: ViewCall) => Scripted | undefined) {
  const calls: ViewCall[] = [];
  const read: ReadView = async (call) => {
    calls.push(call);
    const answer = answerOf(call) ?? 400;
    if (answer === "silence") return { kind: "unavailable" };
    if (typeof answer === "number") return { kind: "refused", status: answer };
    if (typeof answer === "bigint") return { kind: "returned", values: ["7"], ledgerVersion: answer };
    return { kind: "returned", values: answer, ledgerVersion: VERSION };
  };
  const readResource: ReadResource = async ({ type, ledgerVersion }) =>
    read({ function: type, typeArguments: [], arguments: [], ledgerVersion });
  return { node: moveNode("upstream-1", VERSION, { readView: read, readResource }), calls };
}

type Views = Readonly<Record<string, Scripted>>;
const viewName = (call: ViewCall): string => call.function.split("::").at(-1) ?? "";
const nodeWith = (views: Views) => nodeOf((call) => views[viewName(call)]);

function assetOf(text: string): Asset {
  const asset = parseMoveAsset(text);
  if (asset === undefined) throw new Error(`${text} is no asset`);
  return asset;
}

describe("the supply", () => {
  const supplyOf = (views: Views, knownDecimals: number | null = null) =>
    nodeWith(views).node.supply(COIN, VERSION, knownDecimals);
  const views = (supply: Scripted | unknown, decimals: unknown = 8): Views => ({
    supply: [supply],
    decimals: [decimals],
  });

  test.each([
    ["a coin is one view, which counts its paired fungible asset", COIN, "0x1::coin", [COIN.text], []],
    ["a fungible asset is one view of its metadata", assetOf(TOKEN), "0x1::fungible_asset", [METADATA], [TOKEN]],
  ])("of %s, at that version", async (_what, asset, module, typeArguments, values) => {
    const { node, calls } = nodeWith(views({ vec: ["5000000"] }, 6));
    expect(await node.supply(asset, VERSION, null)).toEqual({ minted: 5_000_000n, decimals: 6 });
    expect(calls).toEqual(
      ["supply", "decimals"].map((name) => {
        return { function: `${module}::${name}`, typeArguments, arguments: values, ledgerVersion: VERSION };
      }),
    );
  });

  test("is read without its decimals once they are known", async () => {
    const { node, calls } = nodeWith(views({ vec: ["7"] }, "never read"));
    expect(await node.supply(COIN, VERSION, 8)).toEqual({ minted: 7n, decimals: 8 });
    expect(calls.map(viewName)).toEqual(["supply"]);
  });

  test.each(["0", "9007199254740993", String(U128_MAX)])("of %s base units is exact", async (units) => {
    expect(await supplyOf(views({ vec: [units] }))).toMatchObject({ minted: BigInt(units) });
  });

  const MALFORMED = "the chain's supply figure is malformed";
  const NO_DECIMALS = "the chain names no decimals for this asset";
  test.each<[string, Views, string, string]>([
    ["not tracked", views({ vec: [] }), "refused", "the chain does not track the supply of this asset"],
    ["given twice", views({ vec: ["1", "2"] }), "refused", MALFORMED],
    ["a number", views({ vec: [100000000] }), "refused", MALFORMED],
    ["over u128", views({ vec: [String(U128_MAX + 1n)] }), "refused", MALFORMED],
    ["negative", views({ vec: ["-1"] }), "refused", MALFORMED],
    ["without its option", views("100000000"), "refused", MALFORMED],
    ["null", views(null), "refused", MALFORMED],
    ["without decimals", views({ vec: ["1"] }, null), "refused", NO_DECIMALS],
    ["with fractional decimals", views({ vec: ["1"] }, 8.5), "refused", NO_DECIMALS],
    ["an error", { supply: 400, decimals: [8] }, "refused", "the chain node answers 400 to 0x1::coin::supply"],
    ["pruned", { supply: 410, decimals: [8] }, "refused", "the chain node answers 410 to 0x1::coin::supply"],
    ["of a version to come", { supply: 404, decimals: [8] }, "not_reached", "the chain node has not reached 9"],
    ["of an older one", { supply: 8n, decimals: [8] }, "not_reached", "the chain node answered at version 8, not at 9"],
    ["not answered", { supply: "silence", decimals: [8] }, "silent", "the chain node does not answer"],
    [
      "answered, but not its decimals",
      { supply: [{ vec: ["1"] }], decimals: "silence" },
      "silent",
      "the chain node does not answer",
    ],
  ])("that is %s is a failure, never a zero", async (_what, scripted, why, reason) => {
    expect(await supplyOf(scripted)).toEqual({ why, reason });
  });
});

/** The balance of one wallet when the chain's views return these values. */
async function balanceOf(holds: Wallet["holds"], views: Views) {
  const { node, calls } = nodeWith(views);
  const [result] = await node.balances(COIN, [WALLETS[holds]], VERSION);
  return {
    result,
    calls: calls.map((call) => `${call.function} ${call.arguments.join(" ")} at ${call.ledgerVersion}`),
  };
}

test.each<[Wallet["holds"], Views, bigint, string[]]>([
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
  expect(result).toMatchObject({ baseUnits });
  expect(calls).toEqual(expected);
});

test("the balance of a fungible asset is that of the primary store", async () => {
  const { node, calls } = nodeWith({ balance: ["7"] });
  const balances = await node.balances(assetOf(TOKEN), [WALLETS.account], VERSION);
  expect(balances).toEqual([{ baseUnits: 7n, stake: null, pool: null }]);
  expect(calls).toEqual([
    {
      function: "0x1::primary_fungible_store::balance",
      typeArguments: [METADATA],
      arguments: ["0xa", TOKEN],
      ledgerVersion: VERSION,
    },
  ]);
});

test("each of the four parts of a stake pool has its own member", async () => {
  const { result } = await balanceOf("stake_pool", { get_stake: ["1", "20", "300", "4000"] });
  const stake = { active: 1n, inactive: 20n, pendingActive: 300n, pendingInactive: 4_000n };
  expect(result).toMatchObject({ stake });
});

describe("no balance is guessed from", () => {
  const BALANCE = "the chain's balance is malformed";
  const STAKE = "the chain's stake pool is malformed";
  const POOL = { stake_pool_address: ["0xcc"], get_stake: ["1", "0", "0", "0"] } as const;
  test.each<[string, Wallet["holds"], Views, string]>([
    ["a number", "account", { balance: [7] }, BALANCE],
    ["a negative amount", "account", { balance: ["-7"] }, BALANCE],
    ["no value", "account", { balance: [] }, BALANCE],
    ["two values", "account", { balance: ["7", "7"] }, BALANCE],
    ["an amount and something else", "account", { balance: ["7", null] }, BALANCE],
    ["three parts", "stake_pool", { get_stake: ["1", "2", "3"] }, STAKE],
    ["five parts", "stake_pool", { get_stake: ["1", "2", "3", "4", "5"] }, STAKE],
    ["four parts, one of which is no amount", "stake_pool", { get_stake: ["1", "2", "3", "x"] }, STAKE],
    ["five parts, one of which is no amount", "stake_pool", { get_stake: ["1", "2", "x", "3", "4"] }, STAKE],
    ["a contract without a pool", "vesting", { stake_pool_address: [] }, "the contract names no stake pool"],
    ["a pool without an address", "vesting", { stake_pool_address: ["x"] }, "the contract names no stake pool"],
    ["two parts of a delegation", "delegation", { get_stake: ["1", "2"] }, "the chain's delegated stake is malformed"],
    [
      "a commission above the stake",
      "staking_contract",
      { ...POOL, staking_contract_amounts: ["1", "1", "2"] },
      "the chain's staking contract is malformed",
    ],
    [
      "a staking contract without its commission",
      "staking_contract",
      { ...POOL, staking_contract_amounts: ["1", "1"] },
      "the chain's staking contract is malformed",
    ],
    [
      "a staking contract whose pool cannot be read",
      "staking_contract",
      { stake_pool_address: ["0xcc"], staking_contract_amounts: ["1", "1", "0"] },
      "the chain node answers 400 to 0x1::stake::get_stake",
    ],
  ])("%s", async (_what, holds, views, reason) => {
    expect((await balanceOf(holds, views)).result).toEqual({ why: "refused", reason });
  });

  test("a version before the one that is asked for", async () => {
    const reason = "the chain node answered at version 8, not at 9";
    expect((await balanceOf("account", { balance: 8n })).result).toEqual({ why: "not_reached", reason });
  });
});

describe("many wallets", () => {
  const wallets = Array.from({ length: 40 }, (_, index): Wallet => {
    return { ...WALLETS.account, address: `0x${(index + 1).toString(16)}` };
  });
  const addressOf = (call: ViewCall) => String(call.arguments[0]);

  test("are in the order of the list, and one that is refused leaves the others", async () => {
    const { node } = nodeOf((call) => (addressOf(call) === "0x2" ? 400 : [String(BigInt(addressOf(call)))]));
    const balances = await node.balances(COIN, wallets, VERSION);
    expect(balances.map((each) => ("why" in each ? each.why : each.baseUnits))).toEqual(
      wallets.map((_, index) => (index === 1 ? "refused" : BigInt(index + 1))),
    );
  });

  test("are not all asked for at a node that falls silent: each would wait for its deadline", async () => {
    const { node, calls } = nodeOf(() => "silence");
    const balances = await node.balances(COIN, wallets, VERSION);
    expect(balances).toHaveLength(40);
    expect(new Set(balances.map((each) => "why" in each && each.why))).toEqual(new Set(["silent"]));
    // Only the calls that were under way are made.
    expect(calls).toHaveLength(4);
  });
});

describe("native staking", () => {
  const VIEWS: Views = {
    reward_rate: ["999999", "168461538461"],
    get_epoch_interval_secs: ["7200"],
    ValidatorSet: [{ total_voting_power: "82000", active_validators: [] }],
  };
  const stakingOf = (views: Views) => nodeWith({ ...VIEWS, ...views }).node.staking(VERSION);

  test("is two views and the validator set, at one version", async () => {
    const { node, calls } = nodeWith(VIEWS);
    const terms = { numerator: 999_999n, denominator: 168_461_538_461n, epochSeconds: 7_200n, staked: 82_000n };
    expect(await node.staking(VERSION)).toEqual(terms);
    expect(calls.map(({ function: name, ledgerVersion }) => [name, ledgerVersion])).toEqual([
      ["0x1::staking_config::reward_rate", VERSION],
      ["0x1::block::get_epoch_interval_secs", VERSION],
      ["0x1::stake::ValidatorSet", VERSION],
    ]);
  });

  test.each<[string, Views, string, string]>([
    ["no view of the rate", { reward_rate: 400 }, "refused", "answers 400 to 0x1::staking_config::reward_rate"],
    ["no validator set", { ValidatorSet: 404 }, "refused", "answers 404 to 0x1::stake::ValidatorSet"],
    ["silence", { get_epoch_interval_secs: "silence" }, "silent", "does not answer"],
    ["an earlier version", { ValidatorSet: VERSION - 1n }, "not_reached", "answered at version 8, not at 9"],
    ["one number for the rate", { reward_rate: ["16"] }, "refused", "staking configuration is malformed"],
    ["numbers instead of texts", { get_epoch_interval_secs: [7200] }, "refused", "is malformed"],
    ["a negative stake", { ValidatorSet: [{ total_voting_power: "-1" }] }, "refused", "is malformed"],
    ["a set without its sum", { ValidatorSet: [{}] }, "refused", "is malformed"],
    ["no object", { ValidatorSet: ["82000"] }, "refused", "is malformed"],
    ["no numerator either", { reward_rate: ["0", "0"] }, "refused", "the reward rate's denominator is 0"],
    ["a denominator of 0", { reward_rate: ["1", "0"] }, "refused", "the reward rate's denominator is 0"],
    ["a reward above the stake", { reward_rate: ["2", "1"] }, "refused", "the reward rate is above 1"],
    ["an epoch of no length", { get_epoch_interval_secs: ["0"] }, "refused", "the epoch's interval is 0 seconds"],
  ])("%s is an error, never a 0", async (_what, views, why, reason) => {
    expect(await stakingOf(views)).toMatchObject({ why, reason: expect.stringContaining(reason) });
  });
});

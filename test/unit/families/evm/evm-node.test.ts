import { describe, expect, test } from "vitest";
import type { Holding } from "../../../../src/chain/holding.ts";
import { parseEvmAddress } from "../../../../src/families/evm/address.ts";
import { evmNode } from "../../../../src/families/evm/evm-node.ts";
import type { Rpc } from "../../../../src/families/evm/json-rpc.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";

const long = (address: string): string => `0x${address.slice(2).padStart(40, "0")}`;
const account = (address: string): Holding => ({ chain: "native", label: "", holds: "account", address });
const ADDRESS = parseEvmAddress(TOKEN) ?? expect.fail();
const ASSET = { kind: "contract", text: ADDRESS } as const;

async function nodeOf(wallets: readonly Holding[], holders = new Map<string, bigint>()) {
  const chain = await EvmChain.begin({ holders });
  const calls: unknown[] = [];
  const call: Rpc = async (method, params) => {
    calls.push([method, ...params]);
    const said = await chain.answer(method, params);
    return "result" in said ? { kind: "result", value: said.result } : { kind: "error", code: said.error.code };
  };
  const head = { ...chain.head, timestampMs: chain.head.timestampSeconds * 1_000 };
  return { node: evmNode({ label: "a", chainId: 1, head, call }, wallets), calls, number: head.number };
}

test.each([
  [12, 1],
  [256, 1],
  [257, 2],
  [600, 3],
  [1_024, 4],
])("%i wallets are read with the supply in %i calls, each wallet in its place", async (count, expected) => {
  const wallets = Array.from({ length: count }, (_, index) => account(long(`0x${(index + 4_096).toString(16)}`)));
  const holders = new Map(wallets.map(({ address }, index) => [address, BigInt(index)]));
  const { node, calls, number } = await nodeOf(wallets, holders);
  expect(await node.supply(ASSET, number, 18)).toMatchObject({ minted: 10n ** 27n, decimals: 18 });
  const held = await node.balances(ASSET, wallets, number);
  expect(held).toEqual(wallets.map((_, index) => ({ baseUnits: BigInt(index), stake: null, pool: null })));
  // Some of them in another order, as a third node is asked.
  expect(await node.balances(ASSET, [...wallets].reverse().slice(0, 3), number)).toEqual(
    [...held].reverse().slice(0, 3),
  );
  expect(calls).toHaveLength(expected);
  // Every call names the same block, by its hash.
  expect(new Set(calls.map((call) => JSON.stringify(Object(call)[2]))).size).toBe(1);
});

test.each([
  [0, [1_000_000]],
  [12, [1_720_000]],
  [250, [16_000_000]],
  [256, [16_000_000]],
  [257, [16_000_000, 1_060_000]],
])("the calls for %i wallets name their gas: %j", async (count, gas) => {
  const wallets = Array.from({ length: count }, (_, index) => account(long(`0x${(index + 4_096).toString(16)}`)));
  const { node, calls, number } = await nodeOf(wallets);
  expect(await node.supply(ASSET, number, 18)).toMatchObject({ minted: 10n ** 27n });
  expect(calls.map((call) => Number(Object(call)[1].gas))).toEqual(gas);
});

test("balances are read without a supply before them, and of wallets that were not named", async () => {
  const { node, calls, number } = await nodeOf([account(long("0x1000"))], new Map([[long("0x2000"), 5n]]));
  expect(await node.balances(ASSET, [account(long("0x2000"))], number)).toMatchObject([{ baseUnits: 5n }]);
  expect(await node.supply(ASSET, number, null)).toMatchObject({ decimals: 18 });
  expect(calls).toHaveLength(2);
});

describe("what no EVM chain has is refused by its name", () => {
  test.each<[string, Holding, string]>([
    [
      "a stake pool",
      { ...account(long("0x1")), holds: "stake_pool" },
      "an EVM chain has no holding of the kind stake_pool",
    ],
    ["32 bytes", account(`0x1${"0".repeat(63)}`), "the address is none of an EVM chain"],
  ])("%s", async (_case, holding, reason) => {
    const { node, number } = await nodeOf([holding, account(long("0x2000"))], new Map([[long("0x2000"), 5n]]));
    const held = await node.balances(ASSET, [holding, account(long("0x2000"))], number);
    expect(held).toEqual([
      { why: "refused", reason },
      { baseUnits: 5n, stake: null, pool: null },
    ]);
  });

  test("a coin, and native staking", async () => {
    const { node, number } = await nodeOf([]);
    expect(await node.supply({ kind: "coin", text: "0x1::a::B" }, number, null)).toMatchObject({ why: "refused" });
    expect(await node.staking(number)).toMatchObject({ why: "refused" });
  });
});

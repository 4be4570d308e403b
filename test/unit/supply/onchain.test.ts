import { describe, expect, test } from "vitest";
import { wholeTokens } from "../../../src/chain/amount.ts";
import { assetText, parseAsset } from "../../../src/chain/asset.ts";
import type { ReadView, ViewCall } from "../../../src/chain/view.ts";
import { exceeds, supplySource } from "../../../src/supply/onchain.ts";

const U128_MAX = 2n ** 128n - 1n;
const NOW = 1_000_000;

/** A node that answers views from a table, and records each call. */
function node(views: Record<string, unknown>, ageSeconds = 0) {
  const requested: ViewCall[] = [];
  const read: ReadView = async (call) => {
    requested.push(call);
    const value = views[call.function];
    if (value === undefined) return { kind: "unavailable" };
    if (typeof value === "number" || !Array.isArray(value))
      return { kind: "refused", status: typeof value === "number" ? value : 200 };
    return { kind: "returned", values: value, ledgerVersion: 7n, ageSeconds };
  };
  return { read, requested };
}

const COIN = parseAsset("0x1::aptos_coin::AptosCoin");
const TOKEN = parseAsset("0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b");
const coinViews = (supply: unknown, decimals: unknown = 8) => ({
  "0x1::coin::supply": [supply],
  "0x1::coin::decimals": [decimals],
});

async function supplyOf(views: Record<string, unknown>, zeroIsBelieved = false) {
  if (COIN === undefined) throw new Error("the asset is well-formed");
  const found = await supplySource(node(views).read, COIN, zeroIsBelieved)(NOW);
  return found.kind === "failure" ? found.reason : wholeTokens(found.value.baseUnits, found.value.decimals);
}

describe("an asset's name", () => {
  test.each([
    ["0x1::aptos_coin::AptosCoin", "coin", "0x1::aptos_coin::AptosCoin"],
    [
      "0x0000000000000000000000000000000000000000000000000000000000000001::a::B<u8,0x02::c::D>",
      "coin",
      "0x1::a::B<u8, 0x2::c::D>",
    ],
    ["0xA", "fungible_asset", "0xa"],
  ])("%s is parsed as %s %s", (text, kind, canonical) => {
    const asset = parseAsset(text);
    expect([asset?.kind, asset && assetText(asset)]).toEqual([kind, canonical]);
  });

  test.each(["", "0x", "APT", "0x1::coin", "0x1::a::B<", "0xg", "u8"])("%j is invalid", (text) => {
    expect(parseAsset(text)).toBeUndefined();
  });
});

describe("the supply on chain", () => {
  test("of a coin is one view, which counts its paired fungible asset", async () => {
    if (COIN === undefined) throw new Error("the asset is well-formed");
    const { read, requested: wanted } = node(coinViews({ vec: ["100000000"] }));
    await supplySource(read, COIN, false)(NOW);
    expect(wanted).toEqual(
      ["0x1::coin::supply", "0x1::coin::decimals"].map((name) => ({
        function: name,
        typeArguments: ["0x1::aptos_coin::AptosCoin"],
        arguments: [],
        ledgerVersion: null,
      })),
    );
  });

  test("of a fungible asset is one view of its metadata", async () => {
    if (TOKEN === undefined) throw new Error("the asset is well-formed");
    const views = { "0x1::fungible_asset::supply": [{ vec: ["5000000"] }], "0x1::fungible_asset::decimals": [6] };
    const { read, requested } = node(views, 7);
    expect(await supplySource(read, TOKEN, true)(NOW)).toEqual({
      kind: "observed",
      value: { baseUnits: 5_000_000n, decimals: 6, ledgerVersion: 7n },
      observedAtMs: NOW - 7_000,
    });
    expect(requested).toEqual(
      ["supply", "decimals"].map((name) => ({
        function: `0x1::fungible_asset::${name}`,
        typeArguments: ["0x1::fungible_asset::Metadata"],
        arguments: [assetText(TOKEN)],
        ledgerVersion: null,
      })),
    );
  });

  test.each([
    ["199999999", 8, "1"],
    ["200000000", 8, "2"],
    [String(U128_MAX), 0, String(U128_MAX)],
    [String(U128_MAX), 8, "3402823669209384634633746074317"],
    [String(U128_MAX), 18, "340282366920938463463"],
    ["9007199254740993", 0, "9007199254740993"],
    ["1000000000000000000000000000", 18, "1000000000"],
  ])("%s base units of 10^-%i are %s whole tokens", async (units, decimals, whole) => {
    expect(await supplyOf(coinViews({ vec: [units] }, decimals))).toBe(whole);
  });

  test.each([
    ["not tracked", coinViews({ vec: [] }), "the chain does not track the supply of this asset"],
    ["given twice", coinViews({ vec: ["1", "2"] }), "the chain's supply figure is malformed"],
    ["a number", coinViews({ vec: [100000000] }), "the chain's supply figure is malformed"],
    ["over u128", coinViews({ vec: [String(U128_MAX + 1n)] }), "the chain's supply figure is malformed"],
    ["negative", coinViews({ vec: ["-1"] }), "the chain's supply figure is malformed"],
    ["without its option", coinViews("100000000"), "the chain's supply figure is malformed"],
    ["null", coinViews(null), "the chain's supply figure is malformed"],
    ["without decimals", coinViews({ vec: ["100000000"] }, null), "the chain names no decimals for this asset"],
    ["with fractional decimals", coinViews({ vec: ["100000000"] }, 8.5), "the chain names no decimals for this asset"],
    ["zero", coinViews({ vec: ["0"] }), "the supply of this asset on chain is zero"],
    ["less than a whole token", coinViews({ vec: ["99999999"] }), "the supply of this asset on chain is zero"],
    ["not JSON", { ...coinViews(0), "0x1::coin::supply": "<html>" }, "the chain node answers 200 to 0x1::coin::supply"],
    ["an error", { ...coinViews(0), "0x1::coin::supply": 400 }, "the chain node answers 400 to 0x1::coin::supply"],
    ["without a node", {}, "no chain node answers"],
    ["decimals without a node", { "0x1::coin::supply": [{ vec: ["100000000"] }] }, "no chain node answers"],
  ])("that is %s is a failure, never a zero", async (_name, views, reason) => {
    expect(await supplyOf(views)).toBe(reason);
  });

  test("may be zero for a token that is not issued yet", async () => {
    expect(await supplyOf(coinViews({ vec: ["0"] }), true)).toBe("0");
  });
});

test.each([
  [{ baseUnits: 100n, decimals: 2 }, { baseUnits: 100n, decimals: 2 }, false],
  [{ baseUnits: 101n, decimals: 2 }, { baseUnits: 100n, decimals: 2 }, true],
  [{ baseUnits: 1n, decimals: 0 }, { baseUnits: 100_000_000n, decimals: 8 }, false],
  [{ baseUnits: 100_000_001n, decimals: 8 }, { baseUnits: 1n, decimals: 0 }, true],
])("%o above %o: %s", (claimed, existing, above) => {
  expect(exceeds(claimed, existing)).toBe(above);
});

import { describe, expect, test } from "vitest";
import { wholeTokens } from "../../../src/chain/amount.ts";
import { assetText, parseAsset } from "../../../src/chain/asset.ts";
import type { ReadView, ViewCall } from "../../../src/chain/view.ts";
import { exceeds, type Supply } from "../../../src/supply/onchain.ts";
import { type SupplyQuestion, totalQuestion, unscheduledQuestion } from "../../../src/supply/plausibility.ts";
import { supplySource } from "../../../src/supply/supply-source.ts";
import { type Memory, nobodyConfirms, remembering, THRESHOLDS } from "../swr/remembering.ts";
import { bucket, file, valid } from "./schedules.ts";

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

const UNSCHEDULED = unscheduledQuestion(THRESHOLDS);
const NATIVE = totalQuestion(valid(file()), THRESHOLDS);

function sourceOf(readView: ReadView, asset = COIN, questionOf: SupplyQuestion = UNSCHEDULED) {
  if (asset === undefined) throw new Error("the asset is well-formed");
  return remembering(supplySource({ readView, confirmView: nobodyConfirms, asset, questionOf, confirmSeconds: 60 }));
}

async function supplyOf(views: Record<string, unknown>, questionOf = UNSCHEDULED) {
  const found = await sourceOf(node(views).read, COIN, questionOf)(NOW);
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
    const { read, requested: wanted } = node(coinViews({ vec: ["100000000"] }));
    await sourceOf(read)(NOW);
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
    expect(await sourceOf(read, TOKEN)(NOW)).toEqual({
      kind: "observed",
      doubts: new Map(),
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
    [String(U128_MAX - 1n), 0, String(U128_MAX - 1n)],
    [String(U128_MAX - 1n), 8, "3402823669209384634633746074317"],
    [String(U128_MAX - 1n), 18, "340282366920938463463"],
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
    expect(await supplyOf(views, NATIVE)).toBe(reason);
  });

  test("is read with its decimals once: they never change", async () => {
    const { read, requested } = node(coinViews({ vec: ["100000000"] }));
    const load = sourceOf(read);
    for (const nowMs of [NOW, NOW + 5_000]) await load(nowMs);
    expect(requested.map((call) => call.function.slice("0x1::coin::".length))).toEqual([
      "supply",
      "decimals",
      "supply",
    ]);
  });

  test("may be zero for a token that is not issued yet", async () => {
    expect(await supplyOf(coinViews({ vec: ["0"] }))).toBe("0");
  });
});

/** The maximum is 1,000 tokens, of which 100 circulate at first and 1,000 after the step of 2025-03-01. */
describe("a total that is read once too high, too low or in other decimals", () => {
  const DAY = Date.parse("2025-02-20");
  const schedule = valid(
    file({ buckets: [bucket({ genesis: "100", phases: [{ kind: "cliff", amount: "900", month: 1 }] })] }),
  );
  const tokens = (count: number): string => String(BigInt(Math.round(count * 100)) * 10n ** 6n);

  const NATIVE_QUESTION = totalQuestion(schedule, THRESHOLDS);

  function chain(questionOf: SupplyQuestion = NATIVE_QUESTION, memory?: Memory<Supply>) {
    const world = { supply: tokens(500), decimals: 8, others: [] as string[], asked: 0 };
    const readView: ReadView = async (call) => {
      const values = call.function.endsWith("decimals") ? [world.decimals] : [{ vec: [world.supply] }];
      return { kind: "returned", values, ledgerVersion: 7n, ageSeconds: 0 };
    };
    const confirmView = async () => {
      world.asked += 1;
      return world.others.map((text) => [{ vec: [text] }]);
    };
    if (COIN === undefined) throw new Error("the asset is well-formed");
    const load = remembering(
      supplySource({ readView, confirmView, asset: COIN, questionOf, confirmSeconds: 60 }),
      memory,
    );
    const at = async (ms: number) => {
      const found = await load(ms);
      return found.kind === "failure" ? found.reason : wholeTokens(found.value.baseUnits, found.value.decimals);
    };
    return { world, at };
  }
  const DOUBTFUL = "it was read far from its last good value, and awaits confirmation";

  test.each([
    [
      "above the maximum by more than the tolerance",
      tokens(1_010.01),
      "the total on chain is above the maximum supply",
    ],
    ["of the largest number", String(U128_MAX), "the total on chain is above the maximum supply"],
    ["of zero", "0", "the supply of this asset on chain is zero"],
  ])("%s never counts, at the first reading or after others", async (_what, supply, reason) => {
    const first = chain();
    Object.assign(first.world, { supply, others: [supply, supply] });
    for (const second of [0, 60, 3_600]) expect(await first.at(DAY + second * 1_000)).toBe(reason);
    Object.assign(first.world, { supply: tokens(500) });
    expect(await first.at(DAY + 3_700_000)).toBe("500");
    const later = chain();
    await later.at(DAY);
    Object.assign(later.world, { supply });
    expect(await later.at(DAY + 100_000)).toBe(reason);
  });

  test.each([
    ["within one percent of the maximum", 510, 0, "510"],
    ["more than one percent of the maximum higher", 510.01, 0, DOUBTFUL],
    ["more than one percent of the maximum lower", 489.99, 0, DOUBTFUL],
    ["higher by what the schedule unlocked since", 1_000, 20, "1000"],
    ["lower although the schedule unlocked tokens since", 489.99, 20, DOUBTFUL],
  ])("after 500, a total %s: %d after %d days is %s", async (_what, count, days, expected) => {
    const { world, at } = chain();
    await at(DAY);
    world.supply = tokens(count);
    expect(await at(DAY + 5_000 + days * 86_400_000)).toBe(expected);
  });

  test("at the first reading is compared with the schedule", async () => {
    const { world, at } = chain();
    world.supply = tokens(89.99);
    expect(await at(DAY)).toBe(DOUBTFUL);
    world.supply = tokens(90);
    expect(await at(DAY + 5_000)).toBe("90");
  });

  test("in other decimals than the last good one never counts; at first, decimals are the chain's", async () => {
    const memory: Memory<Supply> = { known: { best: undefined, doubts: new Map() } };
    const first = chain(NATIVE_QUESTION, memory);
    Object.assign(first.world, { decimals: 10, supply: tokens(50_000) });
    expect(await first.at(DAY)).toBe("500");
    const next = chain(NATIVE_QUESTION, memory);
    const reason = "the token's decimals changed from 10 to 8";
    for (const second of [5, 100]) expect(await next.at(DAY + second * 1_000)).toBe(reason);
  });

  test.each([
    ["counts at once when a second upstream says the same", [900, 900], 0, "900"],
    ["counts at once when two of three say the same", [500, 900, 900], 0, "900"],
    ["never counts when a second upstream says another", [900, 500], 100, "the chain nodes contradict each other"],
    ["never counts when two of three say another", [900, 500, 500], 100, "the chain nodes contradict each other"],
    ["waits for a second reading when only one upstream answers", [900], 0, DOUBTFUL],
  ])("a doubtful total %s", async (_what, others, waitSeconds, expected) => {
    const { world, at } = chain();
    await at(DAY);
    expect(world.asked).toBe(0);
    Object.assign(world, { supply: tokens(900), others: others.map(tokens) });
    if (waitSeconds > 0) await at(DAY + 5_000);
    expect(await at(DAY + 5_000 + waitSeconds * 1_000)).toBe(expected);
    expect(world.asked).toBeGreaterThan(0);
  });

  test("of a token without a schedule is compared with the last good one, by a factor of five", async () => {
    const { world, at } = chain(unscheduledQuestion(THRESHOLDS));
    for (const [count, expected] of [
      [500, "500"],
      [2_500, "2500"],
      [500, "500"],
      [99, DOUBTFUL],
      [2_501, DOUBTFUL],
    ] as const) {
      world.supply = tokens(count);
      expect(await at(DAY)).toBe(expected);
    }
    world.supply = String(U128_MAX);
    expect(await at(DAY)).toBe("the supply on chain is the largest that can be written");
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

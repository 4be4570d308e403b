import fc from "fast-check";
import { expect, test } from "vitest";
import { parseNodeConfig } from "../../../devnode/config.ts";
import { executeGenesis } from "../../../devnode/genesis.ts";
import { stepAt } from "../../../src/supply/circulating.ts";
import type { UnlockSchedule } from "../../../src/supply/schedule.ts";
import { genesisSettings } from "../../../tools/start/genesis-settings.ts";
import native from "../../fixtures/schedule/native.json" with { type: "json" };
import { exampleSchedule, withWallets } from "../../support/operator-files.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 21);

function configOf(of: UnlockSchedule, nowMs = NOW_MS) {
  const parsed = parseNodeConfig(genesisSettings(of, nowMs));
  if (parsed.kind === "problems") throw new Error(parsed.problems.join());
  return parsed.config;
}

const heldIn = (wallets: readonly { readonly amount: bigint }[]) =>
  wallets.reduce((sum, { amount }) => sum + amount, 0n);

test("on any day the wallets have exactly the locked amount, and the rest is in circulation", () => {
  const schedule = valid({ ...native, wallets: [] });
  const start = Date.UTC(2022, 9, 12);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), (days) => {
      const nowMs = start + days * DAY_MS;
      const { genesisSupply, genesisWallets } = configOf(schedule, nowMs);
      expect(genesisSupply).toBe(schedule.maxSupply);
      expect(heldIn(genesisWallets)).toBe(schedule.maxSupply - (stepAt(schedule, nowMs)?.circulating ?? 0n));
    }),
  );
});

test("the sample schedule has a wallet of each kind, and its genesis executes", () => {
  const config = configOf(valid(native));
  expect(new Set(config.genesisWallets.map(({ holds }) => holds))).toEqual(
    new Set(["account", "stake_pool", "vesting", "delegation", "staking_contract"]),
  );
  expect(executeGenesis(config).status).toEqual({ kind: "executed" });
});

test.each(["arbitrum", "celestia", "sui"])("the chain of %s begins with its token and what is locked", (example) => {
  const of = valid(withWallets(exampleSchedule("test/fixtures", example)));
  const config = configOf(of);
  expect(config).toMatchObject({ genesisSymbol: of.token.symbol, genesisSupply: of.maxSupply });
  const locked = of.maxSupply - (stepAt(of, NOW_MS)?.circulating ?? 0n);
  expect(heldIn(config.genesisWallets)).toBe(config.genesisWallets.length === 0 ? 0n : locked);
  expect(executeGenesis(config).status).toEqual({ kind: "executed" });
});

test.each([
  ["APT", "APT"],
  ["ELEVENBYTES", "NATIVE"],
])("the coin of a token %s has the symbol %s, of at most ten bytes", (symbol, expected) => {
  const named = valid({ ...native, token: { ...native.token, symbol } });
  expect(configOf(named).genesisSymbol).toBe(expected);
});

test("a bucket's amount is divided among its addresses on this chain only, to the last unit", () => {
  const addresses = [wallet("0xaa1"), wallet("0xaa2", { chain: "ethereum" }), wallet("0xaa3"), wallet("0xaa4")];
  const buckets = native.buckets.map((each, index) => ({ ...each, addresses: index === 0 ? addresses : [] }));
  const split = valid({ ...native, wallets: [], buckets });
  const { genesisWallets } = configOf(split);
  expect(genesisWallets.map(({ address }) => address)).toEqual(["0xaa1", "0xaa3", "0xaa4"]);
  const circulating = stepAt(split, NOW_MS)?.buckets[0]?.circulating ?? 0n;
  const allocation = split.plan.kind === "buckets" ? (split.plan.buckets[0]?.allocation ?? 0n) : 0n;
  expect(heldIn(genesisWallets)).toBe(allocation - circulating);
});

const DECIMALS = Array.from({ length: 19 }, (_, decimals) => decimals);

test.each(DECIMALS)("with %d decimals the coin is the schedule's, and the wallets have what is locked", (decimals) => {
  const token = { symbol: "ORB", name: "Orbit", decimals };
  const of = halfLocked(token, 10n ** BigInt(6 + (decimals % 4)));
  const config = configOf(of);
  expect(config).toMatchObject({ genesisSymbol: "ORB", genesisName: "Orbit", genesisDecimals: decimals });
  expect(config.genesisSupply).toBe(of.maxSupply);
  const locked = of.maxSupply / 2n;
  // A balance has 64 bits on every chain of this family.
  expect(heldIn(config.genesisWallets)).toBe(locked < 2n ** 64n ? locked : 2n ** 64n - 1n);
  expect(executeGenesis(config).status).toEqual({ kind: "executed" });
});

test("a name that a coin cannot have is left out", () => {
  const token = { symbol: "ORB", name: "A name that is longer than thirty-two bytes", decimals: 9 };
  expect(configOf(halfLocked(token, 1_000_000n)).genesisName).toBe("Native Coin");
});

/** A bucket of this amount, which never unlocks and is in one wallet. */
const neverUnlocking = (amount: string) => {
  return { genesis: "0", phases: [{ kind: "never", amount }], addresses: [wallet("0xaa1")] };
};

/** Half of the tokens unlocked, half in one wallet. */
function halfLocked(token: object, maximum: bigint): UnlockSchedule {
  const half = String(maximum / 2n);
  const unlocked = bucket({ id: "all", allocation: half, genesis: half });
  const buckets = [unlocked, bucket({ id: "none", allocation: half, ...neverUnlocking(half) })];
  return valid(file({ token, max_supply: String(maximum), buckets }));
}

test("a schedule with almost nothing unlocked is not put on the chain", () => {
  const maximum = "1000000000";
  const buckets = [bucket({ allocation: maximum, ...neverUnlocking(maximum) })];
  expect(genesisSettings(valid(file({ max_supply: maximum, buckets })), NOW_MS)).toEqual({});
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseNodeConfig } from "../../../devnode/config.ts";
import { executeGenesis } from "../../../devnode/genesis.ts";
import { stepAt } from "../../../src/supply/circulating.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { parseScheduleText } from "../../../tools/schedule/parse-schedule.ts";
import { genesisSettings } from "../../../tools/start/genesis-settings.ts";
import { exampleSchedule, withWallets } from "../../support/operator-files.ts";

const DAY_MS = 86_400_000;

function schedule(change: (file: Record<string, unknown>) => unknown = (file) => file): Schedule {
  const file = JSON.parse(readFileSync(join(import.meta.dirname, "../../fixtures/schedule/native.json"), "utf8"));
  const parsed = parseScheduleText(JSON.stringify(change(file)));
  if (parsed.kind === "errors") throw new Error(JSON.stringify(parsed.errors));
  return parsed.schedule;
}

function configOf(of: Schedule, nowMs: number) {
  const parsed = parseNodeConfig(genesisSettings(of, nowMs));
  if (parsed.kind === "problems") throw new Error(parsed.problems.join());
  return parsed.config;
}

test("on any day the wallets have exactly the locked amount, and the rest is in circulation", () => {
  const native = schedule(({ wallets: _wallets, ...rest }) => rest);
  const start = Date.UTC(2022, 9, 12);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), (days) => {
      const nowMs = start + days * DAY_MS;
      const { genesisSupply, genesisWallets } = configOf(native, nowMs);
      const locked = genesisWallets.reduce((sum, { amount }) => sum + amount, 0n);
      expect(genesisSupply).toBe(native.maxSupply);
      expect(locked).toBe(native.maxSupply - (stepAt(native, nowMs)?.circulating ?? 0n));
    }),
  );
});

test("the sample schedule has a wallet of each kind, and its genesis executes", () => {
  const config = configOf(schedule(), Date.UTC(2026, 10, 21));
  expect(new Set(config.genesisWallets.map(({ holds }) => holds))).toEqual(
    new Set(["account", "stake_pool", "vesting", "delegation", "staking_contract"]),
  );
  expect(executeGenesis(config).status).toEqual({ kind: "executed" });
});

test.each(["arbitrum", "celestia", "sui"])("the chain of %s begins with its token and what is locked", (example) => {
  const of = schedule(() => withWallets(exampleSchedule("test/fixtures", example)));
  const nowMs = Date.UTC(2026, 10, 21);
  const config = configOf(of, nowMs);
  expect(config).toMatchObject({ genesisSymbol: of.token.symbol, genesisSupply: of.maxSupply });
  const held = config.genesisWallets.reduce((sum, { amount }) => sum + amount, 0n);
  const locked = of.maxSupply - (stepAt(of, nowMs)?.circulating ?? 0n);
  expect(held).toBe(config.genesisWallets.length === 0 ? 0n : locked);
  expect(executeGenesis(config).status).toEqual({ kind: "executed" });
});

test.each([
  ["APT", "APT"],
  ["ELEVENBYTES", "NATIVE"],
])("the coin of a token %s has the symbol %s, of at most ten bytes", (symbol, expected) => {
  const named = schedule((file) => ({ ...file, token: { ...(file["token"] as object), symbol } }));
  expect(configOf(named, Date.UTC(2026, 10, 21)).genesisSymbol).toBe(expected);
});

test("a bucket's amount is divided among its addresses on this chain only, to the last unit", () => {
  const place = (address: string, chain = "native") => ({ chain, address, label: "x", holds: "account" });
  const addresses = [place("0xaa1"), place("0xaa2", "ethereum"), place("0xaa3"), place("0xaa4")];
  const split = schedule(({ buckets, wallets: _wallets, ...rest }) => ({
    ...rest,
    buckets: (buckets as object[]).map((bucket, index) => ({ ...bucket, addresses: index === 0 ? addresses : [] })),
  }));
  const nowMs = Date.UTC(2026, 10, 21);
  const { genesisWallets } = configOf(split, nowMs);
  expect(genesisWallets.map(({ address }) => address)).toEqual(["0xaa1", "0xaa3", "0xaa4"]);
  const circulating = stepAt(split, nowMs)?.buckets[0]?.circulating ?? 0n;
  const allocation = split.plan.kind === "buckets" ? (split.plan.buckets[0]?.allocation ?? 0n) : 0n;
  expect(genesisWallets.reduce((sum, { amount }) => sum + amount, 0n)).toBe(allocation - circulating);
});

const DECIMALS = Array.from({ length: 19 }, (_, decimals) => decimals);

test.each(DECIMALS)("with %d decimals the coin is the schedule's, and the wallets have what is locked", (decimals) => {
  const token = { symbol: "ORB", name: "Orbit", decimals };
  const of = schedule((file) => small(file, token, String(10n ** BigInt(6 + (decimals % 4)))));
  const config = configOf(of, Date.UTC(2026, 10, 21));
  expect(config).toMatchObject({ genesisSymbol: "ORB", genesisName: "Orbit", genesisDecimals: decimals });
  expect(config.genesisSupply).toBe(of.maxSupply);
  const locked = of.maxSupply / 2n;
  const held = config.genesisWallets.reduce((sum, { amount }) => sum + amount, 0n);
  // A balance has 64 bits on every chain of this family.
  expect(held).toBe(locked < 2n ** 64n ? locked : 2n ** 64n - 1n);
  expect(executeGenesis(config).status).toEqual({ kind: "executed" });
});

test("a name that a coin cannot have is left out", () => {
  const token = { symbol: "ORB", name: "A name that is longer than thirty-two bytes", decimals: 9 };
  expect(
    configOf(
      schedule((file) => small(file, token, "1000000")),
      Date.UTC(2026, 10, 21),
    ).genesisName,
  ).toBe("Native Coin");
});

/** Half of the tokens unlocked, half in one wallet. */
function small(file: Record<string, unknown>, token: object, maximum: string) {
  const half = String(BigInt(maximum) / 2n);
  const common = { category: "other", allocation: half };
  const addresses = [{ chain: "native", address: "0xaa1", label: "x", holds: "account" }];
  const buckets = [
    { ...common, id: "all", label: "All", genesis: half, phases: [] },
    { ...common, id: "none", label: "None", genesis: "0", phases: [{ kind: "never", amount: half }], addresses },
  ];
  return { ...file, token, max_supply: maximum, buckets, wallets: [] };
}

test("a schedule with almost nothing unlocked is not put on the chain", () => {
  expect(
    genesisSettings(
      schedule((file) => ({
        ...file,
        max_supply: "1000000000",
        buckets: [
          {
            id: "all",
            label: "All",
            category: "other",
            allocation: "1000000000",
            genesis: "0",
            phases: [{ kind: "never", amount: "1000000000" }],
            addresses: [{ chain: "native", address: "0xaa1", label: "x", holds: "account" }],
          },
        ],
      })),
      Date.UTC(2026, 10, 21),
    ),
  ).toEqual({});
});

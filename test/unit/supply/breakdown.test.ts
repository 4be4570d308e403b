import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/chain/address.ts";
import type { ConfirmView, ReadView, ViewCall } from "../../../src/chain/view.ts";
import type { Breakdown } from "../../../src/supply/breakdown.ts";
import { breakdownView } from "../../../src/supply/breakdown-handlers.ts";
import { breakdownSource } from "../../../src/supply/breakdown-source.ts";
import { scheduleEnded, totalContradictions, walletContradictions } from "../../../src/supply/cross-check.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { NO_THRESHOLDS, nobodyConfirms, remembering, THRESHOLDS } from "../swr/remembering.ts";
import { bucket, file, valid } from "./schedules.ts";

const COIN = { kind: "coin", type: "0x1::aptos_coin::AptosCoin" } as const;
const START = Date.parse("2026-01-01T00:00:00Z");
const units = (tokens: number) => BigInt(tokens) * 10n ** 8n;
const wallet = (address: string, holds = "account", chain = "native") => ({ chain, address, holds, label: address });

/** CoinGecko's worked example: of 1,000,000 tokens, wallets hold 200,000, 100,000 and 100,000. */
const EXAMPLE = file({
  max_supply: "1000000",
  start: "2025-01-01",
  buckets: [
    bucket({ id: "public", allocation: "600000", genesis: "600000" }),
    bucket({
      id: "team",
      allocation: "300000",
      genesis: "0",
      phases: [{ kind: "never", amount: "300000" }],
      addresses: [wallet("0xa"), wallet("0xb", "stake_pool")],
    }),
    bucket({
      id: "backers",
      allocation: "100000",
      genesis: "0",
      phases: [{ kind: "installments", amount: "100000", first_month: 14, count: 2, every_months: 1 }],
      addresses: [wallet("0xc", "vesting")],
    }),
  ],
});

/** A chain that answers the views of the breakdown and records them. Each part can be made to fail. */
function chain(schedule: Schedule, thresholds = NO_THRESHOLDS) {
  const world = {
    total: schedule.maxSupply,
    decimals: 8,
    version: 500n,
    accounts: new Map([["0xa", schedule.maxSupply / 5n]]),
    /** The vesting contract 0xc keeps its tokens in the pool 0xcc. */
    pools: new Map([
      ["0xb", [units(70_000), units(10_000), units(15_000), units(5_000)]],
      ["0xcc", [units(100_000), 0n, 0n, 0n]],
    ]),
    refuses: new Set<string>(),
    behind: new Set<string>(),
    down: false,
    /** What each upstream answers at an explicit version, where it differs from the world. */
    others: [] as ((call: ViewCall) => readonly unknown[] | undefined)[],
  };
  const calls: ViewCall[] = [];
  const valuesOf = ({ function: name, arguments: [first] }: ViewCall): readonly unknown[] | undefined => {
    const address = String(first);
    switch (name) {
      case "0x1::coin::supply":
        return [{ vec: [String(world.total)] }];
      case "0x1::coin::decimals":
        return [world.decimals];
      case "0x1::coin::balance":
        return [String(world.accounts.get(address) ?? 0n)];
      case "0x1::stake::get_stake":
        return world.pools.get(address)?.map(String);
      case "0x1::vesting::stake_pool_address":
        return address === "0xc" ? ["0x00cc"] : undefined;
      default:
        return undefined;
    }
  };
  const readView: ReadView = async (call) => {
    calls.push(call);
    const address = String(call.arguments[0]);
    if (world.down) return { kind: "unavailable" };
    const values = world.refuses.has(address) ? undefined : valuesOf(call);
    if (values === undefined) return { kind: "refused", status: 400 };
    const ledgerVersion = world.behind.has(address) ? world.version - 1n : world.version;
    return { kind: "returned", values, ledgerVersion, ageSeconds: 0 };
  };
  const asked: ViewCall[] = [];
  const confirmView: ConfirmView = async (call) => {
    asked.push(call);
    return world.others.map((answer) => answer(call) ?? valuesOf(call) ?? []);
  };
  const load = remembering(breakdownSource({ schedule, asset: COIN, readView, confirmView, thresholds }));
  const read = async (nowMs = START): Promise<Breakdown> => {
    const sample = await load(nowMs);
    if (sample.kind === "failure") throw new Error(sample.reason);
    return sample.value;
  };
  const view = async (nowMs = START) =>
    breakdownView(schedule, { value: await read(nowMs), observedAtMs: nowMs }, nowMs);
  return { world, calls, asked, read, view, load };
}

const codes = (found: readonly { code: string; subject: string }[]) =>
  found.map(({ code, subject }) => [code, subject]);
const schedule = valid(EXAMPLE);

test("CoinGecko's worked example: 1,000,000 less 200,000, 100,000 and 100,000 is 600,000", async () => {
  const { view } = chain(schedule);
  expect(await view()).toMatchObject({
    ledger_version: "500",
    total_supply: { tokens: "1000000" },
    non_circulating_supply: { tokens: "400000" },
    circulating_supply_on_chain: { tokens: "600000" },
    circulating_supply_scheduled: { tokens: "600000" },
    complete: true,
    buckets: [
      { id: "public", held_on_chain: null, difference: null },
      {
        id: "team",
        locked_by_schedule: { tokens: "300000" },
        held_on_chain: { tokens: "300000" },
        difference: { tokens: "0" },
      },
      { id: "backers", held_on_chain: { tokens: "100000" }, difference: { tokens: "0" } },
    ],
    non_circulating_wallets: [
      { bucket: "team", balance: { tokens: "200000" }, percentage_of_total_supply: "20", stake: null, anomaly: false },
      {
        bucket: "team",
        balance: { tokens: "100000" },
        stake: { active: { tokens: "70000" }, pending_inactive: { tokens: "5000" } },
      },
      { bucket: "backers", balance: { tokens: "100000" }, stake: { active: { tokens: "100000" } }, anomaly: false },
    ],
  });
});

test("once the tip is known, every read is at that version", async () => {
  const { calls, read } = chain(schedule);
  await read();
  const tip = calls.filter(({ ledgerVersion }) => ledgerVersion === null).map((call) => call.function);
  expect(tip).toEqual(["0x1::coin::supply", "0x1::coin::decimals"]);
  expect(calls.filter(({ ledgerVersion }) => ledgerVersion === 500n)).toHaveLength(1 + 4);
});

// Stored breakdowns are read without validation: another form needs another number in their key
// (src/compose/figures.ts).
test("the form of a stored breakdown is that of the number in its key", async () => {
  const { world, read } = chain(schedule);
  await read();
  world.accounts.set("0xa", 1n);
  world.refuses.add("0xb");
  const stake = {
    active: units(70_000),
    inactive: units(10_000),
    pendingActive: units(15_000),
    pendingInactive: units(5_000),
  };
  const balance = { stake: null, ledgerVersion: 500n, readAtMs: START };
  expect(await read()).toEqual({
    ledgerVersion: 500n,
    minted: units(1_000_000),
    wallets: [
      {
        holding: "native 0xa account",
        address: "0xa",
        balance: { ...balance, baseUnits: units(200_000) },
        anomaly: { kind: "fell", observed: 1n },
      },
      {
        holding: "native 0xb stake_pool",
        address: "0xb",
        balance: { ...balance, baseUnits: units(100_000), stake },
        anomaly: { kind: "unreadable", reason: "the chain node answers 400 to 0x1::stake::get_stake" },
      },
      {
        holding: "native 0xc vesting",
        address: "0xc",
        balance: {
          ...balance,
          baseUnits: units(100_000),
          stake: { active: units(100_000), inactive: 0n, pendingActive: 0n, pendingInactive: 0n },
        },
        anomaly: null,
      },
    ],
  });
});

describe("an injected fault", () => {
  test("an unreadable wallet counts with its last good balance and is marked stale", async () => {
    const { world, view, read } = chain(schedule);
    await read();
    world.refuses.add("0xa");
    world.version = 600n;
    const found = await view(START + 3_600_000);
    expect(found).toMatchObject({ circulating_supply_on_chain: { tokens: "600000" } });
    expect(found.non_circulating_wallets[0]).toMatchObject({
      balance: { tokens: "200000" },
      anomaly: true,
      anomaly_reason: "It could not be read: the chain node answers 400 to 0x1::coin::balance.",
      ledger_version: "500",
      last_updated: "2026-01-01T00:00:00Z",
    });
    expect(codes(walletContradictions(schedule, START, await read()))).toEqual([["wallet_unreadable", "0xa"]]);
  });

  test("a wallet that was never read has no balance, and the breakdown is not complete", async () => {
    const { world, view } = chain(schedule);
    world.pools.delete("0xb");
    const found = await view();
    expect(found.complete).toBe(false);
    expect(found.non_circulating_wallets[1]).toMatchObject({ balance: null, anomaly: true, ledger_version: null });
  });

  test("a balance that falls by 51 % is not used; the bucket is reported as under-locked", async () => {
    const { world, view, read } = chain(schedule);
    await read();
    world.accounts.set("0xa", units(98_000));
    const found = await view();
    expect(found.non_circulating_wallets[0]).toMatchObject({
      balance: { tokens: "200000" },
      observed_balance: { tokens: "98000" },
      anomaly: true,
    });
    expect(found.non_circulating_supply.tokens).toBe("400000");
    expect(codes(walletContradictions(schedule, START, await read()))).toEqual([
      ["wallet_balance_fell", "0xa"],
      ["locked_below_schedule", "team"],
    ]);
    world.accounts.set("0xa", units(200_000));
    expect((await view()).non_circulating_wallets[0]).toMatchObject({ anomaly: false });
  });

  test("a node that answers half the wallets behind the version is used for none", async () => {
    const { world, view, read } = chain(schedule);
    await read();
    world.version = 700n;
    world.accounts.set("0xa", units(250_000));
    world.behind.add("0xa");
    const found = await view();
    expect(found.non_circulating_wallets.map(({ anomaly, ledger_version }) => [anomaly, ledger_version])).toEqual([
      [true, "500"],
      [false, "700"],
      [false, "700"],
    ]);
    expect(found.non_circulating_wallets[0]?.anomaly_reason).toContain("answered at version 699, not at 700");
  });

  test("different decimals, or no node that answers, give no breakdown", async () => {
    const { world, load } = chain(schedule);
    world.decimals = 6;
    expect(await load(START)).toMatchObject({ reason: "Decimals differ: chain 6, schedule 8" });
    world.down = true;
    expect(await load(START)).toEqual({ kind: "failure", reason: "no chain node answers" });
  });

  test("a total one base unit above the maximum is a contradiction", () => {
    const at = (baseUnits: bigint) =>
      codes(totalContradictions(schedule, START, { baseUnits, decimals: 8, ledgerVersion: 1n }));
    expect(at(units(1_000_000))).toEqual([]);
    expect(at(units(1_000_000) + 1n)).toEqual([["total_above_max", "total_supply"]]);
    expect(at(units(599_999))).toEqual([["circulating_above_total", "circulating_supply"]]);
  });
});

test.each([
  ["one bucket, whose wallet is read", [wallet("0xa")], true],
  ["one bucket without wallets", [], false],
])("a schedule of %s: complete is %s", async (_what, addresses, complete) => {
  const locked = { genesis: "0", phases: [{ kind: "never", amount: "1000" }], addresses };
  expect(await chain(valid(file({ buckets: [bucket(locked)] }))).view()).toMatchObject({ complete });
});

test("a wallet on another chain is listed as unverified and never read", async () => {
  const foreign = valid(
    file({
      max_supply: "1000",
      buckets: [
        bucket({
          genesis: "0",
          phases: [{ kind: "never", amount: "1000" }],
          addresses: [wallet("0xa"), wallet("0xE1", "account", "ethereum")],
        }),
      ],
    }),
  );
  const { view, read, calls } = chain(foreign);
  const found = await view();
  expect(found.non_circulating_wallets[1]).toMatchObject({
    address: "0xE1",
    verification: "unverified",
    balance: null,
  });
  expect(found.complete).toBe(false);
  expect(calls.map((call) => call.arguments[0])).not.toContain("0xE1");
  // Locked tokens may be on the other chain.
  expect(walletContradictions(foreign, START, await read())).toEqual([]);
});

test("the same figures are read of a fungible asset, through its view", async () => {
  const asset = { kind: "fungible_asset", metadata: "0xfa" as Address } as const; // a brand for a test
  const calls: ViewCall[] = [];
  const readView: ReadView = async (call) => {
    calls.push(call);
    const values = call.function.endsWith("::supply")
      ? [{ vec: ["100000000"] }]
      : call.function.endsWith("::decimals")
        ? [8]
        : ["2"];
    return { kind: "returned", values, ledgerVersion: 9n, ageSeconds: 0 };
  };
  const ports = { schedule, asset, readView, confirmView: nobodyConfirms, thresholds: NO_THRESHOLDS };
  const sample = await remembering(breakdownSource(ports))(START);
  expect(sample).toMatchObject({ kind: "observed", value: { minted: 100_000_000n } });
  expect(calls.find((call) => call.function === "0x1::primary_fungible_store::balance")?.arguments).toEqual([
    "0xa",
    "0xfa",
  ]);
});

describe("a schedule that has ended", () => {
  const { buckets: _buckets, ...rest } = file();
  const ended = valid({ ...rest, table: [{ month: "2025-02", circulating: "400" }] });
  test.each([
    ["2025-02-28T23:59:59Z", 0],
    ["2025-03-01T00:00:00Z", 1],
  ])("a table of one month, at %s: %i problems", (instant, count) => {
    expect(scheduleEnded(ended, Date.parse(instant))).toHaveLength(count);
  });

  test("rules never have that problem: permanently locked amounts are explicit", () => {
    expect(scheduleEnded(schedule, Date.parse("2040-01-01"))).toEqual([]);
  });

  test("a table that reached the maximum is complete", () => {
    const complete = valid({ ...rest, table: [{ month: "2025-02", circulating: "1000" }] });
    expect(scheduleEnded(complete, Date.parse("2040-01-01"))).toEqual([]);
  });
});

test("a schedule of figures has no buckets, so its breakdown is never complete", () => {
  const { buckets: _buckets, ...rest } = file();
  const table = valid({ ...rest, table: [{ month: "2025-02", circulating: "400" }] });
  const value = { minted: units(1_000_000), ledgerVersion: 500n, wallets: [] };
  expect(breakdownView(table, { value, observedAtMs: START }, START)).toMatchObject({ complete: false, buckets: [] });
});

describe("a balance that is read once too high or too low", () => {
  const second = (count: number): number => START + count * 1_000;
  const balances = ({ wallets }: Breakdown) =>
    wallets.map(({ balance, anomaly }) => [balance && balance.baseUnits / units(1), anomaly?.kind ?? null]);

  test("keeps the last good one, until a second reading repeats it a minute later", async () => {
    const { world, read } = chain(schedule, THRESHOLDS);
    await read();
    world.accounts.set("0xa", units(300_000));
    expect(balances(await read(second(5)))[0]).toEqual([200_000n, "unconfirmed"]);
    world.accounts.set("0xa", units(200_000));
    expect(balances(await read(second(70)))[0]).toEqual([200_000n, null]);
    world.accounts.set("0xa", units(150_000));
    expect(balances(await read(second(75)))[0]).toEqual([200_000n, "unconfirmed"]);
    expect(balances(await read(second(135)))[0]).toEqual([150_000n, null]);
  });

  test("is asked of every upstream, that wallet only, and counts when two say it", async () => {
    const { world, read, asked } = chain(schedule, THRESHOLDS);
    await read();
    world.accounts.set("0xa", units(150_000));
    world.others = [() => undefined, () => undefined];
    expect(balances(await read(second(5)))[0]).toEqual([150_000n, null]);
    expect(asked.map((call) => [call.function, call.arguments[0], call.ledgerVersion])).toEqual([
      ["0x1::coin::balance", "0xa", 500n],
    ]);
  });

  test("is unreadable while the upstreams contradict each other", async () => {
    const { world, read } = chain(schedule, THRESHOLDS);
    await read();
    world.accounts.set("0xa", units(150_000));
    world.others = [() => undefined, () => [String(units(200_000))]];
    for (const after of [5, 100]) expect(balances(await read(second(after)))[0]).toEqual([200_000n, "unreadable"]);
  });

  test("at the first reading is compared with the schedule: no balance counts that a bucket cannot hold", async () => {
    const { world, read } = chain(schedule, THRESHOLDS);
    world.accounts.set("0xa", units(310_001)); // the allocation of 300,000 and one percent of the maximum
    world.pools.set("0xcc", [units(89_999), 0n, 0n, 0n]); // the only wallet of a bucket of which 100,000 are locked
    expect(balances(await read())).toEqual([
      [null, "unconfirmed"],
      [100_000n, null],
      [null, "unconfirmed"],
    ]);
  });

  test("never makes the wallets hold more than exists: there is no breakdown then", async () => {
    const { world, load } = chain(schedule, NO_THRESHOLDS);
    world.accounts.set("0xa", units(800_001));
    expect(await load(START)).toMatchObject({ reason: "the wallets hold more than exists on chain" });
    world.accounts.set("0xa", units(800_000));
    expect(await load(START)).toMatchObject({ kind: "observed" });
  });

  test("a total that does not count gives no breakdown", async () => {
    const { world, load } = chain(schedule, THRESHOLDS);
    await load(START);
    world.total = units(980_000);
    expect(await load(second(5))).toMatchObject({
      kind: "failure",
      reason: expect.stringContaining("awaits confirmation"),
    });
    expect(await load(second(65))).toMatchObject({ kind: "observed", value: { minted: units(980_000) } });
  });
});

// The contract 0xc holds 100,000 tokens, of which 50,000 unlock on the first of March and of April.
test.each([
  ["half of it", "2026-02-15", 50_000n, null],
  ["a base unit more than half of it", "2026-02-15", -1n, "fell"],
  ["what the schedule unlocked since", "2026-04-01", 0n, null],
  ["a base unit more than half of it and than that", "2026-03-01", -1n, "fell"],
])("a balance that fell by %s, on %s: anomaly is %4$s", async (_what, day, left, anomaly) => {
  const { world, read } = chain(schedule);
  await read(Date.parse("2026-02-14"));
  const balance = left < 0n ? units(50_000) + left : units(Number(left));
  world.pools.set("0xcc", [balance, 0n, 0n, 0n]);
  const state = (await read(Date.parse(day))).wallets[2];
  expect(state?.anomaly ?? null).toEqual(anomaly === null ? null : { kind: anomaly, observed: balance });
  expect(state?.balance?.baseUnits).toBe(anomaly === null ? balance : units(100_000));
});

import { describe, expect, test } from "vitest";
import { breakdownHandler } from "../../../src/onchain/breakdown-handlers.ts";
import { figureProblems, scheduleEnded } from "../../../src/onchain/cross-check.ts";
import { readingFreshness } from "../../../src/onchain/figure-handlers.ts";
import type { Reading } from "../../../src/onchain/reading.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { holdingKey, walletsOf } from "../../../src/supply/wallets.ts";
import { type DeploymentWorld, deploymentWorld, type ScriptedChain } from "../../support/deployment-world.ts";
import { getContext } from "../../support/get-context.ts";
import { readingOfOne, tokenChain } from "../../support/token-chain.ts";
import { bucket, file, table, valid } from "../supply/schedules.ts";

const units = (tokens: number) => BigInt(tokens) * 10n ** 8n;
const NODES = ["upstream-1", "upstream-2"];
const wallet = (address: string, holds = "account", changes: object = {}) => {
  return { chain: "native", address, holds, label: address, ...changes };
};
const BURN = wallet("0xd", "account", { category: "burn", label: "Burned" });
const NEVER = { genesis: "0", phases: [{ kind: "never", amount: "300000" }] };

/** CoinGecko's worked example: of 1,000,000 tokens, wallets hold 200,000, 100,000 and 100,000. */
const EXAMPLE = {
  max_supply: "1000000",
  start: "2025-01-01",
  buckets: [
    bucket({ id: "public", allocation: "600000", genesis: "600000" }),
    bucket({
      ...NEVER,
      id: "team",
      allocation: "300000",
      addresses: [wallet("0xa"), wallet("0xb", "stake_pool")],
    }),
    bucket({
      id: "backers",
      allocation: "100000",
      genesis: "0",
      phases: [{ kind: "cliff", amount: "100000", month: 100 }],
      addresses: [wallet("0xc", "vesting")],
    }),
  ],
};
const HELD: Readonly<Record<string, number>> = { "0xa": 200_000, "0xb": 100_000, "0xc": 100_000 };

/** Chain of the example; `balance` receives addresses. */
function chainOf(balance: (address: string) => bigint | undefined = heldAt): Partial<ScriptedChain> {
  return { minted: () => units(1_000_000), balance: (holding) => balance(holding.split(" ")[1] ?? "") };
}
const heldAt = (address: string): bigint => units(HELD[address] ?? 0);

const worldOf = (schedule: Schedule, chain: Partial<ScriptedChain> = chainOf()) =>
  deploymentWorld({ schedule, chain, nodes: NODES, settings: { RATES_URL: "none" } });

/** A new reading, and an isolate that has no older one. */
async function renew(deployment: DeploymentWorld): Promise<void> {
  await deployment.readNow();
  deployment.evict();
}

async function breakdownIn({ get }: DeploymentWorld) {
  const { status, text, headers } = await get("/api/supply-breakdown");
  return { status, headers, body: JSON.parse(text) };
}

const codesIn = async ({ json }: DeploymentWorld): Promise<string[]> =>
  (await json("/api/health")).problems.map(({ code, subject }: Record<string, string>) => `${code} ${subject}`);

test("CoinGecko's worked example: 1,000,000 less 200,000, 100,000 and 100,000 is 600,000", async () => {
  const deployment = worldOf(valid(file(EXAMPLE)));
  const { status, headers, body } = await breakdownIn(deployment);
  expect(await deployment.get("/api/circulating-supply-on-chain")).toMatchObject({ status: 200, text: "600000" });
  expect(status).toBe(200);
  expect(headers["X-Ledger-Version"]).toBe(body.ledger_version);
  expect(body).toMatchObject({
    confirmed_by: { nodes: NODES, ledger_version: body.ledger_version, at: body.as_of },
    minted_supply: { tokens: "1000000" },
    burned_supply: { tokens: "0" },
    total_supply: { tokens: "1000000" },
    non_circulating_supply: { tokens: "400000" },
    circulating_supply_on_chain: { tokens: "600000", base_units: "60000000000000" },
    circulating_supply_scheduled: { tokens: "600000" },
    complete: true,
    unavailable: {},
    buckets: [
      { id: "public", locked_by_schedule: { tokens: "0" }, held_on_chain: null, difference: null },
      {
        id: "team",
        locked_by_schedule: { tokens: "300000" },
        held_on_chain: { tokens: "300000" },
        difference: { tokens: "0" },
      },
      { id: "backers", held_on_chain: { tokens: "100000" }, difference: { tokens: "0" } },
    ],
  });
  const active = units(100_000) - 3n * (units(100_000) / 7n);
  expect(body.non_circulating_wallets).toMatchObject([
    { bucket: "team", balance: { tokens: "200000" }, percentage_of_total_supply: "20", stake: null, anomaly: false },
    { bucket: "team", balance: { tokens: "100000" }, stake: { active: { base_units: String(active) } } },
    { bucket: "backers", balance: { tokens: "100000" }, stake: { active: {}, pending_inactive: {} }, anomaly: false },
  ]);
});

test("the requests of one second share a body; each has its own age", async () => {
  const schedule = valid(file(EXAMPLE));
  const nowMs = Date.parse("2026-11-21T02:00:10.250Z");
  let looks = 0;
  const readingAt = (readAtMs: number): Reading => {
    const { wallets, ...rest } = readingOfOne({
      ...{ ledgerVersion: 5n, readAtMs, decimals: 8, minted: units(1_000_000), confirmedBy: NODES, nodeCount: 2 },
      wallets: walletsOf(schedule).map((each) => ({
        ...{ holding: holdingKey(each), address: each.address, confirmedBy: NODES, anomaly: null },
        balance: { baseUnits: heldAt(each.address), stake: null, pool: null, ledgerVersion: 5n, readAtMs },
      })),
      ...{ staking: null, lastComplete: null },
    });
    return Object.defineProperty(rest, "wallets", {
      get: () => {
        looks += 1;
        return wallets;
      },
    }) as Reading;
  };
  let value = readingAt(nowMs - 10_000);
  const cached = {
    kind: "cached",
    origin: "fresh",
    error: null,
    unconfirmed: [],
    policy: readingFreshness(30),
  } as const;
  let ageSeconds = 10;
  const handler = breakdownHandler(
    schedule,
    { chains: [{ chain: tokenChain(), nodeUrls: [], nodeKeys: [] }] },
    { read: async () => ({ ...cached, value, observedAtMs: value.readAtMs, ageSeconds }) },
  );
  const ask = async (afterMs: number) => {
    const outcome = await handler({
      ...getContext("/api/supply-breakdown"),
      nowMs: nowMs + afterMs,
    });
    if (outcome.kind !== "reply") throw new Error(outcome.kind);
    return { body: outcome.body, age: outcome.headers["Age"], looks };
  };
  const first = await ask(0);
  expect(JSON.parse(String(first.body))).toMatchObject({ complete: true, non_circulating_wallets: { length: 3 } });
  ageSeconds = 11;
  expect(await ask(700)).toEqual({ ...first, age: "11" });
  // Controls: the next second, and another reading in that second.
  const next = await ask(800);
  expect(next.looks).toBeGreaterThan(first.looks);
  value = readingAt(nowMs);
  const other = await ask(800);
  expect(other.looks).toBeGreaterThan(next.looks);
  expect(JSON.parse(String(other.body)).as_of).toBe("2026-11-21T02:00:10Z");
});

test("burned tokens count neither as existing nor as held", async () => {
  const schedule = valid(file({ ...EXAMPLE, wallets: [BURN] }));
  const { body } = await breakdownIn(
    worldOf(
      schedule,
      chainOf((address) => (address === "0xd" ? units(50_000) : heldAt(address))),
    ),
  );
  expect(body).toMatchObject({
    minted_supply: { tokens: "1000000" },
    burned_supply: { tokens: "50000" },
    total_supply: { tokens: "950000" },
    non_circulating_supply: { tokens: "400000" },
    circulating_supply_on_chain: { tokens: "550000" },
  });
  expect(body.non_circulating_wallets.at(-1)).toMatchObject({ category: "burn", percentage_of_total_supply: null });
});

test("every wallet's balance is of the version that the body names, whatever moves meanwhile", async () => {
  const moving: Partial<ScriptedChain> = {
    minted: (version) => units(900_000) + version,
    balance: (_holding, version) => units(100_000) + version,
  };
  const deployment = worldOf(valid(file(EXAMPLE)), moving);
  const { body } = await breakdownIn(deployment);
  const version = BigInt(body.ledger_version);
  expect(body.minted_supply.base_units).toBe(String(units(900_000) + version));
  for (const { balance, ledger_version } of body.non_circulating_wallets)
    expect([balance.base_units, ledger_version]).toEqual([String(units(100_000) + version), body.ledger_version]);
  expect(deployment.nodes.flatMap(({ calls }) => calls).every((call) => call.ledgerVersion === version)).toBe(true);
});

describe("a wallet that no node can read", () => {
  /** A chain one of whose wallets can be made unreadable. */
  function withFault(schedule = valid(file(EXAMPLE))) {
    const unreadable = new Set<string>();
    const chain = chainOf((address) => (unreadable.has(address) ? undefined : heldAt(address)));
    return { deployment: worldOf(schedule, chain), unreadable };
  }

  test("keeps its last good balance, and says so", async () => {
    const { deployment, unreadable } = withFault();
    const before = (await breakdownIn(deployment)).body;
    unreadable.add("0xa");
    await renew(deployment);
    const { status, body } = await breakdownIn(deployment);
    expect(status).toBe(200);
    expect(body.ledger_version).toBe(before.ledger_version);
    expect(body).toMatchObject({ circulating_supply_on_chain: { tokens: "600000" }, complete: true });
    expect(body.non_circulating_wallets[0]).toMatchObject({
      balance: { tokens: "200000" },
      anomaly: true,
      anomaly_reason:
        "It could not be read, the balance is an earlier one: the chain node answers 400 to 0x1::coin::balance.",
      ledger_version: before.ledger_version,
      last_updated: before.as_of,
    });
    expect(await codesIn(deployment)).toEqual(["wallet_unreadable 0xa"]);
    unreadable.clear();
    await renew(deployment);
    expect((await breakdownIn(deployment)).body.non_circulating_wallets[0].anomaly).toBe(false);
    expect(await codesIn(deployment)).toEqual([]);
  });

  test("and never was leaves no sum in which it is missing, never a zero", async () => {
    const { deployment, unreadable } = withFault();
    unreadable.add("0xb");
    const { status, headers, body } = await breakdownIn(deployment);
    const reason = "wallet 0xb (0xb) was never read: the chain node answers 400 to 0x1::stake::get_stake";
    expect([status, headers["Cache-Control"], headers["Retry-After"]]).toEqual([503, "no-store", "60"]);
    expect(body).toMatchObject({
      message: `The supply breakdown is incomplete: ${reason}.`,
      error_code: "service_unavailable",
      minted_supply: { tokens: "1000000" },
      burned_supply: { tokens: "0" },
      total_supply: { tokens: "1000000" },
      non_circulating_supply: null,
      circulating_supply_on_chain: null,
      unavailable: { non_circulating_supply: reason, circulating_supply_on_chain: reason },
      complete: false,
    });
    expect(body.non_circulating_wallets.map(({ balance }: { balance: unknown }) => balance === null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(body.non_circulating_wallets[1].anomaly_reason).toMatch(/^It could not be read, and never was: /);
    expect(await codesIn(deployment)).toEqual(["figure_unavailable supply_breakdown", "wallet_unreadable 0xb"]);
  });

  test("is not taken for nothing burned: there is no burned supply then, and no total", async () => {
    const { deployment, unreadable } = withFault(valid(file({ ...EXAMPLE, wallets: [BURN] })));
    unreadable.add("0xd");
    const { status, body } = await breakdownIn(deployment);
    expect(status).toBe(503);
    expect(body).toMatchObject({
      minted_supply: { tokens: "1000000" },
      burned_supply: null,
      total_supply: null,
      non_circulating_supply: { tokens: "400000" },
      circulating_supply_on_chain: null,
    });
    expect(Object.keys(body.unavailable)).toEqual(["burned_supply", "total_supply", "circulating_supply_on_chain"]);
    for (const path of ["/api/burned-supply", "/api/total-supply"])
      expect(await deployment.get(path)).toMatchObject({ status: "unavailable", text: expect.stringContaining("0xd") });
    unreadable.clear();
    await renew(deployment);
    expect(await breakdownIn(deployment)).toMatchObject({ status: 200, body: { burned_supply: { tokens: "0" } } });
  });
});

test("a wallet that fell by more than half counts, and is a notice for a day", async () => {
  let held = units(200_000);
  const deployment = worldOf(
    valid(file(EXAMPLE)),
    chainOf((address) => (address === "0xa" ? held : heldAt(address))),
  );
  await breakdownIn(deployment);
  held = units(98_000);
  await renew(deployment);
  const { status, body } = await breakdownIn(deployment);
  expect(status).toBe(200);
  expect(body).toMatchObject({ non_circulating_supply: { tokens: "298000" }, complete: true });
  expect(body.non_circulating_wallets[0]).toMatchObject({
    balance: { tokens: "98000" },
    observed_balance: { tokens: "98000" },
    anomaly: true,
    anomaly_reason: `The balance fell by more than half at ${body.as_of}; it was 200000 before.`,
  });
  expect(await codesIn(deployment)).toEqual(["wallet_balance_fell 0xa", "locked_below_schedule team"]);
  deployment.pass(80_000);
  await renew(deployment);
  expect(await codesIn(deployment)).toEqual(["wallet_balance_fell 0xa", "locked_below_schedule team"]);
  deployment.pass(6_400);
  await renew(deployment);
  expect(await codesIn(deployment)).toEqual(["locked_below_schedule team"]);
});

// The bucket of 100,000 tokens unlocks 50,000 on the first of December and of January.
test.each([
  ["half of it", 1, units(50_000), []],
  ["a base unit more than half of it", 1, units(50_000) - 1n, ["fell 0xc"]],
  ["more than half of it, which the schedule unlocked since", 45, 0n, []],
  ["a base unit more than half of it and than the schedule unlocked since", 12, units(50_000) - 1n, ["fell 0xc"]],
])("a balance that fell by %s, after %d days: %3$j", async (_what, days, left, expected) => {
  const phases = [{ kind: "installments", amount: "100000", first_month: 22, count: 2, every_months: 1 }];
  const addresses = [wallet("0xc", "vesting")];
  const schedule = valid(
    file({
      max_supply: "1000000",
      start: "2025-02-01",
      buckets: [
        bucket({ allocation: "900000", genesis: "900000" }),
        bucket({ id: "backers", allocation: "100000", genesis: "0", phases, addresses }),
      ],
    }),
  );
  let held = units(100_000);
  const deployment = worldOf(
    schedule,
    chainOf(() => held),
  );
  await breakdownIn(deployment);
  held = left;
  deployment.pass(days * 86_400);
  await renew(deployment);
  const fallen = (await codesIn(deployment)).filter((code) => code.includes("fell"));
  expect(fallen.map((code) => code.replace("wallet_balance_", ""))).toEqual(expected);
  expect((await breakdownIn(deployment)).body.non_circulating_supply.base_units).toBe(String(left));
});

test("a wallet on another chain is listed as unverified, never read, and makes the breakdown incomplete", async () => {
  const addresses = [wallet("0xa"), wallet("0xE1", "account", { chain: "ethereum" })];
  const schedule = valid(
    file({ buckets: [bucket({ genesis: "0", phases: [{ kind: "never", amount: "1000" }], addresses })] }),
  );
  const deployment = worldOf(schedule, { minted: () => units(1_000), balance: () => units(100) });
  const { status, body } = await breakdownIn(deployment);
  expect(status).toBe(503);
  expect(body).toMatchObject({
    complete: false,
    non_circulating_supply: null,
    message: expect.stringContaining("wallet 0xE1 (0xE1) is on ethereum, which this deployment does not read"),
  });
  expect(body.non_circulating_wallets[1]).toMatchObject({ address: "0xE1", verification: "unverified", balance: null });
  const asked = deployment.nodes.flatMap(({ calls }) => calls).map((call) => call.arguments[0]);
  expect(asked).toContain("0xa");
  expect(asked).not.toContain("0xE1");
  // The schedule says so, so that it is no fault; and locked tokens may be on the other chain.
  expect(await codesIn(deployment)).toEqual([]);
});

test.each([
  ["of a bucket without wallets", { buckets: [bucket({ genesis: "0", phases: [{ kind: "never", amount: "1000" }] })] }],
  ["of figures", { buckets: undefined, table: [{ month: "2025-02", circulating: "400" }] }],
  ["with a wallet outside its buckets", { wallets: [wallet("0xa", "account", { category: "treasury" })] }],
  ["whose wallets hold everything", { wallets: [wallet("0xe", "account", { category: "treasury" })] }],
])("the breakdown of a schedule %s is complete: nothing that it lists is missing", async (_what, changes) => {
  const balanceOf = (address: string) => units(address === "0xe" ? 1_000 : 100);
  const chain = { ...chainOf(balanceOf), minted: () => units(1_000) };
  const { status, body } = await breakdownIn(worldOf(valid(file(changes)), chain));
  expect([status, body.complete, body.unavailable]).toEqual([200, true, {}]);
  const sums = [body.circulating_supply_on_chain, body.non_circulating_supply, body.burned_supply];
  expect(sums.reduce((sum, { base_units }) => sum + BigInt(base_units), 0n)).toBe(units(1_000));
});

describe("a reading contradicts the schedule", () => {
  const schedule = valid(file(EXAMPLE));
  const NOW = Date.parse("2026-01-01");
  const codes = (minted: bigint) => {
    const wallets: Reading["wallets"] = [];
    const reading = readingOfOne({
      ledgerVersion: 1n,
      readAtMs: NOW,
      decimals: 8,
      minted,
      wallets,
      staking: null,
      confirmedBy: NODES,
      nodeCount: 2,
      lastComplete: null,
    });
    return figureProblems(schedule, NOW, reading, 50n).map(({ code, subject }) => [code, subject]);
  };

  test.each([
    ["nowhere with a total of the maximum", units(1_000_000), []],
    ["with a base unit more", units(1_000_000) + 1n, [["total_above_max", "total_supply"]]],
    [
      "with less than the schedule has circulating",
      units(599_999),
      [["circulating_above_total", "circulating_supply"]],
    ],
  ])("%s", (_what, minted, expected) => {
    expect(codes(minted)).toEqual(expected);
  });
});

describe("a schedule that has ended", () => {
  const ended = valid(table(["2025-02", "400"]));
  test.each([
    ["2025-02-28T23:59:59Z", 0],
    ["2025-03-01T00:00:00Z", 1],
  ])("a table of one month, at %s: %i problems", (instant, count) => {
    expect(scheduleEnded(ended, Date.parse(instant))).toHaveLength(count);
  });

  test("rules never have that problem: permanently locked amounts are explicit", () => {
    expect(scheduleEnded(valid(file(EXAMPLE)), Date.parse("2040-01-01"))).toEqual([]);
  });

  test("a table that reached the maximum is complete", () => {
    expect(scheduleEnded(valid(table(["2025-02", "1000"])), Date.parse("2040-01-01"))).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import type { StakingTerms } from "../../../src/chain/staking.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { deploymentWorld, WORLD_START_MS } from "../../support/deployment-world.ts";
import { OWN, POOL } from "../rates/rows.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const TOKEN = 100_000_000n;
/** The worked example: 2.6 % a year in epochs of two hours. */
const TERMS: StakingTerms = {
  numerator: 26n,
  denominator: 4_380_000n,
  epochSeconds: 7_200n,
  staked: 820_000n * TOKEN + 5n,
};
const SCHEDULE: Schedule = valid(
  file({
    max_supply: "1000000",
    start: "2025-01-01",
    buckets: [bucket({ id: "public", allocation: "1000000", genesis: "1000000", phases: [] })],
  }),
);
const LISTED = { ...OWN, id: "vault", name: "Vault" };

interface Options {
  readonly terms?: StakingTerms | null;
  readonly rows?: readonly unknown[];
  readonly nodes?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** A deployment over a chain with these terms; null: a chain without staking. */
function place({ terms = TERMS, rows = [LISTED], nodes = ["a", "b"], settings = {} }: Options = {}) {
  const chain = { terms };
  const world = deploymentWorld({
    schedule: SCHEDULE,
    chain: { minted: () => 1_000_000n * TOKEN, staking: () => chain.terms ?? undefined },
    nodes,
    rows,
    settings,
  });
  return { ...world, script: chain };
}

describe("native staking is a product computed from the chain", () => {
  test("with its formula, its three inputs and their ledger version", async () => {
    const { json, nodes } = place({ settings: { COMMISSION_PERCENT: "8" } });
    const { count, data } = await json("/api/rates");
    expect([count, data.map(({ id }: { id: string }) => id)]).toEqual([2, ["native-staking", "vault"]]);
    const [product] = data;
    expect(product).toMatchObject({
      kind: "staking",
      source: "ledger",
      status: "active",
      rate_type: "variable",
      window: "spot",
      gross: true,
      asset: { symbol: SCHEDULE.token.symbol, address: "0x1::aptos_coin::AptosCoin", decimals: 8 },
      apr: 2.6,
      apy: 2.63409,
      apy_base: 2.63409,
      apy_reward: 0,
      compounds_per_year: 4380,
      commission_percent: 8,
      apr_net: 2.392,
      apy_net: 2.42083,
      tvl: "820000.00000005",
      staked: "820000.00000005",
      staked_percent: 82,
      yearly_emission: "21320",
      methodology: { numerator: "26", denominator: "4380000", epoch_seconds: 7200, epochs_per_year: 4380 },
    });
    const versions = new Set(nodes.flatMap(({ calls }) => calls.map(({ ledgerVersion }) => String(ledgerVersion))));
    expect([...versions]).toContain(product.methodology.ledger_version);
    expect(await json("/api/rates/native-staking")).toEqual(product);
  });

  test.each([
    ["apy", "2.63409"],
    ["staked", "820000.00000005"],
    ["staked_percent", "82"],
    ["yearly_emission", "21320"],
  ])("?value=%s is the bare number %s", async (value, text) => {
    expect(await place().get(`/api/rates/native-staking?value=${value}`)).toMatchObject({ status: 200, text });
  });

  test("a chain that pays nothing has a yield of 0", async () => {
    const { get } = place({ terms: { ...TERMS, numerator: 0n, denominator: 1n } });
    expect(await get("/api/rates/native-staking?value=apy")).toMatchObject({ status: 200, text: "0" });
  });

  test("without a commission net yields are unknown", async () => {
    const { json, get } = place();
    expect(await json("/api/rates/native-staking")).toMatchObject({ commission_percent: null, apy_net: null });
    expect(await get("/api/rates/native-staking?value=apy_net")).toMatchObject({ status: "not_found" });
  });

  test("it is the only product of a deployment without a listing", async () => {
    const { json } = place({ settings: { RATES_URL: "none" } });
    expect((await json("/api/rates")).data.map(({ id }: { id: string }) => id)).toEqual(["native-staking"]);
  });

  test("STAKING=off leaves it out, everywhere", async () => {
    const { json, get } = place({ settings: { STAKING: "off" } });
    expect((await json("/api/rates")).count).toBe(1);
    expect(await get("/api/rates/native-staking")).toMatchObject({ status: "not_found" });
    expect(await get("/api/staked-supply")).toMatchObject({ status: "not_found" });
    const none = place({ settings: { STAKING: "off", RATES_URL: "none" } });
    expect(await none.get("/api/rates")).toMatchObject({ status: "not_found" });
  });

  const LISTED_YIELD = { apy: 9, apy_base: null, apy_reward: null };
  test.each([
    ["row", { ...OWN, ...LISTED_YIELD }],
    ["pool", { ...POOL, pool: "native-staking", apy: 9, apyBase: 9, apyReward: 0 }],
  ])("a listed %s of its id is dropped and named, while STAKING is on", async (_what, row) => {
    const { json, get, check, recorded, logged, codes } = place({ rows: [row, LISTED] });
    await check();
    const { data } = await json("/api/rates");
    expect(data).toMatchObject([
      { id: "native-staking", apy: 2.63409, source: "ledger" },
      { id: "vault", apy: 7.5 },
    ]);
    expect(await get("/api/rates/native-staking?value=apy")).toMatchObject({ text: "2.63409" });
    expect((await json("/api/health")).native_staking).toEqual({ source: "chain", reason: null });
    expect(await codes()).toEqual([]);
    expect(recorded.rates.filter(({ product }) => product === "native-staking")).toMatchObject([{ apy: 2.63409 }]);
    const reason = "id is that of the chain's own product";
    const dropped = { rows: 1, reasons: { [reason]: 1 }, first: { [reason]: "native-staking" } };
    expect(logged[0]).toEqual({ event: "rates_rows_dropped", detail: dropped });
    expect(logged.map(({ event }) => event)).toEqual(["rates_rows_dropped", "health"]);
  });

  test("with STAKING=off a listed row of that id is a row like others, and health says so", async () => {
    const { json } = place({ rows: [{ ...OWN, ...LISTED_YIELD }], settings: { STAKING: "off" } });
    expect((await json("/api/rates")).data).toMatchObject([{ id: "native-staking", apy: 9, source: "operator" }]);
    expect(await json("/api/rates/native-staking")).toMatchObject({ apy: 9, source: "operator" });
    expect((await json("/api/health")).native_staking).toMatchObject({ source: "listing" });
    const none = await place({ settings: { STAKING: "off" } }).json("/api/health");
    expect(none.native_staking).toMatchObject({ source: null });
  });

  test("it is served alone while the listing cannot be read", async () => {
    const { world, get } = place();
    world.listingUp = false;
    expect(await get("/api/rates/native-staking?value=apy")).toMatchObject({ text: "2.63409" });
    expect(await get("/api/rates/vault")).toMatchObject({ status: "unavailable" });
    expect(await get("/api/rates")).toMatchObject({ status: "unavailable" });
  });
});

const STAKED = ["/api/staked-supply", "/api/staked-percent", "/api/yearly-emission"] as const;

describe("what is staked, its share and its emission are figures like every other", () => {
  test.each([
    ["/api/staked-supply", "820000"],
    ["/api/staked-supply?decimals=exact", "820000.00000005"],
    ["/api/staked-percent", "82.05"],
    ["/api/staked-percent?decimals=exact", "82.05"],
    ["/api/staked-percent?format=result", '{"result":"82.05"}'],
    ["/api/yearly-emission", "21333"],
    ["/api/yearly-emission?decimals=exact", "21333.00000001"],
  ])("%s is the bare number %s", async (path, text) => {
    const staked = path.startsWith("/api/staked-supply") ? TERMS.staked : 820_500n * TOKEN + 50n;
    expect(await place({ terms: { ...TERMS, staked } }).get(path)).toMatchObject({ status: 200, text });
  });

  test("the share is of what is not burned", async () => {
    const wallets = [wallet("0xd", { category: "burn" })];
    const { get } = deploymentWorld({
      schedule: valid(
        file({ max_supply: "1000", buckets: [bucket({ allocation: "1000", genesis: "1000", phases: [] })], wallets }),
      ),
      chain: {
        minted: () => 1_000n * TOKEN,
        balance: () => 200n * TOKEN,
        staking: () => ({ ...TERMS, staked: 400n * TOKEN }),
      },
    });
    expect(await get("/api/staked-percent")).toMatchObject({ status: 200, text: "50" });
  });

  test("each names its ledger version and is absent with the rest of native staking", async () => {
    for (const path of STAKED) {
      expect((await place().get(path)).headers).toHaveProperty("X-Ledger-Version");
      expect(await place({ settings: { STAKING: "off" } }).get(path)).toMatchObject({ status: "not_found" });
      expect(await place({ terms: null }).get(path)).toMatchObject({ status: "unavailable" });
    }
  });

  test.each(["/api/staked-supply", "/api/yearly-emission"])("terms that no chain has are no %s of 0", async (path) => {
    const { status, text } = await place({ terms: { ...TERMS, denominator: 0n } }).get(path);
    expect([status, text]).toEqual(["unavailable", expect.stringContaining("the reward rate's denominator is 0")]);
  });

  test("they and every product have a badge", async () => {
    const { get } = place();
    const read = async (name: string) => {
      const { status, text } = await get(`/api/badge/${name}.json`);
      return status === 200 ? JSON.parse(text) : { status };
    };
    expect(await read("staked-supply")).toMatchObject({ label: "staked", message: `820K ${SCHEDULE.token.symbol}` });
    expect(await read("staked-percent")).toMatchObject({ label: "staked", message: "82.00%" });
    expect(await read("yearly-emission")).toMatchObject({ message: `21.32K ${SCHEDULE.token.symbol}` });
    expect(await read("apy:native-staking")).toMatchObject({ label: "native-staking APY", message: "2.63%" });
    expect(await read("apy%3Avault")).toMatchObject({ label: "vault APY", message: "7.50%" });
    expect(await read("apy:nobody")).toEqual({ status: "not_found" });
  });

  test("they and the product have a row for each day", async () => {
    const { check, recorded } = place();
    await check();
    expect(recorded.figures).toContainEqual(
      expect.objectContaining({ figure: "staked_supply", baseUnits: String(TERMS.staked), witnesses: 2 }),
    );
    expect(recorded.figures).toContainEqual(
      expect.objectContaining({ figure: "staked_percent", baseUnits: "8200000", decimals: 5 }),
    );
    expect(recorded.figures).toContainEqual(
      expect.objectContaining({ figure: "yearly_emission", baseUnits: String(21_320n * TOKEN), decimals: 8 }),
    );
    expect(recorded.rates.map(({ product, apy }) => [product, apy]).sort()).toEqual([
      ["native-staking", 2.63409],
      ["vault", 7.5],
    ]);
  });
});

describe("a chain without the views", () => {
  test("has no such product and no 0, and health names the reason", async () => {
    const { json, get, codes } = place({ terms: null });
    expect((await json("/api/rates")).data.map(({ id }: { id: string }) => id)).toEqual(["vault"]);
    const reason = "the chain node answers 400 to 0x1::staking_config::reward_rate";
    for (const path of ["/api/rates/native-staking", "/api/rates/native-staking?value=apy", "/api/staked-supply"]) {
      const { status, text } = await get(path);
      expect([status, text]).toEqual(["unavailable", expect.stringContaining(reason)]);
    }
    expect(await get("/api/total-supply")).toMatchObject({ status: 200 });
    expect(await codes()).toEqual(["staking_unreadable"]);
    expect((await json("/api/health")).native_staking).toEqual({ source: null, reason });
  });

  test.each([
    ["terms that are none", { ...TERMS, denominator: 0n }, "the reward rate's denominator is 0"],
    ["an epoch of no length", { ...TERMS, epochSeconds: 0n }, "the epoch's interval is 0 seconds"],
    ["more stake than exists", { ...TERMS, staked: 1_000_001n * TOKEN }, "more is staked than exists on chain"],
  ])("%s is no product either", async (_name, terms, reason) => {
    const { status, text } = await place({ terms }).get("/api/rates/native-staking?value=apy");
    expect([status, text]).toEqual(["unavailable", expect.stringContaining(reason)]);
  });
});

test("a yield beyond what any product has is health's problem, and the last good one stays", async () => {
  const { script, readNow, json, codes, pass } = place();
  expect(await json("/api/rates/native-staking")).toMatchObject({ apy: 2.63409 });
  script.terms = { ...TERMS, numerator: 1n, denominator: 100n };
  await readNow();
  pass(60);
  await json("/api/rates");
  expect(await json("/api/rates/native-staking")).toMatchObject({ apy: 2.63409, status: "active" });
  expect(await codes()).toEqual(["staking_unreadable"]);
  const [{ message }] = (await json("/api/health")).problems;
  expect(message).toContain("Native staking cannot be read: the yield is beyond 1000000 percent.");
});

describe("confirmed by two nodes", () => {
  test.each(["staked", "numerator", "epochSeconds"])("a node that lies about %s changes nothing", async (name) => {
    const { get, node, readNow, codes } = place();
    expect(await get("/api/rates/native-staking?value=apy")).toMatchObject({ text: "2.63409" });
    node(1).lie = (asked, truth) => (asked === name ? truth * 2n : undefined);
    expect(await readNow()).toMatchObject({
      kind: "failure",
      reason: expect.stringContaining("the chain nodes disagree: "),
    });
    expect(await codes()).toContain("nodes_disagree");
    expect(await get("/api/rates/native-staking?value=apy")).toMatchObject({ text: "2.63409" });
    expect(await get("/api/staked-supply")).toMatchObject({ text: "820000" });
  });

  test("with one node a sudden other rate awaits a second reading, a small step does not", async () => {
    const { script, readNow, get } = place({ nodes: ["a"] });
    await get("/api/rates");
    script.terms = { ...TERMS, numerator: 27n };
    expect(await readNow()).toMatchObject({ kind: "observed" });
    for (const sudden of [{ staked: TERMS.staked / 2n, denominator: TERMS.denominator / 2n }, { numerator: 2_600n }]) {
      script.terms = { ...TERMS, ...sudden };
      expect(await readNow()).toMatchObject({ kind: "failure" });
      expect(await readNow()).toMatchObject({ kind: "observed" });
    }
  });
});

test("what cannot be read any more stays with its time, is stale after two hours, and is no figure", async () => {
  const { script, readNow, get, json, pass, world } = place();
  await get("/api/rates");
  script.terms = null;
  await readNow();
  pass(60);
  await get("/api/rates");
  expect(await json("/api/rates/native-staking")).toMatchObject({ apy: 2.63409, status: "active" });
  expect(Date.parse((await json("/api/rates/native-staking")).as_of)).toBe(WORLD_START_MS);
  expect(Number((await get("/api/rates/native-staking")).headers["Age"])).toBe((world.nowMs - WORLD_START_MS) / 1000);
  expect(await get("/api/staked-supply")).toMatchObject({ status: "unavailable" });
  pass(7_200);
  await readNow();
  await get("/api/rates");
  expect(await json("/api/rates/native-staking")).toMatchObject({ status: "stale" });
  expect(await get("/api/rates/native-staking?value=apy")).toMatchObject({ status: "unavailable" });
});

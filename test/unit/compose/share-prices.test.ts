import { describe, expect, test } from "vitest";
import { seriesOf } from "../../../src/chain/share-price.ts";
import { evmNode } from "../../../src/families/evm/evm-node.ts";
import type { Correction } from "../../../src/home/history/corrections.ts";
import type { RecordedPrice } from "../../../src/rates/price-growth.ts";
import { capabilitiesOf } from "../../../src/supply/capabilities.ts";
import { walletsOf } from "../../../src/supply/wallets.ts";
import { deploymentWorld, WORLD_START_MS } from "../../support/deployment-world.ts";
import { EvmChain, TOKEN } from "../../support/evm/chain.ts";
import { lockCode, viewSlot } from "../../support/evm/lock.ts";
import { EvmTestNode, WORD } from "../../support/evm/node.ts";
import { REVERTS } from "../../support/evm/token.ts";
import { beginVault } from "../../support/evm/vault.ts";
import { yearlyPercentExactly } from "../../support/fixed-point.ts";
import { OWN } from "../rates/rows.ts";
import { validFile, walletFile } from "../supply/schedules.ts";

const DAY_MS = 86_400_000;
const ETHER = 10n ** 18n;
const BLOCK_SECONDS = 1_800;
/** Contract that reports whatever a test writes, by a rate view. */
const RATE = "0x00000000000000000000000000000000000000fe";
const VIEW = "getRate()";

const share = (contract: string, changes: object = {}) => ({
  id: "vault",
  name: "Savings vault",
  kind: "vault",
  provider: "Example",
  asset: { symbol: "XYZ", decimals: 18 },
  chain: "native",
  contract,
  view: "convertToAssets(uint256)",
  decimals: 18,
  ...changes,
});
const rateShare = share(RATE, { view: VIEW });

interface Options {
  readonly nodes?: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly rows?: readonly unknown[];
  readonly pricesBackfill?: readonly RecordedPrice[];
  readonly corrections?: readonly Correction[];
}

/** A deployment that lists share prices of contracts on a chain, whose time is that of the deployment. */
async function deployed(
  shares: (chain: EvmChain) => Promise<readonly object[]> | readonly object[],
  { nodes: count = 2, settings = {}, ...options }: Options = {},
) {
  const chain = await EvmChain.begin({ startSeconds: WORLD_START_MS / 1_000, blockSeconds: BLOCK_SECONDS });
  const content = { token: { symbol: "XYZ", name: "Example", decimals: 18 }, max_supply: "1000000000" };
  const schedule = validFile(walletFile({ ...content, share_prices: await shares(chain) }), "evm");
  const nodes = Array.from({ length: count }, () => new EvmTestNode(chain));
  const labels = nodes.map((_, index) => `upstream-${index + 1}`);
  const answering = (node: EvmTestNode, label: string) => {
    const head = { ...chain.head, timestampMs: chain.head.timestampSeconds * 1_000 };
    return evmNode(
      {
        label,
        chainId: 1,
        head,
        call: async (method, params) => {
          const { body } = await node.reply(JSON.stringify({ id: 1, method, params }));
          const { result, error } = Object(body);
          return error === undefined ? { kind: "result", value: result } : { kind: "error", code: error.code };
        },
      },
      walletsOf(schedule),
    );
  };
  const deployment = deploymentWorld({
    schedule,
    nodes: labels,
    settings: {
      CHAIN_FAMILY: "evm",
      CHAIN_ID: "1",
      NATIVE_ASSET: TOKEN,
      STABLE_ASSET: "",
      STAKING: "off",
      RATES_URL: "none",
      NODE_URLS: labels.map((label) => `https://${label}.example`).join(),
      ...settings,
    },
    chainNodes: () => nodes.map((node, index) => answering(node, labels[index] ?? "")),
    ...options,
  });
  /** Lets the chain and the deployment reach an instant, then runs the hourly check. */
  const checkAt = async (atMs: number) => {
    while (chain.head.timestampSeconds * 1_000 < atMs) await chain.mine();
    deployment.world.nowMs = chain.head.timestampSeconds * 1_000;
    await deployment.check();
  };
  const node = (index: number) => nodes[index] ?? expect.fail(`no node ${index}`);
  const product = async (id = "vault") => deployment.json(`/api/rates/${id}`);
  return { ...deployment, chain, node, checkAt, product };
}

/** A deployment with a contract whose rate a test sets. */
async function withRate(options: Options = {}) {
  const deployment = await deployed(() => [rateShare], options);
  const { chain, world, check } = deployment;
  const report = async (value: bigint, code: Uint8Array | null = null) => {
    await chain.mine(new Map(), null, new Map([[RATE, { code, writes: new Map([[viewSlot(VIEW), value]]) }]]));
    world.nowMs = chain.head.timestampSeconds * 1_000;
  };
  await report(ETHER, lockCode());
  await check();
  /** The price that the last reading has, with its age in seconds; null: it has none. */
  const state = async () => {
    const { good } = (await deployment.readings().get("native", null, "cached")) ?? {};
    const [found] = good === "same" || good == null ? [] : (good.value.prices ?? []);
    return { value: found?.price?.value ?? null, unreadable: found?.unreadable ?? null };
  };
  const problems = async () =>
    (await deployment.json("/api/health")).problems.filter(
      ({ code }: { code: string }) => code === "share_price_unreadable",
    );
  return { ...deployment, report, state, problems };
}

describe("the growth of a real ERC-4626 vault over simulated weeks", () => {
  test("is that of the first price of each day, as an independent book of the vault has it", async () => {
    let vault: Awaited<ReturnType<typeof beginVault>> | undefined;
    const place = await deployed(async (chain) => {
      vault = await beginVault(chain);
      return [share(vault.address)];
    });
    if (vault === undefined) throw new Error("no vault");
    let seed = 12_345n;
    /** A number below `most`, the same in each run. */
    const draw = (most: bigint) => {
      seed = (seed * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
      return seed % most;
    };
    const days: { readonly value: bigint; readonly seconds: number }[] = [];
    const change = (now: number | null, before: number | null) =>
      now === null || before === null ? null : Number((now - before).toFixed(5));
    await vault.deposit(1_000n * ETHER);
    for (let day = 0; day < 40; day += 1) {
      await place.checkAt(WORLD_START_MS + day * DAY_MS);
      days.push({ value: vault.price(), seconds: place.chain.head.timestampSeconds });
      const apyOver = (length: number) => {
        const [first, last] = [days[day - length], days[day]];
        if (first === undefined || last === undefined) return null;
        return yearlyPercentExactly(first.value, last.value, last.seconds - first.seconds);
      };
      const { apy, apy_base, apy_change_7d, share_price: growth } = await place.product();
      expect(growth.price.value, `day ${day}`).toBe(String(vault.price()));
      for (const [served, length] of [
        [apy, 7],
        [growth.growth_7d.apy, 7],
        [growth.growth_30d.apy, 30],
      ]) {
        const exact = apyOver(length);
        if (exact === null) expect(served, `day ${day}`).toBeNull();
        else expect(Math.abs(served - exact), `day ${day}`).toBeLessThan(0.000006);
      }
      expect(apy_base).toBe(apy);
      // A reader of the history who comes every day sees each day once, with the same rate.
      const seen = (await place.json("/api/rates/vault/history")).data;
      expect([seen.length, seen.at(-1).apy], `day ${day}`).toEqual([day + 1, apy]);
      expect(apy_change_7d).toBe(change(apy, seen.at(-8)?.apy ?? null));
      // Later on the day there are deposits and yields, which the day's price does not have.
      await vault.deposit(1n + draw(200n * ETHER));
      await vault.earn(draw(ETHER));
      if (day % 5 === 4) await vault.deposit(1n + draw(5n));
      await place.checkAt(WORLD_START_MS + day * DAY_MS + DAY_MS / 2);
      expect((await place.product()).share_price.price.value).toBe(growth.price.value);
    }
    // Control: the vault earned, and deposits alone change no price by more than their rounding.
    expect(days[39]?.value).toBeGreaterThan(((days[0]?.value ?? 0n) * 1_005n) / 1_000n);
    const rows = (await place.json("/api/rates/vault/history")).data;
    expect(rows.map((row: { share_price: { value: string } }) => row.share_price.value)).toEqual(
      days.map(({ value }) => String(value)),
    );
    expect(rows.map(({ apy }: { apy: number | null }) => apy === null)).toEqual(days.map((_, day) => day < 7));
    expect(rows.at(-1)).toMatchObject({ source: "share_price", share_price: { witnesses: 2 }, apy_reward: null });
    expect(rows.at(-1).share_price.apy_30d).toBe((await place.product()).share_price.growth_30d.apy);
    const lastWeek = rows.slice(-7).map(({ apy }: { apy: number }) => apy);
    const mean = lastWeek.reduce((sum: number, apy: number) => sum + apy, 0) / 7;
    const product = await place.product();
    expect(product.apy_mean_7d).toBeCloseTo(mean, 5);
    expect(rows.at(-1).apy_mean_7d).toBe(product.apy_mean_7d);
    expect(Number((await place.get("/api/rates/vault?value=apy")).text)).toBe(product.apy);
  }, 120_000);
});

describe("the product of a share price", () => {
  test("is listed without rates before its first day, and says how they will be computed", async () => {
    const place = await withRate();
    expect(await place.json("/api/rates")).toMatchObject({ count: 1 });
    expect(await place.product()).toMatchObject({
      id: "vault",
      apy: null,
      apy_base: null,
      window: "7d",
      source: "share_price",
      status: "active",
      share_price: {
        chain: "native",
        contract: RATE,
        view: VIEW,
        decimals: 18,
        formula: "apy = 100 ((price / since)^(31536000 / seconds) - 1)",
        price: { date: "2026-11-21", value: String(ETHER), witnesses: 2, source: "observed" },
        growth_7d: { apy: null, seconds: null, since: null },
        growth_30d: { apy: null, seconds: null, since: null },
      },
    });
    expect((await place.get("/api/rates/vault?value=apy")).status).toBe("not_found");
  });

  test("stands beside the rows of a listing, which cannot take its id, and is served while the listing fails", async () => {
    const rows = [
      { ...OWN, id: "vault" },
      { ...OWN, id: "other" },
    ];
    const place = await withRate({ rows, settings: { RATES_URL: "https://rates.example/" } });
    const { data } = await place.json("/api/rates");
    expect(data.map(({ id, source }: { id: string; source: string }) => [id, source])).toEqual([
      ["vault", "share_price"],
      ["other", expect.not.stringContaining("share_price")],
    ]);
    place.world.listingUp = false;
    place.pass(2 * 86_400);
    expect((await place.get("/api/rates")).status).toBe("unavailable");
    expect(await place.product()).toMatchObject({ source: "share_price" });
  });

  test("is stale two days after its last price, which is kept with its date", async () => {
    const place = await withRate();
    await place.report(REVERTS);
    for (let day = 1; day <= 3; day += 1) {
      await place.checkAt(WORLD_START_MS + day * DAY_MS);
      const { status, as_of, share_price: growth } = await place.product();
      expect([status, growth.price.value]).toEqual([day < 3 ? "active" : "stale", String(ETHER)]);
      expect(as_of).toMatch(/^2026-11-21/);
    }
  });

  test("has a negative yield if its price fell, and none beyond the bound", async () => {
    const place = await withRate();
    await place.checkAt(WORLD_START_MS + 7 * DAY_MS);
    expect((await place.product()).apy).toBe(0);
    await place.report((ETHER * 999n) / 1_000n);
    await place.checkAt(WORLD_START_MS + 8 * DAY_MS);
    expect((await place.product()).apy).toBeLessThan(-4);
    await place.report(ETHER * 3n);
    await place.checkAt(WORLD_START_MS + 9 * DAY_MS);
    await place.report(ETHER * 3n);
    await place.check();
    const { share_price: growth, apy } = await place.product();
    expect([apy, growth.price.value]).toEqual([null, String(ETHER * 3n)]);
  });

  test("does not use the prices of another contract that had its id", async () => {
    const place = await withRate();
    const [row] = place.recorded.prices;
    expect(row).toMatchObject({ series: `native 1 ${RATE} ${VIEW} 18`, value: String(ETHER) });
    expect(seriesOf({ ...rateShare, contract: TOKEN }, 1)).not.toBe(row?.series);
  });

  test("is a capability of deployments that list one and read a chain; without any there are no products", async () => {
    const listed = validFile(walletFile({ share_prices: [rateShare] }), "evm");
    const settings = { chain: true, stableToken: false, staking: false, yields: false, everyChain: true };
    expect(capabilitiesOf(settings, listed).yields).toBe(true);
    expect(capabilitiesOf({ ...settings, chain: false }, listed).yields).toBe(false);
    const place = await deployed(() => []);
    expect(await place.get("/api/rates")).toMatchObject({ status: "not_found" });
  });
});

test("a new deployment has the first price in its first answer", async () => {
  const place = await deployed(() => [rateShare]);
  await place.chain.mine(
    new Map(),
    null,
    new Map([[RATE, { code: lockCode(), writes: new Map([[viewSlot(VIEW), ETHER]]) }]]),
  );
  expect((await place.product()).share_price.price).toMatchObject({ value: String(ETHER), witnesses: 2 });
});

/** Prices of an archive node for so many days before the first observed one, each a hundred-thousandth higher. */
function earlierPrices(count: number): RecordedPrice[] {
  const series = seriesOf(rateShare, 1);
  return Array.from({ length: count }, (_, index): RecordedPrice => {
    const atMs = Date.parse("2026-11-21T00:00:13Z") - (count - index) * DAY_MS;
    const value = String((ETHER * BigInt(100_000 - count + index)) / 100_000n);
    return {
      ...{ series, day: new Date(atMs).toISOString().slice(0, 10), value, ledgerVersion: String(index), atMs },
      ...{ observedAtMs: atMs, source: "backfill", witnesses: 1 },
    };
  });
}

test("the means of a product are those of its history, over a year too", async () => {
  const place = await withRate({ pricesBackfill: earlierPrices(400) });
  const product = await place.product();
  const last = (await place.json("/api/rates/vault/history")).data.at(-1);
  const means = Object.keys(last).filter((name) => name.startsWith("apy_mean_"));
  expect(means).toHaveLength(12);
  for (const name of means.filter((each) => !each.endsWith("_reward"))) expect(last[name], name).not.toBeNull();
  expect(means.map((name) => [name, product[name]])).toEqual(means.map((name) => [name, last[name]]));
});

test("a corrected rate counts in the means as corrected; while corrections cannot be read, the last means stay", async () => {
  const corrections = [
    { day: "2026-11-18", figure: "apy:vault", to: "12", reason: "One node lied.", correctedOn: "2026-11-20" },
  ];
  const place = await withRate({ pricesBackfill: earlierPrices(40), corrections });
  const { data } = await place.json("/api/rates/vault/history");
  const week = data.slice(-7).map(({ apy }: { apy: number }) => apy);
  expect(week.at(-4)).toBe(12);
  const mean = week.reduce((sum: number, apy: number) => sum + apy, 0) / 7;
  expect((await place.product()).apy_mean_7d).toBeCloseTo(mean, 4);
  // Control: without the correction it is another mean.
  expect(mean).toBeGreaterThan((week[0] ?? 0) + 1);
  place.world.correctionsUp = false;
  await place.checkAt(WORLD_START_MS + 2 * 3_600_000);
  expect((await place.product()).apy_mean_7d).toBeCloseTo(mean, 4);
});

test("while the earlier prices cannot be read, the last good rates and means stay", async () => {
  const place = await withRate({ pricesBackfill: earlierPrices(14) });
  for (let day = 1; day <= 3; day += 1) {
    await place.report(ETHER + (BigInt(day) * ETHER) / 10_000n);
    await place.checkAt(WORLD_START_MS + day * DAY_MS);
  }
  const before = await place.product();
  expect(before).toMatchObject({ apy: expect.any(Number), apy_mean_7d: expect.any(Number) });
  place.world.pricesBackfillUp = false;
  expect((await place.newIsolate().get("/api/rates/vault/history")).status).toBe("unavailable");
  for (let hour = 1; hour <= 2; hour += 1) {
    await place.checkAt(WORLD_START_MS + 3 * DAY_MS + hour * 3_600_000);
    const { apy, apy_mean_7d } = await place.product();
    expect([apy, apy_mean_7d]).toEqual([before.apy, before.apy_mean_7d]);
  }
});

describe("no node alone decides a price", () => {
  /** The word of the price in a node's answer. */
  const LIE = { [WORD.balances]: (truth: bigint) => truth + 1n };

  test("two that differ leave the last price, and health names both; the supply is served", async () => {
    const place = await withRate();
    place.node(1).says(LIE);
    await place.checkAt(WORLD_START_MS + DAY_MS);
    expect(await place.problems()).toEqual([
      expect.objectContaining({
        subject: "vault",
        message: expect.stringContaining("the chain nodes disagree: upstream-1 and upstream-2 about price of vault"),
      }),
    ]);
    expect((await place.product()).share_price.price).toMatchObject({ date: "2026-11-21", value: String(ETHER) });
    expect((await place.get("/api/total-supply")).status).toBe(200);
    expect(place.recorded.prices).toHaveLength(1);
    place.node(1).instead = () => undefined;
    await place.checkAt(WORLD_START_MS + DAY_MS + 3_600_000);
    expect([await place.problems(), place.recorded.prices.length]).toEqual([[], 2]);
  });

  test("one of three is outvoted and named", async () => {
    const place = await withRate({ nodes: 3 });
    place.node(0).says(LIE);
    await place.checkAt(WORLD_START_MS + DAY_MS);
    expect(await place.problems()).toEqual([]);
    expect(place.recorded.prices.at(-1)).toMatchObject({ value: String(ETHER), witnesses: 2 });
    const { problems } = await place.json("/api/health");
    expect(problems).toContainEqual(expect.objectContaining({ code: "nodes_disagree", subject: "upstream-1" }));
  });

  test("what one of two reports alone makes no row, however near it is", async () => {
    const place = await withRate();
    place.node(1).says({ [WORD.balances]: () => REVERTS });
    await place.checkAt(WORLD_START_MS + DAY_MS);
    expect(place.recorded.prices).toHaveLength(1);
    const { problems } = await place.json("/api/health");
    expect(problems).toContainEqual(expect.objectContaining({ code: "one_word", subject: "upstream-1" }));
    // Far from the confirmed price it is not taken at all.
    place.node(0).says({ [WORD.balances]: (truth) => truth * 2n });
    await place.checkAt(WORLD_START_MS + 2 * DAY_MS);
    expect(await place.state()).toMatchObject({ value: ETHER, unreadable: expect.stringContaining("only upstream-1") });
    expect(place.recorded.prices).toHaveLength(1);
  });

  test("a jump that the only node reports is taken when it is repeated a minute later", async () => {
    const place = await withRate({ nodes: 1 });
    expect(place.recorded.prices).toHaveLength(1);
    await place.report(2n * ETHER);
    await place.checkAt(WORLD_START_MS + DAY_MS);
    expect(await place.state()).toMatchObject({ value: ETHER, unreadable: expect.stringContaining("second reading") });
    expect(place.recorded.prices).toHaveLength(1);
    expect((await place.get("/api/total-supply")).status).toBe(200);
    await place.report(2n * ETHER);
    await place.check();
    expect(await place.state()).toEqual({ value: 2n * ETHER, unreadable: null });
    expect(place.recorded.prices.map(({ value }) => value)).toEqual([String(ETHER), String(2n * ETHER)]);
    // One step is near: it is taken at once.
    await place.report((2n * ETHER * 1_001n) / 1_000n);
    await place.checkAt(WORLD_START_MS + 2 * DAY_MS);
    expect(place.recorded.prices).toHaveLength(3);
  });

  test("a block whose time is of another day makes no row, on neither day", async () => {
    const place = await withRate();
    while (place.chain.head.timestampSeconds * 1_000 < WORLD_START_MS + 2 * DAY_MS) await place.chain.mine();
    place.pass(3_600);
    await place.check();
    // Control: the price was read at that block.
    expect(await place.state()).toEqual({ value: ETHER, unreadable: null });
    expect(place.recorded.prices).toHaveLength(1);
    place.pass(2 * 86_400);
    await place.check();
    expect(place.recorded.prices).toHaveLength(2);
  });

  test("what moves a price for one block makes no row, although every node reports it", async () => {
    const place = await withRate();
    await place.report(2n * ETHER);
    await place.checkAt(WORLD_START_MS + DAY_MS);
    expect(await place.state()).toMatchObject({ value: ETHER, unreadable: expect.stringContaining("second reading") });
    await place.report((ETHER * 1_001n) / 1_000n);
    await place.check();
    expect(await place.problems()).toEqual([]);
    expect(place.recorded.prices.map(({ value }) => value)).toEqual([String(ETHER), String((ETHER * 1_001n) / 1_000n)]);
  });

  test("a jump that two nodes report again a minute later is taken", async () => {
    const place = await withRate();
    await place.report(2n * ETHER);
    await place.checkAt(WORLD_START_MS + DAY_MS);
    await place.report(2n * ETHER);
    await place.check();
    expect(await place.state()).toEqual({ value: 2n * ETHER, unreadable: null });
    expect(place.recorded.prices.at(-1)).toMatchObject({ value: String(2n * ETHER), witnesses: 2 });
  });
});

describe("a view that", () => {
  test.each([
    ["reverts", REVERTS, "does not answer getRate()"],
    ["reports 0", 0n, "reports 0 by getRate()"],
  ])("%s is a problem by name; repaired it ends", async (_case, value, reason) => {
    const place = await withRate();
    await place.report(value);
    await place.checkAt(WORLD_START_MS + DAY_MS);
    expect(await place.problems()).toEqual([
      {
        code: "share_price_unreadable",
        subject: "vault",
        message: `The price of vault is not renewed by getRate(): the contract ${reason}; its last price is of 2026-11-21T02:30:00Z.`,
        remedy: expect.any(String),
      },
    ]);
    expect((await place.json("/api/health")).status).toBe("degraded");
    await place.report(ETHER);
    await place.checkAt(WORLD_START_MS + DAY_MS + 3_600_000);
    expect(await place.problems()).toEqual([]);
  });

  test("never answered has no price; the product has none either", async () => {
    const place = await deployed(() => [share(RATE)]);
    await place.check();
    expect(await place.codes()).toEqual(["share_price_unreadable"]);
    expect((await place.product()).share_price.price).toBeNull();
    expect((await place.json("/api/rates/vault/history")).count).toBe(0);
  });
});

test("prices of another network with the same address are not mixed in", async () => {
  const row = (chainId: number, daysAgo: number): RecordedPrice => {
    const atMs = WORLD_START_MS - daysAgo * DAY_MS;
    const series = seriesOf(rateShare, chainId);
    const day = new Date(atMs).toISOString().slice(0, 10);
    const value = String(ETHER / 2n);
    return { series, day, value, ledgerVersion: "1", atMs, observedAtMs: atMs, source: "backfill", witnesses: 1 };
  };
  const pricesBackfill = [row(1, 7), row(5, 30)];
  const place = await withRate({ pricesBackfill, settings: { CHAIN_ID: "5" } });
  const { share_price: growth } = await place.product();
  expect(growth.growth_7d.since).toBeNull();
  // Control: a price of this network is used.
  expect(growth.growth_30d.since).not.toBeNull();
});

test("days without a recorded price take those of an archive node", async () => {
  const pricesBackfill = earlierPrices(40);
  // A day that is recorded too keeps what was observed.
  const today = { ...(pricesBackfill[39] ?? expect.fail()), day: "2026-11-21", value: "1" };
  const place = await withRate({ pricesBackfill: [...pricesBackfill, today] });
  const { share_price: growth } = await place.product();
  expect(growth.growth_30d.since).toMatchObject({ date: "2026-10-22", source: "backfill", witnesses: 1 });
  const { value: first = "", atMs = 0 } = pricesBackfill[10] ?? {};
  const seconds = Date.parse(growth.price.at) / 1_000 - atMs / 1_000;
  expect(growth.growth_30d.seconds).toBe(seconds);
  expect(growth.growth_30d.apy).toBeCloseTo(yearlyPercentExactly(BigInt(first), ETHER, seconds), 4);
  const { data } = await place.json("/api/rates/vault/history?from=2026-10-01&to=2026-11-21");
  expect(data).toHaveLength(41);
  expect(data.map(({ source }: { source: string }) => source)).toEqual([...Array(40).fill("backfill"), "share_price"]);
});

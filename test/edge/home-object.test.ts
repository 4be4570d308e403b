import "../support/started-workers.js";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { schedule } from "../../dist/schedule.js";
import { dayText } from "../../src/base/utc.ts";
import { daysOfSums, productMeans } from "../../src/home/history/means.ts";
import { addSums, sumsOf } from "../../src/home/history/rate-sums.ts";
import { daysBefore, type RateRow, type RecordedFigureRow } from "../../src/home/history/rows.ts";
import { HISTORY_TABLES, HistoryTables } from "../../src/home/history-tables.ts";
import { Home } from "../../src/home/home-object.ts";
import { Tables } from "../../src/home/tables.ts";
import type { Reading } from "../../src/onchain/reading.ts";
import type { RecordedPrice } from "../../src/rates/price-growth.ts";
import { holdingKey, walletsOf } from "../../src/supply/wallets.ts";
import type { Sample } from "../../src/swr/loader.ts";
import type { ReadMode } from "../../src/swr/shared-value.ts";
import { eventually } from "../support/eventually.ts";
import { RECORDED_OF_THE_SAMPLE } from "../support/sample.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const DAY_MS = 86_400_000;
const ALL = { from: "1000-01-01", to: "9999-12-31" };

const setClock = (ms: number) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(ms);
};
beforeEach(() => setClock(NOON));
afterEach(() => vi.useRealTimers());

const object = (name: string) => env.HOME.getByName(name);
const figure = (atMs: number, baseUnits = "7"): RecordedFigureRow => ({
  figure: "total_supply",
  series: "1 0x1::aptos_coin::AptosCoin",
  day: dayText(atMs),
  baseUnits,
  decimals: 8,
  ledgerVersion: "42",
  observedAtMs: atMs,
  source: "observed",
  witnesses: 2,
  versions: null,
});
const rate = (atMs: number): RateRow => ({
  product: "p",
  day: dayText(atMs),
  apy: 5.25,
  apy_base: null,
  apy_reward: 0,
  tvl: "1.5",
  tvl_usd: null,
  observedAtMs: atMs,
  source: "sample",
});
/** The history of an object, inside it. */
const inHistory = <T>(name: string, use: (history: HistoryTables) => T, chainId: number | null = null): Promise<T> =>
  runInDurableObject(object(name), (_home, { storage }) => {
    const write = (work: () => void) => {
      work();
      return true;
    };
    const ports = {
      definitions: HISTORY_TABLES,
      damaged: new Set<string>(),
      write,
      now: Date.now,
      log: () => expect.fail("no table is damaged"),
    };
    return use(new HistoryTables(new Tables({ sql: storage.sql, ...ports }), write, chainId));
  });
const record = (name: string, atMs: number, baseUnits?: string) =>
  inHistory(name, (history) => history.record(dayText(atMs), [figure(atMs, baseUnits)], [rate(atMs)]));
/** Reads a token from an object, as a caller without a copy of it. */
const read = async (name: string, token: "native" | "stable", atMs: number, wanted: ReadMode = "revalidate") => {
  const said = await object(name).getShared(token, null, wanted, atMs);
  // Cast: as the name says.
  return { ...said, good: said?.good as Sample<Reading> | null };
};

/** Makes the first reading of an object: on a busy machine one may exceed a deadline. */
const readFirst = (name: string, token: "native" | "stable", atMs: number) =>
  eventually(async () => {
    const said = await read(name, token, atMs, "force");
    expect(said.good, said.error ?? "").not.toBeNull();
    return said;
    // No interval, because the check advances a clock that stands still by it.
  }, 0);

test("of a day the first row of each figure and product stays, over an eviction too", async () => {
  expect([await record("twice", NOON, "1"), await record("twice", NOON + 1, "2")]).toEqual([true, true]);
  await evictDurableObject(object("twice"));
  await record("twice", NOON + 1_000, "3");
  expect(await object("twice").figures(ALL)).toEqual([figure(NOON, "1")]);
  expect(await object("twice").rates("p", ALL)).toEqual([rate(NOON)]);
});

test("the first readings of a day are its rows, and there is one of each figure", async () => {
  vi.useRealTimers();
  const [native, stable] = [await readFirst("day", "native", Date.now()), await readFirst("day", "stable", Date.now())];
  await object("day").getShared("listing", null, "revalidate", Date.now());
  const rows = await object("day").figures(ALL);
  expect(rows.map(({ figure: name }) => name).sort()).toEqual([...RECORDED_OF_THE_SAMPLE].sort());
  for (const { figure: name, ledgerVersion, observedAtMs } of rows) {
    const { good } = name === "stable_supply" ? stable : native;
    expect([name, ledgerVersion, observedAtMs]).toEqual([name, String(good?.value.ledgerVersion), good?.observedAtMs]);
  }
  expect(await object("day").rates("native-staking", ALL)).toMatchObject([{ source: "ledger" }]);
  // Later ones are not.
  vi.setSystemTime(Date.now() + 60_000);
  expect((await read("day", "native", Date.now())).good?.observedAtMs).toBeGreaterThan(native.good?.observedAtMs ?? 0);
  expect(await object("day").recordToday(Date.now())).toBe(true);
  expect(await object("day").figures(ALL)).toEqual(rows);
});

test("the listing is read by the object, once for all who ask, and kept over an eviction", async () => {
  vi.useRealTimers();
  const ask = (have: number | null, wanted: ReadMode) =>
    object("listing").getShared("listing", have, wanted, Date.now());
  const [said, second] = await eventually(async () => {
    const both = await Promise.all([ask(null, "force"), ask(null, "revalidate")]);
    expect(both[0]).toMatchObject({ good: { kind: "observed" }, error: null, reading: "made" });
    return both;
  });
  expect(second?.good).toEqual(said?.good);
  await evictDurableObject(object("listing"));
  expect(await ask(null, "cached")).toMatchObject({ good: said?.good, reading: "none" });
});

/** Rows of that many days up to the day before noon's, without a call for each. */
const fill = (name: string, days: number) =>
  runInDurableObject(object(name), (_home, { storage }) => {
    const each = "WITH RECURSIVE ago(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ago WHERE n < ?)";
    const day = `date('${dayText(NOON)}', '-' || n || ' days')`;
    storage.sql.exec(
      `INSERT INTO figure_day ${each} SELECT 'total_supply', '1 0x1', ${day}, '7', 8, '42', 0, 'observed', 2, NULL FROM ago`,
      days,
    );
    storage.sql.exec(
      `INSERT INTO rate_day ${each} SELECT 'p', ${day}, 5.25, NULL, 0, '1.5', NULL, 0, 'sample' FROM ago`,
      days,
    );
  });
const storedDays = async (name: string) => {
  const figures = (await object(name).figures(ALL)).map(({ day }) => day);
  expect((await object(name).rates("p", ALL))?.map(({ day }) => day)).toEqual(figures);
  return figures;
};

test("a host's clock that is wrong once by twenty years costs one day of the history", async () => {
  await fill("wrong", 1_000);
  const before = await storedDays("wrong");
  const wrong = NOON + 7_305 * DAY_MS;
  setClock(wrong);
  await record("wrong", wrong);
  setClock(NOON);
  await record("wrong", NOON);
  expect(await storedDays("wrong")).toEqual([...before, dayText(NOON), dayText(wrong)]);
});

test("ten years of days are kept: an eleventh year's day goes when a new one comes", async () => {
  await fill("years", 3_653);
  const before = await storedDays("years");
  expect(before.length).toBe(3_653);
  await record("years", NOON);
  expect(await storedDays("years")).toEqual([...before.slice(1), dayText(NOON)]);
});

test("the rows of several products are in the order of days, of these days and products alone", async () => {
  for (const ago of [2, 1, 0]) {
    const atMs = NOON - ago * DAY_MS;
    const of = (product: string) => ({ ...rate(atMs), product });
    await inHistory("several", (history) => history.record(dayText(atMs), [], [of("p"), of("q"), of("r")]));
  }
  const days = { from: dayText(NOON - DAY_MS), to: dayText(NOON) };
  const rows = await inHistory("several", (history) => history.ratesOf(["q", "p", "unlisted"], days));
  expect(rows.map(({ day }) => day)).toEqual([days.from, days.from, days.to, days.to]);
  expect(new Set(rows.map(({ product }) => product))).toEqual(new Set(["p", "q"]));
});

test("rates and means of native staking are of one network; those of a listing are not of a network", async () => {
  const products = ["native-staking", "p"];
  const day = dayText(NOON);
  const rows = [rate(NOON), { ...rate(NOON), product: "native-staking" }];
  await inHistory("networks", (history) => history.record(day, [], rows), 4);
  const shown = (chainId: number) =>
    inHistory(
      "networks",
      (history) =>
        [history.ratesOf(products, ALL), history.sumsOf(products, [day])].map((each) =>
          each.map(({ product }) => product).sort(),
        ),
      chainId,
    );
  expect(await shown(4)).toEqual([products, products]);
  expect(await shown(5)).toEqual([["p"], ["p"]]);
  /** Rates that the object of a deployment with this chain id answers. */
  const ratesOf = (chainId: string) =>
    runInDurableObject(object("networks"), async (_home, state) => {
      const settings = { CHAIN_ID: chainId, NODE_URLS: "https://a.example/v1,https://b.example/v1" };
      return (await new Home(state, { ...env, ...settings }).rates("native-staking", ALL))?.length;
    });
  expect([await ratesOf("4"), await ratesOf("5")]).toEqual([1, 0]);
});

/** Sums of a product up to each of its recorded days, as stored and as its rows add up to. */
const bothSums = (name: string) =>
  inHistory(name, (history) => {
    const rows = history.ratesOf(["p"], ALL);
    const days = rows.map(({ day }) => day);
    const added = rows.map(({ day }, index) => {
      const sums = rows
        .slice(0, index + 1)
        .map(sumsOf)
        .reduce(addSums);
      return { product: "p", day, ...sums };
    });
    return { stored: history.sumsOf(["p"], days), added };
  });

test("after a host's clock was ahead for a while, the sums of every day are those of the rows up to it", async () => {
  for (const [index, days] of [-1, 3, 0, 1, 2, 3, 4].entries()) {
    const atMs = NOON + days * DAY_MS;
    await inHistory("ahead", (history) => history.record(dayText(atMs), [], [{ ...rate(atMs), apy: 1 + index }]));
  }
  const { stored, added } = await bothSums("ahead");
  expect(added.map(({ apy_days }) => apy_days)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(stored).toEqual(added);
});

test("sums that are lost within a day, and after a day that is still to come, are those of the rows again", async () => {
  for (const days of [-1, 3, 0])
    await inHistory("lost", (history) =>
      history.record(dayText(NOON + days * DAY_MS), [], [rate(NOON + days * DAY_MS)]),
    );
  await runInDurableObject(object("lost"), (_home, { storage }) => void storage.sql.exec("DELETE FROM rate_sum"));
  expect((await bothSums("lost")).stored, "they are lost").toEqual([]);
  // The first rate of a day stays, whatever a later reading has.
  await inHistory("lost", (history) => history.record(dayText(NOON), [], [{ ...rate(NOON), apy: 9 }]));
  const { stored, added } = await bothSums("lost");
  expect(added.length).toBe(3);
  expect(stored).toEqual(added);
});

test("means over a year of 500 products read 21 rows of each product", async () => {
  const [PRODUCTS, DAYS] = [500, 365];
  const ids = Array.from({ length: PRODUCTS }, (_each, index) => `product ${index}`);
  const day = dayText(NOON);
  await runInDurableObject(object("year"), (_home, { storage }) => {
    storage.sql.exec(
      `INSERT INTO rate_day WITH RECURSIVE ago(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ago WHERE n < ?)
       SELECT value, date(?, '-' || n || ' days'), 5 + (n % 3), 5.1, NULL, NULL, NULL, 0, 's' FROM ago, json_each(?)`,
      DAYS,
      day,
      JSON.stringify(ids),
    );
  });
  // The first rows of a day compute the missing sums of the days before.
  await inHistory("year", (history) =>
    history.record(
      day,
      [],
      ids.map((product) => ({ ...rate(NOON), product })),
    ),
  );
  const read = await runInDurableObject(object("year"), (_home, { storage }) => {
    const { history, rowsRead } = countedHistory(storage);
    const sums = history.sumsOf(ids, daysOfSums(day));
    const rows = history.ratesOf(ids, { from: daysBefore(day, 7), to: daysBefore(day, 7) });
    return { means: productMeans(day, { sums, rows }, []), rowsRead: rowsRead() };
  });
  const apys = Array.from({ length: DAYS }, (_each, ago) => (ago === 0 ? 5.25 : 5 + (ago % 3)));
  const year = apys.reduce((sum, apy) => sum + apy, 0) / DAYS;
  expect(Object.keys(read.means)).toHaveLength(PRODUCTS);
  for (const means of Object.values(read.means))
    expect(means).toMatchObject({ apy_mean_365d: Number(year.toFixed(5)), apy_mean_90d_base: 5.1, apy_7d_ago: 6 });
  expect(read.rowsRead / PRODUCTS).toBeLessThanOrEqual(21);
});

/** Makes a history that counts the rows which its queries read. */
function countedHistory(storage: DurableObjectStorage) {
  let rowsRead = 0;
  const tables = {
    run: () => 0,
    rowsOrNone: <Row extends object>(_table: string, query: string, ...bindings: SqlStorageValue[]): Row[] => {
      const cursor = storage.sql.exec<Row & Record<string, SqlStorageValue>>(query, ...bindings);
      const rows = cursor.toArray();
      rowsRead += cursor.rowsRead;
      return rows;
    },
  };
  return { history: new HistoryTables(tables, () => true, 1), rowsRead: () => rowsRead };
}

test("a listing that renames its rows at each reading adds 500 rows a day, and the chain's own has one too", async () => {
  // Days whose rows a busy machine writes within seconds.
  const DAYS = 3;
  const listed = (atMs: number, prefix: string) =>
    Array.from({ length: 500 }, (_each, index) => ({ ...rate(atMs), product: `${prefix} ${index}` }));
  await inHistory("renamed", (history) => {
    for (let hour = 0; hour < DAYS * 24; hour += 1) {
      const atMs = NOON + hour * 3_600_000;
      const own = { ...rate(atMs), product: "native-staking" };
      const ofListing = [rate(atMs), ...listed(atMs, `renamed at ${hour}`)];
      // Control: the first product keeps its name. The chain's own is recorded after the listing, and before it.
      const readings = [ofListing, [own]];
      for (const rows of hour < 24 ? readings : readings.reverse()) history.record(dayText(atMs), [], rows);
    }
  });
  const rows = await runInDurableObject(object("renamed"), (_home, { storage }) =>
    storage.sql.exec("SELECT day, count(*) AS count FROM rate_day GROUP BY day").toArray(),
  );
  expect(new Set(rows.map(({ count }) => count))).toEqual(new Set([501]));
  expect(rows.length).toBe(DAYS + 1);
  for (const product of ["p", "native-staking"])
    expect(await object("renamed").rates(product, ALL)).toHaveLength(DAYS + 1);
});

test("the first price of a day stays, each series has its own, and a wrong clock deletes one day at most", async () => {
  const price = (atMs: number, value: string, series = "s"): RecordedPrice => ({
    ...{ series, day: dayText(atMs), value, ledgerVersion: "42", atMs, observedAtMs: atMs },
    ...{ source: "observed", witnesses: 2 },
  });
  const kept = await inHistory("prices", (history) => {
    const add = (...prices: RecordedPrice[]) => history.record(prices[0]?.day ?? "", [], [], prices);
    add(price(NOON, "7"), price(NOON, "8", "other"));
    add(price(NOON + 60_000, "9"));
    add(price(NOON + DAY_MS, "10"));
    const [first, other] = [history.pricesOf(["s"], ALL), history.pricesOf(["other", "absent"], ALL)];
    for (let day = 2; day <= 3_660; day += 1) add(price(NOON + day * DAY_MS, "11"));
    add(price(NOON + 9_000 * DAY_MS, "12"));
    return { first, other, all: history.pricesOf(["s"], ALL) };
  });
  expect(kept.first).toEqual([price(NOON, "7"), price(NOON + DAY_MS, "10")]);
  expect(kept.other).toEqual([price(NOON, "8", "other")]);
  expect(kept.all).toHaveLength(3_653);
  expect(kept.all.at(-2)).toMatchObject({ value: "11", day: dayText(NOON + 3_660 * DAY_MS) });
});

test("the prices of one series are read without the rows of the others", async () => {
  const [SERIES, DAYS] = [20, 40];
  await inHistory("series", (history) => {
    for (let day = 0; day < DAYS; day += 1)
      history.record(
        dayText(NOON + day * DAY_MS),
        [],
        [],
        Array.from({ length: SERIES }, (_each, index): RecordedPrice => {
          const atMs = NOON + day * DAY_MS;
          const row = { series: `native 1 0x${index}`, day: dayText(atMs), value: "7", ledgerVersion: "42", atMs };
          return { ...row, observedAtMs: atMs, source: "observed", witnesses: 2 };
        }),
      );
  });
  const read = await runInDurableObject(object("series"), (_home, { storage }) => {
    const { history, rowsRead } = countedHistory(storage);
    return { rows: history.pricesOf(["native 1 0x3"], ALL).length, rowsRead: rowsRead() };
  });
  expect(read.rows).toBe(DAYS);
  // Each row is read in the index and in the table, and the series once more. All series have 20 times as many.
  expect(read.rowsRead).toBeLessThanOrEqual(3 * DAYS);
});

test("a last good value is replaced, survives an eviction, and the newest 64 of at most a million characters stay", async () => {
  const store = object("values");
  expect(await store.lastGood("f0")).toBeNull();
  for (let index = 0; index < 70; index += 1) await store.putLastGood(`f${index}`, "1", index);
  await store.putLastGood("f69", "2", 71);
  await store.putLastGood("large", "x".repeat(1_048_577), 100);
  await evictDurableObject(store);
  const kept = await Promise.all(["f5", "f6", "f69", "large"].map((name) => object("values").lastGood(name)));
  expect(kept).toEqual([null, { value: "1", storedAtMs: 6 }, { value: "2", storedAtMs: 71 }, null]);
});

test("the era that one report ends begins for all, once, and survives an eviction", async () => {
  const before = await object("chain").chain(null);
  const ended = { era: before.era, replaced: "test" };
  const report = { chainId: 4, servedBy: null, ended };
  const after = await object("chain").chain(report);
  expect(after).toMatchObject({ chainId: 4, replaced: "test", era: NOON });
  await evictDurableObject(object("chain"));
  expect(await object("chain").chain(report)).toEqual(after);
});

test("both tokens are read at the embedded node, kept over an eviction, and forgotten with the chain", async () => {
  vi.useRealTimers();
  const home = () => object("readings");
  const now = () => Date.now();
  const [native, stable] = [await readFirst("readings", "native", now()), await readFirst("readings", "stable", now())];
  if (native.good === null || stable.good === null) throw new Error(JSON.stringify([native, stable]));
  const { ledgerVersion, wallets, confirmedBy, decimals } = native.good.value;
  expect([confirmedBy, decimals]).toEqual([["embedded"], schedule.token.decimals]);
  expect(wallets.map(({ holding }) => holding)).toEqual(walletsOf(schedule).map(holdingKey));
  expect(wallets.every(({ balance }) => balance?.ledgerVersion === ledgerVersion)).toBe(true);
  expect(stable.good.value).toMatchObject({ wallets: [], confirmedBy: ["embedded"] });

  // On a busy machine a call of it may not have ended yet.
  await eventually(() => evictDurableObject(home()));
  expect((await read("readings", "native", now(), "cached")).good).toEqual(native.good);
  expect(await home().getShared("stable", stable.good.observedAtMs, "revalidate", now())).toMatchObject({
    good: "same",
  });

  const { era, chainId } = await home().chain(null);
  await home().chain({ chainId: chainId ?? 4, servedBy: null, ended: { era, replaced: "test" } });
  const replaced = await read("readings", "native", now(), "cached");
  expect(replaced).toMatchObject({ good: null, reading: "under_way" });
  expect(await read("readings", "native", now())).toMatchObject({ good: { value: { decimals } } });
});

test.each<[string, (name: string) => Promise<unknown>]>([
  ["a figure", (name) => read(name, "native", NOON + 1_000, "cached")],
  ["the rows of today", async (name) => object(name).recordToday(NOON + 1_000)],
])("after a host's clock was a day ahead, a call for %s leads to the right one within seconds", async (what, call) => {
  const name = `set back, ${what}`;
  const at = (atMs: number) => ({ good: { observedAtMs: atMs } });
  setClock(NOON + DAY_MS);
  expect(await readFirst(name, "native", NOON + DAY_MS)).toMatchObject(at(NOON + DAY_MS));
  // The clock of an object that is awake stands still, its callers' are right.
  expect(await read(name, "native", NOON)).toMatchObject(at(NOON + DAY_MS));
  const cause = await call(name).then(
    () => null,
    (error) => error,
  );
  expect(cause).toMatchObject({ durableObjectReset: true });
  setClock(NOON + 1_000);
  expect(await read(name, "native", NOON + 1_000)).toMatchObject(at(NOON + 1_000));
  expect((await object(name).figures(ALL)).map(({ day }) => day)).toContain(dayText(NOON));
});

test("a store that refuses to write breaks no reply, is named once, and health recovers", async () => {
  const home = () => object("refuses");
  const refuse = (verb: (table: string) => string) =>
    runInDurableObject(home(), (_home, { storage }) => {
      for (const table of ["last_good", "fact", "figure_day", "rate_day", "rate_sum", "health_change", "full_limiter"])
        storage.sql.exec(verb(table));
    });
  const error = vi.spyOn(console, "error").mockReturnValue(undefined);
  // Control: a store that takes everything.
  await readFirst("refuses", "native", NOON);
  expect(await home().recordToday(NOON)).toBe(true);
  expect(await home().health()).toMatchObject({ storeRefusedAtMs: null });

  await refuse(
    (table) => `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(FAIL, 'disk is full'); END`,
  );
  setClock(NOON + DAY_MS);
  const first = await read("refuses", "native", NOON + DAY_MS);
  expect([first, await read("refuses", "stable", NOON + DAY_MS)]).toMatchObject(
    Array(2).fill({ good: { observedAtMs: NOON + DAY_MS }, error: null }),
  );
  expect((await read("refuses", "native", NOON + DAY_MS, "cached")).good).toEqual(first.good);
  await home().putLastGood("rates", "1", NOON);
  expect(await home().recordToday(NOON + DAY_MS)).toBe(false);
  await home().recordHealth({ atMs: 1, status: "ok", reason: "1" });
  await home().recordFullLimiter("v1:node:oc:1");
  const { era } = await home().chain(null);
  const ended = await home().chain({ chainId: 4, servedBy: null, ended: { era, replaced: "test" } });
  expect(ended).toMatchObject({ replaced: "test" });
  expect(await home().chain(null)).toEqual(ended);
  expect(await home().health()).toMatchObject({ storeRefusedAtMs: NOON + DAY_MS });
  expect(error.mock.calls.flat().filter((line) => String(line).includes("store_refuses"))).toHaveLength(1);
  expect(error.mock.calls.flat().join()).toContain("disk is full");

  await refuse((table) => `DROP TRIGGER full_${table}`);
  setClock(NOON + DAY_MS + 30_000);
  await read("refuses", "native", NOON + DAY_MS + 30_000);
  expect(await home().recordToday(NOON + DAY_MS + 30_000)).toBe(true);
  expect((await home().figures(ALL)).map(({ day }) => day)).toContain(dayText(NOON + DAY_MS));
  // A refused write of the chain is repeated with the next call.
  const chain = await home().chain(null);
  expect(chain).toMatchObject({ era: ended.era, replaced: "test" });
  await evictDurableObject(home());
  expect(await home().chain(null)).toEqual(chain);
  setClock(NOON + DAY_MS + 120_000);
  expect(await home().health()).toMatchObject({ storeRefusedAtMs: null });
});

test("a reading counts before it is saved: a write that ends the object ends no reply", async () => {
  vi.useRealTimers();
  await runInDurableObject(object("saved later"), async (home, { storage }) => {
    const saved = () => storage.sql.exec("SELECT name FROM last_good").toArray().length;
    const savedAtReply = await eventually(async () => {
      const said = await home.getShared("native", null, "force", Date.now());
      const count = saved();
      expect(said).toMatchObject({ reading: "made" });
      return count;
    });
    expect(savedAtReply).toBe(0);
    await expect.poll(saved).toBe(1);
  });
});

test("a full limiter object is named for ten minutes, over an eviction", async () => {
  await object("full").recordFullLimiter("v1:node:oc:1");
  await evictDurableObject(object("full"));
  expect(await object("full").fullLimiters()).toEqual(["v1:node:oc:1"]);
  setClock(NOON + 599_999);
  expect(await object("full").fullLimiters()).toHaveLength(1);
  setClock(NOON + 600_000);
  expect(await object("full").fullLimiters()).toEqual([]);
});

test("changes of health are stored once each, newest first, at most a hundred", async () => {
  for (let index = 0; index < 105; index += 1)
    await object("health").recordHealth({ atMs: index, status: "ok", reason: String(index) });
  await object("health").recordHealth({ atMs: 104, status: "failing", reason: "again" });
  const changes = await object("health").healthChanges(200);
  expect(changes).toHaveLength(100);
  expect(changes[0]).toEqual({ atMs: 104, status: "ok", reason: "104" });
});

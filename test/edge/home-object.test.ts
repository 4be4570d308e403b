import "../support/started-workers.js";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { schedule } from "../../dist/schedule.js";
import type { FigureRow, RateRow } from "../../src/history/rows.ts";
import { holdingKey, walletsOf } from "../../src/supply/wallets.ts";
import { dayText } from "../../src/utc.ts";

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
const figure = (atMs: number, baseUnits = "7"): FigureRow => ({
  figure: "total_supply",
  asset: "0x1::aptos_coin::AptosCoin",
  day: dayText(atMs),
  baseUnits,
  decimals: 8,
  ledgerVersion: "42",
  observedAtMs: atMs,
  source: "observed",
  witnesses: 2,
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
const record = (name: string, atMs: number, baseUnits?: string) =>
  object(name).record(dayText(atMs), [figure(atMs, baseUnits)], [rate(atMs)], atMs);

test("two concurrent checks write one row per figure, the first one's", async () => {
  const [first, second] = [record("twice", NOON, "1"), record("twice", NOON + 1, "2")];
  expect([await first, await second]).toEqual([true, true]);
  expect(await object("twice").figures(ALL)).toEqual([figure(NOON, "1")]);
  expect(await object("twice").rates("p", ALL)).toEqual([rate(NOON)]);
});

test("an eviction neither loses nor repeats a row", async () => {
  await record("evicted", NOON, "1");
  await evictDurableObject(object("evicted"));
  await record("evicted", NOON + 1000, "2");
  expect(await object("evicted").figures(ALL)).toEqual([figure(NOON, "1")]);
});

test("a clock that jumps ahead or back writes no row of another day", async () => {
  for (const jump of [DAY_MS, -DAY_MS, 365 * DAY_MS]) expect(await record("jumps", NOON + jump)).toBe(false);
  expect(await object("jumps").figures(ALL)).toEqual([]);
  await record("jumps", NOON);
  expect(await object("jumps").figures(ALL)).toHaveLength(1);
});

test("a row whose reading is of another day is refused", async () => {
  const stale = { ...figure(NOON - DAY_MS), day: dayText(NOON) };
  await object("stale").record(dayText(NOON), [stale], [], NOON);
  expect(await object("stale").figures(ALL)).toEqual([]);
});

test("a step back of the object's clock changes no row, and later days are recorded", async () => {
  setClock(NOON + DAY_MS);
  await record("back", NOON + DAY_MS, "2");
  setClock(NOON);
  await record("back", NOON, "1");
  setClock(NOON + DAY_MS + 5_000);
  await record("back", NOON + DAY_MS + 5_000, "3");
  expect((await object("back").figures(ALL)).map(({ day, baseUnits }) => [day, baseUnits])).toEqual([
    ["2026-11-21", "1"],
    ["2026-11-22", "2"],
  ]);
});

test("a day without a reading is missing", async () => {
  for (const days of [0, 1, 3]) {
    setClock(NOON + days * DAY_MS);
    await record("missing", NOON + days * DAY_MS);
  }
  const recorded = [0, 1, 3].map((days) => dayText(NOON + days * DAY_MS));
  expect((await object("missing").figures(ALL)).map(({ day }) => day)).toEqual(recorded);
});

/** Rows of that many days up to the day before noon's, without a call for each. */
const fill = (name: string, days: number) =>
  runInDurableObject(object(name), (_home, { storage }) => {
    const each = "WITH RECURSIVE ago(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ago WHERE n < ?)";
    const day = `date('${dayText(NOON)}', '-' || n || ' days')`;
    storage.sql.exec(
      `INSERT INTO figure_day ${each} SELECT 'total_supply', '0x1', ${day}, '7', 8, '42', 0, 2 FROM ago`,
      days,
    );
    storage.sql.exec(
      `INSERT INTO rate_day ${each} SELECT 'p', ${day}, 5.25, NULL, 0, '1.5', NULL, 0, 'sample' FROM ago`,
      days,
    );
  });
const storedDays = async (name: string) => {
  const figures = (await object(name).figures(ALL)).map(({ day }) => day);
  expect((await object(name).rates("p", ALL)).map(({ day }) => day)).toEqual(figures);
  return figures;
};

test("a host's clock that is wrong once by twenty years costs one day of the history", async () => {
  await fill("wrong", 1_000);
  const before = await storedDays("wrong");
  const wrong = NOON + 7_305 * DAY_MS;
  setClock(wrong);
  expect(await record("wrong", wrong)).toBe(true);
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

test("the means of all products are those of their last 30 days, as corrected", async () => {
  for (let ago = 30; ago >= 0; ago -= 1) {
    const atMs = NOON - ago * DAY_MS;
    setClock(atMs);
    // The oldest day is beyond every mean; the second product lacks four days, three of them of the last week.
    const of = (product: string) => ({ ...rate(atMs), product, apy: ago === 30 ? 500 : 6 });
    await object("means").record(dayText(atMs), [], [of("p"), ...(ago >= 4 && ago <= 7 ? [] : [of("q")])], atMs);
  }
  const today = dayText(NOON);
  const correction = { day: today, figure: "apy:p", to: "36", reason: "typo", correctedOn: today };
  const means = await object("means").productMeans(today, ["p", "q", "unlisted before"], [correction]);
  expect(Object.keys(means).sort()).toEqual(["p", "q"]);
  expect(means).toMatchObject({
    p: { apy_mean_30d: 7, apy_mean_7d: 10.28571, apy_7d_ago: 6 },
    q: { apy_mean_30d: 6, apy_mean_7d: null, apy_7d_ago: null },
  });
});

test("a listing that renames its rows at each reading adds 500 rows a day, and has small means", async () => {
  const DAYS = 30;
  const listed = (atMs: number, prefix: string) =>
    Array.from({ length: 500 }, (_each, index) => ({ ...rate(atMs), product: `${prefix} ${index}` }));
  const rows = await runInDurableObject(object("renamed"), (home, { storage }) => {
    for (let hour = 0; hour < DAYS * 24; hour += 1) {
      const atMs = NOON + hour * 3_600_000;
      setClock(atMs);
      // Control: the first product keeps its name.
      home.record(dayText(atMs), [], [rate(atMs), ...listed(atMs, `renamed at ${hour}`)], atMs);
    }
    return storage.sql.exec("SELECT day, count(*) AS count FROM rate_day GROUP BY day").toArray();
  });
  expect(new Set(rows.map(({ count }) => count))).toEqual(new Set([500]));
  expect(rows.length).toBe(DAYS + 1);
  const nowMs = NOON + DAYS * 24 * 3_600_000;
  const ids = ["p", ...listed(nowMs, `renamed at ${DAYS * 24 - 1}`).map(({ product }) => product)];
  const means = await object("renamed").productMeans(dayText(nowMs), ids, []);
  expect(means).toMatchObject({ p: { apy_mean_30d: 5.25, apy_mean_7d: 5.25 } });
  expect(Object.keys(means).every((id) => ids.includes(id))).toBe(true);
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
  expect(await home().lastReading("native", Date.now())).toBeNull();
  const [native, stable] = [await home().reading("native", Date.now()), await home().reading("stable", Date.now())];
  if (native.kind === "failure" || stable.kind === "failure") throw new Error(JSON.stringify([native, stable]));
  const { ledgerVersion, wallets, saidBy, decimals } = native.value;
  expect([saidBy, decimals]).toEqual([["embedded"], schedule.token.decimals]);
  expect(wallets.map(({ holding }) => holding)).toEqual(walletsOf(schedule).map(holdingKey));
  expect(wallets.every(({ balance }) => balance?.ledgerVersion === ledgerVersion)).toBe(true);
  expect(stable.value).toMatchObject({ wallets: [], saidBy: ["embedded"] });

  await evictDurableObject(home());
  expect(await home().lastReading("native", Date.now())).toEqual(native);
  expect(await home().reading("stable", Date.now())).toEqual(stable);

  const { era, chainId } = await home().chain(null);
  await home().chain({ chainId: chainId ?? 4, servedBy: null, ended: { era, replaced: "test" } });
  expect(await home().lastReading("native", Date.now())).toBeNull();
  expect(await home().reading("native", Date.now())).toMatchObject({ kind: "observed", value: { decimals } });
});

test("after a host's clock was a day ahead, figures are read by the right one within seconds", async () => {
  const home = () => object("set back");
  setClock(NOON + DAY_MS);
  expect(await home().reading("native", NOON + DAY_MS)).toMatchObject({ observedAtMs: NOON + DAY_MS });
  // The clock of an object that is awake stands still, its callers' are right.
  expect(await home().reading("native", NOON)).toMatchObject({ observedAtMs: NOON + DAY_MS });
  const cause = await home()
    .lastReading("native", NOON + 1_000)
    .then(
      () => null,
      (error) => error,
    );
  expect(cause).toMatchObject({ durableObjectReset: true });
  setClock(NOON + 1_000);
  expect(await home().reading("native", NOON + 1_000)).toMatchObject({ observedAtMs: NOON + 1_000 });
  expect(await record("set back", NOON + 1_000)).toBe(true);
});

test("a store that refuses to write breaks no reply, is named once, and health recovers", async () => {
  const home = () => object("refuses");
  const refuse = (verb: (table: string) => string) =>
    runInDurableObject(home(), (_home, { storage }) => {
      for (const table of ["last_good", "fact", "figure_day", "rate_day", "health_change", "full_limiter"])
        storage.sql.exec(verb(table));
    });
  const error = vi.spyOn(console, "error").mockReturnValue(undefined);
  // Control: a store that takes everything.
  expect(await record("refuses", NOON)).toBe(true);
  expect(await home().health()).toMatchObject({ storeRefusedAtMs: null });

  await refuse(
    (table) => `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(FAIL, 'disk is full'); END`,
  );
  setClock(NOON + DAY_MS);
  const [first, second] = [
    await home().reading("native", NOON + DAY_MS),
    await home().reading("stable", NOON + DAY_MS),
  ];
  expect([first, second]).toMatchObject([{ kind: "observed" }, { kind: "observed" }]);
  expect(await home().lastReading("native", NOON + DAY_MS)).toEqual(first);
  await home().putLastGood("rates", "1", NOON);
  expect(await record("refuses", NOON + DAY_MS)).toBe(false);
  await home().recordHealth({ atMs: 1, status: "ok", reason: "1" });
  await home().noteFull("v1:node:oc:1");
  const { era } = await home().chain(null);
  const ended = await home().chain({ chainId: 4, servedBy: null, ended: { era, replaced: "test" } });
  expect(ended).toMatchObject({ replaced: "test" });
  expect(await home().chain(null)).toEqual(ended);
  expect(await home().health()).toMatchObject({ storeRefusedAtMs: NOON + DAY_MS });
  expect(error.mock.calls.flat().filter((line) => String(line).includes("store_refuses"))).toHaveLength(1);
  expect(error.mock.calls.flat().join()).toContain("disk is full");

  await refuse((table) => `DROP TRIGGER full_${table}`);
  setClock(NOON + DAY_MS + 30_000);
  expect(await record("refuses", NOON + DAY_MS + 30_000)).toBe(true);
  // What was refused of the chain is written with the next question.
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
    expect(await home.reading("native", Date.now())).toMatchObject({ kind: "observed" });
    expect(saved()).toBe(0);
    await expect.poll(saved).toBe(1);
  });
});

test("a full limiter object is named for ten minutes, over an eviction", async () => {
  await object("full").noteFull("v1:node:oc:1");
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

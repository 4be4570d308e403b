import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FigureRow, RateRow } from "../../src/history/rows.ts";
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

const object = (name: string) => env.HISTORY.getByName(name);
const figure = (atMs: number, baseUnits = "7"): FigureRow => ({
  figure: "total_supply",
  asset: "0x1::aptos_coin::AptosCoin",
  day: dayText(atMs),
  baseUnits,
  decimals: 8,
  ledgerVersion: "42",
  observedAtMs: atMs,
  source: "observed",
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
  object(name).record(dayText(atMs), [figure(atMs, baseUnits)], [rate(atMs)]);

test("two concurrent checks write one row per figure, the first one's", async () => {
  const [first, second] = [record("twice", NOON, "1"), record("twice", NOON + 1, "2")];
  expect([await first, await second].map((added) => added > 0)).toEqual([true, false]);
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
  for (const jump of [DAY_MS, -DAY_MS, 365 * DAY_MS]) await record("jumps", NOON + jump);
  expect(await object("jumps").figures(ALL)).toEqual([]);
  await record("jumps", NOON);
  expect(await object("jumps").figures(ALL)).toHaveLength(1);
});

test("a row whose reading is of another day is refused", async () => {
  const stale = { ...figure(NOON - DAY_MS), day: dayText(NOON) };
  await object("stale").record(dayText(NOON), [stale], []);
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

test("a day without a reading is missing, and ten years are stored", async () => {
  for (const days of [0, 1, 3, 3_653, 3_656]) {
    setClock(NOON + days * DAY_MS);
    await record("years", NOON + days * DAY_MS);
  }
  const stored = (await object("years").figures(ALL)).map(({ day }) => day);
  expect(stored).toEqual([3, 3_653, 3_656].map((days) => dayText(NOON + days * DAY_MS)));
  expect((await object("years").rates("p", ALL)).map(({ day }) => day)).toEqual(stored);
});

test("changes of health are stored once each, newest first, at most a hundred", async () => {
  for (let index = 0; index < 105; index += 1)
    await object("health").recordHealth({ atMs: index, status: "ok", reason: String(index) });
  await object("health").recordHealth({ atMs: 104, status: "failing", reason: "again" });
  const changes = await object("health").healthChanges(200);
  expect(changes).toHaveLength(100);
  expect(changes[0]).toEqual({ atMs: 104, status: "ok", reason: "104" });
});

import { describe, expect, test } from "vitest";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { deploymentWorld, WORLD_START_MS } from "../../support/deployment-world.ts";
import { RECORDED_OF_THE_SAMPLE } from "../../support/sample.ts";
import { OWN } from "../rates/rows.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const TOKEN = 100_000_000n;
const SCHEDULE: Schedule = valid(
  file({
    max_supply: "1000000",
    buckets: [
      bucket({
        allocation: "1000000",
        genesis: "999995",
        phases: [{ kind: "never", amount: "5" }],
        addresses: [wallet("0xa")],
      }),
    ],
    wallets: [wallet("0xd", { category: "burn" })],
  }),
);
const { apy_base: _base, apy_reward: _reward, apr: _apr, compounds_per_year: _times, ...BARE } = OWN;
const rowOf = (id: string, apy: number, changes: object = {}) => ({
  ...BARE,
  id,
  apy,
  stale_after: "2026-12-31T00:00:00Z",
  ...changes,
});
const TERMS = { numerator: 26n, denominator: 4_380_000n, epochSeconds: 7_200n, staked: 820_000n * TOKEN };

/** Makes the readings of one object: a chain with staking, wallets and a stable token, and a listing. */
function place(settings: Readonly<Record<string, string>> = {}) {
  const world = deploymentWorld({
    schedule: SCHEDULE,
    chain: { minted: () => 1_000_000n * TOKEN, balance: () => 5n * TOKEN, staking: () => TERMS },
    nodes: ["a", "b"],
    settings,
    rows: [rowOf("vault", 7)],
  });
  const read = async (...names: readonly ("native" | "stable" | "listing" | "means")[]) => {
    for (const name of names) await world.readings().get(name, null, "revalidate");
    await world.settle();
  };
  /** Figures and rates by their days and names. */
  const days = () => ({
    figures: world.recorded.figures.map(({ day, figure }) => `${day} ${figure}`).sort(),
    rates: world.recorded.rates.map(({ day, product, apy }) => `${day} ${product} ${apy}`).sort(),
  });
  return { ...world, read, days };
}

describe("the rows of a day", () => {
  const rowsOf = (day: string, figures: readonly string[]) => figures.map((figure) => `${day} ${figure}`).sort();
  const ALL = RECORDED_OF_THE_SAMPLE;
  const OF_NATIVE = ALL.filter((figure) => figure !== "stable_supply");

  test("are those of each first reading, whoever asked for it, and later ones add none", async () => {
    const { read, days, pass, readings, world } = place();
    await read("native");
    expect(days()).toEqual({ figures: rowsOf("2026-11-21", OF_NATIVE), rates: ["2026-11-21 native-staking 2.63409"] });
    await read("stable", "listing");
    const whole = {
      figures: rowsOf("2026-11-21", ALL),
      rates: ["2026-11-21 native-staking 2.63409", "2026-11-21 vault 7"],
    };
    expect(days()).toEqual(whole);
    pass(3_600);
    await read("native", "stable", "listing");
    expect(days()).toEqual(whole);
    // A recorded row is not offered to the store again.
    world.storeRefuses = true;
    expect(readings().recordToday()).toBe(true);
  });

  test("are of another series on another network, whose token may have the same address", async () => {
    const [one, other] = [place({ CHAIN_ID: "4" }), place({ CHAIN_ID: "5" })];
    for (const { read } of [one, other]) await read("native", "stable");
    const seriesIn = ({ recorded }: typeof one) => new Set(recorded.figures.map(({ series }) => series));
    expect(seriesIn(one).size).toBe(2);
    expect(new Set([...seriesIn(one), ...seriesIn(other)]).size).toBe(4);
  });

  test("come on that day alone, because isolates keep the days that have passed", async () => {
    const { read, days, pass, readings, world } = place();
    pass((Date.parse("2026-11-22T00:00:00Z") - WORLD_START_MS) / 1_000 - 60);
    world.storeRefuses = true;
    await read("listing");
    world.storeRefuses = false;
    pass(120);
    // The copy is still fresh.
    await read("listing");
    expect([readings().recordToday(), days().rates]).toEqual([true, []]);
    pass(601);
    await read("listing");
    expect(days().rates).toEqual(["2026-11-22 vault 7"]);
  });

  test("a source that fails all day has none, the others have theirs", async () => {
    const { read, days, world, nodes, pass } = place();
    for (const node of nodes) node.up = false;
    await read("native", "listing");
    expect(days()).toEqual({ figures: [], rates: ["2026-11-21 vault 7"] });
    for (const node of nodes) node.up = true;
    world.listingUp = false;
    pass(86_400);
    await read("native", "listing");
    expect(days()).toEqual({
      figures: rowsOf("2026-11-22", OF_NATIVE),
      rates: ["2026-11-21 vault 7", "2026-11-22 native-staking 2.63409"],
    });
  });

  test("have no staking of an earlier reading on a day on which it cannot be read", async () => {
    const { read, days, nodes, pass, readings } = place();
    await read("native");
    const first = ["2026-11-21 native-staking 2.63409"];
    expect(days().rates).toEqual(first);
    for (const node of nodes) node.lie = (name) => (name === "staked" ? "silent" : undefined);
    pass(86_400);
    await read("native");
    // Control: it is the reading of that day, and its last good terms are known.
    expect(await readings().get("native", null, "cached")).toMatchObject({
      good: {
        observedAtMs: WORLD_START_MS + 86_400_000,
        value: { staking: { good: expect.anything(), unreadable: expect.anything() } },
      },
    });
    expect(days().rates).toEqual(first);
  });

  test("are written after the reply of their reading, which a failed write would end", async () => {
    const { readings, days, settle } = place();
    for (const name of ["native", "stable", "listing"] as const) {
      const before = days();
      expect(await readings().get(name, null, "revalidate")).toMatchObject({ good: expect.anything() });
      expect(days()).toEqual(before);
      await settle();
      expect(days()).not.toEqual(before);
    }
  });

  test("that the store refuses are recorded when it takes them", async () => {
    const { read, days, world, readings } = place();
    world.storeRefuses = true;
    await read("native", "listing");
    expect([readings().recordToday(), days()]).toEqual([false, { figures: [], rates: [] }]);
    world.storeRefuses = false;
    expect([readings().recordToday(), days().figures.length, days().rates.length]).toEqual([true, OF_NATIVE.length, 2]);
  });
});

describe("the listing", () => {
  test.each([1, 10, 50])(
    "%i isolates, each asked every 20 seconds: read once when cold, then six times an hour",
    async (count) => {
      const { newIsolate, calls, pass } = place({ STAKING: "off" });
      const isolates = Array.from({ length: count }, newIsolate);
      const all = () => Promise.all(isolates.map(({ get }) => get("/api/rates")));
      await all();
      expect(calls.listings).toBe(1);
      for (let second = 0; second < 3_600; second += 20) {
        pass(20);
        await all();
      }
      expect(calls.listings).toBeLessThanOrEqual(1 + 6);
      expect(calls.listings).toBeGreaterThanOrEqual(6);
      // Of 181 requests per isolate, one in ten minutes asks the object and waits for its reading.
      expect(calls.home).toBeLessThanOrEqual(count * 7 * 4);
    },
  );

  test("and what is doubtful of it are known to the object that comes after", async () => {
    const { read, readings, world, pass, restartHome, settle } = place();
    await read("listing");
    world.rows = [rowOf("vault", 900)];
    pass(601);
    await read("listing");
    restartHome();
    expect(await readings().get("listing", null, "cached")).toMatchObject({
      good: { value: [{ id: "vault", apy: 7 }], observedAtMs: WORLD_START_MS + 601_000 },
      unconfirmed: ["vault"],
    });
    pass(601);
    await settle();
    expect(await readings().get("listing", null, "revalidate")).toMatchObject({
      good: { value: [{ id: "vault", apy: 900 }] },
      unconfirmed: [],
    });
  });

  test("of another source is not known", async () => {
    const { read, store } = place();
    await read("listing");
    const other = deploymentWorld({ schedule: SCHEDULE, store, settings: { RATES_CHAIN: "Other" } });
    expect(await other.readings().get("listing", null, "cached")).toMatchObject({ good: null });
  });
});

test("no means are known while no listing was ever read", async () => {
  const { readings, world } = place();
  world.listingUp = false;
  const failed = "the listing is not known";
  expect(await readings().get("means", null, "revalidate")).toMatchObject({ good: null, error: failed });
});

test.each([
  [{ RATES_URL: "none" }, ["means", "native", "stable"]],
  [{ RATES_URL: "none", STAKING: "off", STABLE_ASSET: "" }, ["native"]],
  [{ STAKING: "off" }, ["listing", "means", "native", "stable"]],
] as const)("a deployment with %o reads %j", async (settings, read) => {
  const { readings } = place(settings);
  const names = ["listing", "means", "native", "stable"] as const;
  const said = await Promise.all(names.map((name) => readings().get(name, null, "cached")));
  expect(names.filter((_name, index) => said[index] !== null)).toEqual(read);
});

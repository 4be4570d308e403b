import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Schedule } from "../../../src/supply/schedule.ts";
import type { Stored } from "../../support/deployment-world.ts";
import { EvmChain } from "../../support/evm/chain.ts";
import { evmDeployment } from "../../support/evm/deployment.ts";
import { errorsOf, validFile, wallet, walletFile } from "../supply/schedules.ts";

const ETHER = 10n ** 18n;
const [TEAM, DEAD] = ["a1", "dead"].map((digits) => `0x${digits.padStart(40, "0")}`) as [string, string];
const SUPPLY = 1_000n * ETHER + 3n;
const [HELD, BURNED] = [300n * ETHER + 1n, 50n * ETHER];
const SOURCE = "https://example.org/lost";

const constant = (amount: string, changes: object = {}) => ({
  label: "Stuck",
  category: "other",
  amount,
  source: SOURCE,
  date: "2026-01-10",
  ...changes,
});
const fileWith = (constants: readonly object[]) =>
  walletFile({
    token: { symbol: "XYZ", name: "Example", decimals: 18 },
    max_supply: "2000",
    wallets: [wallet(TEAM, { category: "team" }), wallet(DEAD, { category: "burn" })],
    constants,
  });
const scheduleWith = (...constants: readonly object[]): Schedule => validFile(fileWith(constants), "evm");

async function deployed(schedule: Schedule, store = new Map<string, Stored>()) {
  const holders = new Map([
    [TEAM, HELD],
    [DEAD, BURNED],
  ]);
  return evmDeployment(await EvmChain.begin({ supply: SUPPLY, holders }), { schedule, store });
}

/** Sums of the breakdown in base units. */
async function sumsOf(schedule: Schedule) {
  const breakdown = await (await deployed(schedule)).json("/api/supply-breakdown");
  const units = (name: string) => BigInt(breakdown[name].base_units);
  return {
    breakdown,
    minted: units("minted_supply"),
    total: units("total_supply"),
    held: units("non_circulating_supply"),
    burned: units("burned_supply"),
    circulating: units("circulating_supply_on_chain"),
  };
}

describe("a constant", () => {
  test("is subtracted as a wallet of its category is, and shown as stated, with its source", async () => {
    const schedule = scheduleWith(
      constant("20.5"),
      constant("1.000000000000000001", { category: "burn", label: "Sent to nobody" }),
    );
    const { breakdown, ...sums } = await sumsOf(schedule);
    const [lost, gone] = [20n * ETHER + ETHER / 2n, ETHER + 1n];
    expect(sums).toEqual({
      minted: SUPPLY,
      total: SUPPLY - BURNED - gone,
      held: HELD + lost,
      burned: BURNED + gone,
      circulating: SUPPLY - BURNED - gone - HELD - lost,
    });
    expect(breakdown.constants).toEqual([
      {
        label: "Stuck",
        category: "other",
        amount: { tokens: "20.5", base_units: String(lost) },
        source: SOURCE,
        date: "2026-01-10",
      },
      {
        label: "Sent to nobody",
        category: "burn",
        amount: { tokens: "1.000000000000000001", base_units: String(gone) },
        source: SOURCE,
        date: "2026-01-10",
      },
    ]);
    // It is no wallet.
    expect(breakdown.non_circulating_wallets).toHaveLength(2);
  });

  test("counts from its day on", async () => {
    const world = await deployed(scheduleWith(constant("20")));
    const circulating = async () => (await world.get("/api/circulating-supply-on-chain?decimals=exact")).text;
    world.world.nowMs = Date.parse("2026-01-09T23:00:00Z");
    const before = await circulating();
    world.world.nowMs = Date.parse("2026-01-10T00:01:00Z");
    await circulating();
    await world.check();
    expect([before, await circulating()]).toEqual(["650.000000000000000002", "630.000000000000000002"]);
  });

  test("is at most what is in no listed wallet: a reading with a base unit more is refused, and says why", async () => {
    const rest = "650.000000000000000002";
    const world = await deployed(scheduleWith(constant("650.000000000000000003")));
    for (const path of ["total-supply", "circulating-supply-on-chain", "burned-supply"])
      expect(await world.get(`/api/${path}`)).toMatchObject({
        status: "unavailable",
        text: expect.stringContaining(
          `the schedule's constants are 650.000000000000000003, and only ${rest} are in no listed wallet`,
        ),
      });
    // Control: with all of it the total is known, and what circulates is no number.
    const all = await deployed(scheduleWith(constant(rest)));
    expect((await all.get("/api/total-supply")).text).toBe("950");
    expect((await all.get("/api/circulating-supply-on-chain")).status).toBe("unavailable");
  });

  test("is bounded in a reading that was stored before a new file stated it", async () => {
    const store = new Map<string, Stored>();
    const earlier = await deployed(scheduleWith(constant("20")), store);
    expect((await earlier.get("/api/circulating-supply-on-chain")).text).toBe("630");
    const reason = "the schedule's constants are 651, and only 650.000000000000000002 are in no listed wallet";
    for (const category of ["other", "burn"]) {
      const later = await deployed(scheduleWith(constant("651", { category })), new Map(store));
      for (const path of ["total-supply", "circulating-supply-on-chain", "burned-supply"])
        expect(await later.get(`/api/${path}`), path).toMatchObject({
          status: "unavailable",
          text: expect.stringContaining(reason),
        });
      expect(await later.get("/api/supply-breakdown")).toMatchObject({
        status: 503,
        text: expect.stringContaining(`incomplete: ${reason}`),
      });
    }
    // Control: the stored reading is served with a constant that the wallets leave room for.
    const control = await deployed(scheduleWith(constant("650")), new Map(store));
    expect((await control.get("/api/total-supply")).text).toBe("950");
    expect(control.calls.home).toBeGreaterThan(0);
  });

  test("keeps the sum of all figures, whatever the amounts", async () => {
    const part = fc
      .bigInt(0n, 300n * ETHER)
      .map((units) => `${units / ETHER}.${String(units % ETHER).padStart(18, "0")}1`.slice(0, -1));
    await fc.assert(
      fc.asyncProperty(fc.tuple(part, part), async ([lost, gone]) => {
        const stated = [constant(lost), constant(gone, { category: "burn" })].filter(
          ({ amount }) => !/^[0.]+$/.test(amount),
        );
        const canonical = stated.map((each) => ({
          ...each,
          amount: each.amount.replace(/0+$/, "").replace(/\.$/, ""),
        }));
        const { minted, total, held, burned, circulating } = await sumsOf(scheduleWith(...canonical));
        expect([circulating + held + burned, total + burned]).toEqual([minted, minted]);
      }),
      { numRuns: 12 },
    );
  });
});

test.each<[string, object, string]>([
  ["nothing", { amount: "0" }, "constants[0].amount: must be more than 0"],
  ["less than nothing", { amount: "-1" }, "constants[0].amount: must be"],
  ["too many decimals", { amount: `0.${"0".repeat(18)}1` }, "constants[0].amount: "],
  ["no source", { source: undefined }, "constants[0].source: missing"],
  ["a source that is no URL", { source: "our blog" }, "constants[0].source: must be"],
  ["no date", { date: undefined }, "constants[0].date: missing"],
  ["a day that does not exist", { date: "2026-02-30" }, "constants[0].date: must be"],
  [
    "a day after the file's",
    { date: "2026-01-16" },
    "constants[0].date: must not be after published_at, 2026-01-15: a constant states what has happened",
  ],
  ["an unknown category", { category: "lost" }, "constants[0].category: must be one of community"],
])("a constant of %s is refused", (_case, changes, error) => {
  expect(errorsOf(fileWith([constant("1", changes)]), "evm")).toEqual([expect.stringContaining(error)]);
});

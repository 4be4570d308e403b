import { describe, expect, test } from "vitest";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { EvmChain } from "../../support/evm/chain.ts";
import { evmDeployment } from "../../support/evm/deployment.ts";
import { bucket, errorsOf, file, validFile, wallet, walletFile } from "../supply/schedules.ts";

const ETHER = 10n ** 18n;
const [TEAM, DEAD] = ["a1", "dead"].map((digits) => `0x${digits.padStart(40, "0")}`) as [string, string];
const MAXIMUM = 1_000_000_000n * ETHER;
/** What the contract has burned of it, and what the burn wallet holds. */
const [BY_CONTRACT, BY_WALLET] = [250_000_000n * ETHER + 7n, 5n];

const CONTENT = {
  token: { symbol: "XYZ", name: "Example", decimals: 18 },
  max_supply: "1000000000",
  wallets: [wallet(TEAM, { category: "team" }), wallet(DEAD, { category: "burn" })],
};
const STATED = validFile(walletFile({ ...CONTENT, minted_once: true }), "evm");

async function deployed(schedule: Schedule, supply = MAXIMUM - BY_CONTRACT) {
  const holders = new Map([
    [TEAM, 300_000_000n * ETHER],
    [DEAD, BY_WALLET],
  ]);
  const chain = await EvmChain.begin({ supply, holders });
  return evmDeployment(chain, { schedule, settings: { TOTAL_ABOVE_MAX_PERCENT: "1" } });
}

describe("what a contract burned of a maximum that was minted once", () => {
  test("is the maximum less what exists, to the base unit; the sum of the other figures is what was minted", async () => {
    const world = await deployed(STATED);
    const exact = async (path: string) => (await world.get(`/api/${path}?decimals=exact`)).text;
    expect(await exact("burned-by-contract")).toBe("250000000.000000000000000007");
    expect((await world.get("/api/burned-by-contract")).text).toBe("250000000");
    expect(await exact("burned-supply")).toBe("0.000000000000000005");
    const breakdown = await world.json("/api/supply-breakdown");
    const units = (name: string) => BigInt(breakdown[name].base_units);
    const parts = units("circulating_supply_on_chain") + units("non_circulating_supply") + units("burned_supply");
    expect(parts).toBe(units("minted_supply"));
    expect(units("minted_supply")).toBe(MAXIMUM - BY_CONTRACT);
    expect((await world.json("/api/badge/burned-by-contract.json")).label).toBe("burned by contract");
    await world.check();
    expect(world.recorded.figures).toContainEqual(
      expect.objectContaining({ figure: "burned_by_contract", baseUnits: String(BY_CONTRACT), witnesses: 2 }),
    );
  });

  test("is 0 while nothing is burned", async () => {
    expect((await (await deployed(STATED, MAXIMUM)).get("/api/burned-by-contract")).text).toBe("0");
  });

  test("is not known while more exists than the maximum; control: the total is served", async () => {
    const world = await deployed(STATED, MAXIMUM + ETHER);
    expect(await world.get("/api/burned-by-contract")).toMatchObject({
      status: "unavailable",
      text: expect.stringContaining("more exists on chain than the maximum"),
    });
    expect((await world.get("/api/total-supply")).status).toBe(200);
  });

  test("is not offered where the schedule does not state that everything was minted", async () => {
    for (const changes of [{}, { minted_once: false }]) {
      const world = await deployed(validFile(walletFile({ ...CONTENT, ...changes }), "evm"));
      expect(await world.get("/api/burned-by-contract")).toMatchObject({
        status: "not_found",
        text: expect.stringContaining("has no statement that the whole maximum was minted once"),
      });
      await world.check();
      expect(world.recorded.figures.map(({ figure }) => figure)).not.toContain("burned_by_contract");
    }
  });
});

test("a schedule with unlocks may state it too, and a file without a maximum may not", () => {
  const unlocks = file({ minted_once: true, buckets: [bucket()] });
  expect(validFile(unlocks).mintedOnce).toBe(true);
  expect(errorsOf(walletFile({ max_supply: null, minted_once: true }))).toEqual([
    "minted_once: must not be true: without a maximum it is not known what was minted",
  ]);
  expect(errorsOf(file({ minted_once: "yes" }))).toEqual([
    expect.stringContaining("minted_once: must be true or false"),
  ]);
});

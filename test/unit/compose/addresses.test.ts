import { describe, expect, test } from "vitest";
import { bridgedSchedule, bridgedWorld } from "../../support/bridged-world.ts";
import { deploymentWorld } from "../../support/deployment-world.ts";
import { addressFile } from "../addresses/entries.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const TEAM = "0xa1";
const figure = (figure: string, form: string, path = `/${figure}/${form}`) => ({ path, figure, form });
const member = (figure: string, units: string) => ({ figure, as: "string", units });
const OBJECT = {
  path: "/token",
  form: "object",
  members: {
    circulating: member("circulating_supply_on_chain", "exact"),
    total: member("total_supply", "exact"),
    max: member("max_supply", "tokens"),
    stable: member("stable_supply", "base_units"),
  },
};
const ADDRESSES = addressFile([
  OBJECT,
  ...["number", "plain", "result", "exact", "base_units"].map((form) => figure("circulating_supply_on_chain", form)),
  figure("max_supply", "base_units"),
  figure("circulating_supply", "number"),
  figure("stable_supply", "exact"),
  figure("stable_supply", "base_units"),
]);
const MINTED = 900_000_000_12345678n;

/** A token of which the team holds something, before a node that a test may stop. */
function deployment(changes: object = {}, settings: Record<string, string> = {}) {
  const ledger = { minted: MINTED, team: 100_000_000_00000001n as bigint | undefined };
  const genesis = { allocation: "1000000000", genesis: "1000000000" };
  const schedule = valid(
    file({
      max_supply: "1000000000",
      buckets: [bucket(genesis)],
      wallets: [wallet(TEAM, { chain: "native", category: "team" })],
      ...changes,
    }),
  );
  const place = deploymentWorld({
    schedule,
    chain: { minted: () => ledger.minted, balance: () => ledger.team },
    addresses: ADDRESSES,
    settings: { RATES_URL: "none", ...settings },
  });
  return { ...place, ledger };
}

describe("the forms of a figure on chain", () => {
  test.each([
    ["number", "800000000", "application/json"],
    ["plain", "800000000", "text/plain; charset=utf-8"],
    ["result", '{"result":"800000000"}', "application/json"],
    ["exact", "800000000.12345677", "application/json"],
    ["base_units", "80000000012345677", "text/plain; charset=utf-8"],
  ])("%s: %s", async (form, text, type) => {
    const answer = await deployment().get(`/circulating_supply_on_chain/${form}`);
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers).toMatchObject({
      "Content-Type": type,
      Age: "0",
      "Cache-Control": "public, max-age=30",
      "X-Ledger-Version": expect.stringMatching(/^\d+$/),
      "Cache-Status": expect.any(String),
    });
    expect(Object.keys(answer.headers)).not.toContain("Vary");
  });

  test("the stable token's units have its own decimals", async () => {
    const { get } = deployment();
    expect(await get("/stable_supply/exact")).toMatchObject({ text: "5" });
    expect(await get("/stable_supply/base_units")).toMatchObject({ text: "5000000" });
  });
});

test("a figure of the schedule is kept no longer than its step, and has no date that outlives the file", async () => {
  const { get } = deployment({ published_at: "2025-01-15" });
  const [address, own] = [await get("/circulating_supply/number"), await get("/api/circulating-supply")];
  expect(address).toMatchObject({ text: own.text, headers: { "Cache-Control": own.headers["Cache-Control"] } });
  expect([own.headers["Last-Modified"], address.headers["Last-Modified"]]).toEqual([expect.any(String), undefined]);
  const tag = { "If-None-Match": address.headers["ETag"] ?? "" };
  expect(await get("/circulating_supply/number", tag)).toMatchObject({ status: 304 });
});

describe("an object", () => {
  const body = (circulating: string, total: string) =>
    `{"circulating":"${circulating}","total":"${total}","max":"1000000000","stable":"5000000"}`;

  test("is as old as its oldest figure, and names no version where its tokens are read at several", async () => {
    const { get, pass } = deployment();
    await get("/api/total-supply");
    pass(20);
    const answer = await get("/token");
    expect(answer).toMatchObject({ status: 200, text: body("800000000.12345677", "900000000.12345678") });
    expect(answer.headers).toMatchObject({ Age: "20", "Cache-Control": "public, max-age=30" });
    expect(Object.keys(answer.headers)).not.toContain("X-Ledger-Version");
  });

  test("has the figures of one reading, where the newest lacks a wallet", async () => {
    const { get, pass, ledger } = deployment();
    const before = await get("/token");
    ledger.minted += 1_00000000n;
    ledger.team = undefined;
    const total = async () => (await get("/api/total-supply")).text;
    for (let minute = 0; minute < 3; minute += 1) {
      pass(60);
      await total();
    }
    expect(await get("/token")).toMatchObject({ status: 200, text: before.text, headers: { Age: "180" } });
    // Control: there is a newer reading, whose total is another one.
    expect(await total()).toBe("900000001");
  });

  test("is 503 as a whole while one of its figures cannot be served", async () => {
    const place = deployment();
    place.ledger.team = undefined;
    expect(await place.get("/api/total-supply")).toMatchObject({ status: 200 });
    expect(await place.get("/token")).toMatchObject({
      status: "unavailable",
      text: expect.stringContaining("The circulating supply on chain is not available"),
    });
    expect(await place.get("/max_supply/base_units")).toMatchObject({ status: 200, text: "100000000000000000" });
  });

  test("keeps its last good figures for an hour while the chain is away", async () => {
    const { get, pass, nodes } = deployment();
    const before = await get("/token");
    for (const node of nodes) node.up = false;
    pass(3_000);
    expect(await get("/token")).toMatchObject({ status: 200, text: before.text, headers: { Age: "3000" } });
    pass(900);
    expect(await get("/token")).toMatchObject({ status: "unavailable" });
  });
});

test("a figure that the deployment does not have is 404 with its reason, and health names the file's hash", async () => {
  const { get, json } = deployment({}, { NODE_URLS: "none", STABLE_ASSET: "" });
  expect(await get("/token")).toMatchObject({ status: "not_found", text: "This deployment reads no chain." });
  expect(await get("/circulating_supply/number")).toMatchObject({ status: 200 });
  expect(await json("/api/health")).toMatchObject({ addresses_sha256: ADDRESSES.sha256 });
});

test("before the schedule's start its figures are 503 there too", async () => {
  const place = deployment({ start: "2030-01-01" });
  expect(await place.get("/circulating_supply/number")).toMatchObject({ status: "unavailable" });
});

test("a number that JSON readers would round is not served as one", async () => {
  const great = addressFile([figure("stable_supply", "number"), figure("stable_supply", "plain")]);
  const world = deploymentWorld({
    schedule: bridgedSchedule({ chains: undefined, wallets: [] }),
    chain: { stable: () => 9_007_199_254_740_993_000000n },
    addresses: great,
    settings: { RATES_URL: "none" },
  });
  expect(await world.get("/stable_supply/number")).toMatchObject({
    status: "not_found",
    text: "stable_supply is greater than the numbers that JSON readers keep.",
  });
  expect(await world.get("/stable_supply/plain")).toMatchObject({ status: 200, text: "9007199254740993" });
});

test("a token on several chains is in the units of its own decimals, whatever those of its chains are", async () => {
  const place = await bridgedWorld({
    addresses: addressFile([figure("total_supply", "base_units"), figure("total_supply", "exact")]),
  });
  const [units, exact] = [await place.get("/total_supply/base_units"), await place.get("/total_supply/exact")];
  const [whole = "", fraction = ""] = exact.text.split(".");
  expect(units).toMatchObject({ status: 200, text: whole + fraction.padEnd(8, "0") });
  expect(exact.text).toBe((await place.get("/api/total-supply?decimals=exact")).text);
});

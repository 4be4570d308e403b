import { describe, expect, test } from "vitest";
import { surroundingErrors } from "../../../src/addresses/file/surroundings.ts";
import { evmNode } from "../../../src/families/evm/evm-node.ts";
import type { Rpc } from "../../../src/families/evm/json-rpc.ts";
import { walletsOf } from "../../../src/supply/wallets.ts";
import { ALL_PARTS, conditionsOf } from "../../../tools/lib/parts.ts";
import { refuseAbsentFigures } from "../../../tools/schedule/addresses.ts";
import { SERVICES, type Service } from "../../fixtures/services.ts";
import { deploymentWorld } from "../../support/deployment-world.ts";
import { EvmChain, TOKEN } from "../../support/evm/chain.ts";
import { addressFile } from "../addresses/entries.ts";
import { bucket, file, validFile, wallet, walletFile } from "../supply/schedules.ts";

/** An invented address for each wallet. */
const addressAt = (index: number) => `0x${String(index + 1).padStart(40, "0")}`;
const LABELS = ["upstream-1", "upstream-2"];
const ON_EVM = {
  CHAIN_FAMILY: "evm",
  CHAIN_ID: "1",
  NATIVE_ASSET: TOKEN,
  STABLE_ASSET: "",
  STAKING: "off",
  RATES_URL: "none",
};
const WITHOUT_CHAIN = { NODE_URLS: "none", STABLE_ASSET: "", RATES_URL: "none" };

function scheduleOf({ max, wallets, supply, decimals = 18, ...service }: Service) {
  const content = {
    token: { symbol: "XYZ", name: "Example", decimals },
    max_supply: max,
    wallets: wallets.map(({ label, category }, index) => wallet(addressAt(index), { label, category })),
  };
  const write = {
    bucket: () => file({ ...content, buckets: [bucket({ allocation: max, genesis: max })] }),
    wallets: () => walletFile(content),
  };
  return validFile(write[service.file](), supply === null ? "move" : "evm");
}

/** The service's deployment: before two nodes of an EVM chain that has its balances, or with its constants alone. */
async function deployed(service: Service) {
  const schedule = scheduleOf(service);
  const addresses = addressFile(service.addresses);
  const { supply, wallets, decimals = 18 } = service;
  if (supply === null) return deploymentWorld({ schedule, addresses, settings: WITHOUT_CHAIN });
  const holders = new Map(wallets.map(({ holds }, index) => [addressAt(index), holds]));
  const chain = await EvmChain.begin({ supply, holders, decimals: BigInt(decimals) });
  const call: Rpc = async (method, params) => {
    const answer = await chain.answer(method, [...params]);
    return "result" in answer ? { kind: "result", value: answer.result } : expect.fail(answer.error.message);
  };
  const { number, hash, timestampSeconds } = chain.head;
  const head = { number, hash, timestampMs: timestampSeconds * 1_000 };
  return deploymentWorld({
    schedule,
    addresses,
    nodes: LABELS,
    settings: { ...ON_EVM, NODE_URLS: "https://a.example,https://b.example" },
    chainNodes: () => LABELS.map((label) => evmNode({ label, chainId: 1, head, call }, walletsOf(schedule))),
  });
}

describe.each(SERVICES)("$service", (service) => {
  test.each(service.answers)("%s keeps its body and its type: %s %s", async (target, type, body) => {
    const { get } = await deployed(service);
    const { status, text, headers } = await get(target);
    expect([status, text, headers["Content-Type"]?.split(";")[0]]).toEqual([200, body, type]);
  });

  test("its addresses pass every check of a deployment", () => {
    const schedule = scheduleOf(service);
    const parts = { ...ALL_PARTS, chain: service.supply !== null };
    const addresses = addressFile(service.addresses);
    expect(() => refuseAbsentFigures("schedule", addresses, conditionsOf(parts, schedule), schedule)).not.toThrow();
    const nothing = { documented: new Map(), patterns: [], files: [], workerFirst: [] };
    expect(surroundingErrors(addresses.entries, nothing)).toEqual([]);
  });
});

test("while no node answers, a service sends no number", async () => {
  const service = SERVICES.find(({ wallets, supply }) => wallets.length > 1 && supply !== null);
  if (service === undefined) throw new Error("a service subtracts wallets");
  const schedule = scheduleOf(service);
  const { get } = deploymentWorld({
    schedule,
    addresses: addressFile(service.addresses),
    nodes: LABELS,
    settings: { ...ON_EVM, NODE_URLS: "https://a.example,https://b.example" },
    chainNodes: () => [],
  });
  for (const [target] of service.answers) expect(await get(target)).toMatchObject({ status: "unavailable" });
});

test("where a service sends decimals at our own path, ours has them on request", async () => {
  const theirs = SERVICES.filter(({ decimalsOfTheirs }) => decimalsOfTheirs !== undefined);
  expect(theirs.map(({ service }) => service)).toEqual(["elimu-ai/web3-token-api", "foundance/sni-supply-api"]);
  for (const service of theirs) {
    const { get } = await deployed(service);
    const { status, text } = await get("/api/circulating-supply?decimals=exact");
    expect([status, text]).toEqual([200, service.decimalsOfTheirs]);
  }
});

test("twenty services are rebuilt: ten with their own addresses, five at our path, five without a maximum", () => {
  expect(new Set(SERVICES.map(({ service }) => service)).size).toBe(20);
  const kinds = Object.groupBy(SERVICES, ({ file, max }) => (max === null ? "no maximum" : file));
  expect(Object.entries(kinds).map(([kind, services]) => [kind, services?.length])).toEqual([
    ["bucket", 10],
    ["wallets", 5],
    ["no maximum", 5],
  ]);
  for (const { addresses, answers } of kinds.wallets ?? []) {
    expect([addresses, answers.map(([target]) => target)]).toEqual([[], ["/api/circulating-supply"]]);
  }
});

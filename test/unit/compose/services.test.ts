import { describe, expect, test } from "vitest";
import { surroundingErrors } from "../../../src/addresses/file/surroundings.ts";
import { ALL_PARTS, conditionsOf } from "../../../tools/lib/parts.ts";
import { refuseAbsentFigures } from "../../../tools/schedule/addresses.ts";
import { SERVICES, type Service } from "../../fixtures/services.ts";
import { deploymentWorld } from "../../support/deployment-world.ts";
import { EvmChain } from "../../support/evm/chain.ts";
import { evmDeployment, ON_EVM } from "../../support/evm/deployment.ts";
import { lockCode, viewSlot } from "../../support/evm/lock.ts";
import { addressFile } from "../addresses/entries.ts";
import { bucket, file, validFile, wallet, walletFile } from "../supply/schedules.ts";

/** An invented address for each wallet, above those of the contracts that every EVM has. */
const addressAt = (index: number) => `0x${String(index + 1_001).padStart(40, "0")}`;
const WITHOUT_CHAIN = { NODE_URLS: "none", STABLE_ASSET: "", RATES_URL: "none" };

/** Contract with the views that are asked about an address. */
const ASKED_CONTRACT = `0x${"c".repeat(40)}`;
const isAboutAddress = (view: string): boolean => view === "getRestAmount(address)";
const lockMembers = (view: string) => ({
  holds: "lock",
  view,
  ...(isAboutAddress(view) ? { contract: ASKED_CONTRACT } : {}),
});

/** Contracts of the service's locks, each of which answers its view. */
function lockContracts(wallets: Service["wallets"]) {
  const contracts = wallets.flatMap(({ lock }, index) => {
    if (lock === undefined) return [];
    const [place, argument] = isAboutAddress(lock.view) ? [ASKED_CONTRACT, addressAt(index)] : [addressAt(index), null];
    return [{ place, slot: viewSlot(lock.view, argument), value: lock.value }];
  });
  const places = Map.groupBy(contracts, ({ place }) => place);
  return new Map(
    [...places].map(([place, views]) => {
      const writes = new Map(views.map(({ slot, value }) => [slot, value]));
      return [place, { code: lockCode(), writes }] as const;
    }),
  );
}

/** An invented source of a constant. */
const STATED = { source: "https://example.org/lost", date: "2022-05-10" };

function scheduleOf({ max, wallets, constants, supply, decimals = 18, ...service }: Service) {
  const listed = wallets.map(({ label, category, lock }, index) => ({
    label,
    category,
    address: addressAt(index),
    changes: lock === undefined ? {} : lockMembers(lock.view),
  }));
  const content = {
    token: { symbol: "XYZ", name: "Example", decimals },
    max_supply: max,
    ...(constants === undefined ? {} : { constants: constants.map((constant) => ({ ...constant, ...STATED })) }),
    wallets: listed.map(({ address, label, category, changes }) => wallet(address, { label, category, ...changes })),
  };
  const write = {
    bucket: () => file({ ...content, buckets: [bucket({ allocation: max, genesis: max })] }),
    wallets: () => walletFile(content),
    locks: () => {
      const locks = service.locks ?? [];
      const rest = String(locks.reduce((left, { amount }) => left - BigInt(amount), BigInt(max ?? 0)));
      const held = listed.filter(({ category }) => category !== "burn");
      return file({
        ...content,
        start: "2024-01-01",
        buckets: [
          ...locks.map(({ label, amount, from, to }, index) =>
            bucket({
              id: `lock_${index}`,
              label,
              allocation: amount,
              genesis: "0",
              phases: [{ kind: "linear", amount, from, to }],
            }),
          ),
          bucket({
            allocation: rest,
            genesis: rest,
            addresses: held.map(({ address, label, changes }) => wallet(address, { label, ...changes })),
          }),
        ],
        wallets: content.wallets.filter(({ address }) => held.every((each) => each.address !== address)),
      });
    },
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
  await chain.mine(new Map(), null, lockContracts(wallets));
  return evmDeployment(chain, { schedule, addresses });
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
    ...ON_EVM,
    chainNodes: () => [],
  });
  for (const [target] of service.answers) expect(await get(target)).toMatchObject({ status: "unavailable" });
});

test("where a service sends decimals at our own path, ours has them on request", async () => {
  const theirs = SERVICES.filter(({ decimalsOfTheirs }) => decimalsOfTheirs !== undefined);
  expect(theirs.map(({ service }) => service)).toEqual([
    "elimu-ai/web3-token-api",
    "foundance/sni-supply-api",
    "ribbon-finance/ribbon-api",
  ]);
  for (const service of theirs) {
    const { get } = await deployed(service);
    const { status, text } = await get("/api/circulating-supply?decimals=exact");
    expect([status, text]).toEqual([200, service.decimalsOfTheirs]);
  }
});

test("27 services are rebuilt: ten with their own addresses, five at our path, five without a maximum, four with locks, three with dated ones", () => {
  expect(new Set(SERVICES.map(({ service }) => service)).size).toBe(27);
  const kinds = Object.groupBy(SERVICES, ({ file, max, wallets }) => {
    if (file === "locks") return "dated locks";
    if (wallets.some(({ lock }) => lock !== undefined)) return "locks";
    return max === null ? "no maximum" : file;
  });
  expect(Object.entries(kinds).map(([kind, services]) => [kind, services?.length])).toEqual([
    ["bucket", 10],
    ["wallets", 5],
    ["no maximum", 5],
    ["locks", 4],
    ["dated locks", 3],
  ]);
  for (const { addresses, answers } of kinds.wallets ?? []) {
    expect([addresses, answers.map(([target]) => target)]).toEqual([[], ["/api/circulating-supply"]]);
  }
});

test("a lock's row of the breakdown has its view, the contract that is asked, and the value", async () => {
  const service = SERVICES.find(({ service: name }) => name === "kcn93/paid-totalsupply-service");
  if (service === undefined) throw new Error("the service reads locks");
  const breakdown = await (await deployed(service)).json("/api/supply-breakdown");
  const [stake, , team] = breakdown.non_circulating_wallets;
  expect(stake).toMatchObject({ holds: "account", view: null, contract: null });
  expect(team).toMatchObject({
    holds: "lock",
    view: "getRestAmount(address)",
    contract: ASKED_CONTRACT,
    address: addressAt(2),
    balance: { tokens: "10000000", base_units: String(10n ** 25n) },
    anomaly: false,
  });
});

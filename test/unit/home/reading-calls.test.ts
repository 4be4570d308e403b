import { expect, test } from "vitest";
import { chainForSettings } from "../../../src/chain/chain-record.ts";
import { copiesOf } from "../../../src/compose/copies.ts";
import { chainsOf } from "../../../src/families/token-chain.ts";
import type { Exchange } from "../../../src/gateway/upstream/client.ts";
import { WatchedChain } from "../../../src/home/watched-chain.ts";
import { callsOfReading, freePlanProblems } from "../../../tools/free-plan.ts";
import { configOf } from "../../support/app.ts";
import { EvmChain, TOKEN } from "../../support/evm/chain.ts";
import { lockCode, viewSlot } from "../../support/evm/lock.ts";
import { EvmTestNode } from "../../support/evm/node.ts";
import { readingOf } from "../../support/reading-of.ts";
import { SimulatedTime } from "../gateway/simulated-time.ts";
import { ledgerAt, responseOf } from "../gateway/upstream/nodes.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const urlsOf = (nodes: number) => Array.from({ length: nodes }, (_, index) => `https://node${index}.example/v1`).join();
const HALF = "500000000";
const SUPPLY = 900_000_000n * 10n ** 8n;

const addressOf = (index: number) => `0x${(0xa000 + index).toString(16).padStart(40, "0")}`;
const walletsOn = (chain: string, count: number) =>
  Array.from({ length: count }, (_, index) => wallet(addressOf(index), { chain, category: "team" }));

interface ChainWallets {
  readonly native: number;
  readonly base?: number;
  /** Whether the first chain names a contract that states what circulates. */
  readonly isCompared?: boolean;
  /** Chain of two share prices; absent: there are none. */
  readonly prices?: "native" | "base";
}

const TELLER = `0x${"7e11".padStart(40, "0")}`;
const VIEW = "circulating_supply()";
const COMPARED = {
  ...{ id: "native", family: "evm", chain_id: 4, asset: TOKEN },
  circulating_view: { contract: TELLER, view: VIEW },
};

/** A share price by a view that the teller answers, or by one that it does not know. */
const share = (chain: string, view: string) => ({
  ...{ id: view.slice(0, -2), name: "Vault", kind: "vault", provider: "Example", asset: { symbol: "XYZ" } },
  ...{ chain, contract: TELLER, view, decimals: 8 },
});

/** A token of eight decimals with so many wallets on each chain; `base` is an EVM chain beside the first one. */
function scheduleOf(family: "move" | "evm", wallets: ChainWallets) {
  const { native, base } = wallets;
  return valid(
    file({
      max_supply: "1000000000",
      buckets: [bucket({ allocation: "1000000000", genesis: HALF, phases: [{ kind: "never", amount: HALF }] })],
      wallets: [...walletsOn("native", native), ...walletsOn("base", base ?? 0)],
      ...(wallets.prices && {
        share_prices: [share(wallets.prices, "getRate()"), share(wallets.prices, "exchangeRate()")],
      }),
      ...(wallets.isCompared === true ? { chains: [COMPARED] } : {}),
      ...(base === undefined
        ? {}
        : { chains: [{ id: "base", family: "evm", chain_id: 8453, asset: TOKEN, supply: "issued" }] }),
    }),
    family,
  );
}

/** The readings of one object before nodes of each chain; of an EVM chain all but the first one name an older head. */
async function watchedOf(family: "move" | "evm", wallets: ChainWallets, nodes = 2) {
  const time = new SimulatedTime(1_700_000_000_000);
  const chainId = 4;
  const schedule = scheduleOf(family, wallets);
  const startSeconds = time.nowMs / 1_000;
  const words = { decimals: 8n, supply: SUPPLY / 2n, startSeconds };
  const sent = { calls: 0 };
  const sendersOf = async (name: string, id: number) => {
    const chain = await EvmChain.begin({ ...words, chainId: id });
    const writes = new Map([VIEW, "getRate()"].map((view) => [viewSlot(view), 7n] as const));
    await chain.mine(new Map(), null, new Map([[TELLER, { code: lockCode(), writes }]]));
    await chain.mine();
    return Array.from({ length: nodes }, (_, index) => {
      const node = Object.assign(new EvmTestNode(chain), { behind: Math.min(index, 1) });
      return {
        label: `${name}-${index + 1}`,
        origin: `${name}-${index}`,
        clean: (text: string) => text,
        transport: async (_path: string, { body }: RequestInit) => {
          sent.calls += 1;
          const reply = await node.reply(String(body));
          if (String(body).includes('"latest"')) node.behind = 0;
          return Response.json(reply.body);
        },
      };
    });
  };
  const [ofNative, ofBase] = [await sendersOf("native", chainId), await sendersOf("base", 8_453)];
  const send: Exchange = async (_index, { endpoint, body }) => {
    sent.calls += 1;
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
    const said = text.includes("decimals") ? [8] : text.includes("supply") ? [{ vec: [String(SUPPLY / 2n)] }] : ["5"];
    const response = responseOf(endpoint === "ledger_info" ? {} : said, ledgerAt(100n));
    return { kind: "response", response, classification: { kind: "committed", revealsVersion: 100n }, dialect: "node" };
  };
  const config = configOf(
    {
      CHAIN_FAMILY: family,
      CHAIN_ID: String(chainId),
      STABLE_ASSET: "", // It cannot be read here: of three nodes each would be asked for it.
      STAKING: family === "evm" || nodes > 2 ? "off" : "on",
      NODE_URLS: urlsOf(nodes),
      ...(family === "evm" ? { NATIVE_ASSET: TOKEN, NODE_GATEWAY: "off" } : {}),
      ...(wallets.base === undefined ? {} : { NODE_URLS_BASE: urlsOf(nodes) }),
    },
    schedule.chains,
  );
  const watched = new WatchedChain(0, {
    config,
    schedule,
    send,
    now: time.now,
    sleep: time.sleep,
    after: () => () => undefined,
    senders: ofNative,
    furtherNodes: new Map(config.chains.slice(1).map(({ chain }) => [chain.id, { senders: ofBase, send }])),
    report: () => chainForSettings(null, { chainId, origins: ofNative.map(({ origin }) => origin) }, time.nowMs),
    background: () => undefined,
    load: () => null,
    save: () => undefined,
    log: () => undefined,
  });
  const { native } = watched.readers;
  if (native === null) throw new Error("the native token is read");
  const reading = async () => {
    const found = await time.run(readingOf(native));
    if (found.kind === "failure") throw new Error(found.reason);
    return found;
  };
  const observedAt = async () => (await reading()).observedAtMs;
  const ask = async () => expect.fail("no copy is asked");
  const copies = copiesOf({ config, schedule, getShared: ask, now: time.now, pause: time.sleep });
  return { time, sent, schedule, reading, observedAt, copySeconds: copies.native?.policy.freshSeconds };
}

test.each([
  ["a Move chain", "move", { native: 16 }],
  ["a Move chain and an EVM chain", "move", { native: 12, base: 256 }],
  ["two EVM chains", "evm", { native: 256, base: 256 }],
] as const)(
  "the first reading of the most that the free plan takes of %s is within its 50",
  async (_of, family, most) => {
    const { sent, schedule, observedAt } = await watchedOf(family, most);
    const problemsOf = (of: typeof schedule) =>
      freePlanProblems({
        schedule: of,
        chains: chainsOf(of, { family }),
        servesNode: false,
        readsChain: true,
        listingBytes: null,
      });
    expect(problemsOf(schedule)).toEqual([]);
    await observedAt();
    expect(sent.calls).toBeLessThanOrEqual(50);
    if (family === "evm") return;
    // Control: no more than that.
    expect(sent.calls).toBeGreaterThan(40);
    expect(problemsOf(scheduleOf(family, { ...most, native: most.native + 1 }))).toEqual([
      expect.stringContaining("23 calls at each of two nodes"),
    ]);
  },
);

test.each([
  ["two EVM chains", "evm", { native: 256, base: 256 }, 5],
  ["a Move chain and an EVM chain", "move", { native: 10, base: 256 }, 4],
] as const)(
  "a reading of %s probes every configured node, as the free plan counts",
  async (_of, family, most, nodes) => {
    const { sent, schedule, observedAt } = await watchedOf(family, most, nodes);
    await observedAt();
    const chains = chainsOf(schedule, { family });
    const probes = (nodes - 2) * (family === "evm" ? 4 : 3);
    expect(sent.calls).toBeLessThanOrEqual(2 * callsOfReading(schedule, chains) + probes);
    expect(sent.calls).toBeGreaterThan(10 + probes);
    const wanted = { schedule, chains, servesNode: false, readsChain: true, listingBytes: null };
    const problemsWith = (count: number) => freePlanProblems({ ...wanted, nodes: { native: count, base: count } });
    expect([problemsWith(2), problemsWith(12)]).toEqual([[], [expect.stringMatching(/ and \d+ at the others, /)]]);
  },
);

test.each([
  ["of an EVM chain with 256 wallets: one call", "evm", { native: 256 }, 30],
  ["of a Move chain with 40 wallets", "move", { native: 40 }, 30],
  ["of a Move chain with 256 wallets: a call for each", "move", { native: 256 }, 210],
  ["of two EVM chains with 256 wallets each", "evm", { native: 256, base: 256 }, 30],
  ["of a Move chain with 40 wallets and an EVM chain with 256", "move", { native: 40, base: 256 }, 30],
  ["of a Move chain with 256 wallets and an EVM chain with 256", "move", { native: 256, base: 256 }, 210],
] as const)("a reading %s is renewed in time", async (_what, family, wallets, freshSeconds) => {
  const { time, observedAt, copySeconds } = await watchedOf(family, wallets);
  const first = await observedAt();
  await time.pass(freshSeconds * 1_000 - 1_000 - (time.nowMs - first));
  expect(await observedAt()).toBe(first);
  await time.pass(2_000);
  expect(await observedAt()).toBeGreaterThan(first);
  expect(copySeconds).toBe(freshSeconds);
});

test.each([
  ["its wallets together in one call", 71, 4],
  ["its last wallets in a second call", 72, 5],
])("a contract's own figure is read with %s, as the free plan counts", async (_what, native, calls) => {
  const { sent, schedule, reading } = await watchedOf("evm", { native, isCompared: true });
  const { value } = await reading();
  expect(value.chains[0]?.circulating).toEqual({ baseUnits: 7n });
  expect(callsOfReading(schedule, chainsOf(schedule, { family: "evm" }))).toBe(calls);
  // One of the two nodes has the block of the reading as its head.
  expect(sent.calls).toBe(2 * calls - 1);
});

test.each([
  ["the only chain", "evm", { native: 71, prices: "native" }, 5],
  ["a further chain", "move", { native: 1, base: 1, prices: "base" }, null],
] as const)("share prices of %s are read at its block by one call more, as the free plan counts", async (...given) => {
  const [, family, wallets, calls] = given;
  const { sent, schedule, reading } = await watchedOf(family, wallets);
  const { prices } = (await reading()).value;
  expect(prices).toMatchObject([
    { id: "getRate", price: { value: 7n }, unreadable: null },
    {
      id: "exchangeRate",
      price: null,
      unreadable: "the contract reports 0 by exchangeRate()",
    },
  ]);
  expect(prices?.[0]?.confirmedBy).toHaveLength(2);
  const counted = callsOfReading(schedule, chainsOf(schedule, { family }));
  const { sharePrices: _prices, ...without } = schedule;
  expect(counted).toBe(callsOfReading(without, chainsOf(schedule, { family })) + 1);
  if (calls === null) return;
  expect(counted).toBe(calls);
  // One of the two nodes has the block of the reading as its head.
  expect(sent.calls).toBe(2 * calls - 1);
});

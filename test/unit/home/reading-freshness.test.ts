import { expect, test } from "vitest";
import { chainUnder } from "../../../src/chain/chain-record.ts";
import { copiesOf } from "../../../src/compose/copies.ts";
import type { Exchange } from "../../../src/gateway/upstream/client.ts";
import { WatchedChain } from "../../../src/home/watched-chain.ts";
import { configOf } from "../../support/app.ts";
import { EvmChain, TOKEN } from "../../support/evm/chain.ts";
import { EvmTestNode } from "../../support/evm/node.ts";
import { readingOf } from "../../support/reading-of.ts";
import { SimulatedTime } from "../gateway/simulated-time.ts";
import { ledgerAt, responseOf } from "../gateway/upstream/nodes.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const HALF = "500000000";
const SUPPLY = 900_000_000n * 10n ** 8n;

const addressOf = (index: number) => `0x${(0xa000 + index).toString(16).padStart(40, "0")}`;
const walletsOn = (chain: string, count: number) =>
  Array.from({ length: count }, (_, index) => wallet(addressOf(index), { chain, category: "team" }));

/** A token of eight decimals with so many wallets on each chain; `base` is an EVM chain beside the first one. */
function scheduleOf(family: "move" | "evm", wallets: { readonly native: number; readonly base?: number }) {
  const { native, base } = wallets;
  return valid(
    file({
      max_supply: "1000000000",
      buckets: [bucket({ allocation: "1000000000", genesis: HALF, phases: [{ kind: "never", amount: HALF }] })],
      wallets: [...walletsOn("native", native), ...walletsOn("base", base ?? 0)],
      ...(base === undefined
        ? {}
        : { chains: [{ id: "base", family: "evm", chain_id: 8453, asset: TOKEN, supply: "issued" }] }),
    }),
    family,
  );
}

/** The readings of one object before a node of each chain that always answers. */
async function watchedOf(family: "move" | "evm", wallets: { readonly native: number; readonly base?: number }) {
  const time = new SimulatedTime(1_700_000_000_000);
  const chainId = 4;
  const schedule = scheduleOf(family, wallets);
  const startSeconds = time.nowMs / 1_000;
  const words = { decimals: 8n, supply: SUPPLY / 2n, startSeconds };
  const nodes = {
    native: new EvmTestNode(await EvmChain.begin({ ...words, chainId })),
    base: new EvmTestNode(await EvmChain.begin({ ...words, chainId: 8_453 })),
  };
  const senderOf = (name: keyof typeof nodes) => ({
    ...{ label: name, origin: name },
    transport: async (_path: string, { body }: RequestInit) =>
      Response.json((await nodes[name].reply(String(body))).body),
  });
  const send: Exchange = async (_index, { endpoint, body }) => {
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
    const said = text.includes("decimals") ? [8] : text.includes("supply") ? [{ vec: [String(SUPPLY / 2n)] }] : ["5"];
    const response = responseOf(endpoint === "ledger_info" ? {} : said, ledgerAt(100n));
    return { kind: "response", response, classification: { of: "committed", revealsVersion: 100n }, dialect: "node" };
  };
  const config = configOf(
    {
      ...{
        CHAIN_FAMILY: family,
        CHAIN_ID: String(chainId),
        STABLE_ASSET: "",
        STAKING: "off",
        NODE_URLS: "https://n.example/v1",
      },
      ...(family === "evm" ? { NATIVE_ASSET: TOKEN, NODE_GATEWAY: "off" } : {}),
      ...(wallets.base === undefined ? {} : { NODE_URLS_BASE: "https://base.example/rpc" }),
    },
    schedule.chains,
  );
  const watched = new WatchedChain(0, {
    ...{ config, schedule, send, now: time.now, sleep: time.sleep, after: () => () => undefined },
    senders: [senderOf("native")],
    legs: config.legs.map(({ chain }) => ({ chain, senders: [senderOf("base")], send })),
    report: () => chainUnder(null, { chainId, origins: ["native"] }, time.nowMs),
    ...{ background: () => undefined, load: () => null, save: () => undefined, log: () => undefined },
  });
  const { native } = watched.readers;
  if (native === null) throw new Error("the native token is read");
  const observedAt = async () => {
    const found = await time.run(readingOf(native));
    if (found.kind === "failure") throw new Error(found.reason);
    return found.observedAtMs;
  };
  const ask = async () => expect.fail("no copy is asked");
  const copies = copiesOf({ config, schedule, say: ask, now: time.now, pause: time.sleep });
  return { time, observedAt, copySeconds: copies.native?.policy.freshSeconds };
}

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

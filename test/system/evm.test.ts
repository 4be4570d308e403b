import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundleWorker } from "../../tools/bundle-worker.ts";
import { buildSchedule } from "../../tools/schedule/build.ts";
import { CHECKOUT, copyCheckout } from "../support/checkout.ts";
import { type Edge, startEdge } from "../support/edge.ts";
import { eventually } from "../support/eventually.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { lockCode, viewSlot } from "../support/evm/lock.ts";
import { type EvmTestNode, WORD } from "../support/evm/node.ts";
import { DECIMALS_SLOT, REVERTS, SUPPLY_SLOT } from "../support/evm/token.ts";
import { runTool } from "../support/run-tool.ts";

const ETHER = 10n ** 18n;
const SUPPLY = 950_000_000n * ETHER + 123_456_789n;
const TREASURY = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const FOUNDATION = "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359";
const DEAD = "0x000000000000000000000000000000000000dead";
/** Base units that no float holds. */
const HOLDERS: ReadonlyMap<string, bigint> = new Map([
  [TREASURY, 400_000_000n * ETHER + 1n],
  [FOUNDATION, 3_000_000n * ETHER - 1n],
  [DEAD, 7n],
]);
/** True values that undo the token's faults. */
const TRUTH = new Map([
  [SUPPLY_SLOT, SUPPLY] as const,
  [DECIMALS_SLOT, 18n] as const,
  [BigInt(FOUNDATION), 3_000_000n * ETHER - 1n] as const,
]);
/** Contract that states what circulates, to the base unit. */
const TELLER = "0x0000000000000000000000000000000000007e11";
const VIEW = "circulatingSupply()";
const COMPARED = {
  ...{ id: "native", family: "evm", chain_id: 1, asset: TOKEN },
  circulating_view: { contract: TELLER, view: VIEW },
};
const CIRCULATING = SUPPLY - [...HOLDERS.values()].reduce((sum, held) => sum + held);
const telling = (amount: bigint) =>
  new Map([[TELLER, { code: lockCode(), writes: new Map([[viewSlot(VIEW), amount]]) }]]);
/** The Worker's clock: a reading is fresh for 30 of its seconds. */
const SPEED = 20;

/** The first block's time: the Worker's clock runs faster than the chain makes blocks, and shall not find it behind. */
const startSeconds = Math.floor(Date.now() / 1_000) + 10 * 3_600;

/** The exact figures that follow, as every path has them. */
const FIGURES = {
  "total-supply": "950000000.000000000123456782",
  "circulating-supply-on-chain": "547000000.000000000123456782",
  "burned-supply": "0.000000000000000007",
};

const SCHEDULE = join(import.meta.dirname, "..", "fixtures", "editions", "erc20.json");

let bundle = "";
let nodes: HttpEvmNode[] = [];
let chain: EvmChain;
let edge: Edge;
const folder = mkdtempSync(join(tmpdir(), "evm-"));

beforeAll(async () => {
  const schedule = join(folder, "schedule.js");
  const file = join(folder, "native.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(SCHEDULE, "utf8")), chains: [COMPARED] }));
  buildSchedule(file, schedule, { family: "evm" });
  ({ code: bundle } = await bundleWorker("src", CHECKOUT, schedule));
  chain = await EvmChain.begin({
    supply: SUPPLY,
    holders: new Map(HOLDERS),
    startSeconds,
  });
  nodes = [await startEvmNode(chain), await startEvmNode(chain)];
  edge = await startEdge(
    nodes.map(({ url }) => url),
    {
      CHAIN_FAMILY: "evm",
      CHAIN_ID: "1",
      NATIVE_ASSET: TOKEN,
      RATES_URL: "none",
      CONFIRM_SECONDS: "1",
      RATE_LIMIT_DEFAULT: "10000/1",
    },
    { speed: SPEED, bundle },
  );
});

afterAll(async () => {
  await edge.close();
  for (const node of nodes) await node.close();
  rmSync(folder, { recursive: true });
});

const exact = async (figure: string) => (await edge.get(`/api/${figure}?decimals=exact`)).text;

/** Returns what is served a minute of the Worker's clock later, and health's report on it. */
async function state() {
  for (const each of new Set([chain, ...nodes.map(({ node }) => node.chain)])) await each.mine();
  await edge.check();
  const { confirmed_by, non_circulating_wallets: wallets } = JSON.parse((await edge.get("/api/supply-breakdown")).text);
  const { problems, upstreams } = JSON.parse((await edge.get("/api/health")).text);
  const codes: string[] = problems.map(({ code }: { readonly code: string }) => code);
  const told = problems.map(({ message }: { readonly message: string }) => message).join(" ");
  return { total: await exact("total-supply"), saidBy: confirmed_by?.nodes, codes, told, wallets, upstreams };
}

async function settled(expected: object) {
  return eventually(async () => {
    const found = await state();
    expect(found).toMatchObject(expected);
    return found;
  });
}

const BOTH = ["upstream-1", "upstream-2"];
const WELL = { total: FIGURES["total-supply"], saidBy: BOTH, codes: [] };

const nodeAt = (index: number) => nodes[index]?.node ?? expect.fail();

/** A fault ends with its test; what both nodes say then counts again. */
beforeEach(async () => {
  for (const { node } of nodes) Object.assign(node, { chain, behind: 0, kept: 128, instead: () => undefined });
  await chain.mine(TRUTH, null, telling(CIRCULATING));
  await settled(WELL);
});

test("every figure is right to the base unit", async () => {
  for (const [figure, text] of Object.entries(FIGURES)) expect(await exact(figure), figure).toBe(text);
  expect((await edge.get("/api/total-supply")).text).toBe("950000000");
  const { wallets } = await state();
  const balances = wallets.map(({ address, balance }: Balance) => [address, BigInt(balance.base_units)]);
  expect(balances, "addresses of 40 digits").toEqual([...HOLDERS]);
  expect(JSON.parse((await edge.get("/api/badge/total-supply.json")).text)).toMatchObject({ message: "950M WEI" });
  expect((await edge.get("/v1")).status).toBe(404);
});

test("a contract that states another figure is a problem of health, and no figure changes", async () => {
  const compared = async () => JSON.parse((await edge.get("/api/supply-breakdown")).text).chains[0].circulating_view;
  expect(await compared()).toMatchObject({ contract: TELLER, view: VIEW, difference: { base_units: "0" } });
  await chain.mine(new Map(), null, telling(CIRCULATING / 2n));
  await settled({ ...WELL, codes: ["circulating_view_differs"] });
  for (const [figure, text] of Object.entries(FIGURES)) expect(await exact(figure), figure).toBe(text);
  expect((await compared()).stated.base_units).toBe(String(CIRCULATING / 2n));
});

interface Balance {
  readonly address: string;
  readonly balance: { readonly base_units: string };
}

const refuses = (status: number) => (node: EvmTestNode) => {
  node.instead = () => ({ status, body: { jsonrpc: "2.0", id: 1, error: { code: status, message: "" } } });
};
const kept = (member: string) => ({
  total: WELL.total,
  codes: expect.arrayContaining(["nodes_disagree"]),
  told: expect.stringMatching(`different values of ${member}[\\w ]* at block \\d+`),
});
const alone = (code: string, told: string) => ({
  total: WELL.total,
  saidBy: ["upstream-1"],
  codes: [...new Set(["one_word", code])],
  told: expect.stringContaining(told),
});

describe("a fault of one of two nodes", () => {
  test.each<readonly [string, (node: EvmTestNode) => unknown, object]>([
    ["control: none", () => undefined, WELL],
    ["one block behind", (node) => Object.assign(node, { behind: 1 }), WELL],
    ["a liar by 1 wei", (node) => node.says({ [WORD.supply]: (truth) => truth + 1n }), kept("minted")],
    [
      "a liar about one wallet",
      (node) => node.says({ [WORD.balances + 1]: (truth) => truth - 1n }),
      kept("native 0xfb69"),
    ],
    ["another future of the chain, with the same figures", fork, kept("minted")],
    ["another chain", becomes({ chainId: 10 }), alone("upstream_wrong_chain", "upstream-2 follows another chain")],
    ["pruned state", (node) => Object.assign(node, { kept: 0 }), alone("one_word", "Only upstream-1 could read")],
    ["402", refuses(402), alone("upstream_unreachable", "status 402: its operator wants to be paid")],
    ["429 in a 200", limits, alone("upstream_unreachable", "the JSON-RPC error 429")],
  ])("%s", async (_fault, spoil, expected) => {
    await spoil(nodeAt(1));
    await settled(expected);
  });
});

function limits(node: EvmTestNode): void {
  node.instead = ({ id }) => ({ body: { jsonrpc: "2.0", id, error: { code: 429, message: "slow down" } } });
}

function becomes(other: Parameters<typeof EvmChain.begin>[0]) {
  return async (node: EvmTestNode) => Object.assign(node, { chain: await EvmChain.begin(other) });
}

async function fork(node: EvmTestNode): Promise<void> {
  node.chain = chain.forkBefore(chain.head.number, "other");
  await node.chain.mine();
}

/** Run every night. By day evm-finding.test.ts names the node, and rehearse.test.ts runs rehearsals. */
const nightly = test.runIf(process.env["NIGHTLY"] !== undefined);

nightly("a rehearsal names the node that cannot be read, and what then happens", async () => {
  nodeAt(1).instead = ({ id, method, params: [call] }) =>
    method === "eth_call" && Object(call).to === undefined
      ? { body: { jsonrpc: "2.0", id, error: { code: -32602, message: "missing to" } } }
      : undefined;
  const hosts = nodes.map(({ url }) => new URL(url).host);
  const settings = [
    ...["CHAIN_FAMILY:evm", "CHAIN_ID:1", `NATIVE_ASSET:${TOKEN}`, "RATES_URL:none"],
    `NODE_URLS:${nodes.map(({ url }) => url).join()}`,
  ];
  const words = ["--schedule", SCHEDULE, ...settings.flatMap((setting) => ["--var", setting])];
  // In a copy, because a rehearsal builds with another schedule.
  const { code, output } = await runTool("doctor", words, {}, copyCheckout());
  expect(code, output).toBe(1);
  expect(output, "a first reading waits for two nodes").toMatch(/total-supply answers 503: .* only upstream-1 reports/);
  expect(output).toContain(
    `upstream-2 (${hosts[1]}) does not execute eth_call without \`to\`, with which everything is read at once`,
  );
});

describe("a token that stops saying something: the last figures stand, and health says why", () => {
  test.each([
    ["totalSupply() reverts", SUPPLY_SLOT, REVERTS, "the contract does not answer totalSupply()"],
    ["decimals() reverts", DECIMALS_SLOT, REVERTS, "the contract does not answer decimals()"],
    ["its decimals change, as behind a proxy", DECIMALS_SLOT, 6n, "decimals differ: chain 6, schedule 18"],
    ["balanceOf() reverts", BigInt(FOUNDATION), REVERTS, "the contract does not answer balanceOf()"],
  ])("%s", async (_fault, slot, value, told) => {
    await chain.mine(new Map([[slot, value]]));
    await settled({ total: WELL.total, told: expect.stringContaining(told) });
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleWorker } from "../../tools/bundle-worker.ts";
import { readCsv } from "../../tools/lib/csv.ts";
import { buildSchedule } from "../../tools/schedule/build.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { type Edge, startEdge } from "../support/edge.ts";
import { eventually } from "../support/eventually.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { DECIMALS_SLOT, SUPPLY_SLOT } from "../support/evm/token.ts";
import { runTool } from "../support/run-tool.ts";
import { bucket, file, wallet } from "../unit/supply/schedules.ts";

const ETHER = 10n ** 18n;
const [TEAM, ESCROW] = [`0x${"a1".repeat(20)}`, `0x${"e5".repeat(20)}`];
/**
 * Reports of each chain: the source, one with bridged tokens in coarser units, and one on which tokens are issued too.
 */
const CHAINS = {
  native: { chainId: 1, supply: 500_000_000n * ETHER + 1n, decimals: 18n, held: [TEAM, 100_000_000n * ETHER + 3n] },
  arb: { chainId: 42_161, supply: 40_000_000_000_000n, decimals: 6n, held: [TEAM, 1_000_000n] },
  "op-main": { chainId: 10, supply: 200_000_000n * ETHER + 5n, decimals: 18n, held: [TEAM, 7n] },
} as const;
type Name = keyof typeof CHAINS;
const NAMES = ["native", "arb", "op-main"] as const satisfies readonly Name[];
const TOTAL = "700000000.000000000000000006";
/** The Worker's clock: a reading is fresh for 30 of its seconds. */
const SPEED = 20;

let edge: Edge;
let bundle = "";
const folder = mkdtempSync(join(tmpdir(), "chains-"));
const started: { name: Name; chain: EvmChain; nodes: readonly HttpEvmNode[] }[] = [];
const of = (name: Name) => started.find((each) => each.name === name) ?? expect.fail();

/** The first block's time: the Worker's clock runs faster than the chain makes blocks, and shall not find it behind. */
const startSeconds = Math.floor(Date.now() / 1_000) + 10 * 3_600;

beforeAll(async () => {
  const path = join(folder, "native.json");
  const listed = NAMES.map((chain) => wallet(TEAM, { chain, category: "team" }));
  const chain = (id: Name, more: object) => ({
    id,
    family: "evm",
    chain_id: CHAINS[id].chainId,
    asset: TOKEN,
    ...more,
  });
  const chains = [
    chain("native", {}),
    chain("arb", { supply: "bridged", escrow: { chain: "native", address: ESCROW } }),
    chain("op-main", { supply: "issued" }),
  ];
  const allocation = { allocation: "1000000000", genesis: "700000000" };
  const buckets = [bucket({ ...allocation, phases: [{ kind: "never", amount: "300000000" }] })];
  const token = { symbol: "XYZ", name: "Example", decimals: 18 };
  writeFileSync(path, JSON.stringify(file({ token, max_supply: "1000000000", buckets, chains, wallets: listed })));
  const schedule = join(folder, "schedule.js");
  buildSchedule(path, schedule);
  ({ code: bundle } = await bundleWorker("src", CHECKOUT, schedule));
  for (const name of NAMES) {
    const { chainId, supply, decimals, held } = CHAINS[name];
    const holders = new Map<string, bigint>([
      held,
      ...(name === "native" ? [[ESCROW, 40_000_000n * ETHER] as const] : []),
    ]);
    const one = await EvmChain.begin({ chainId, supply, decimals, holders, startSeconds });
    started.push({ name, chain: one, nodes: [await startEvmNode(one), await startEvmNode(one)] });
  }
  const urlsOf = (name: Name) => of(name).nodes.map(({ url }) => url);
  edge = await startEdge(
    urlsOf("native"),
    {
      RATES_URL: "none",
      RATE_LIMIT_DEFAULT: "10000/1",
      NODE_URLS_ARB: urlsOf("arb").join(),
      NODE_URLS_OP_MAIN: urlsOf("op-main").join(),
    },
    { speed: SPEED, bundle },
  );
});

afterAll(async () => {
  await edge.close();
  for (const { nodes } of started) for (const node of nodes) await node.close();
  rmSync(folder, { recursive: true });
});

/** Node option as on a command line. */
const nodeOf = (name: Name) => `${name === "native" ? "" : `${name}=`}${of(name).nodes[0]?.url}`;
const exact = async (figure: string) => (await edge.get(`/api/${figure}?decimals=exact`)).text;
const health = async () => JSON.parse((await edge.get("/api/health")).text);

/** Checks what is served a minute of the Worker's clock later. */
async function checked(): Promise<void> {
  for (const { chain } of started) await chain.mine();
  await edge.check();
}

test("the figures of three chains are right to the base unit", async () => {
  const { upstreams } = await eventually(async () => {
    await checked();
    const report = await health();
    expect(await exact("total-supply")).toBe(TOTAL);
    expect([report.status, report.problems]).toEqual(["ok", []]);
    return report;
  });
  expect(await exact("circulating-supply-on-chain")).toBe("599999998.999999999999999996");
  expect(await exact("escrow-shortfall")).toBe("0");
  expect((await edge.other.get("/api/total-supply")).text).toBe("700000000");
  const labels = ["upstream-1", "upstream-2", "arb-1", "arb-2", "op-main-1", "op-main-2"];
  expect(upstreams.map(({ label }: { label: string }) => label)).toEqual(labels);
  // The day's rows are in the object's tables, with a version of each chain.
  expect(edge.log()).not.toContain("check_failed");
  const supply = JSON.parse((await edge.get("/api/supply")).text);
  expect(Object.keys(supply.ledger_versions)).toEqual(NAMES);
  const { chains } = JSON.parse((await edge.get("/api/supply-breakdown")).text);
  expect(chains.map(({ minted_supply: minted }: { minted_supply: { tokens: string } }) => minted.tokens)).toEqual([
    "500000000.000000000000000001",
    "40000000",
    "200000000.000000000000000005",
  ]);
});

test("a node of each chain shows whether the schedule is true, before a deployment", async () => {
  const words = ["verify", ...NAMES.flatMap((name) => ["--node", nodeOf(name)]), "--asset", TOKEN];
  const { code, output } = await runTool("schedule", words, { SCHEDULE_FOLDER: folder });
  expect(code, output).toBe(0);
  expect(output.split("\n")[0]).toMatch(
    /^block \d+, arb block \d+, op-main block \d+: total 700000000\.000000000000000006, burned 0, wallets 100000001\.00000000000000001, circulating on chain 599999998\.999999999999999996$/,
  );
});

const listing = (nodes: readonly string[], name: string) => {
  const words = ["--out", join(folder, name), "--url", "https://api.example.org", "--history", "none"];
  const variables = { SCHEDULE_FOLDER: folder };
  return runTool("listing", [...nodes.flatMap((each) => ["--node", each]), "--asset", TOKEN, ...words], variables);
};
test("the listing kit reads every chain, and answers how the token came to each", async () => {
  const { code, output } = await listing(NAMES.map(nodeOf), "kit");
  expect(code, output).toBe(0);
  const cellsOf = (name: string) =>
    readCsv(readFileSync(join(folder, "kit", `${name}.csv`), "utf8")).map(({ cells }) => cells);
  const [native, op] = ["500000000.000000000000000001", "200000000.000000000000000005"];
  const held = ["100000000.000000000000000003", "1", "0.000000000000000007"];
  const issued = "issued on each chain, or burned on one and minted on another";
  expect(cellsOf("coingecko-chains").slice(1)).toEqual([
    ["native", TOKEN, "source chain", native, "0", native, held[0]],
    ["arb", TOKEN, `lock and mint; locked on native at ${ESCROW}`, "40000000", "0", "0", held[1]],
    ["op-main", TOKEN, issued, op, "0", op, held[2]],
    ["all chains", "", "", "", "", TOTAL, "100000001.00000000000000001"],
  ]);
  expect(cellsOf("coingecko-locked-wallets").map((row) => [row[0], row[1], row[3]])).toEqual([
    ["Chain", "Address", "Amount"],
    ...NAMES.map((name, index) => [name, TEAM, held[index]]),
  ]);
  expect(cellsOf("coinranking-supply-modifiers").map((row) => row[0])).toEqual([
    "blockchainName",
    ...["", "arb", "op-main"],
  ]);
  const readme = readFileSync(join(folder, "kit", "README.md"), "utf8");
  expect(readme).toContain("| circulating on chain | 599999998.999999999999999996 |");
  expect(readme).toMatch(/one reading of chain 1 at block \d+ \(\S+\), and of arb, chain 42161 at block \d+/);
  expect(readme).toMatch(/--node arb=NODE_URL --ledger-version arb=\d+ --node op-main=NODE_URL/);
});

test.each<[string, () => string[], string]>([
  ["without a chain's node", () => [nodeOf("native"), nodeOf("arb")], "--node: the token is on op-main too: give its"],
  ["with two nodes of a chain", () => [...NAMES.map(nodeOf), nodeOf("arb")], "--node: is given twice for arb"],
  [
    "with a chain that is none of the token",
    () => [...NAMES.map(nodeOf), "base=http://h"],
    "base= is not a chain of the",
  ],
  [
    "with the node of another chain",
    () => [nodeOf("native"), nodeOf("arb"), `op-main=${of("arb").nodes[0]?.url}`],
    "op-main: --node: is of chain 42161, but its chain_id in the schedule is 10",
  ],
])("the listing kit is refused %s", async (_what, nodes, message) => {
  const { code, output } = await listing(nodes(), "refused");
  // A wrong command line is 2, what a node says is 1.
  expect([code, output]).toEqual([message.includes("is of chain") ? 1 : 2, expect.stringContaining(message)]);
  expect(existsSync(join(folder, "refused"))).toBe(false);
});

test("a node of the wrong chain is named with its setting, and while one chain is down the last figures are served", async () => {
  const { nodes, chain } = of("op-main");
  const other = await EvmChain.begin({ chainId: 8_453, startSeconds: Math.floor(Date.now() / 1_000) });
  for (const { node } of nodes) node.chain = other;
  await eventually(async () => {
    await checked();
    const told = (await health()).problems.map(({ code, subject }: Problem) => `${code} ${subject}`);
    expect(told).toEqual(expect.arrayContaining(["upstream_wrong_chain op-main-1", "figure_stale total_supply"]));
  });
  expect(await exact("total-supply")).toBe(TOTAL);
  for (const { node } of nodes) node.chain = chain;
  await eventually(async () => {
    await checked();
    expect((await health()).problems).toEqual([]);
  });
});

test("what is minted beyond the escrow is an alarm", async () => {
  await of("arb").chain.mine(
    new Map([
      [SUPPLY_SLOT, CHAINS.arb.supply + 1n],
      [DECIMALS_SLOT, 6n],
    ]),
  );
  await eventually(async () => {
    await checked();
    expect(await exact("escrow-shortfall")).toBe("0.000001");
    expect((await health()).problems.map(({ code, subject }: Problem) => `${code} ${subject}`)).toEqual([
      "escrow_short arb",
    ]);
  });
  expect(await exact("total-supply")).toBe(TOTAL);
});

interface Problem {
  readonly code: string;
  readonly subject: string;
}

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseBackfill } from "../../../../tools/history/csv.ts";
import { CHECKOUT, ENVIRONMENT } from "../../../support/checkout.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../../../support/evm/http.ts";
import { SUPPLY_SLOT } from "../../../support/evm/token.ts";
import { type Finished, finished } from "../../../support/run-tool.ts";
import { bucket, file, wallet } from "../../supply/schedules.ts";

const ETHER = 10n ** 18n;
const [TEAM, ESCROW] = [`0x${"a1".repeat(20)}`, `0x${"e5".repeat(20)}`];
const chain = (id: string, chainId: number, more: object) => ({
  id,
  family: "evm",
  chain_id: chainId,
  asset: TOKEN,
  ...more,
});
const SCHEDULE = file({
  token: { symbol: "XYZ", name: "Example", decimals: 18 },
  buckets: [bucket({ genesis: "900", phases: [{ kind: "never", amount: "100" }] })],
  wallets: ["native", "arb", "base"].map((id) => wallet(TEAM, { chain: id, category: "team" })),
  chains: [
    chain("native", 1, {}),
    chain("arb", 42_161, { supply: "bridged", escrow: { chain: "native", address: ESCROW } }),
    chain("base", 8_453, { supply: "issued" }),
  ],
});

const folder = mkdtempSync(join(tmpdir(), "backfill-chains-"));
const path = join(folder, "history.csv");
const nodes: Record<string, HttpEvmNode> = {};

/** Blocks from 2025-12-31T22:00Z on, so many a day; what is issued changes in the first block of the third day. */
async function startChain(id: string, chainId: number, supply: bigint, held: bigint, blockSeconds: number) {
  const holders = new Map([[TEAM, held], ...(id === "native" ? ([[ESCROW, 10n * ETHER]] as const) : [])]);
  const startSeconds = Date.parse("2025-12-31T22:00:00Z") / 1_000;
  const one = await EvmChain.begin({ chainId, supply, holders, startSeconds, blockSeconds, first: 0n });
  const third = Math.ceil((Date.parse("2026-01-03T00:00:00Z") / 1_000 - startSeconds) / blockSeconds);
  for (let at = 1; at * blockSeconds < 3.5 * 86_400; at += 1)
    await one.mine(at === third ? new Map([[SUPPLY_SLOT, supply + ETHER]]) : undefined);
  const started = await startEvmNode(one);
  started.node.kept = 10_000;
  nodes[id] = started;
}

beforeAll(async () => {
  writeFileSync(join(folder, "native.json"), JSON.stringify(SCHEDULE));
  await startChain("native", 1, 500n * ETHER + 1n, 100n * ETHER + 3n, 3_600);
  await startChain("arb", 42_161, 9n * ETHER, 1n * ETHER + 5n, 1_800);
  await startChain("base", 8_453, 200n * ETHER + 7n, 11n, 7_200);
});
afterAll(async () => {
  for (const { close } of Object.values(nodes)) await close();
  rmSync(folder, { recursive: true });
});

const urlOf = (id: string) => `${id === "native" ? "" : `${id}=`}${nodes[id]?.url}`;
const run = (given: readonly string[]): Promise<Finished> => {
  const words = ["backfill", ...given.flatMap((each) => ["--node", each])];
  const env = { ...ENVIRONMENT, SCHEDULE_FOLDER: folder };
  const days = ["--from", "2026-01-01", "--to", "2026-01-03"];
  return finished(spawn(process.execPath, ["tools/history.ts", ...words, ...days], { cwd: CHECKOUT, env }));
};
const ALL = () => ["native", "arb", "base"].map(urlOf);

describe("past days of a token on several chains", () => {
  test("are sums over all chains, each at its first block of the day, to the base unit", async () => {
    const { code, output } = await run(ALL());
    expect(code, output).toBe(0);
    expect(output).toContain("2026-01-01: block 2, arb block 4, base block 1");
    const parsed = parseBackfill(readFileSync(path, "utf8"), { token: { decimals: 18 }, nowMs: Date.now() });
    if (parsed.kind === "errors") throw new Error(JSON.stringify(parsed.errors));
    const row = (day: string, figure: string) =>
      parsed.rows.find((each) => each.day === day && each.figure === figure) ?? expect.fail(`${day} ${figure}`);
    expect(row("2026-01-01", "total_supply")).toEqual({
      figure: "total_supply",
      series: `1 ${TOKEN}`,
      day: "2026-01-01",
      decimals: 18,
      source: "backfill",
      witnesses: 1,
      baseUnits: String(700n * ETHER + 8n),
      ledgerVersion: "2",
      versions: "native=2 arb=4 base=1",
      observedAtMs: Date.parse("2026-01-01T00:00:00Z"),
    });
    const held = 101n * ETHER + 19n;
    expect(row("2026-01-01", "circulating_supply_on_chain").baseUnits).toBe(String(700n * ETHER + 8n - held));
    // Tokens issued on two chains add up; bridged ones do not.
    expect(row("2026-01-03", "total_supply").baseUnits).toBe(String(702n * ETHER + 8n));
    expect(row("2026-01-03", "escrow_shortfall").baseUnits).toBe("0");
  });

  test.each<[string, () => string[], number, string]>([
    [
      "without a chain's node",
      () => ALL().slice(0, 2),
      2,
      "--node: the token is on base too: give its node as base=URL",
    ],
    ["with a chain that is none of the token", () => [...ALL(), "op=http://h"], 2, "op= is not a chain of the token"],
    [
      "with the node of another chain",
      () => [urlOf("native"), urlOf("arb"), `base=${nodes["arb"]?.url}`],
      1,
      "base: --node: is of chain 42161, but its chain_id in the schedule is 8453",
    ],
  ])("are refused %s, and nothing is written", async (_what, given, exitCode, message) => {
    rmSync(path, { force: true });
    const { code, output } = await run(given());
    expect([code, output]).toEqual([exitCode, expect.stringContaining(message)]);
    expect(existsSync(path)).toBe(false);
  });

  test("a day whose state one chain's node has pruned has no sums", async () => {
    const { node } = nodes["base"] ?? expect.fail();
    node.kept = 20;
    const { output } = await run(ALL());
    node.kept = 10_000;
    expect(output).toMatch(/2026-01-01: .*; omitted total_supply: base: the chain node has block 1 and answers a c/);
    const parsed = parseBackfill(readFileSync(path, "utf8"), { token: { decimals: 18 }, nowMs: Date.now() });
    if (parsed.kind === "errors") throw new Error(JSON.stringify(parsed.errors));
    expect([...new Set(parsed.rows.map(({ day }) => day))]).toEqual(["2026-01-03"]);
  });
});

import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyCheckout } from "../support/checkout.ts";
import { type RunningNode, startNode } from "../support/devnode.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { closing, listening } from "../support/listening.ts";
import { PlatformStandIn } from "../support/platform-stand-in.ts";
import { runTool } from "../support/run-tool.ts";

const IS_NIGHTLY = process.env["NIGHTLY"] !== undefined;
const HOOK = join(import.meta.dirname, "..", "support", "mapped-hosts.mjs");
const MISTYPED = TOKEN.replace(/d5$/, "d6");
const UNLOCKED = { id: "all", label: "All", category: "community", allocation: "1000", genesis: "1000", phases: [] };

/** Prepares a checkout as an operator does: the schedule alone decides what the chain must match. */
function checkoutOf(token: object): string {
  const folder = copyCheckout();
  const schedule = {
    revision: 1,
    published_at: "2024-01-01",
    max_supply: "1000",
    start: "2024-01-01",
    step_day: 1,
    sources: [{ title: "Plan", url: "https://plan.test/a" }],
    token: { symbol: "XYZ", name: "Example", ...token },
    buckets: [UNLOCKED],
  };
  writeFileSync(join(folder, "schedule", "native.json"), JSON.stringify(schedule));
  for (const name of ["published.csv", "published.json"]) rmSync(join(folder, "schedule", name), { force: true });
  return folder;
}

describe("settings with which no node has a figure are refused before the upload, by the dry run too", () => {
  let evm: HttpEvmNode[];
  let move: RunningNode;
  let platform: PlatformStandIn;
  let [evmFolder, moveFolder] = ["", ""];
  const dead = createServer((_request, response) => void response.writeHead(502).end("no upstream"));
  let deadUrl = "";

  beforeAll(async () => {
    const chain = await EvmChain.begin({ supply: 1_000n * 10n ** 18n });
    evm = [await startEvmNode(chain), await startEvmNode(chain)];
    move = await startNode();
    platform = await new PlatformStandIn().start();
    deadUrl = await listening(dead);
    evmFolder = checkoutOf({ decimals: 18 });
    moveFolder = checkoutOf({ decimals: 8 });
  });
  afterAll(async () => {
    await Promise.all([...evm.map((node) => node.close()), move.close(), platform.stop(), closing(dead)]);
  });

  /** Runs the operator's command, which must not reach the platform. */
  async function deploy(folder: string, vars: Readonly<Record<string, string>>, words: readonly string[] = []) {
    const mapped = {
      "a.example": evm[0]?.url,
      "b.example": evm[1]?.url,
      "m.example": move.origin,
      "dead.example": deadUrl,
    };
    const { NODE_URLS = "", ...settings } = vars;
    const all = { RATES_URL: "none", ...settings };
    const given = Object.entries(all).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
    const { code, output } = await runTool(
      "deploy",
      ["--env", "staging", "--address", platform.url, ...given, ...words],
      { ...platform.environment, NODE_URLS, NODE_OPTIONS: `--import ${HOOK}`, MAPPED_HOSTS: JSON.stringify(mapped) },
      folder,
    );
    return { code, output, changes: platform.requests.filter((request) => !request.startsWith("GET ")) };
  }

  const EVM = { CHAIN_FAMILY: "evm", CHAIN_ID: "1", NODE_URLS: "https://a.example/KEY,https://b.example/rpc" };
  const MOVE = { CHAIN_ID: "4", NODE_URLS: "https://m.example/v1" };

  test.each<[string, () => [string, Readonly<Record<string, string>>], string]>([
    [
      "a mistyped contract",
      () => [evmFolder, { ...EVM, NATIVE_ASSET: MISTYPED }],
      `upstream-1 (a.example) says: there is no contract at ${MISTYPED}; no figure of the chain can be read`,
    ],
    [
      "another EVM chain",
      () => [evmFolder, { ...EVM, NATIVE_ASSET: TOKEN, CHAIN_ID: "10" }],
      "is of chain 1, but CHAIN_ID is 10",
    ],
    [
      "another Move chain",
      () => [moveFolder, { ...MOVE, CHAIN_ID: "9" }],
      "upstream-1 (m.example) is of chain 4, but CHAIN_ID is 9",
    ],
    [
      "a coin that the Move chain has not",
      () => [moveFolder, { ...MOVE, NATIVE_ASSET: "0x5::coin::COIN" }],
      "upstream-1 (m.example) says of 0x5::coin::COIN: ",
    ],
    [
      "another number of decimals",
      () => [checkoutOf({ decimals: 6 }), MOVE],
      "upstream-1 (m.example) reports that the token has 8 decimals, but the schedule says 6",
    ],
  ])("%s", async (what, of, reason) => {
    const [folder, vars] = of();
    // Only one case of each chain family runs the whole deployment, which asks the platform first; at night all do.
    const isRun = IS_NIGHTLY || what.startsWith("another");
    for (const words of isRun ? [["--dry-run"], []] : [["--dry-run"]]) {
      const { code, output, changes } = await deploy(folder, vars, words);
      expect([code, changes], output).toEqual([1, []]);
      expect(output).toContain(`deploy: [env.staging] upstream-1 `);
      expect(output).toContain(reason);
      expect(output).not.toMatch(/KEY|has passed/);
    }
  });

  // By day deploy.test.ts has it for another node.
  test.runIf(IS_NIGHTLY)("a dead Move node is reported, and does not stop the deployment", async () => {
    const vars = { ...MOVE, NODE_URLS: "https://dead.example/v1" };
    const { code, output } = await deploy(moveFolder, vars, ["--dry-run"]);
    expect(output).toContain(
      "deploy: note: upstream-1 (dead.example) does not answer as a chain node (status 502); no figure of the chain can be read",
    );
    expect(code, output).toBe(0);
  });

  test("control: with the right contract the dry run passes, and tells nothing of the nodes", async () => {
    const { code, output } = await deploy(evmFolder, { ...EVM, NATIVE_ASSET: TOKEN }, ["--dry-run"]);
    expect(code, output).toBe(0);
    expect(output).not.toContain("upstream-");
  });
});

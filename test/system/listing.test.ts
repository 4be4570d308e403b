import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAmount } from "../../src/supply/file/amount.ts";
import { readCsv } from "../../tools/lib/csv.ts";
import { sha256 } from "../../tools/listing/kit.ts";
import { freePort } from "../support/product.ts";
import { runTool } from "../support/run-tool.ts";
import { product } from "../support/shared-product.ts";
import { startTamperingProxy, type TamperingProxy } from "../support/tampering-proxy.ts";

let folder: string;
let proxy: TamperingProxy;
const NODE = `${product.url}/v1`;
const URL_OPTION = ["--url", "https://api.example.org", "--history", "none"];
const DECIMALS = 8;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "listing-"));
  proxy = await startTamperingProxy(product.url);
});

afterAll(() => proxy?.close());

const contents = (name: string) =>
  Object.fromEntries(
    readdirSync(join(folder, name)).map((file) => [file, readFileSync(join(folder, name, file), "utf8")]),
  );
const units = (text: string | undefined): bigint => parseAmount(text ?? "", DECIMALS) ?? -1n;
const rowsOf = (text: string | undefined) => readCsv(text ?? "").map(({ cells }) => cells);

/** The answer of the chain itself, at a ledger version. */
async function mintedAt(version: string): Promise<bigint> {
  const response = await fetch(`${NODE}/view?ledger_version=${version}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      function: "0x1::coin::supply",
      type_arguments: ["0x1::aptos_coin::AptosCoin"],
      arguments: [],
    }),
  });
  const [supply] = (await response.json()) as { vec: string[] }[];
  return BigInt(supply?.vec[0] ?? -1);
}

test("the kit of the sample has every kind of wallet, adds up to the chain, and is the same a second time", async () => {
  const first = await runTool("listing", ["--node", NODE, "--out", join(folder, "first"), "--url", product.url]);
  expect(first.code, first.output).toBe(0);
  const files = contents("first");
  const readme = files["README.md"] ?? "";
  expect(Object.keys(files)).toHaveLength(13);
  for (const [name, text] of Object.entries(files))
    if (name !== "README.md") expect(readme).toMatch(new RegExp(`^\\| ${name} \\| .*${sha256(text)}`, "m"));

  const [, version = ""] = /at ledger version (\d+) /.exec(readme) ?? [];
  const wallets = rowsOf(files["coinmarketcap-annex-c-wallets.csv"]).slice(1);
  const held = wallets.reduce((sum, row) => sum + units(row[1]), 0n);
  const [, circulating, total] = rowsOf(files["coinmarketcap-annex-c-supply.csv"]);
  const burned = rowsOf(files["coingecko-burn-wallets.csv"])
    .slice(1)
    .reduce((sum, row) => sum + units(row[2]), 0n);
  const minted = await mintedAt(version);
  expect(burned).toBeGreaterThan(0n);
  expect(units(circulating?.[2]) + held).toBe(minted);
  expect(units(total?.[2]) + burned).toBe(minted);
  const kinds = rowsOf(files["coingecko-locked-wallets.csv"])
    .slice(1)
    .map((row) => row[4]?.split(" ")[0]);
  expect(new Set(kinds)).toEqual(new Set(["account", "delegation", "staking_contract", "stake_pool", "vesting"]));

  const today = new Date().toISOString().slice(0, 10);
  const plan = rowsOf(files["exchange-plan-and-facts.csv"]).find((row) => row[5] === today);
  expect([plan?.[2], plan?.[6]]).toEqual([circulating?.[2], version]);

  // The chain moves on; the README's own command still writes the same bytes.
  expect((await fetch(`${product.url}/mint?address=0x715&amount=1000`, { method: "POST" })).status).toBe(200);
  expect(await mintedAt(String(BigInt(version) + 1n))).toBeGreaterThan(0n);
  const [, options = ""] = /^npm run listing -- (.*)$/m.exec(readme) ?? [];
  const words = options
    .replaceAll("'", "")
    .replace("NODE_URL", NODE)
    .replace("FOLDER", join(folder, "again"))
    .split(" ");
  const again = await runTool("listing", words);
  expect(again.code, again.output).toBe(0);
  expect(contents("again")).toEqual(files);
});

test("a wallet that cannot be read, or a total that cannot be true, writes nothing and says why", async () => {
  const out = join(folder, "refused");
  const words = ["--node", `${proxy.url}/v1`, "--out", out, ...URL_OPTION];
  // Only the view of a delegation returns three amounts of which the last is 0.
  const unread = proxy.use((path, _request, answer) => {
    const values: unknown = path.startsWith("/v1/view") ? JSON.parse(answer.body) : null;
    if (!Array.isArray(values) || values.length !== 3) return false;
    answer.status = 400;
    return true;
  });
  const missing = await runTool("listing", words);
  expect(unread()).toBeGreaterThan(0);
  expect([missing.code, missing.output]).toEqual([
    1,
    expect.stringMatching(
      /^listing: wallet 0x\w+ \(Foundation, delegated\) was never read: the chain node answers 400 /,
    ),
  ]);
  const doubled = proxy.use((path, _request, answer) => {
    if (!path.startsWith("/v1/view") || !answer.body.includes('"vec"')) return false;
    answer.body = JSON.stringify([{ vec: ["200000000000000000"] }]);
    return true;
  });
  const above = await runTool("listing", words);
  expect(doubled()).toBeGreaterThan(0);
  expect([above.code, above.output]).toEqual([1, expect.stringContaining("total_above_max: ")]);
  expect(existsSync(out)).toBe(false);
});

test("a node that is none, or lacks the ledger version, is refused in one line", async () => {
  const out = ["--out", join(folder, "none"), ...URL_OPTION];
  const dead = await runTool("listing", ["--node", `http://127.0.0.1:${await freePort()}/key/v1`, ...out]);
  expect(dead).toEqual({
    code: 1,
    output: "listing: --node: does not answer as a chain node; give its base URL, ending in /v1",
  });
  const later = await runTool("listing", ["--node", NODE, "--ledger-version", "9999999999", ...out]);
  expect(later).toEqual({ code: 1, output: expect.stringContaining("has no block of ledger version 9999999999") });
  const wrong = await runTool("listing", ["--node", "here", "--ledger-version", "new"]);
  expect(wrong.output.split("\n")).toHaveLength(3);
});

test("a deployment that does not answer is refused, with the option that does without it", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { code, output } = await runTool("listing", ["--node", NODE, "--out", join(folder, "none"), "--url", url]);
  expect(code).toBe(1);
  expect(output).toMatch(/^listing: --history: http:\S+ does not answer; --history none writes the sheet without/);
  expect(existsSync(join(folder, "none"))).toBe(false);
});

test("without a chain the kit is what follows from the schedule, and the same a second time", async () => {
  const words = (name: string) => ["--node", "none", "--out", join(folder, name), ...URL_OPTION];
  const first = await runTool("listing", words("schedule"));
  expect(first.code, first.output).toBe(0);
  const files = contents("schedule");
  expect(Object.keys(files).sort()).toEqual([
    "README.md",
    "coinmarketcap-annex-m.csv",
    "defillama.ts",
    "xangle-cumulative.csv",
  ]);
  expect(files["README.md"]).toContain("npm run listing -- --node none --url https://api.example.org --out FOLDER");
  expect(files["README.md"]).not.toMatch(/ledger version|minted/);
  await runTool("listing", words("schedule-again"));
  expect(contents("schedule-again")).toEqual(files);
});

test("without a deployment's address the command says where to put one", async () => {
  const { code, output } = await runTool("listing", ["--node", NODE, "--out", join(folder, "none")]);
  expect([code, output]).toEqual([2, expect.stringContaining("--url: missing; wrangler.toml has no custom domain")]);
});

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyDocuments } from "../../../../page/build/documents.ts";
import type { RecordedPrice } from "../../../../src/rates/price-growth.ts";
import { readHistory } from "../../../../tools/history/files.ts";
import { parsePrices, pricesText } from "../../../../tools/history/prices-csv.ts";
import { ALL_PARTS, conditionsOf } from "../../../../tools/lib/parts.ts";
import { CHECKOUT, ENVIRONMENT } from "../../../support/checkout.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../../../support/evm/http.ts";
import { beginVault } from "../../../support/evm/vault.ts";
import { type Finished, finished } from "../../../support/run-tool.ts";
import { validFile, walletFile } from "../../supply/schedules.ts";

const ETHER = 10n ** 18n;
const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-01T00:00:00Z");
/** Blocks of six hours, the first a day before the vault. */
const BLOCK_SECONDS = 21_600;

const folder = mkdtempSync(join(tmpdir(), "backfill-prices-"));
const [figuresPath, pricesPath] = [join(folder, "history.csv"), join(folder, "history-prices.csv")];
let node: HttpEvmNode;
let series = "";
/** Price of each day's first block by the vault's own book. */
const book = new Map<string, { readonly value: string; readonly at: string; readonly block: string }>();

beforeAll(async () => {
  const chain = await EvmChain.begin({ startSeconds: START / 1_000 - 90_000, blockSeconds: BLOCK_SECONDS, first: 0n });
  node = await startEvmNode(chain);
  node.node.kept = 10_000;
  const vault = await beginVault(chain);
  const rate = { id: "absent", contract: `0x${"ab".repeat(20)}`, view: "getRate()" };
  const share = (changes: object) => ({
    ...{ id: "vault", name: "Vault", kind: "vault", provider: "Example", asset: { symbol: "XYZ" }, chain: "native" },
    ...{ contract: vault.address, view: "convertToAssets(uint256)", decimals: 18 },
    ...changes,
  });
  const content = {
    token: { symbol: "XYZ", name: "Example", decimals: 18 },
    max_supply: "1000000000",
    chains: [{ id: "native", family: "evm", chain_id: 1, asset: TOKEN }],
    share_prices: [share({}), share(rate)],
  };
  writeFileSync(join(folder, "native.json"), JSON.stringify(walletFile(content)));
  series = `native 1 ${vault.address} convertToAssets(uint256) 18`;
  await vault.deposit(1_000n * ETHER);
  let day = "";
  const note = () => {
    const at = new Date(chain.head.timestampSeconds * 1_000).toISOString().replace(".000", "");
    if (at.slice(0, 10) === day) return;
    day = at.slice(0, 10);
    book.set(day, { value: String(vault.price()), at, block: String(chain.head.number) });
  };
  note();
  while (chain.head.timestampSeconds * 1_000 < START + 40 * DAY_MS) {
    // Each call is a block, and the first block of a day may be any of them.
    await vault.earn(ETHER / 7n);
    note();
  }
});
afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true });
});

const run = (from: string, to: string): Promise<Finished> => {
  const words = ["backfill", "--node", node.url, "--from", from, "--to", to];
  const env = { ...ENVIRONMENT, SCHEDULE_FOLDER: folder };
  return finished(spawn(process.execPath, ["tools/history.ts", ...words], { cwd: CHECKOUT, env }));
};
const storedPrices = () => {
  const parsed = parsePrices(readFileSync(pricesPath, "utf8"), Date.now());
  return parsed.kind === "rows" ? parsed.rows : expect.fail(JSON.stringify(parsed.errors));
};

describe("past prices of a real vault from an archive node", () => {
  test("are those of each day's first block, and what no node has is named", async () => {
    const { code, output } = await run("2026-01-03", "2026-02-05");
    expect(code, output).toBe(0);
    expect(output).toContain("omitted the price absent: the contract does not answer getRate()");
    const rows = storedPrices();
    expect(rows).toHaveLength(34);
    for (const { day, value, atMs, ledgerVersion, ...row } of rows) {
      const expected = book.get(day) ?? expect.fail(`no ${day}`);
      expect([value, ledgerVersion, atMs]).toEqual([expected.value, expected.block, Date.parse(expected.at)]);
      expect(row).toEqual({ series, observedAtMs: atMs, source: "backfill", witnesses: 1 });
    }
    expect(existsSync(figuresPath)).toBe(true);
  });

  test("of an earlier run stay, and further days are added", async () => {
    const before = storedPrices().map((row, index) => (index === 0 ? { ...row, value: "7" } : row));
    writeFileSync(pricesPath, pricesText(before));
    const { code, output } = await run("2026-01-03", "2026-02-06");
    expect(code, output).toBe(0);
    expect(storedPrices().map(({ value }) => value)).toEqual([
      ...before.map(({ value }) => value),
      book.get("2026-02-06")?.value,
    ]);
    expect((await run("2026-02-06", "2026-02-06")).output).toContain(
      `${pricesPath}: not written; these days add no price`,
    );
  });

  test("are a document of the build, which the home object reads", () => {
    const context = { folder, nowMs: Date.now(), first: { family: "evm" } } as const;
    const schedule = validFile(JSON.parse(readFileSync(join(folder, "native.json"), "utf8")), "evm");
    const past = readHistory(context, schedule);
    const assets = join(folder, "assets");
    mkdirSync(assets);
    copyDocuments(assets, conditionsOf(ALL_PARTS, schedule), schedule, past);
    expect(JSON.parse(readFileSync(join(assets, "documents/history-prices.json"), "utf8"))).toEqual(storedPrices());
  });

  test("with a wrong line stop the build", () => {
    const good = readFileSync(pricesPath, "utf8");
    writeFileSync(pricesPath, good.replace(",18,", ",,"));
    const context = { folder, nowMs: Date.now(), first: { family: "evm" } } as const;
    const schedule = validFile(JSON.parse(readFileSync(join(folder, "native.json"), "utf8")), "evm");
    expect(() => readHistory(context, schedule)).toThrow("line 2");
    writeFileSync(pricesPath, good);
  });
});

describe("the file", () => {
  const atMs = Date.parse("2026-01-03T00:00:11Z");
  const row = (changes: Partial<RecordedPrice> = {}): RecordedPrice => ({
    ...{ series: `native 1 0x${"ab".repeat(20)} convertToAssets(uint256) 18`, day: "2026-01-03", value: "1000" },
    ...{ ledgerVersion: "12", atMs, observedAtMs: atMs, source: "backfill", witnesses: 1 },
    ...changes,
  });
  const NOW = Date.parse("2026-02-01T00:00:00Z");
  const GOOD = pricesText([row()]);

  test("is read as it is written", () => {
    const rows = [row(), row({ series: `base 8453 0x${"cd".repeat(20)} getRate() 0`, value: String(2n ** 256n - 2n) })];
    expect(parsePrices(pricesText(rows), NOW)).toEqual({ kind: "rows", rows });
  });

  test.each([
    ["another header", GOOD.replace("value", "price"), "line 1: must be date,chain"],
    ["a missing cell", GOOD.replace(",18,", ","), "line 2: must have the cells"],
    ["a day that does not exist", GOOD.replace("2026-01-03,", "2026-02-30,"), "date must be a day that exists"],
    ["an instant of another day", GOOD.replace("03T00", "04T00"), "at is of another day than 2026-01-03"],
    ["an instant in another form", GOOD.replace("00:00:11Z", "00:00Z"), "at must be an instant that exists"],
    ["a day to come", GOOD.replaceAll("2026-01-03", "2026-03-03"), "at must not be in the future"],
    ["an unknown view", GOOD.replace("convertToAssets(uint256)", "price()"), "view must be one of convertToAssets"],
    ["a chain id with a sign", GOOD.replace(",1,", ",-1,"), "chain_id must be digits without leading zeros"],
    ["a contract in mixed case", GOOD.replace("0xab", "0xAB"), "contract must be an address in lower case"],
    ["a price of 0", GOOD.replace(",1000,", ",0,"), "value must be digits, more than 0"],
    ["a price with a point", GOOD.replace(",1000,", ",1.5,"), "value must be digits, more than 0"],
    ["too many decimals", GOOD.replace(",18,", ",37,"), "decimals must be 0 to 36"],
    ["a block with a sign", GOOD.replace(",12,", ",-12,"), "ledger_version must be digits"],
    ["one price twice", GOOD + GOOD.split("\n")[1], "line 3: this price of 2026-01-03 is already in line 2"],
  ])("with %s is refused by the line", (_case, text, error) => {
    const parsed = parsePrices(text, NOW);
    const errors = parsed.kind === "errors" ? parsed.errors.map(({ path, message }) => `${path}: ${message}`) : [];
    expect(errors).toEqual([expect.stringContaining(error)]);
  });
});

import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { copyCheckout } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { WORD } from "../support/evm/node.ts";
import { closing, listening } from "../support/listening.ts";
import { type Product, startProduct } from "../support/product.ts";
import { expectLayout, picture, resizeTo, useBrowser, violations } from "../support/visit.ts";
import { bucket, file, wallet } from "../unit/supply/schedules.ts";

/** Base units of the token; one EVM chain has ten digits more, the other one two less. */
const UNIT = 10n ** 8n;
const EVM_FACTOR = 10n ** 10n;
const [TEAM, ESCROW] = ["0xa1", "0xe5c"];
const HOLDER = `0x${"00a1".repeat(10)}`;
const DEAD = `0x${"dead".padStart(40, "0")}`;
const CHAINS = {
  // More digits than the service publishes: it rounds down.
  eth: {
    chainId: 1,
    decimals: 18n,
    supply: 50_000n * UNIT * EVM_FACTOR + 7n * EVM_FACTOR + 9n,
    holders: new Map([
      [HOLDER, 2_000n * UNIT * EVM_FACTOR + 3n * EVM_FACTOR + 1n],
      [DEAD, 4n],
    ]),
  },
  base: { chainId: 8_453, decimals: 6n, supply: 300_000_000_000n, holders: new Map([[HOLDER, 1_000_001n]]) },
} as const;
type Name = keyof typeof CHAINS;

const SCHEDULE = file({
  token: { symbol: "XYZ", name: "Example", decimals: 8 },
  max_supply: "1000000000",
  buckets: [
    bucket({
      allocation: "1000000000",
      genesis: "900000000",
      phases: [{ kind: "never", amount: "100000000" }],
      addresses: [wallet(TEAM, { label: "Locked" })],
    }),
  ],
  chains: [
    { id: "native", family: "move", chain_id: 4, asset: "0x1::aptos_coin::AptosCoin" },
    {
      id: "eth",
      family: "evm",
      chain_id: 1,
      asset: TOKEN,
      supply: "bridged",
      escrow: { chain: "native", address: ESCROW },
    },
    { id: "base", family: "evm", chain_id: 8_453, asset: TOKEN, supply: "issued" },
  ],
  wallets: [
    wallet(HOLDER, { chain: "eth", label: "Treasury on eth", category: "treasury" }),
    wallet(DEAD, { chain: "eth", label: "Burned on eth", category: "burn" }),
    wallet(HOLDER, { chain: "base", label: "Treasury on base", category: "treasury" }),
  ],
});

const visit = useBrowser();
const folder = chromiumPath === undefined ? "" : copyCheckout();
const chains = new Map<Name, EvmChain>();
const nodes = new Map<Name, readonly HttpEvmNode[]>();
let product: Product;
/** A Move node of the reader's choice, in front of the product's own chain. */
let move: Server;
let moveUrl = "";
let isLying = false;
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "content-type" };

/** The reader's own node of an EVM chain, honest before each test. */
const reader = (name: Name): HttpEvmNode => nodes.get(name)?.[2] ?? expect.fail();

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  writeFileSync(join(folder, "schedule", "native.json"), JSON.stringify(SCHEDULE));
  for (const name of ["published.csv", "published.json"]) rmSync(join(folder, "schedule", name), { force: true });
  const startSeconds = Math.floor(Date.now() / 1_000);
  for (const name of ["eth", "base"] as const) {
    const chain = await EvmChain.begin({ ...CHAINS[name], startSeconds });
    await chain.mine();
    chains.set(name, chain);
    nodes.set(name, [await startEvmNode(chain), await startEvmNode(chain), await startEvmNode(chain)]);
  }
  const urlsOf = (name: Name) => (nodes.get(name) ?? []).slice(0, 2).map(({ url }) => url);
  product = await startProduct(
    {
      // A chain id is stated for the embedded node, whose own the service would learn.
      CHAIN_ID: "4",
      NODE_URLS_ETH: urlsOf("eth").join(),
      NODE_URLS_BASE: urlsOf("base").join(),
      RATES_URL: "none",
      STABLE_ASSET: "",
      RATE_LIMIT_DEFAULT: "10000/60",
      RATE_LIMIT_NODE: "10000/60",
    },
    { cwd: folder },
  );
  move = createServer(async (request, response) => {
    if (request.method === "OPTIONS") {
      response.writeHead(204, CORS).end();
      return;
    }
    const body = await text(request);
    const init = body === "" ? {} : { method: "POST", body, headers: { "Content-Type": "application/json" } };
    const said = await (await fetch(product.url + request.url, init)).text();
    const lie = said.replace(/^\["(\d+)"\]$/, (_, digits: string) => `["${BigInt(digits) + 1n}"]`);
    response.writeHead(200, { "Content-Type": "application/json", ...CORS }).end(isLying ? lie : said);
  });
  moveUrl = `${await listening(move)}/v1`;
  const isRead = async () => expect((await fetch(`${product.url}/api/supply-breakdown`)).status).toBe(200);
  await eventually(isRead);
});

afterAll(async () => {
  await product?.stop();
  for (const node of [...nodes.values()].flat()) await node.close();
  if (move !== undefined) await closing(move);
  if (folder !== "") rmSync(folder, { recursive: true });
});

beforeEach(() => {
  isLying = false;
  for (const [name, chain] of chains) Object.assign(reader(name).node, { chain, instead: () => undefined });
});

const open = () => visit(`${product.url}/verify`, {}, undefined, false);
const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().textContent()) ?? "";

async function check(page: Page, chain: string, address: string): Promise<string> {
  await page.locator(`#chains input[value=${chain}]`).check();
  await page.locator("#node").fill(address);
  await page.getByRole("button", { name: "Check with this node" }).click();
  await page.locator("#chain-verdict", { hasText: /[.:]/ }).waitFor();
  await page.locator("#node-form button:not([disabled])").waitFor();
  return textOf(page, "#chain-verdict");
}

/** Each line's name, and what the node says. */
const linesOf = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll("#comparison tbody tr")].map((row) => [row.querySelector("th").textContent, row.querySelector("td").textContent])`,
  );

describe.skipIf(chromiumPath === undefined)(`a token on three chains (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("the page has the sums of all, and the wallets of each", async () => {
    const { page, consoleErrors } = await visit(product.url);
    await page.locator("#part-total", { hasText: /\d/ }).waitFor();
    const total = BigInt(await (await fetch(`${product.url}/api/total-supply`)).text());
    expect(await textOf(page, "#part-total")).toBe(total.toLocaleString("en"));
    const labels = ["Locked", "Treasury on eth", "Treasury on base", "Burned on eth"];
    expect(await page.locator("#wallet-list tbody th bdi").allTextContents()).toEqual(labels);
    const versions = await page.locator("#chain-rows td[data-label='Read at']").allTextContents();
    expect(versions).toEqual([
      expect.stringMatching(/^ledger version \d+$/),
      expect.stringMatching(/^block \d+$/),
      expect.stringMatching(/^block \d+$/),
    ]);
    expect(consoleErrors).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  test("each chain has the name and the id that the file gives it", async () => {
    const { page } = await open();
    const labels = await page.locator("#chains label").allTextContents();
    expect(labels.map((label) => label.trim())).toEqual(["native, chain 4", "eth, chain 1", "base, chain 8453"]);
  });

  test("a node of a finer chain checks it alone, to the base unit that the service publishes", async () => {
    const { page, consoleErrors } = await open();
    const said = await check(page, "eth", reader("eth").url);
    expect(said).toBe("Equal to the base unit: at block 101 this node and this service say the same on all 3 lines.");
    expect(await linesOf(page)).toEqual([
      ["Minted", "50,000.00000007"],
      ["Treasury on eth", "− 2,000.00000003"],
      ["Burned on eth, burned", "− 0.00000000"],
    ]);
    const note = await textOf(page, "#chain-result .note");
    expect(note).toMatch(/^This service read block 101 on .*; the node follows chain 1\./);
    expect(note).toMatch(/Read with it: native at ledger version \d+, base at block 101\./);
    expect(note).toContain("The chain’s amounts have 18 decimals, and are rounded down to 8 as they are published.");
    const commands = await page.locator("#chain-result pre").allTextContents();
    const [, url = "", body = ""] = /^curl -sSf "([^"]+)" .* -d '(.+)'$/.exec(commands[0] ?? "") ?? [];
    const { result } = (await (await fetch(url, { method: "POST", body })).json()) as { result: string };
    expect(BigInt(result)).toBe(CHAINS.eth.supply);
    expect(consoleErrors).toEqual([]);
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 1280]) {
      await resizeTo(page, width);
      await expectLayout(page, `${width} px`);
      await picture(page, `verify-chains-${width}`);
    }
  });

  test("a node of a coarser chain checks it alone", async () => {
    const { page } = await open();
    expect(await check(page, "base", reader("base").url)).toMatch(
      /^Equal to the base unit: at block 101 .* 2 lines\.$/,
    );
    expect(await linesOf(page)).toEqual([
      ["Minted", "300,000.00000000"],
      ["Treasury on base", "− 1.00000100"],
    ]);
  });

  test("a node of the Move chain checks it alone, with the escrow of what is bridged from it", async () => {
    const { page } = await open();
    expect(await check(page, "native", moveUrl)).toMatch(
      /^Equal to the base unit: at ledger version \d+ .* 3 lines\.$/,
    );
    expect(((await linesOf(page)) as string[][]).map(([label]) => label)).toEqual([
      "Minted",
      "Locked",
      "Escrow of eth",
    ]);
    const note = await textOf(page, "#chain-result .note");
    expect(note).toMatch(/^This service read version \d+ on .* Read with it: eth at block 101, base at block 101\./);
  });

  test.each<readonly [string, "eth" | "base", Readonly<Record<number, (truth: bigint) => bigint>>, string]>([
    [
      "by one base unit",
      "eth",
      { [WORD.supply]: (truth) => truth + EVM_FACTOR },
      "this node says 50,000.00000008 for Minted, this service 50,000.00000007.",
    ],
    [
      "about one wallet of a coarser chain",
      "base",
      { [WORD.balances]: (truth) => truth - 1n },
      "this node says 1.00000000 for Treasury on base, this service 1.00000100.",
    ],
    [
      "about its decimals",
      "base",
      { [WORD.decimals]: () => 5n },
      "this node says 3,000,000.00000000 for Minted, this service 300,000.00000000.",
    ],
  ])("a node that lies %s is found", async (_what, name, words, sentence) => {
    reader(name).node.says(words);
    const { page } = await open();
    expect(await check(page, name, reader(name).url)).toBe(`Not equal: at block 101 ${sentence}`);
  });

  test("a Move node that lies about a wallet by one base unit is found", async () => {
    isLying = true;
    const { page } = await open();
    expect(await check(page, "native", moveUrl)).toMatch(
      /^Not equal: at ledger version \d+ this node says .* for Locked/,
    );
  });

  test("a node of another chain is reported, and the chosen chain survives the page's reload", async () => {
    const { page } = await open();
    expect(await check(page, "base", reader("eth").url)).toBe(
      "This node follows chain 1, and this service reads chain 8453: choose another node.",
    );
    await page.locator("#node").fill(reader("base").url);
    await page.getByRole("button", { name: "Check with this node" }).click();
    await page.locator("#chain-verdict", { hasText: /^Equal/ }).waitFor();
    expect(await page.locator("#chains input[value=base]").isChecked()).toBe(true);
  });

  test("while a chain is missing, the others can be checked, and it says why it cannot", async () => {
    const { page } = await open();
    const answer = (await (await fetch(`${product.url}/api/supply-breakdown`)).json()) as { chains: object[] };
    const reason = "base is not read: no chain node answers at a new block";
    const gone = { minted_supply: null, unavailable: reason };
    const rows = answer.chains.map((row) => (Object(row).chain === "base" ? { ...row, ...gone } : row));
    const { minted_supply: _sum, ...body } = answer as unknown as { minted_supply: unknown };
    const sums = { total_supply: null, circulating_supply_on_chain: null, message: "incomplete" };
    await page.route("**/api/supply-breakdown", (route) =>
      route.fulfill({ status: 503, json: { ...body, ...sums, chains: rows } }),
    );
    expect(await check(page, "base", reader("base").url)).toBe(`This service has no figures of base now: ${reason}.`);
    await page.reload();
    expect(await check(page, "eth", reader("eth").url)).toMatch(/^Equal to the base unit: at block 101/);
  });
});

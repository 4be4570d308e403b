import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withChecksum } from "../../tools/lib/eip55.ts";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { copyCheckout } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { lockCode, viewSlot } from "../support/evm/lock.ts";
import { type EvmTestNode, type RpcReply, WORD } from "../support/evm/node.ts";
import { type Product, startProduct } from "../support/product.ts";
import { expectLayout, layoutProblems, resizeTo, resizeWindow, useBrowser, violations } from "../support/visit.ts";

const ETHER = 10n ** 18n;
const [TREASURY, FOUNDATION] = [
  "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
  "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359",
];
const DEAD = "0x000000000000000000000000000000000000dead";
const LOCK = "0x00000000000000000000000000000000000010c0";
/** Base units that no float holds. */
const [SUPPLY, BURNED] = [950_000_000n * ETHER + 123_456_789n, 7n];
/** Amount that the view of the lock reports. Its contract holds more. */
const LOCKED = 5n;
const HOLDERS = new Map([
  [TREASURY, 400_000_000n * ETHER + 1n],
  [FOUNDATION, 3_000_000n * ETHER - 1n],
  [DEAD, BURNED],
  [LOCK, LOCKED + 4n],
]);
/** Base units that no balance shows, as the schedule states. */
const LOST = 3n;
const ON_CHAIN = "547,000,000.000000000123456774";
const EXPLORER = "https://scan.example";

const visit = useBrowser();
const folder = chromiumPath === undefined ? "" : copyCheckout();
let chain: EvmChain;
let nodes: HttpEvmNode[] = [];
let product: Product;

/** The reader's own node, honest before each test. */
const reader = (): HttpEvmNode => nodes[2] ?? expect.fail();

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  const schedule = JSON.parse(
    readFileSync(join(import.meta.dirname, "..", "fixtures", "editions", "erc20.json"), "utf8"),
  );
  const lock = { chain: "native", address: LOCK, label: "Vote escrow", category: "staking" };
  schedule.wallets.push({ ...lock, holds: "lock", view: "supply()" });
  const source = "https://wei.example/lost";
  schedule.constants = [
    { label: "Stuck", category: "public_sale", amount: `0.${"0".repeat(17)}${LOST}`, source, date: "2025-05-01" },
  ];
  writeFileSync(join(folder, "schedule", "native.json"), JSON.stringify(schedule));
  for (const name of ["published.csv", "published.json"]) rmSync(join(folder, "schedule", name), { force: true });
  const brand = join(folder, "page", "brand.json");
  const explorer = `${EXPLORER}/address/{address}`;
  writeFileSync(brand, JSON.stringify({ ...JSON.parse(readFileSync(brand, "utf8")), explorer }));
  chain = await EvmChain.begin({ supply: SUPPLY, holders: HOLDERS, startSeconds: Math.floor(Date.now() / 1_000) });
  const contract = { code: lockCode(), writes: new Map([[viewSlot("supply()"), LOCKED]]) };
  await chain.mine(new Map(), null, new Map([[LOCK, contract]]));
  nodes = [await startEvmNode(chain), await startEvmNode(chain), await startEvmNode(chain)];
  const settings = {
    CHAIN_FAMILY: "evm",
    CHAIN_ID: "1",
    NATIVE_ASSET: TOKEN,
    RATES_URL: "none",
    NODE_URLS: nodes
      .slice(0, 2)
      .map(({ url }) => url)
      .join(),
    RATE_LIMIT_DEFAULT: "10000/60",
  };
  product = await startProduct(settings, { cwd: folder });
  const isRead = async () => expect((await fetch(`${product.url}/api/supply-breakdown`)).status).toBe(200);
  await eventually(isRead);
});

afterAll(async () => {
  await product?.stop();
  for (const node of nodes) await node.close();
  if (folder !== "") rmSync(folder, { recursive: true });
});

beforeEach(() => {
  if (nodes.length === 0) return;
  const { node } = reader();
  Object.assign(node, { chain, behind: 0, kept: 128, instead: () => undefined });
  node.requests.length = 0;
});

const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().textContent()) ?? "";
const json = async (path: string) => (await fetch(product.url + path)).json() as Promise<Record<string, never>>;

describe.skipIf(chromiumPath === undefined)(`a token on an EVM chain (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("the page is right to the base unit at 18 decimals, and its versions are called blocks", async () => {
    const { page, consoleErrors } = await visit(product.url);
    await page.locator("#part-total", { hasText: /\d/ }).waitFor();
    expect(await textOf(page, "#part-total")).toBe("950,000,000");
    expect(await textOf(page, "#part-on-chain")).toBe("547,000,000");
    expect(await textOf(page, "#part-burned")).toBe("< 1");
    expect(await textOf(page, "#difference tr:nth-last-child(2) td")).toBe(ON_CHAIN);
    expect(await textOf(page, "#difference tr:last-child td")).toBe("0");
    expect(await textOf(page, "#difference")).toContain("−0.000000000000000007");
    expect(await textOf(page, "#wallets-source")).toMatch(/^Read at block 101, /);
    const lock = page.locator("#wallet-list tr", { hasText: "Vote escrow" });
    expect(await lock.textContent()).toMatch(/in a lock contract< 1/);
    const lost = page.locator("#wallets-stated tr", { hasText: "Stuck" });
    expect(await lost.textContent()).toMatch(/^Stuck 2025-05-01public sale, as stated< 1/);
    expect(await lost.locator("a").getAttribute("href")).toBe("https://wei.example/lost");
    expect(await textOf(page, "#difference")).toContain("Stated, in no wallet−0.000000000000000003");
    expect(await page.content()).not.toMatch(/ledger version/i);
    expect(await page.locator("meta[property='og:image'], meta[name='twitter:card']").count()).toBe(0);
    expect(consoleErrors).toEqual([]);
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 1280]) {
      await resizeTo(page, width);
      await expectLayout(page, `${width} px`);
    }
  });

  test("a drawing that does not follow the window yet does not widen the page", async () => {
    const prepare = (page: Page) =>
      page.addInitScript(`{
        const Observer = ResizeObserver;
        window.ResizeObserver = function (report) {
          return new Observer((entries, observer) => { observer.disconnect(); report(entries); });
        };
      }`);
    const { page } = await visit(product.url, {}, prepare);
    const width = () => page.locator("#chart svg").evaluate((drawn) => drawn.getBoundingClientRect().width);
    const drawn = await width();
    await resizeWindow(page, 320);
    expect(await width(), "the drawing stays as it was").toBe(drawn);
    expect(drawn).toBeGreaterThan(320);
    await expect.poll(() => layoutProblems(page)).toEqual([]);
  });

  test("the contract is named with its checksum; it, wallets and the block lead to the explorer", async () => {
    const { page } = await visit(product.url);
    await page.locator("#wallet-list tbody th[scope=row]").first().waitFor({ state: "attached" });
    const links = await page
      .locator(`#wallets a[href^='${EXPLORER}']`)
      .evaluateAll((all) => all.map((one) => [one.textContent, (one as unknown as { href: string }).href]));
    const wallets = [TREASURY, FOUNDATION, LOCK, DEAD].map((address) => [address, `${EXPLORER}/address/${address}`]);
    expect(links).toEqual([
      [withChecksum(TOKEN), `${EXPLORER}/token/${TOKEN}`],
      ...wallets,
      ["101", `${EXPLORER}/block/101`],
    ]);
    expect(await page.locator("#wallets > p .address button").textContent(), "it can be copied").toBe("Copy");
    await page.goto(`${product.url}/verify`);
    expect(await textOf(page, "#chain .address code")).toBe(withChecksum(TOKEN));
  });

  test("CSV and the embed have every digit", async () => {
    const csv = await (await fetch(`${product.url}/api/unlock-schedule.csv`)).text();
    expect(csv).toContain("600000000000000000000000000");
    const { page } = await visit(`${product.url}/404`, {}, undefined, false);
    await page.evaluate(`(() => {
      const element = document.createElement("token-supply");
      element.setAttribute("figure", "circulating-on-chain");
      document.body.append(element);
      return import("/embed.js");
    })()`);
    const shown = page.locator("token-supply", { hasText: /\d/ });
    expect(await shown.textContent()).toContain("547,000,000");
    expect(await page.locator("token-supply").evaluate((one) => one.outerHTML)).toContain(
      "547000000.000000000123456774",
    );
  });
});

const open = () => visit(`${product.url}/verify`, {}, undefined, false);

async function check(page: Page, address: string): Promise<string> {
  await page.locator("#node").fill(address);
  await page.getByRole("button", { name: "Check with this node" }).click();
  await page.locator("#node-form button:not([disabled])").waitFor();
  return textOf(page, "#chain-verdict");
}

/** In the place of every answer to this method. */
const answers =
  (method: string, reply: object, status = 200) =>
  (node: EvmTestNode) => {
    node.instead = (asked): RpcReply | undefined =>
      asked.method === method ? { status, body: { jsonrpc: "2.0", id: asked.id, ...reply } } : undefined;
  };
const CALL = "eth_call";

describe.skipIf(chromiumPath === undefined)("/verify at an EVM chain", () => {
  test("an honest node: two calls at the named block, by its hash; every line is equal, and has its command", async () => {
    const { page, consoleErrors } = await open();
    expect(await check(page, reader().url)).toBe(
      "Equal to the base unit: at block 101 this node and this service say the same on all 7 lines.",
    );
    const { block_hash: blockHash, chain_id: chainId } = await json("/api/supply-breakdown");
    expect([blockHash, chainId]).toEqual([chain.head.hash, 1]);
    const calls = reader().node.requests.filter(({ method }) => method === CALL);
    expect(calls.map(({ params: [, block] }) => block)).toEqual(
      Array.from({ length: 2 }, () => ({ blockHash, requireCanonical: true })),
    );
    expect(reader().node.requests.map(({ method }) => method)).toEqual(["eth_chainId", "eth_blockNumber", CALL, CALL]);
    expect(await textOf(page, "#comparison tr.sum td")).toBe(`= ${ON_CHAIN}`);
    expect(await textOf(page, "#comparison")).toContain(`Stuck, as stated− 0.${"0".repeat(17)}${LOST}✓ equal`);
    await page.getByText("The command of each line").click();
    const blocks = await page.locator("#chain-result pre").allTextContents();
    const commands = blocks.flatMap((block) => block.trim().split("\n"));
    const said = commands.map(async (command) => {
      const [, url = "", body = ""] = /^curl -sSf "([^"]+)" .* -d '(.+)'$/.exec(command) ?? [];
      const { result } = (await (await fetch(url, { method: "POST", body })).json()) as { result: string };
      return BigInt(result);
    });
    expect(await Promise.all(said), "a lock has its balance and its view").toEqual([
      SUPPLY,
      ...HOLDERS.values(),
      LOCKED,
    ]);
    expect(consoleErrors).toEqual([]);
    expect(await violations(page)).toEqual([]);
    expect(await page.locator("main").textContent()).not.toMatch(/ledger version|\/v1/i);
  });

  const again = "Check again in a moment, or choose another node.";
  test.each<readonly [string, (node: EvmTestNode) => unknown, string]>([
    [
      "off by 1 wei",
      (node) => node.says({ [WORD.supply]: (truth) => truth + 1n }),
      "Not equal: at block 101 this node says 950,000,000.000000000123456790 for Minted, this service 950,000,000.000000000123456789.",
    ],
    [
      "off by 1 wei for one wallet",
      (node) => node.says({ [WORD.balances + 1]: (truth) => truth - 1n }),
      "Not equal: at block 101 this node says 2,999,999.999999999999999998 for Foundation, this service 2,999,999.999999999999999999.",
    ],
    [
      "of another chain",
      async (node) => Object.assign(node, { chain: await EvmChain.begin({ chainId: 10 }) }),
      "This node follows chain 10, and this service reads chain 1: choose another node.",
    ],
    [
      "one block behind",
      (node) => Object.assign(node, { behind: 1 }),
      "This node has reached block 100, and this service answers for block 101: check again in a moment.",
    ],
    ["on a fork", fork, `No figure: the chain node has replaced its block 101. ${again}`],
    [
      "without the state of the block",
      (node) => Object.assign(node, { kept: 0 }),
      `No figure: the chain node has block 101 and answers a call at it with the JSON-RPC error -32000. ${again}`,
    ],
    [
      "that answers with another length",
      answers(CALL, { result: "0x01" }),
      `No figure: the chain node has block 101 and answers no call at it. ${again}`,
    ],
    [
      "that reverts",
      answers(CALL, { error: { code: 3, message: "execution reverted", data: "0x" } }),
      "This node could not say everything: Minted, the chain node reverts a call that cannot revert.",
    ],
    [
      "without the contract",
      (node) => node.says({ [WORD.codeBytes]: () => 0n }),
      `This node could not say everything: Minted, there is no contract at ${TOKEN}.`,
    ],
    ["that wants to be paid", answers(CALL, {}, 402), "This node refuses with status 402: choose another node."],
    [
      "that limits requests in a 200",
      answers("eth_chainId", { error: { code: -32029, message: "slow down" } }),
      "This node refuses with the JSON-RPC error -32029: choose another node.",
    ],
    ["that is none", answers("eth_chainId", {}), "What answers at this address is no JSON-RPC node of an EVM chain."],
  ])("a node %s: one true sentence", async (_what, spoil, sentence) => {
    await spoil(reader().node);
    const { page } = await open();
    expect(await check(page, reader().url)).toBe(sentence);
    expect(await page.locator("#chain-result pre").count(), "commands are there").toBe(5);
  });

  test("this service is no witness, and is not asked", async () => {
    const { page, requests } = await open();
    await page.locator("#node").fill(product.url);
    await page.getByRole("button", { name: "Check with this node" }).click();
    expect(await textOf(page, "#chain-verdict")).toBe(
      "This is this service’s own address, which cannot be its witness: choose another node.",
    );
    expect(requests.filter((url) => url.includes("/api/"))).toEqual([]);
  });

  test("the published file is computed again, with addresses of 40 digits", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Compute it again" }).click();
    await page.locator("#plan-verdict", { hasText: /^(Equal|Not)/ }).waitFor();
    expect(await textOf(page, "#plan-verdict")).toBe(
      "Equal to the base unit: the file gives 600,000,000.000000000000000000 WEI today, as this service answers, and the same in all 1 steps.",
    );
    const file = Buffer.from(await (await fetch(`${product.url}/schedule/native.json`)).arrayBuffer());
    expect(await page.locator(".hash").allTextContents()).toContain(createHash("sha256").update(file).digest("hex"));
  });
});

async function fork(node: EvmTestNode): Promise<void> {
  node.chain = chain.forkBefore(chain.head.number, "other");
  await node.chain.mine();
}

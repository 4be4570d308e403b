import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { copyCheckout } from "../support/checkout.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { WORD } from "../support/evm/node.ts";
import { type Product, startProduct } from "../support/product.ts";
import { layoutProblems, useBrowser, violations } from "../support/visit.ts";

const ETHER = 10n ** 18n;
const [TREASURY, FOUNDATION] = [
  "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
  "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359",
];
/** What exists and is held on the first chain, and on one where the token is issued too. */
const FIRST = { chainId: 1, supply: 900_000_000n * ETHER + 5n, held: [TREASURY, 400_000_000n * ETHER + 1n] } as const;
const BASE = { chainId: 8_453, supply: 50_000_000n * ETHER + 7n, held: [FOUNDATION, 3_000_000n * ETHER + 2n] } as const;

const visit = useBrowser();
const folder = chromiumPath === undefined ? "" : copyCheckout();
const nodes: HttpEvmNode[] = [];
let product: Product;

/** Two nodes of a chain for the service, and one of the reader's. */
async function nodesOf({ chainId, supply, held }: typeof FIRST | typeof BASE): Promise<readonly HttpEvmNode[]> {
  const holders = new Map<string, bigint>([held]);
  const chain = await EvmChain.begin({ chainId, supply, holders, startSeconds: Math.floor(Date.now() / 1_000) });
  await chain.mine();
  const started = [await startEvmNode(chain), await startEvmNode(chain), await startEvmNode(chain)];
  nodes.push(...started);
  return started;
}
const urlsOf = (started: readonly HttpEvmNode[]) => started.map(({ url }) => url).slice(0, 2);

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  const file = JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures/editions/erc20.json"), "utf8"));
  const chains = [{ id: "base", family: "evm", chain_id: BASE.chainId, asset: TOKEN, supply: "issued" }];
  const wallets = [{ ...file.wallets[0], chain: "base" }];
  writeFileSync(join(folder, "schedule", "native.json"), JSON.stringify({ ...file, chains, wallets }));
  for (const name of ["published.csv", "published.json"]) rmSync(join(folder, "schedule", name), { force: true });
  const settings = {
    ...{ CHAIN_FAMILY: "evm", CHAIN_ID: "1", NATIVE_ASSET: TOKEN, RATES_URL: "none" },
    NODE_URLS: urlsOf(await nodesOf(FIRST)).join(),
    NODE_URLS_BASE: urlsOf(await nodesOf(BASE)).join(),
    RATE_LIMIT_DEFAULT: "10000/60",
  };
  product = await startProduct(settings, { cwd: folder });
  const isRead = async () => expect((await fetch(`${product.url}/api/supply-breakdown`)).status).toBe(200);
  await vi.waitFor(isRead, { timeout: 60_000, interval: 500 });
}, 200_000);

afterAll(async () => {
  await product?.stop();
  for (const node of nodes) await node.close();
  if (folder !== "") rmSync(folder, { recursive: true });
});

describe.skipIf(chromiumPath === undefined)(`a token on two chains (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("the page has the sums of both, right to the base unit, and the wallets of each", async () => {
    const { page, consoleErrors } = await visit(product.url);
    await page.locator("#part-total", { hasText: /\d/ }).waitFor();
    expect(await page.locator("#part-total").textContent()).toBe("950,000,000");
    expect(await page.locator("#difference tr:nth-last-child(2) td").textContent()).toBe(
      "547,000,000.000000000000000009",
    );
    expect(await page.locator("#wallet-list tbody th bdi").allTextContents()).toEqual(["Treasury", "Foundation"]);
    expect(consoleErrors).toEqual([]);
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect([width, await layoutProblems(page)]).toEqual([width, []]);
    }
  });

  test.each([
    [
      "an honest one",
      0n,
      "Equal to the base unit: at block 101 this node and this service say the same on all 2 lines.",
    ],
    [
      "a liar by 1 wei",
      1n,
      "Not equal: at block 101 this node says 900,000,000.000000000000000006 for Minted, this service 900,000,000.000000000000000005.",
    ],
  ])(
    "/verify with a node of the first chain, %s: its own lines, and the other chain's block",
    async (_what, more, said) => {
      const { page } = await visit(`${product.url}/verify`, {}, undefined, false);
      const reader = nodes[2] ?? expect.fail();
      reader.node.says({ [WORD.supply]: (truth) => truth + more });
      await page.locator("#node").fill(reader.url);
      await page.getByRole("button", { name: "Check with this node" }).click();
      await page.locator("#node-form button:not([disabled])").waitFor();
      expect(await page.locator("#chain-verdict").textContent()).toBe(said);
      expect(await page.locator("#chain-result > .note").textContent()).toContain(
        "The token is on other chains too, which this node does not have, so that no sum is compared. Read were: base at 101.",
      );
      expect(await violations(page)).toEqual([]);
    },
  );

  test("/verify with a node of the other chain says that it is of another one", async () => {
    const { page } = await visit(`${product.url}/verify`, {}, undefined, false);
    await page.locator("#node").fill(nodes[5]?.url ?? "");
    await page.getByRole("button", { name: "Check with this node" }).click();
    await page.locator("#node-form button:not([disabled])").waitFor();
    expect(await page.locator("#chain-verdict").textContent()).toBe(
      "This node follows chain 8453, and this service reads chain 1: choose another node.",
    );
  });
});

import { copyFileSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wholeTokens } from "../../src/base/shown-figures.ts";
import { parseAmount } from "../../src/supply/file/amount.ts";
import { chromiumPath } from "../support/browser.ts";
import { CHECKOUT, ENVIRONMENT } from "../support/checkout.ts";
import { listening } from "../support/listening.ts";
import { readPdf } from "../support/pdf.ts";
import { type Product, startProduct } from "../support/product.ts";
import { examined, runTool } from "../support/run-tool.ts";
import { expectLayout, useBrowser } from "../support/visit.ts";

const visit = useBrowser();

/** A schedule's folder with one of the tests' files of wallets alone. */
function folderOf(edition: string): string {
  const folder = mkdtempSync(join(tmpdir(), "wallets-"));
  copyFileSync(join(CHECKOUT, "test", "fixtures", "editions", `${edition}.json`), join(folder, "native.json"));
  return folder;
}

const WALLETS = ["1", "2", "dea"].map((end) => `0x7e${end.padStart(62, "0")}`);

test("npm start without a chain is refused: only a chain has the figures of wallets alone", async () => {
  const env = { ...ENVIRONMENT, SCHEDULE_FOLDER: folderOf("wallets") };
  const started = startProduct({ NODE_URLS: "none", STABLE_ASSET: "", RATES_URL: "none" }, { env });
  await expect(started).rejects.toThrow(/NODE_URLS is none, and the schedule file lists wallets alone/);
});

describe.each([
  ["wallets", "600,000,000", [200, 404]],
  ["unbounded", "none", [404, 404]],
] as const)("npm start with the schedule file %s", (edition, maximum, statuses) => {
  const variables = { SCHEDULE_FOLDER: folderOf(edition) };
  let product: Product;
  beforeAll(async () => {
    product = await startProduct({ RATE_LIMIT_DEFAULT: "10000/60" }, { env: { ...ENVIRONMENT, ...variables } });
  });
  afterAll(() => product?.stop());
  const get = (path: string) => fetch(product.url + path);
  const textOf = async (path: string) => (await get(path)).text();

  test("answers what circulates on chain, and prints paths that it has", async () => {
    expect(await textOf("/api/circulating-supply")).toBe(await textOf("/api/circulating-supply-on-chain"));
    const answered = await Promise.all(["/api/max-supply", "/api/supply"].map(get));
    expect(answered.map(({ status }) => status)).toEqual(statuses);
    await expect.poll(product.output).toContain("/api/supply-breakdown");
    expect(product.output()).not.toMatch(/\/api\/supply$/m);
  });

  test("is what the doctor expects of the file, and not of another kind", async () => {
    const { code, output } = await examined(() => runTool("doctor", [product.url], variables));
    expect(output).toMatch(/^ok +schedule +wallets alone, revision \d+: 3 wallets of (KPT|OPN)/m);
    expect(code, output).toBe(0);
    const other = await runTool("doctor", [product.url]);
    expect(other.output).toMatch(
      /^FAIL +schedule +the deployment serves wallets alone, the file here has an unlock schedule/m,
    );
  });

  test("is verified against its node: total, burned and held are what the chain has at that version", async () => {
    const { code, output } = await runTool("schedule", ["verify", "--node", `${product.url}/v1`], variables);
    expect(code, output).toBe(0);
    const [, version = "", ...texts] =
      /^ledger version (\d+): total (\S+), burned (\S+), wallets (\S+), circulating on chain (\S+)$/m.exec(output) ??
      [];
    const [total, burned, held, circulating] = texts.map((text) => parseAmount(text, 8) ?? expect.fail(text));
    const balances = WALLETS.map(async (address) => {
      const path = `/v1/accounts/${address}/balance/0x1::aptos_coin::AptosCoin?ledger_version=${version}`;
      return BigInt(await textOf(path));
    });
    const [treasury = 0n, vesting = 0n, dead = 0n] = await Promise.all(balances);
    expect(treasury).toBeGreaterThan(0n);
    expect([held, burned]).toEqual([treasury + vesting, dead]);
    expect(circulating).toBe((total ?? 0n) - treasury - vesting);
    // A wrong address of the node is refused, and no figure is printed.
    const wrong = await runTool("schedule", ["verify", "--node", `${product.url}/none/v1`], variables);
    expect([wrong.code, wrong.output.includes("circulating on chain")]).toEqual([1, false]);
  });

  test("has a page and a manual whose links all resolve", async () => {
    const [seen, dead] = [new Set<string>(), [] as string[]];
    const sitemap = await textOf("/sitemap.xml");
    const open = ["/", ...[...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, url = ""]) => new URL(url).pathname)];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const response = await get(path);
      if (response.status >= 400) dead.push(path);
      const text = await response.text();
      if (response.headers.get("Content-Type")?.startsWith("text/html"))
        open.push(...[...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, link = ""]) => link));
    }
    expect(dead).toEqual([]);
    expect(seen.size).toBeGreaterThan(25);
  });

  test.skipIf(chromiumPath === undefined).each([390, 1280])(
    "at %i px its page leads with the figure on chain, and has the recorded days and the wallets",
    async (width) => {
      const { page, consoleErrors } = await visit(product.url, { viewport: { width, height: 800 } });
      await page.locator("#circulating", { hasText: /\d/ }).waitFor();
      const shown = await page.locator("#circulating").textContent();
      const { circulating_supply_on_chain: onChain } = JSON.parse(await textOf("/api/supply-breakdown"));
      // A block's gas may be burned between two readings.
      const whole = BigInt((shown ?? "").replaceAll(",", ""));
      expect(Math.abs(Number(whole - BigInt(onChain.tokens.split(".")[0])))).toBeLessThan(1_000);
      expect(shown).toBe(wholeTokens(String(whole)));
      expect(await page.locator("#part-maximum").textContent()).toBe(maximum);
      expect(await page.locator("#wallet-list tbody tr th").count()).toBe(3);
      await page.locator("#days").scrollIntoViewIfNeeded();
      await page.locator("#observed-days tbody th").first().waitFor();
      expect(await page.locator("#chart, #unlocks, #allocations, #schedule").count()).toBe(0);
      await expectLayout(page);
      expect(consoleErrors).toEqual([]);
    },
  );

  test.skipIf(chromiumPath === undefined)("a reading that is lost is told once on its page", async () => {
    const { page } = await visit(product.url, {}, (fresh) =>
      fresh.route("**/api/**", (route) => route.fulfill({ status: 503, json: { message: "gone" } })),
    );
    await page.locator("#alert", { hasText: "The chain could not be read." }).waitFor();
    await page.locator("#days").scrollIntoViewIfNeeded();
    await page.locator("#observed-days", { hasText: "The last days could not be read." }).waitFor();
    const text = await page.locator("#supply, #wallets").allInnerTexts();
    expect(text.join(" ").match(/(chain|wallets?) could not be read|Not read/g)).toHaveLength(1);
  });

  test.skipIf(chromiumPath === undefined)(
    "its printed sheet has the address of each figure, with the host",
    async () => {
      const { page } = await visit(product.url);
      await page.locator("#circulating", { hasText: /\d/ }).waitFor();
      const text = readPdf(await page.pdf({ format: "A4" })).sheets.join("");
      for (const path of ["circulating-supply", "total-supply", "supply-breakdown"])
        expect(text).toContain(`${product.url}/api/${path}`);
      expect(text, "a path without its host").not.toMatch(/[^\d]\/api\//);
    },
  );

  test.skipIf(chromiumPath === undefined)("its embed shows the figure on another page", async () => {
    const elements = '<token-supply>–</token-supply> <token-supply figure="max">–</token-supply>';
    const homepage = createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      response.end(`<!doctype html><script type="module" src="${product.url}/embed.js"></script>${elements}`);
    });
    const url = await listening(homepage);
    try {
      const { page } = await visit(url);
      await page.locator("token-supply", { hasText: /\d,\d/ }).first().waitFor();
      const greatest = page.locator('token-supply[figure="max"]', { hasText: maximum === "none" ? "–" : maximum });
      await greatest.waitFor();
    } finally {
      homepage.close();
    }
  });
});

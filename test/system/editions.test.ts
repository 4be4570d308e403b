import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import { type Product, startProduct } from "../support/product.ts";
import { expectLayout, useBrowser } from "../support/visit.ts";

let product: Product;
const visit = useBrowser();

beforeAll(async () => {
  product = await startProduct({ NODE_URLS: "none", RATES_URL: "none", RATE_LIMIT_DEFAULT: "10000/60" });
});
afterAll(() => product?.stop());

const get = (path: string) => fetch(product.url + path);

test("a deployment of a schedule alone starts, is healthy, and prints no path that it lacks", async () => {
  const health = await get("/api/health");
  expect([health.status, await health.json()]).toMatchObject([200, { status: "ok", upstreams: [], problems: [] }]);
  const statuses = ["/api/circulating-supply", "/api/total-supply", "/api/rates", "/v1", "/mint"].map(
    async (path) => (await get(path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404, 404]);
  expect(product.output()).not.toContain("/v1");
});

test("its page shows the wallets as published, and says nothing of a chain's figures or of yields", async () => {
  // The script is the same for all: what it would fill in is not there.
  const html = (await (await get("/")).text()).replaceAll(/<script[\s\S]*?<\/script>/g, "");
  expect(html).toContain("This site reads no chain");
  expect(html).toContain("Allocations and vesting");
  expect(html).not.toMatch(/planned and observed|Best yield|<h2>Yields|api\/rates|<!-- with/);
});

test("its page carries nothing of a chain and of yields: at most 27 kB", async () => {
  expect(gzipSync(await (await get("/")).text(), { level: 9 }).length).toBeLessThan(27_000);
});

test.skipIf(chromiumPath === undefined).each([320, 390, 768, 1280])(
  "at %i px everything on its page is seen, and nothing lies on anything else",
  async (width) => {
    const { page, consoleErrors, requests } = await visit(product.url, {
      viewport: { width, height: 800 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.waitForSelector("#chart svg");
    await page.waitForLoadState("networkidle");
    const unseen = `[...document.querySelectorAll("h2, h3, .note, table, footer")]
      .filter((one) => getComputedStyle(one).visibility === "hidden").map((one) => one.outerHTML.slice(0, 80))`;
    expect(await page.evaluate(unseen)).toEqual([]);
    await expectLayout(page);
    expect(consoleErrors).toEqual([]);
    expect(requests.filter((url) => url.includes("/api/"))).toEqual([]);
    const addresses = await page.locator("#wallets .address code").allTextContents();
    expect(addresses.length).toBeGreaterThan(3);
    expect(await page.locator("#wallets .address").getByRole("button", { name: "Copy" }).count()).toBe(
      addresses.length,
    );
    await page.locator("#wallets .address button").last().click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(addresses.at(-1));
  },
);

test("every link of its page and manual resolves", async () => {
  const [seen, dead] = [new Set<string>(), [] as string[]];
  const sitemap = await (await get("/sitemap.xml")).text();
  const open = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, url = ""]) => new URL(url).pathname);
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
  expect(seen.size).toBeGreaterThan(30);
});

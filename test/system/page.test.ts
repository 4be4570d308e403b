import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch, NO_CHROMIUM } from "../support/browser.ts";
import { freePort, type Product, startProduct } from "../support/product.ts";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["desktop, light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" }],
  ["desktop, dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
  ["phone, light", { viewport: { width: 375, height: 740 }, colorScheme: "light", hasTouch: true }],
  ["phone, dark", { viewport: { width: 375, height: 740 }, colorScheme: "dark", hasTouch: true }],
];

let browser: Browser;
let product: Product;

/** An open page with everything that it asked for and complained of. */
interface Visit {
  readonly page: Page;
  readonly complaints: string[];
  readonly asked: string[];
  readonly gzipBytes: () => Promise<number>;
}

async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  // Bypassing the policy is only for the accessibility checker, which is injected; the policy has a test of its own.
  const context = await browser.newContext({ ...options, bypassCSP: true });
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked: string[] = [];
  const assets: Promise<Buffer>[] = [];
  page.on("console", (message) => (message.type() === "error" ? complaints.push(message.text()) : undefined));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => asked.push(request.url()));
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.startsWith("/api")) assets.push(response.body().catch(() => Buffer.alloc(0)));
  });
  await page.goto(product.url + path);
  const gzipBytes = async (): Promise<number> =>
    (await Promise.all(assets)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  return { page, complaints, asked, gzipBytes };
}

async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: AXE });
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}

describe.skipIf(chromiumPath === undefined)("the page while every upstream is down", () => {
  let dark: Product;
  let window: Browser;

  beforeAll(async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    [window, dark] = await Promise.all([
      launch(),
      startProduct({ NODE_URLS: `${nobody}/v1`, RATES_URL: `${nobody}/rates` }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([window?.close(), dark?.stop()]);
  });

  test("what follows from the schedule is shown, the rest says why it is not", async () => {
    expect((await fetch(`${dark.url}/api/rates`)).status, "the upstream is really down").toBe(503);
    const page = await window.newPage();
    await page.goto(dark.url);
    await page.waitForSelector(".chart canvas");
    await page.waitForSelector("#rates-panel .failure");
    // Each panel comes when its own answer does; on a busy machine the figures come last.
    await page.locator("#figures .figure", { hasText: /\d/ }).first().waitFor();
    await page.locator("#figures .figure", { hasText: "–" }).first().waitFor();
    const figures = await page.locator("#figures .figure").allTextContents();
    expect(figures[0]).toMatch(/^\d{1,3}(,\d{3})+$/);
    expect(figures[1]).toBe("–");
    expect(await page.locator("#figures .card").nth(1).locator(".note").textContent()).not.toBe("");
    expect(await page.locator("#rates-panel .failure").textContent()).not.toBe("");
  });
});

describe.skipIf(chromiumPath === undefined)(`the page in a real browser (${chromiumPath ?? NO_CHROMIUM})`, () => {
  beforeAll(async () => {
    [browser, product] = await Promise.all([launch(), startProduct({ RATE_LIMIT_DEFAULT: "10000/60" })]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), product?.stop()]);
  });

  test("the figures are the API's own", async () => {
    const { page, complaints, asked } = await visit("/");
    await page.waitForSelector(".chart canvas");
    const supply = (await (await fetch(`${product.url}/api/circulating-supply`)).text()) as string;
    const shown = await page.locator("#figures .card").first().locator(".figure").textContent();
    expect(shown?.replaceAll(",", "")).toBe(supply);
    expect(await page.locator("#endpoints .answer").first().textContent()).toBe(supply);
    expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });

  test("an old total says how old it is", async () => {
    const { page } = await visit("/");
    await page.waitForSelector("#figures[aria-busy=false]");
    const note = page.locator("#figures .card").nth(1).locator(".note");
    expect(await note.textContent()).toBe("Read from the chain");
    const supply = await (await fetch(`${product.url}/api/supply`)).text();
    await page.route("**/api/supply", (route) =>
      route.fulfill({ body: supply, contentType: "application/json", headers: { Age: "1500" } }),
    );
    await page.reload();
    await page.waitForSelector("#figures[aria-busy=false]");
    expect(await note.textContent()).toBe("Read from the chain 25 min ago");
  });

  test("an endpoint that is refused for now says so, and is asked again when it may be", async () => {
    const { page } = await visit("/");
    await page.clock.install();
    const refused = JSON.stringify({ message: "Too many requests.", error_code: "rate_limited" });
    await page.route("**/api/max-supply", (route) =>
      route.fulfill({ status: 429, body: refused, headers: { "Retry-After": "20" } }),
    );
    await page.reload();
    const answer = page.locator("#endpoints .answer").nth(1);
    await answer.filter({ hasText: "Too many requests." }).waitFor();
    await page.unroute("**/api/max-supply");
    await page.clock.fastForward(21_000);
    await answer.filter({ hasText: /^\d+$/ }).waitFor({ timeout: 5_000 });
  });

  test("a new reading of the rates keeps the reader's order and place", async () => {
    const { page } = await visit("/");
    await page.clock.install();
    await page.reload();
    const head = page.locator("#rates-panel th[scope=col]").nth(2);
    await head.locator("button").click();
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    const order = await page.locator("#rates-panel tbody th").allTextContents();
    const read = page.waitForResponse("**/api/rates");
    await page.locator("#rates-panel table").evaluate((table) => table.setAttribute("data-old", ""));
    await page.clock.fastForward(61_000);
    await read;
    await page.waitForSelector("#rates-panel table:not([data-old])");
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    expect(await page.locator("#rates-panel tbody th").allTextContents()).toEqual(order);
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("APY");
  });

  test("it weighs at most 100 KB", async () => {
    const { page, gzipBytes } = await visit("/");
    await page.waitForSelector(".chart canvas");
    const bytes = await gzipBytes();
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(100_000);
  });

  test("arrow keys read the schedule out, one step at a time", async () => {
    const { page } = await visit("/");
    await page.waitForSelector(".chart canvas");
    const schedule = (await (await fetch(`${product.url}/api/unlock-schedule`)).json()) as {
      rows: { circulating: { tokens: string } }[];
    };
    await page.locator(".chart").focus();
    await page.keyboard.press("Home");
    const first = await page.locator(".read-out").textContent();
    await page.keyboard.press("ArrowRight");
    const second = await page.locator(".read-out").textContent();
    const whole = (index: number): string => schedule.rows[index]?.circulating.tokens.split(".")[0] ?? "?";
    expect(first?.replaceAll(",", "")).toContain(`${whole(0)} circulating`);
    expect(second?.replaceAll(",", "")).toContain(`${whole(1)} circulating`);
  });

  test("the table has every month, and a range button narrows the chart", async () => {
    const { page } = await visit("/");
    await page.waitForSelector(".chart canvas");
    const { rows } = (await (await fetch(`${product.url}/api/unlock-schedule`)).json()) as { rows: unknown[] };
    await page.locator("summary").click();
    expect(await page.locator("#chart-panel tbody tr").count()).toBe(rows.length);
    await page.getByRole("button", { name: "1 year" }).click();
    expect(await page.getByRole("button", { name: "1 year" }).getAttribute("aria-pressed")).toBe("true");
    expect(await page.getByRole("button", { name: "All" }).getAttribute("aria-pressed")).toBe("false");
  });

  test.each(LOOKS)("%s: accessible, and nothing runs off the side", async (name, look) => {
    const { page } = await visit("/", look);
    await page.waitForSelector(".chart canvas");
    await page.waitForSelector("#rates-panel[aria-busy=false]");
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")).toBe(
      true,
    );
    if (process.env["SCREENSHOTS"] !== undefined) {
      await page.screenshot({ path: `${process.env["SCREENSHOTS"]}/${name.replace(", ", "-")}.png`, fullPage: true });
    }
  });

  test("the accessibility checker does find a planted fault", async () => {
    const { page } = await visit("/");
    await page.evaluate("document.body.append(document.createElement('img'))");
    expect(await violations(page)).not.toEqual([]);
  });

  test("its policy allows nothing from elsewhere, and the page needs nothing from elsewhere", async () => {
    const response = await fetch(product.url);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(product.url);
    await page.waitForSelector(".chart canvas");
    expect(complaints.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
  });

  test("/docs shows both documents, with a console to try them, and asks nobody else", async () => {
    const { page, asked } = await visit("/docs/");
    await page.waitForSelector("text=Public Supply and Yield API");
    await page.waitForSelector("#operations-Supply-getMaxSupply");
    expect(await page.locator("select#select option").allTextContents()).toEqual(["Supply and yield", "Chain node"]);
    await page.locator("#operations-Supply-getMaxSupply button").first().click();
    await page.getByRole("button", { name: "Execute" }).first().click();
    await page.waitForSelector(".live-responses-table >> text=1000000000");
    expect(asked.filter((url) => !url.startsWith(product.url) && !url.startsWith("data:"))).toEqual([]);
  });
});

import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch, NO_CHROMIUM } from "../support/browser.ts";
import { enterState, SCHEDULE_IN_HTML, STATES, type StateName } from "../support/page-states.ts";
import { freePort, type Product, startProduct } from "../support/product.ts";
import { product } from "../support/shared-product.ts";
import { layoutShift, type Visit, visit } from "../support/visit.ts";

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };

let browser: Browser;
/** One tab for the tests that need no other: a new tab takes twice as long as loading the page again. */
let tab: Visit;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  browser = await launch();
  const permissions = ["clipboard-read", "clipboard-write"];
  tab = await visit(browser, "about:blank", { ...DESKTOP, acceptDownloads: true, permissions });
});

afterEach(async () => {
  const others = (browser?.contexts() ?? []).filter((context) => context !== tab.page.context());
  await Promise.all(others.map((context) => context.close()));
});

afterAll(async () => {
  await browser?.close();
});

/** Loads a page in that tab, and records from before the first byte. */
async function load(url: string): Promise<Visit> {
  tab.consoleErrors.length = tab.requests.length = 0;
  await tab.page.mouse.move(0, 0);
  await tab.page.goto(url);
  return tab;
}

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(product.url + path)).json()) as T;
}

async function drawn(page: Page): Promise<void> {
  await page.waitForSelector("#supply[aria-busy=false]");
  await page.waitForSelector("#chart svg");
}

describe.skipIf(chromiumPath === undefined)("the page while every upstream is down", () => {
  let dark: Product;

  beforeAll(async () => {
    const unreachable = `http://127.0.0.1:${await freePort()}`;
    dark = await startProduct({ NODE_URLS: `${unreachable}/v1`, RATES_URL: `${unreachable}/rates` });
  });

  afterAll(() => dark?.stop());

  test("schedule figures are displayed, the others state why they are missing", async () => {
    expect((await fetch(`${dark.url}/api/rates`)).status, "the upstream is really down").toBe(503);
    const { page } = await load(dark.url);
    await drawn(page);
    await page.locator("#yield").scrollIntoViewIfNeeded();
    await page.waitForSelector("#rates-panel .failure");
    expect(await page.locator("#headline-amount").textContent()).toMatch(/^\d{1,3}(,\d{3})+$/);
    expect(await page.locator("#part-unminted").textContent()).toBe("–");
    expect(await page.locator("#total-note").textContent()).toContain("Total on chain: ");
  });

  test("a figure that this deployment does not serve is not listed", async () => {
    const { page } = await load(dark.url);
    await page.locator("#endpoints-panel").scrollIntoViewIfNeeded();
    await page.locator('#endpoint [value="/api/stable-supply"]').waitFor({ state: "detached" });
    const paths = await page
      .locator("#endpoint option")
      .evaluateAll((options) => options.map((one) => one.getAttribute("value")));
    expect(paths).toContain("/api/total-supply");
    expect((await fetch(`${dark.url}/api/stable-supply`)).status).toBe(404);
    expect(paths).not.toContain("/api/stable-supply");
  });
});

describe.skipIf(chromiumPath === undefined)(`the page in a real browser (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("the figures equal the API's, and no other host is called", async () => {
    const { page, consoleErrors, requests } = await load(product.url);
    await drawn(page);
    const circulating = await (await fetch(`${product.url}/api/circulating-supply`)).text();
    expect((await page.locator("#headline-amount").textContent())?.replaceAll(",", "")).toBe(circulating);
    await page.locator("#endpoints-panel").scrollIntoViewIfNeeded();
    await page.waitForSelector(".live .answer");
    expect(await page.locator(".live .answer").textContent()).toBe(circulating);
    expect(await page.locator(".live .status").textContent()).toMatch(/^200 OK GET \/api\/circulating-supply, \d+ ms$/);
    expect(await page.locator(".live .fields").textContent()).toContain("default;r=");
    expect(consoleErrors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });

  test.each([
    ["desktop", DESKTOP],
    ["phone", PHONE],
  ])("%s: two API requests, and at most 100 KB of other files", async (_, look) => {
    const { page, requests, gzipBytes } = await visit(browser, product.url, look);
    await drawn(page);
    await page.waitForLoadState("networkidle");
    const paths = requests.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/api"));
    expect(paths.sort()).toEqual(["/api/rates", "/api/supply"]);
    const bytes = await gzipBytes();
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(100_000);
  });

  test("the embedded schedule equals the API's, and is never older than its deployment", async () => {
    const response = await fetch(product.url);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    const [schedule] = (await response.text()).match(SCHEDULE_IN_HTML) ?? [];
    expect(JSON.parse(schedule ?? "")).toEqual(await json("/api/unlock-schedule"));
  });

  test.each<[string, StateName, number]>([
    ["a figure", "usual", 200],
    ["the failure before the start", "before the start", 503],
  ])("an open page reloads the schedule when %s has another revision", async (_, state, status) => {
    let api = STATES.usual.schedule;
    const { page, requests } = await visit(browser, product.url, DESKTOP, async (fresh) => {
      await fresh.clock.install();
      api = (await enterState(fresh, state)).schedule;
    });
    await drawn(page);
    await page.getByText("Unlock schedule, revision 1.").waitFor();
    const [first, ...rows] = api.rows;
    const revision = 2;
    await page.route("**/api/unlock-schedule", (route) =>
      route.fulfill({ json: { ...api, revision, rows: [first, ...rows.slice(0, 5)] } }),
    );
    const supply = { ...(await json<object>("/api/supply")), message: "none", schedule_revision: revision };
    await page.route("**/api/supply", (route) => route.fulfill({ status, json: supply }));
    expect(requests.filter((url) => url.endsWith("/api/unlock-schedule"))).toEqual([]);
    await page.clock.runFor(61_000);
    await page.getByText("Unlock schedule, revision 2.").waitFor();
    expect(await page.locator("#chart [role=slider]").getAttribute("aria-valuemax")).toBe("5");
    await page.clock.runFor(61_000);
    expect(requests.filter((url) => url.endsWith("/api/unlock-schedule")).length).toBe(1);
  });

  test("a missing total is displayed once a node answers", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, async (fresh) => {
      await fresh.clock.install();
      await enterState(fresh, "one upstream down");
    });
    await drawn(page);
    expect(await page.locator("#part-unminted").textContent()).toBe("–");
    await enterState(page, "usual");
    await page.clock.runFor(31_000);
    await page.locator("#part-unminted", { hasText: /^0$/ }).waitFor();
  });

  test("a refused endpoint is reported, and requested again after Retry-After", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, async (fresh) => {
      await fresh.clock.install();
      const body = JSON.stringify({ message: "Too many requests.", error_code: "rate_limited" });
      await fresh.route("**/api/circulating-supply", (route) =>
        route.fulfill({ status: 429, body, headers: { "Retry-After": "20" } }),
      );
    });
    await page.locator("#endpoints-panel").scrollIntoViewIfNeeded();
    await page.locator(".live", { hasText: "429 failed" }).waitFor();
    await page.unroute("**/api/circulating-supply");
    await page.clock.runFor(21_000);
    await page.locator(".live", { hasText: "200 OK" }).waitFor();
  });

  test("arrow keys read out the schedule, one step at a time", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const schedule = await json<{
      rows: { circulating: { tokens: string } }[];
    }>("/api/unlock-schedule");
    const slider = page.locator("#chart [role=slider]");
    await slider.focus();
    for (const [index, key] of ["Home", "ArrowRight"].entries()) {
      await page.keyboard.press(key);
      const whole = schedule.rows[index]?.circulating.tokens.split(".")[0];
      expect((await slider.getAttribute("aria-valuetext"))?.replaceAll(",", "")).toContain(`: ${whole} `);
      expect(await slider.getAttribute("aria-valuenow")).toBe(String(index));
    }
    expect(await page.locator("#legend caption").textContent()).toBe("From 12 Nov 2022");
  });

  test("the legend's key of each bucket has the colour of its band", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const colors = (script: string): Promise<string[]> => page.evaluate(script);
    const keys = await colors(
      `[...document.querySelectorAll("#legend .key")].map((key) => getComputedStyle(key, "::before").backgroundColor)`,
    );
    const bands = await colors(
      `[...document.querySelectorAll("#chart g.future path")].map((band) => getComputedStyle(band).fill)`,
    );
    expect(new Set(keys).size).toBe(4);
    expect(keys.reverse()).toEqual(bands);
  });

  test("hovering displays the step under the pointer, leaving returns to today", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const caption = page.locator("#legend caption");
    const today = await caption.textContent();
    const box = await page.locator("#chart svg").boundingBox();
    await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 100);
    await caption.filter({ hasText: "2022" }).waitFor();
    await page.mouse.move(2, 2);
    await caption.filter({ hasText: today ?? "?" }).waitFor();
  });

  test("a shared link opens the same view; isolating a bucket hides the others", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const all = await page.locator("#chart g.future path").count();
    await page.getByRole("button", { name: "Per month" }).click();
    await page.getByRole("button", { name: "Percent" }).click();
    await page.locator("#legend").getByRole("button", { name: "Community" }).click();
    expect(await page.locator("#chart g.future path").count()).toBe(1);
    expect(all).toBeGreaterThan(1);
    const link = page.url();
    expect(link).toContain("?mode=monthly&unit=percent&bucket=community");
    const { page: other } = await visit(browser, link, DESKTOP);
    await drawn(other);
    expect(await other.locator("#chart g.future path").count()).toBe(1);
    for (const name of ["Per month", "Percent", "Community"]) {
      expect(await other.getByRole("button", { name, exact: true }).getAttribute("aria-pressed")).toBe("true");
    }
  });

  test("PNG and CSV downloads match the drawn chart", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const file = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      return readFile(await download.path());
    };
    const png = await file("PNG");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBeGreaterThan(1_000);
    const lines = (await file("CSV")).toString().trim().split("\n");
    expect(lines[0]).toBe(
      "from,circulating (APT),change (APT),Community (APT),Core contributors (APT),Foundation (APT),Investors (APT)",
    );
    expect(lines[1]).toBe("2022-10-12,130000000,130000000,125000000,0,5000000,0");
  });

  test("refreshed rates preserve the reader's sort order and focus", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, (fresh) => fresh.clock.install());
    await page.locator("#rates-panel").scrollIntoViewIfNeeded();
    await page.waitForSelector("#rates-sort");
    await page.locator("#rates-sort").selectOption("name");
    await page.locator("#rates-sort").focus();
    const order = await page.locator("#rates-panel h3").allTextContents();
    expect(order).toEqual([...order].sort());
    await page.locator("#rates-panel .cards").evaluate((list) => list.setAttribute("data-old", ""));
    await page.clock.runFor(61_000);
    await page.waitForSelector("#rates-panel .cards:not([data-old])");
    expect(await page.locator("#rates-panel h3").allTextContents()).toEqual(order);
    expect(await page.evaluate("document.activeElement?.id")).toBe("rates-sort");
  });

  test("a hidden tab sends no request, and polls when it is visible again", async () => {
    const { page, requests } = await visit(browser, product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    const hide = (hidden: boolean): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
      );
    await hide(true);
    const before = requests.length;
    await page.clock.runFor(180_000);
    expect(requests.length).toBe(before);
    const requested = page.waitForRequest("**/api/supply");
    await hide(false);
    await requested;
  });

  test("when the browser refuses to copy, the formula is displayed instead", async () => {
    const { page } = await visit(browser, product.url, {}, (opened) =>
      opened.addInitScript("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))"),
    );
    await page.getByRole("button", { name: "Copy for Google Sheets" }).click();
    await page.getByText(`=IMPORTDATA("${product.url}/api/circulating-supply")`, { exact: true }).first().waitFor();
    expect(await page.locator("#supply").textContent()).toContain("=IMPORTDATA(");
    await page.context().close();
  });

  test("the code block changes with the language, and one button copies it", async () => {
    const { page } = await load(product.url);
    await page.locator("#endpoints-panel").scrollIntoViewIfNeeded();
    await page.waitForSelector("#endpoint");
    await page.getByRole("button", { name: "Sheets", exact: true }).click();
    const formula = `=IMPORTDATA("${product.url}/api/circulating-supply")`;
    expect(await page.locator(".snippet code").textContent()).toBe(formula);
    const copyButton = page.locator(".snippet button");
    await copyButton.click();
    await copyButton.click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(formula);
    await copyButton.filter({ hasText: /^Copy$/ }).waitFor();
  });

  test("the month table has every row, with today's marked", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const { rows } = await json<{ rows: unknown[] }>("/api/unlock-schedule");
    await page.locator("#month-table summary").click();
    await page.waitForSelector(".months tbody tr");
    expect(await page.locator(".months tbody tr").count()).toBe(rows.length);
    expect(await page.locator(".months [aria-current=date]").count()).toBe(1);
  });

  test("every milestone of the schedule has its own title", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const titles = await page.locator("#milestones strong").allTextContents();
    expect(titles.filter((title) => title.startsWith("Fully unlocked: ")).length).toBeGreaterThan(1);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test("the schedule's wallets are requested when scrolled into view, and agree with it", async () => {
    const { page, requests } = await visit(browser, product.url, PHONE);
    await drawn(page);
    const isRead = (): boolean => requests.some((url) => url.endsWith("/api/supply-breakdown"));
    expect(isRead()).toBe(false);
    await page.locator("#holdings-panel").scrollIntoViewIfNeeded();
    await page.waitForSelector("#holdings-panel[data-state=value]");
    expect(isRead()).toBe(true);
    const breakdown = await json<{
      non_circulating_wallets: { label: string }[];
    }>("/api/supply-breakdown");
    const labels = breakdown.non_circulating_wallets.map(({ label }) => label);
    expect(labels.length).toBeGreaterThan(0);
    const rows = await page.locator("#holdings-wallets tbody th").allInnerTexts();
    expect(rows.map((text) => text.split("\n")[0])).toEqual(labels);
    expect(await page.locator("#holdings-panel .mark").allInnerTexts()).toEqual([]);
  });

  test.each([
    [1440, "scrolls"],
    [768, "jumps"],
    [390, "scrolls"],
    [360, "jumps"],
  ])("%i px: no layout shift for a reader who %s through the page", async (width, way) => {
    const look = { viewport: { width, height: 800 }, hasTouch: width < 800, isMobile: width < 500 };
    const { page, requests } = await visit(browser, product.url, { ...look, reducedMotion: "reduce" });
    await drawn(page);
    const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
    const stops =
      way === "scrolls"
        ? Array.from({ length: Math.ceil(height / 400) }, (_, index) => `scrollTo(0, ${index * 400})`)
        : ["#unlocks", "#locked", "#yield", "#endpoints"].map((anchor) => `location.hash = "${anchor}"`);
    for (const stop of stops) {
      await page.evaluate(stop);
      // Two frames: an element in view is detected in the second.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
    await page.waitForSelector(".live .answer");
    await page.waitForSelector("#holdings-panel[data-state=value]");
    await expect.poll(() => requests.filter((url) => url.includes("/history")).length).toBeGreaterThan(0);
    expect(await layoutShift(page)).toBeLessThan(0.02);
  });

  test("its content security policy allows no other origin, and the page loads from none", async () => {
    const policy = (await fetch(product.url)).headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const { page, consoleErrors } = await load(product.url);
    await drawn(page);
    await page.locator("#endpoints-panel").scrollIntoViewIfNeeded();
    await page.waitForSelector(".live .answer");
    expect(consoleErrors.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
  });
});

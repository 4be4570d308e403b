import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import type { APIResponse, Browser, BrowserContext, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { scheduleView } from "../../src/supply/representations.ts";
import { contrast } from "../../tools/page/color.ts";
import { chromiumPath, launch, NO_CHROMIUM } from "../support/browser.ts";
import { enterState, pageSchedule } from "../support/page-states.ts";
import { freePort, type Product, startProduct } from "../support/product.ts";
import { product } from "../support/shared-product.ts";
import { goTo, hex, hide, layoutShift, type Visit, visit } from "../support/visit.ts";

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };

let browser: Browser;
/** One tab for the tests that need no other: a new tab takes twice as long as loading the page again. */
let tab: Visit;
/** Those that outlive a test. */
const lasting = new Set<BrowserContext>();

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  browser = await launch();
  const permissions = ["clipboard-read", "clipboard-write"];
  tab = await visit(browser, "about:blank", { ...DESKTOP, acceptDownloads: true, permissions });
  lasting.add(tab.page.context());
});

afterEach(async () => {
  const others = (browser?.contexts() ?? []).filter((context) => !lasting.has(context));
  await Promise.all(others.map((context) => context.close()));
});

afterAll(() => browser?.close());

/** Loads a page in that tab, and records from before the first byte. */
async function load(url: string): Promise<Visit> {
  tab.consoleErrors.length = tab.requests.length = 0;
  await tab.page.mouse.move(0, 0);
  await goTo(tab.page, url);
  return tab;
}

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(product.url + path)).json()) as T;
}

async function drawn(page: Page): Promise<void> {
  await page.waitForSelector("#chart svg");
  await page.locator("#best-rate", { hasText: "%" }).waitFor();
}

/** Responses that are not the API's, from a proxy, a failing host or a full network. */
const FAULTS: Readonly<Record<string, (route: Route) => Promise<unknown>>> = {
  "an error page in HTML": (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<html>502" }),
  "a page in HTML": (route) => route.fulfill({ contentType: "text/html", body: "<html>challenge" }),
  "an empty body": (route) => route.fulfill({ status: 200, body: "" }),
  "no content": (route) => route.fulfill({ status: 204 }),
  "truncated JSON": (route) => route.fulfill({ contentType: "application/json", body: '{"total_supply": {"base_' }),
  "JSON of another shape": (route) => route.fulfill({ json: { data: [{}], buckets: [{}] } }),
  null: (route) => route.fulfill({ json: null }),
  "a redirect to nowhere": (route) => route.fulfill({ status: 302, headers: { Location: "http://127.0.0.1:1/" } }),
  "404 without a message": (route) => route.fulfill({ status: 404, json: {} }),
  "429 for an hour": (route) =>
    route.fulfill({ status: 429, json: { message: "Too many requests." }, headers: { "Retry-After": "3600" } }),
  "a reset connection": (route) => route.abort("connectionreset"),
  "no answer for a minute": () => new Promise(() => undefined),
};

/** What the page shows of the API and of the schedule. */
const SHOWN = ["#circulating", "#next-amount", "#best-rate", "#verdict", "#rates-list .rate", "#difference"];
const shown = (page: Page): Promise<(string | null)[]> =>
  Promise.all(SHOWN.map((selector) => page.locator(selector).first().textContent()));

/** The first answer of each address again and again: other tests pay fees on the product's chain meanwhile. */
async function repeatAnswers(page: Page): Promise<void> {
  const first = new Map<string, Promise<APIResponse>>();
  await page.route("**/api/**", async (route) => {
    const url = route.request().url();
    const response = first.get(url) ?? route.fetch();
    first.set(url, response);
    await route.fulfill({ response: await response });
  });
}

describe.skipIf(chromiumPath === undefined)("a page that is open while the API fails", () => {
  /** One page meets all faults, each after it has recovered from the one before. */
  let open: Visit;

  beforeAll(async () => {
    open = await visit(browser, product.url, DESKTOP, async (fresh) => {
      // Times of another day are shown with their date.
      await fresh.clock.install({ time: new Date().setUTCHours(12) });
      await repeatAnswers(fresh);
    });
    lasting.add(open.page.context());
    await drawn(open.page);
    await open.page.locator("#verdict[data-state=verified]").waitFor();
  });

  test.each(Object.entries(FAULTS))("%s: every figure stays, and is renewed within a minute", async (_, fault) => {
    const { page, requests } = open;
    const before = await shown(page);
    let faults = 0;
    const failing = (route: Route) => {
      faults += 1;
      return fault(route);
    };
    await page.route("**/api/**", failing);
    onTestFinished(() => page.unroute("**/api/**", failing));
    await page.clock.fastForward(61_000);
    await expect.poll(() => faults, { message: "the fault was injected" }).toBeGreaterThanOrEqual(2);
    // The wait for an answer that never comes ends.
    await page.clock.fastForward(25_000);
    await page
      .locator("#chain-note.failure", {
        hasText: /exist on chain, .* Not renewed since \d\d:\d\d UTC\. Next try in \d+ s\.$/,
      })
      .waitFor();
    expect(await shown(page)).toEqual(before);
    await page.unroute("**/api/**", failing);
    const sent = requests.length;
    await page.clock.fastForward(61_000);
    await page.locator("#chain-note:not(.failure)").waitFor();
    expect(requests.length).toBeGreaterThan(sent);
    expect(await shown(page)).toEqual(before);
  });

  test("429 from the first request on: headline, next unlock, chart and tables are there", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, (fresh) =>
      fresh.route("**/api/**", (route) => route.fulfill({ status: 429, json: { message: "Too many requests." } })),
    );
    await page.locator("#chain-note", { hasText: "The on-chain total could not be read. Next try in 30 s." }).waitFor();
    expect(await page.locator("#circulating").textContent()).toMatch(/^\d{3},\d{3},\d{3}$/);
    expect(await page.locator("#next-amount").textContent()).toMatch(/^\+\d/);
    expect(await page.locator("#upcoming tbody tr").count()).toBe(3);
    await page.getByRole("button", { name: "Show 12" }).click();
    expect(await page.locator("#upcoming tbody tr").count()).toBe(12);
    expect(await page.locator("#chart .band").count()).toBeGreaterThan(4);
  });
});

describe.skipIf(chromiumPath === undefined)("the page while every upstream is down", () => {
  let dark: Product;

  beforeAll(async () => {
    const unreachable = `http://127.0.0.1:${await freePort()}`;
    dark = await startProduct({
      NODE_URLS: `${unreachable}/v1`,
      RATES_URL: `${unreachable}/rates`,
      // Every part, as in the page that is built.
      STABLE_ASSET: "0x1::usd::USD",
    });
  });

  afterAll(() => dark?.stop());

  test("what the schedule says is displayed, the others state why they are missing", async () => {
    expect((await fetch(`${dark.url}/api/rates`)).status, "the upstream is really down").toBe(503);
    const { page } = await load(dark.url);
    await page.locator("#chain-note", { hasText: "The on-chain total could not be read." }).waitFor();
    await page.locator("#rates-note", { hasText: /./ }).waitFor();
    expect(await page.locator("#circulating").textContent()).toMatch(/^\d{1,3}(,\d{3})+$/);
    expect(await page.locator("#best-rate").textContent()).toBe("–");
  });
});

describe.skipIf(chromiumPath === undefined)(`the page in a real browser (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("the figures equal the API's, and no other host is called", async () => {
    const { page, consoleErrors, requests } = await load(product.url);
    await drawn(page);
    const circulating = await (await fetch(`${product.url}/api/circulating-supply`)).text();
    expect((await page.locator("#circulating").textContent())?.replaceAll(",", "")).toBe(circulating);
    type Unlock = { at: string; amount: { tokens: string } };
    const { next_unlock: next } = await json<{ next_unlock: Unlock }>("/api/supply");
    expect((await page.locator("#next-amount").textContent())?.replaceAll(/\D/g, "")).toBe(
      next.amount.tokens.split(".")[0],
    );
    expect(await page.locator("#next-date").getAttribute("datetime")).toBe(next.at);
    await page.locator("#snippet").getByRole("button", { name: "Run" }).click();
    await page.locator("#answer pre", { hasText: circulating }).waitFor();
    expect(await page.locator("#answer").textContent()).toMatch(
      /GET \/api\/circulating-supply: 200\. \d+ requests left this minute/,
    );
    expect(consoleErrors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });

  test.each([
    ["desktop", DESKTOP],
    ["phone", PHONE],
  ])("%s: at most 38 KiB, 10 requests to the end of the page, 2 a minute", async (_, look) => {
    const { page, requests, gzipBytes } = await visit(browser, product.url, look, (fresh) => fresh.clock.install());
    await drawn(page);
    const paths = (): string[] =>
      requests.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/api"));
    expect(paths().sort()).toEqual(["/api/rates", "/api/supply-breakdown"]);
    for (const section of ["unlocks", "schedule", "allocations", "wallets", "yield", "use"]) {
      await page.locator(`#${section}`).scrollIntoViewIfNeeded();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
    await page.locator("#chart").scrollIntoViewIfNeeded();
    await expect.poll(paths).toContain("/api/history");
    expect(paths().length).toBeLessThanOrEqual(4);
    expect(new Set(requests).size).toBeLessThanOrEqual(10);
    const before = paths().length;
    await page.clock.runFor(60_000);
    expect(paths().length - before).toBeLessThanOrEqual(2);
    const answers = await Promise.all(
      [...new Set(paths())].map(async (path) => (await fetch(product.url + path)).text()),
    );
    const bytes = (await gzipBytes()) + answers.reduce((sum, text) => sum + gzipSync(text).length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(38 * 1_024);
  });

  test("the first paint waits for no answer of the API, and competes with none", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const [paintedAtMs, ...askedAtMs] = await page.evaluate(() => [
      ...performance.getEntriesByName("first-contentful-paint").map(({ startTime }) => startTime),
      ...performance
        .getEntriesByType("resource")
        .filter(({ name }) => new URL(name).pathname.startsWith("/api/"))
        .map(({ startTime }) => startTime),
    ]);
    expect(askedAtMs.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...askedAtMs)).toBeGreaterThanOrEqual(paintedAtMs ?? Number.POSITIVE_INFINITY);
  });

  test("the embedded schedule equals the API's, and is never older than its deployment", async () => {
    const response = await fetch(product.url);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    const ofPage = scheduleView(pageSchedule(await response.text()));
    expect(JSON.parse(JSON.stringify(ofPage))).toEqual(await json("/api/unlock-schedule"));
  });

  test("link previews have a picture, and the page a canonical address and its feed", async () => {
    const html = await (await fetch(product.url)).text();
    expect(html).toMatch(/<link [^>]*rel="alternate" type="application\/atom\+xml"[^>]* href="\/feed\.atom">/);
    const [, picture = ""] = /property="og:image" content="([^"]+)"/.exec(html) ?? [];
    const png = Buffer.from(await (await fetch(product.url + picture)).arrayBuffer());
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["PNG", 1200, 630]);
    const { page } = await load(product.url);
    expect(await page.locator("link[rel=canonical]").getAttribute("href")).toBe(`${product.url}/`);
    const isDrawn =
      "const image = new Image(); image.src = '/preview.png'; image.decode().then(() => image.naturalWidth)";
    expect(await page.evaluate(isDrawn)).toBe(1200);
  });

  test("an open page is loaded again, once, when the API has another revision", async () => {
    const { page, requests } = await visit(browser, product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    const breakdown = await json<object>("/api/supply-breakdown");
    await page.route("**/api/supply-breakdown", (route) =>
      route.fulfill({ json: { ...breakdown, schedule_revision: 99 } }),
    );
    const loads = (): number => requests.filter((url) => new URL(url).pathname === "/").length;
    await page.clock.fastForward(61_000);
    await expect.poll(loads).toBe(2);
    await drawn(page);
    await page.clock.runFor(61_000);
    await page.clock.runFor(61_000);
    expect(loads()).toBe(2);
  });

  test("at a step the figures change by themselves", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, async (fresh) => {
      await enterState(fresh, "usual");
      await fresh.clock.install({ time: new Date("2026-12-11T23:59:50Z") });
    });
    await page.locator("#next-date", { hasText: "12 Dec 2026, in less than a minute" }).waitFor();
    await page.clock.runFor(12_000);
    expect(await page.locator("#circulating").textContent()).toBe("640,000,000");
    expect(await page.locator("#next-date").textContent()).toBe("12 Jan 2027, in 30 days");
  });

  test("arrow keys read out the schedule, one step at a time, with a card at the cursor", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const schedule = await json<{ rows: { circulating: { tokens: string } }[] }>("/api/unlock-schedule");
    const slider = page.locator("#chart [role=slider]");
    expect(await page.locator("#chart .cursor").getAttribute("visibility"), "no cursor until it is used").toBe(
      "hidden",
    );
    await slider.focus();
    for (const [index, key] of ["Home", "ArrowRight"].entries()) {
      await page.keyboard.press(key);
      const whole = schedule.rows[index]?.circulating.tokens.split(".")[0];
      expect((await slider.getAttribute("aria-valuetext"))?.replaceAll(",", "")).toContain(`: ${whole} `);
      expect(await slider.getAttribute("aria-valuenow")).toBe(String(index));
      expect((await page.locator("#chart .cursor").textContent())?.replaceAll(",", "")).toContain(`${whole} APT`);
    }
    expect(await page.locator("#chart .cursor").getAttribute("visibility")).toBe("visible");
    expect(await page.locator("#legend .total").textContent()).toContain("From 12 Nov 2022");
  });

  test("hovering displays a card with the step under the pointer, leaving hides it", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    await page.locator("#chart .slider").hover({ position: { x: 60, y: 100 } });
    await page.locator("#chart .cursor", { hasText: "12 Oct 2022" }).waitFor();
    await page.mouse.move(2, 2);
    expect(await page.locator("#chart .cursor").getAttribute("visibility")).toBe("hidden");
    expect(await page.locator("#legend .total").textContent()).not.toContain("2022");
  });

  test.each(["light", "dark"] as const)(
    "%s: the legend and the bands have the same colours, which have a contrast of 3",
    async (colorScheme) => {
      const { page } = await visit(browser, product.url, { ...DESKTOP, colorScheme });
      await drawn(page);
      const colors = (selector: string): Promise<string[]> =>
        page.evaluate(`[...document.querySelectorAll("${selector}")].map((one) => getComputedStyle(one).fill)`);
      const keys = (await colors("#legend .key rect")).reverse();
      expect(new Set(keys).size).toBe(4);
      expect(await colors("#chart .band.past")).toEqual(keys);
      // What is planned is hatched with lines of the full colour.
      expect(await colors("#chart pattern rect:not([fill-opacity])")).toEqual(keys);
      expect((await colors("#chart .label rect")).reverse()).toEqual(keys);
      const behind = hex(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
      for (const key of keys) expect(contrast(hex(key), behind)).toBeGreaterThan(3);
    },
  );

  test("the past is solid, the future hatched; the axis has its unit and every year", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const fills = (name: string): Promise<string[]> =>
      page.locator(`#chart .band.${name}`).evaluateAll((bands) => bands.map((band) => band.getAttribute("fill") ?? ""));
    expect((await fills("past")).every((fill) => /^var\(--series-\d\)$/.test(fill))).toBe(true);
    expect((await fills("future")).every((fill) => /^url\(#hatch-\d+\)$/.test(fill))).toBe(true);
    const lines = await page
      .locator("#chart pattern rect:not([fill-opacity])")
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute("width"))));
    expect(Math.min(...lines)).toBeGreaterThanOrEqual(1.5);
    expect(await page.locator("#chart .unit").textContent()).toBe("APT");
    const ticks = await page.locator("#chart .tick").allTextContents();
    expect(ticks.filter((text) => /^20\d\d$/.test(text))).toEqual(
      Array.from({ length: 10 }, (_, i) => String(2023 + i)),
    );
  });

  test("per month: one bar a step, under its own month, wholly past or future", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, (fresh) => enterState(fresh, "usual"));
    await page.waitForSelector("#next-chart svg");
    type Box = { x: number; width: number };
    const boxes = (selector: string): Promise<(Box & { text: string })[]> =>
      page.evaluate(`[...document.querySelectorAll("#next-chart ${selector}")].map((one) => {
        const { x, width } = one.getBoundingClientRect();
        return { x, width, text: one.textContent };
      })`);
    const paths = (await page.locator("#next-chart .band.future[data-band='0']").getAttribute("d")) ?? "";
    expect(paths.match(/M/g), "the next twelve months").toHaveLength(12);
    const past = (await page.locator("#next-chart .band.past[data-band='0']").getAttribute("d")) ?? "";
    expect(past.match(/M/g), "the step in force").toHaveLength(1);
    const months = (await boxes(".tick")).filter(({ text }) => /^[A-Z][a-z]{2}$/.test(text));
    expect(months.map(({ text }) => text).join(" ")).toBe("Nov Dec Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov");
    const left = (await page.locator("#next-chart svg").boundingBox())?.x ?? 0;
    const bars = [...`${past}${paths}`.matchAll(/M([\d.]+) [\d.]+V[\d.]+H([\d.]+)/g)].map(([, from, to]) => [
      Number(from),
      Number(to),
    ]);
    const now = Number(await page.locator("#next-chart .today").getAttribute("x1"));
    for (const [index, [from = 0, to = 0]] of bars.entries()) {
      const month = months[index];
      expect(Math.abs((month?.x ?? 0) + (month?.width ?? 0) / 2 - left - (from + to) / 2)).toBeLessThan(1);
      expect(index === 0 ? to <= now : from >= now).toBe(true);
    }
    expect(bars).toHaveLength(13);
  });

  test("a cliff is marked in the chart, and named on the card", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, (fresh) => enterState(fresh, "usual"));
    const slider = page.locator("#chart [role=slider]");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("#chart .cursor").textContent()).toContain("12 Dec 2026");
    expect(await page.locator("#chart .cursor").textContent()).toContain("Investors: cliff");
    expect(await slider.getAttribute("aria-valuetext")).toContain("Investors: cliff.");
    expect(await page.locator("#chart .cliff").count()).toBe(1);
  });

  test("a shared link opens the same view; isolating a bucket hides the others", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    await page.getByRole("button", { name: "Per month" }).click();
    await page.locator("#controls").getByRole("button", { name: "%" }).click();
    await page.locator("#legend").getByRole("button", { name: "Community" }).click();
    expect(await page.locator("#chart .band.future").count()).toBe(1);
    const link = page.url();
    expect(link).toContain("?mode=monthly&unit=percent&bucket=community");
    const { page: other } = await visit(browser, link, DESKTOP);
    await drawn(other);
    expect(await other.locator("#chart .band.future").count()).toBe(1);
    for (const name of ["Per month", "%", "Community"])
      expect(await other.getByRole("button", { name, exact: true }).getAttribute("aria-pressed")).toBe("true");
  });

  test("the PNG has the chart in the page's colours", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as PNG" }).click(),
    ]);
    const png = (await buffer(await file.createReadStream())).toString("base64");
    const found = (await page.evaluate(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${png}";
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Set();
      for (let at = 0; at < data.length; at += 4) seen.add("rgb(" + data[at] + ", " + data[at + 1] + ", " + data[at + 2] + ")");
      return [...seen];
    })()`)) as string[];
    const keys: string[] = await page.evaluate(
      `[...document.querySelectorAll("#legend .key rect")].map((one) => getComputedStyle(one).fill)`,
    );
    expect(keys).toHaveLength(4);
    for (const key of keys) expect(found).toContain(key);
  });

  test("refreshed rates preserve the reader's order and focus", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    await page.locator("#rates-order").selectOption("name");
    await page.locator("#rates-order").focus();
    const order = await page.locator("#rates-list h3").allTextContents();
    expect(order).toEqual([...order].sort());
    await page
      .locator("#rates-list li")
      .first()
      .evaluate((row) => row.setAttribute("data-old", ""));
    await page.clock.runFor(61_000);
    await page.locator("#rates-list [data-old]").waitFor({ state: "detached" });
    expect(await page.locator("#rates-list h3").allTextContents()).toEqual(order);
    expect(await page.evaluate("document.activeElement?.id")).toBe("rates-order");
  });

  test("a hidden tab sends no request, and reads when it is visible again", async () => {
    const { page, requests } = await visit(browser, product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    await hide(page, true);
    const before = requests.length;
    await page.clock.runFor(180_000);
    expect(requests.length).toBe(before);
    const requested = page.waitForRequest("**/api/supply-breakdown");
    await hide(page, false);
    await requested;
  });

  test("the code is for the chosen figure, month and language, and nothing is requested unasked", async () => {
    const { page, requests } = await load(product.url);
    await drawn(page);
    // Scrolling to the code brings the wallets into view, whose days are read then.
    const sent = () => requests.filter((url) => !url.endsWith("/api/history")).length;
    const before = sent();
    const address = `${product.url}/api/circulating-supply?month=2030-01`;
    await page.locator("#month").selectOption("2030-01");
    for (const [language, code] of [
      ["curl", `curl -sSf "${address}"`],
      ["JavaScript", `fetch("${address}")`],
      ["Python", `requests.get("${address}"`],
      ["Sheets", `=IMPORTDATA("${address}")`],
      ["Excel", `=NUMBERVALUE(WEBSERVICE("${address}"))`],
    ] as const) {
      await page.locator("#snippet").getByRole("button", { name: language, exact: true }).click();
      expect(await page.locator("#snippet code").textContent()).toContain(code);
    }
    const copyButton = page.locator("#snippet").getByRole("button", { name: "Copy" });
    await copyButton.click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`=NUMBERVALUE(WEBSERVICE("${address}"))`);
    await copyButton.filter({ hasText: /^Copy$/ }).waitFor();
    expect(sent()).toBe(before);
    await page.locator("#snippet").getByRole("button", { name: "Run" }).click();
    await page.locator("#answer pre", { hasText: /^\d+$/ }).waitFor();
    expect(await page.locator("#answer pre").textContent()).toBe(await (await fetch(address)).text());
  });

  test("every figure that can be chosen has an answer, which its code reads as it is", async () => {
    const { page } = await load(product.url);
    const paths = await page
      .locator("#figure option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("value")));
    expect(paths.length).toBeGreaterThan(6);
    await page.locator("#snippet").getByRole("button", { name: "JavaScript" }).click();
    for (const path of paths) {
      await page.locator("#figure").selectOption(path);
      const code = await page.locator("#snippet code").textContent();
      const run = `(async () => { ${code} })().then(() => "read", String)`;
      expect([path, (await fetch(product.url + path)).status, await page.evaluate(run)]).toEqual([path, 200, "read"]);
    }
  });

  test.each(["use", "wallets", "allocations", "yield"])(
    "/#%s leads to its section, once all are filled",
    async (id) => {
      const { page } = await visit(browser, `${product.url}/#${id}`, PHONE);
      await page.locator("#yield.settled").waitFor();
      await page.locator("#verdict[data-state=verified]").waitFor();
      const top = `Math.round(document.getElementById("${id}").getBoundingClientRect().top) | 0`;
      await expect.poll(() => page.evaluate(top)).toBe(0);
    },
  );

  test("a slow answer does not take the place of a newer one", async () => {
    const { page } = await visit(browser, product.url, DESKTOP);
    let answered = (): Promise<void> => Promise.resolve();
    await page.route("**/api/max-supply", (route) => {
      answered = () => route.fulfill({ body: "slow" }).catch(() => undefined);
    });
    for (const path of ["/api/max-supply", "/api/circulating-supply"]) {
      await page.locator("#figure").selectOption(path);
      await page.locator("#snippet").getByRole("button", { name: "Run" }).click();
    }
    const answer = page.locator("#answer p");
    await answer.waitFor();
    await answered();
    await page.evaluate("fetch('/api/health').then((response) => response.text())");
    expect(await answer.textContent()).toMatch(/^GET \/api\/circulating-supply: 200/);
  });

  test("the focus stays over a renewal, and goes to the first row that a button brings", async () => {
    const { page } = await visit(browser, product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    const focused = (inside: string) => page.evaluate(`document.activeElement.matches("${inside} *")`);
    await page.locator("#rates-list li:nth-child(2) summary").focus();
    const renewed = page.waitForResponse("**/api/rates");
    await page.clock.runFor(61_000);
    await (await renewed).finished();
    await page.clock.runFor(1_000);
    expect(await focused("#rates-list li:nth-child(2)")).toBe(true);
    await page.getByRole("button", { name: "Show 12" }).click();
    expect(await focused("#upcoming tr:nth-child(4)")).toBe(true);
  });

  test("the month table has every row, with the present one marked", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const { rows } = await json<{ rows: { circulating: { tokens: string } }[] }>("/api/unlock-schedule");
    await page.locator("#months summary").click();
    const cells = await page.locator("#months [data-step] td:nth-of-type(1)").allTextContents();
    expect(cells.map((text) => text.replaceAll(",", ""))).toEqual(
      rows.map(({ circulating }) => circulating.tokens.split(".")[0]),
    );
    const circulating = await page.locator("#circulating").textContent();
    expect(await page.locator("#months [aria-current=date] td").first().textContent()).toBe(circulating);
  });

  test("the wallets are those that the API lists, and agree with the schedule", async () => {
    const { page } = await load(product.url);
    await page.locator("#verdict[data-state=verified]").waitFor();
    await page.locator("#wallets-details summary").click();
    const { non_circulating_wallets: wallets } = await json<{ non_circulating_wallets: { label: string }[] }>(
      "/api/supply-breakdown",
    );
    expect(wallets.length).toBeGreaterThan(0);
    const names = await page.locator("#wallet-list th[scope=row] > bdi").allTextContents();
    expect(names).toEqual(wallets.map(({ label }) => label));
  });

  test.each([1440, 768, 390, 320])(
    "%i px: no layout shift for a reader who scrolls through the page",
    async (width) => {
      const look = { viewport: { width, height: 800 }, hasTouch: width < 800, isMobile: width < 500 };
      const { page, requests } = await visit(browser, product.url, { ...look, reducedMotion: "reduce" });
      await drawn(page);
      const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
      for (let top = 0; top < height; top += 400) {
        await page.evaluate(`scrollTo(0, ${top})`);
        // Two frames: an element in view is detected in the second.
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      }
      await expect.poll(() => requests.filter((url) => url.includes("/history")).length).toBe(1);
      expect(await layoutShift(page)).toBeLessThan(0.01);
    },
  );

  test("its content security policy allows no other origin, and the page loads from none", async () => {
    const policy = (await fetch(product.url)).headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    const { page, consoleErrors } = await load(product.url);
    await drawn(page);
    expect(consoleErrors.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
  });
});

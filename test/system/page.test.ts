import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import type { APIResponse, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { contrast } from "../../page/build/color.ts";
import { wholeTokens } from "../../src/base/shown-figures.ts";
import { scheduleView } from "../../src/supply/representations.ts";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { answerMembers, enterState, pageSchedule, type StateName } from "../support/page-states.ts";
import { freePort, type Product, startProduct } from "../support/product.ts";
import { product } from "../support/shared-product.ts";
import {
  comesTrue,
  hex,
  hide,
  layoutShift,
  sharedBrowser,
  useBrowser,
  type Visit,
  visit as visitAlone,
} from "../support/visit.ts";

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true };

const IS_NIGHTLY = process.env["NIGHTLY"] !== undefined;
const visit = useBrowser();
const load = (url: string) => visit(url, { ...DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(product.url + path)).json()) as T;
}

async function drawn(page: Page): Promise<void> {
  await page.waitForSelector("#chart svg");
  await page.locator("#best-rate", { hasText: "%" }).waitFor();
}

const SILENCE = "no answer for a minute";
/** Responses that are not the API's, from a proxy, a failing host or a full network. */
const FAULTS: Readonly<Record<string, (route: Route) => Promise<unknown>>> = {
  "an error page in HTML": (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<html>502" }),
  "a page in HTML": (route) => route.fulfill({ contentType: "text/html", body: "<html>challenge" }),
  "an empty body": (route) => route.fulfill({ status: 200, body: "" }),
  "no content": (route) => route.fulfill({ status: 204 }),
  "truncated JSON": (route) => route.fulfill({ contentType: "application/json", body: '{"total_supply": {"base_' }),
  "JSON of another shape": (route) => route.fulfill({ json: { data: [{}], buckets: [{}] } }),
  "JSON without one member that is shown late": async (route) => {
    const body = (await (await route.fetch()).text()).replaceAll(/"(holds|lockup_seconds)":/g, '"_$1":');
    await route.fulfill({ contentType: "application/json", body });
  },
  null: (route) => route.fulfill({ json: null }),
  "a redirect to nowhere": (route) => route.fulfill({ status: 302, headers: { Location: "http://127.0.0.1:1/" } }),
  "404 without a message": (route) => route.fulfill({ status: 404, json: {} }),
  "429 for an hour": (route) =>
    route.fulfill({ status: 429, json: { message: "Too many requests." }, headers: { "Retry-After": "3600" } }),
  "a reset connection": (route) => route.abort("connectionreset"),
  [SILENCE]: () => new Promise(() => undefined),
};

/** Elements with values from the API and the schedule. */
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
    open = await visitAlone(await sharedBrowser(), product.url, DESKTOP, async (fresh) => {
      await fresh.clock.install();
      await repeatAnswers(fresh);
    });
    await drawn(open.page);
    await open.page.locator("#verdict[data-state=verified]").waitFor();
  });
  afterAll(() => open?.page.context().close());

  test.each(Object.entries(FAULTS))("%s: every figure stays, and is renewed in about a minute", async (name, fault) => {
    const { page, requests } = open;
    const before = await shown(page);
    let faults = 0;
    const failing = (route: Route) => {
      faults += 1;
      return fault(route);
    };
    await page.route("**/api/**", failing);
    onTestFinished(() => page.unroute("**/api/**", failing));
    await page.clock.fastForward(76_000);
    await expect.poll(() => faults, { message: "the fault was injected" }).toBeGreaterThanOrEqual(1);
    // The wait for an answer that never comes ends.
    if (name === SILENCE) await page.clock.fastForward(25_000);
    await page
      .locator("#alert", {
        hasText:
          /^The chain could not be read again since \d+ \w+ \d{4}, \d\d:\d\d UTC\..* Next try in about a minute\./,
      })
      .waitFor();
    expect((await page.locator("#alert").textContent())?.match(/ UTC/g), "its time is said once").toHaveLength(1);
    expect(await page.locator("#wallets").textContent(), "the failure is told once").not.toContain("could not be read");
    expect(await shown(page)).toEqual(before);
    await page.unroute("**/api/**", failing);
    const sent = requests.length;
    await page.clock.fastForward(76_000);
    await page.locator("#alert:empty").waitFor({ state: "attached" });
    expect(requests.length).toBeGreaterThan(sent);
    expect(await shown(page)).toEqual(before);
  });

  test("429 from the first request on: headline, next unlock, chart and tables are there", async () => {
    const { page } = await visit(product.url, DESKTOP, (fresh) =>
      fresh.route("**/api/**", (route) => route.fulfill({ status: 429, json: { message: "Too many requests." } })),
    );
    await page
      .locator("#alert", {
        hasText:
          "The chain could not be read. Your network is over this service’s limit of requests. Next try in about a minute.",
      })
      .waitFor();
    expect(await page.locator("#circulating").textContent()).toMatch(/^\d{3},\d{3},\d{3}$/);
    expect(await page.locator("#next-amount").textContent()).toMatch(/^\+\d/);
    expect(await page.locator("#upcoming tbody tr:visible").count()).toBe(3);
    await page.getByRole("button", { name: "Show the next 12 unlocks" }).click();
    expect(await page.locator("#upcoming tbody tr:visible").count()).toBe(12);
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
    await page.locator("#alert", { hasText: "The chain could not be read." }).waitFor();
    await page.locator("#rates-note", { hasText: /./ }).waitFor();
    expect(await page.locator("#circulating").textContent()).toMatch(/^\d{1,3}(,\d{3})+$/);
    expect(await page.locator("#best-rate").textContent()).toBe("–");
  });
});

describe.skipIf(chromiumPath === undefined)("a page that is only read", () => {
  let read: Visit;

  beforeAll(async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    read = await visitAlone(await sharedBrowser(), product.url, { ...DESKTOP, permissions });
    await drawn(read.page);
  });
  afterAll(() => read?.page.context().close());

  test("the first paint waits for no answer of the API, and competes with none", async () => {
    const { page } = read;
    const [paintedAtMs, ...askedAtMs] = await page.evaluate(() => [
      ...performance.getEntriesByName("first-contentful-paint").map(({ startTime }) => startTime),
      ...performance
        .getEntriesByType("resource")
        .filter(({ name }) => new URL(name).pathname.startsWith("/api/"))
        .map(({ startTime }) => startTime),
    ]);
    expect(askedAtMs.length).toBeGreaterThanOrEqual(1);
    expect(Math.min(...askedAtMs)).toBeGreaterThanOrEqual(paintedAtMs ?? Number.POSITIVE_INFINITY);
  });

  test("the page has a canonical address and its feed; a preview only with an absolute address", async () => {
    const html = await (await fetch(product.url)).text();
    expect(html).toMatch(/<link [^>]*rel="alternate" type="application\/atom\+xml"[^>]* href="\/feed\.atom">/);
    expect(html, "this brand names no address").not.toContain("og:image");
    const png = Buffer.from(await (await fetch(`${product.url}/preview.png`)).arrayBuffer());
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["PNG", 1200, 630]);
    const { page } = read;
    expect(await page.locator("link[rel=canonical]").getAttribute("href")).toBe(`${product.url}/`);
    const isDrawn =
      "const image = new Image(); image.src = '/preview.png'; image.decode().then(() => image.naturalWidth)";
    expect(await page.evaluate(isDrawn)).toBe(1200);
  });

  test("the past is solid, the future a tint behind an outline; the axis has its unit and every year", async () => {
    const { page } = read;
    const fills = (name: string): Promise<string[]> =>
      page.locator(`#chart .band.${name}`).evaluateAll((bands) => bands.map((band) => band.getAttribute("fill") ?? ""));
    expect((await fills("past")).every((fill) => /^var\(--series-\d\)$/.test(fill))).toBe(true);
    const tints = await page
      .locator("#chart .band.future")
      .evaluateAll((all) =>
        all.map((one) => ["fill-opacity", "stroke", "fill"].map((name) => one.getAttribute(name) ?? "")),
      );
    expect(tints.length).toBeGreaterThan(0);
    for (const [opacity, stroke, fill] of tints) expect([opacity, stroke]).toEqual(["0.34", fill]);
    expect(await page.locator("#chart .unit").textContent()).toBe("APT");
    const ticks = await page.locator("#chart .tick").allTextContents();
    expect(ticks.filter((text) => /^20\d\d$/.test(text))).toEqual(
      Array.from({ length: 10 }, (_, i) => String(2023 + i)),
    );
  });

  test("a reader subscribes to the calendar, which learns of revisions, or takes its file", async () => {
    const { page } = read;
    const path = "/api/unlock-events.ics";
    expect(await page.getByRole("link", { name: "Calendar file" }).getAttribute("href")).toBe(path);
    const href = await page.getByRole("link", { name: "Subscribe to the calendar" }).getAttribute("href");
    expect(href).toBe(`webcal://${new URL(product.url).host}${path}`);
    expect(await (await fetch((href ?? "").replace("webcal:", "http:"))).text()).toContain("BEGIN:VCALENDAR");
  });

  test("the PNG has the chart in the page's colours, with whose it is, its day and its address", async () => {
    const { page } = read;
    await page.evaluate(`{
      const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
      Object.defineProperty(HTMLImageElement.prototype, "src", {
        set(value) { globalThis.pictured = value; set.call(this, value); },
      });
    }`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as PNG" }).click(),
    ]);
    const png = (await buffer(await file.createReadStream())).toString("base64");
    const source = await page.evaluate("decodeURIComponent(globalThis.pictured)");
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
    expect(source).toMatch(new RegExp(`>Aptos supply, \\d+ \\w{3} 20\\d\\d, ${product.url}/</text>`));
    const [picture, chart] = (await page.evaluate(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${png}";
      await image.decode();
      return [image.height, document.querySelector("#chart svg").viewBox.baseVal.height * 2];
    })()`)) as [number, number];
    expect(picture, "below the chart, not on it").toBeGreaterThan(chart);
  });

  test("the token that is measured is named, as the API names it, with Copy", async () => {
    const { asset } = await json<{ asset: string }>("/api/supply-breakdown");
    const { page } = read;
    const named = page.locator("#wallets > p .address");
    expect(await named.locator("code").textContent()).toBe(asset);
    await named.getByRole("button", { name: "Copy" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(asset);
    expect(await (await fetch(`${product.url}/verify`)).text()).toContain(`<code>${asset}</code>`);
  });

  test("its content security policy allows no other origin, and the page loads from none", async () => {
    const policy = (await fetch(product.url)).headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(read.consoleErrors.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
  });

  test("the wallets are those that the API lists, and agree with the schedule", async () => {
    const { page } = read;
    await page.locator("#verdict[data-state=verified]").waitFor();
    await page.locator("#wallets-details summary").click();
    const { non_circulating_wallets: wallets } = await json<{ non_circulating_wallets: { label: string }[] }>(
      "/api/supply-breakdown",
    );
    expect(wallets.length).toBeGreaterThan(0);
    const names = await page.locator("#wallet-list th[scope=row] > bdi").allTextContents();
    expect(names).toEqual(wallets.map(({ label }) => label));
  });

  test("the month table has every row, with the present one marked", async () => {
    const { page } = read;
    const { rows } = await json<{ rows: { circulating: { tokens: string } }[] }>("/api/unlock-schedule");
    for (const summary of await page.locator("#months summary").all()) await summary.click();
    const cells = await page.locator("#months tr:has(td) td:nth-of-type(1)").allTextContents();
    expect(cells.map((text) => text.replaceAll(",", ""))).toEqual(
      rows.map(({ circulating }) => circulating.tokens.split(".")[0]),
    );
    const circulating = await page.locator("#circulating").textContent();
    expect(await page.locator("#months [aria-current=date] td").first().textContent()).toBe(circulating);
    expect(await page.locator("#months .months > .scroll tr:has(td)").first().getAttribute("aria-current")).toBe(
      "date",
    );
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
    await page.locator("#part-total", { hasText: /\d/ }).waitFor();
    const whole = async (path: string): Promise<string> => {
      const text = await (await fetch(product.url + path)).text();
      return path === "/api/supply" ? (JSON.parse(text) as { locked: { tokens: string } }).locked.tokens : text;
    };
    const parts = { "circulating-supply-on-chain": "on-chain", "total-supply": "total", "burned-supply": "burned" };
    for (const [path, name] of Object.entries({ ...parts, supply: "locked", "max-supply": "maximum" })) {
      const shown = (await page.locator(`#part-${name}`).textContent())?.replaceAll(",", "");
      expect([path, shown]).toEqual([path, (await whole(`/api/${path}`)).split(".")[0]]);
    }
    await page.getByText("API address of each figure").click();
    const addresses = page.locator("#addresses li");
    expect(await addresses.count()).toBe(6);
    for (const address of await addresses.all()) {
      const path = (await address.locator("a").getAttribute("href")) ?? "";
      expect(await address.locator("code").textContent()).toBe(path);
      expect((await fetch(product.url + path)).status, path).toBe(200);
      await address.getByRole("button", { name: "Copy" }).click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(product.url + path);
    }
    expect(consoleErrors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });

  test.each([
    ["desktop", DESKTOP],
    ["phone", PHONE],
  ])("%s: at most 38 KiB, 9 requests to the end of the page, 1 a minute", async (_, look) => {
    // A request takes the machine's time, and its deadline is of the page's clock: each answer is waited for.
    let ended = 0;
    const { page, requests, gzipBytes } = await visit(product.url, look, async (fresh) => {
      for (const event of ["requestfinished", "requestfailed"] as const)
        fresh.on(event as "requestfinished", (request) => (ended += Number(request.url().includes("/api/"))));
      await fresh.clock.install();
    });
    await drawn(page);
    const paths = (): string[] =>
      requests.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/api"));
    expect(paths()).toEqual(["/api/page"]);
    for (const section of ["unlocks", "schedule", "allocations", "wallets", "yield"]) {
      await page.locator(`#${section}`).scrollIntoViewIfNeeded();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
    await page.locator("#chart").scrollIntoViewIfNeeded();
    await expect.poll(paths).toContain("/api/page/history");
    expect(paths().length).toBe(2);
    expect(new Set(requests).size).toBeLessThanOrEqual(9);
    const before = paths().length;
    for (let minute = 0; minute < 10; minute += 1) {
      await expect.poll(() => ended).toBe(paths().length);
      await page.clock.runFor(60_000);
    }
    expect(paths().length - before).toBeLessThanOrEqual(10);
    const answers = await Promise.all(
      [...new Set(paths())].map(async (path) => (await fetch(product.url + path)).text()),
    );
    const bytes = (await gzipBytes()) + answers.reduce((sum, text) => sum + gzipSync(text).length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(38 * 1_024);
  });

  test("a year of caching is promised to files that exist, and to no address that has none", async () => {
    const cachingOf = async (path: string) => (await fetch(product.url + path)).headers.get("Cache-Control") ?? "";
    const pages = await Promise.all(
      ["/", "/verify", "/docs/", "/embed/chart"].map((path) => fetch(product.url + path)),
    );
    const html = (await Promise.all(pages.map((page) => page.text()))).join("");
    const named = new Set([...html.matchAll(/\/assets\/[\w./-]+/g)].map(([path]) => path));
    expect(named.size).toBeGreaterThan(3);
    for (const path of named) {
      expect(await cachingOf(path), path).toBe("public, max-age=31536000, immutable");
      const missing = path.replace(/-[\w-]{8}\./, "-00000000.");
      expect((await fetch(product.url + missing)).status, missing).toBe(404);
      expect(await cachingOf(missing), missing).not.toMatch(/immutable|max-age=[1-9]/);
    }
  });

  test("the embedded schedule equals the API's, and is never older than its deployment", async () => {
    const response = await fetch(product.url);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    const html = await response.text();
    const { file, sources, methodology, ...figures } = await json<Record<string, unknown>>("/api/unlock-schedule");
    const ofPage = JSON.parse(JSON.stringify(scheduleView({ ...pageSchedule(html), sources: [], methodology: null })));
    expect(ofPage).toMatchObject(figures);
    expect(Object.keys(figures).length).toBeGreaterThan(3);
    // What is not a figure is in the footer.
    expect(html).toContain((file as { sha256: string }).sha256);
    for (const { url } of sources as { url: string }[]) expect(html).toContain(url);
    expect(methodology).toBeNull();
  });

  test("an open page is loaded again, once, when the API has another revision", async () => {
    const { page, requests } = await visit(product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    const breakdown = await json<object>("/api/supply-breakdown");
    await answerMembers(page, { supply_breakdown: { ...breakdown, schedule_revision: 99 } });
    const loads = (): number => requests.filter((url) => new URL(url).pathname === "/").length;
    const again = page.waitForEvent("load");
    await page.clock.fastForward(76_000);
    await again;
    expect(loads()).toBe(2);
    await drawn(page);
    await page.clock.runFor(76_000);
    await page.clock.runFor(76_000);
    expect(loads()).toBe(2);
  });

  /**
   * Makes the clock jump, and waits for the reading that this makes due. An answer that is on its way while the clock
   * jumps again would set the page back to the time before.
   */
  async function jump(page: Page, move: () => Promise<void>): Promise<void> {
    const answered = page.waitForResponse("**/api/page");
    await move();
    await (await answered).finished();
  }

  /** A state ten seconds before a step, where its clock stands. */
  async function beforeTheStep(name: StateName = "unlocks of three sizes"): Promise<Page> {
    const { page } = await visit(product.url, DESKTOP, async (fresh) => {
      await enterState(fresh, name);
      await fresh.clock.install({ time: new Date("2026-12-11T20:00:00Z") });
    });
    await drawn(page);
    await jump(page, () => page.clock.pauseAt(new Date("2026-12-11T23:59:50Z")));
    return page;
  }

  test("at a step the figures change by themselves", async () => {
    const page = await beforeTheStep();
    await page.locator("#next-date", { hasText: "12 Dec 2026, 00:00 UTC, in less than a minute" }).waitFor();
    await page.clock.runFor(12_000);
    expect(await page.locator("#circulating").textContent()).toBe("640,000,000");
    expect(await page.locator("#next-date").textContent()).toBe("12 Jan 2027, 00:00 UTC, in 30 days");
  });

  test("after a step everything is of the new day: legend, today, bars, months, sums", async () => {
    const page = await beforeTheStep();
    const read = async () => ({
      legend: await page.locator("#legend .total").textContent(),
      month: await page.locator("#months [aria-current] th").textContent(),
      past: (await page.locator("#next-chart .band.past").first().getAttribute("d"))?.match(/M/g)?.length,
      first: await page
        .locator("#next-chart .tick", { hasText: /^[A-Z]/ })
        .first()
        .textContent(),
      next: await page.locator("#upcoming tbody th").first().textContent(),
      sum: await page.locator("#sums dd.big").nth(1).textContent(),
      soon: await page.locator("#allocation-rows .terms").first().textContent(),
    });
    expect(await read()).toMatchObject({ legend: "From 12 Nov 2026378.00M37.80%", month: "November", first: "Nov" });
    await page.clock.runFor(12_000);
    await page.locator("#legend .total", { hasText: "From 12 Dec 2026" }).waitFor();
    const after = await read();
    expect(after).toMatchObject({ legend: "From 12 Dec 2026640.00M64.00%", month: "December", first: "Dec", past: 1 });
    expect(after.next).toBe("12 Jan 2027");
    expect(after.soon).toContain("on 12 Jan 2027.");
    // A midnight without a step changes the sums of the next 30 days.
    await page.clock.fastForward(86_400_000 * 2);
    await page.clock.runFor(2_000);
    expect(await page.locator("#sums dd.big").nth(1).textContent()).toBe("+12,000,000");
  });

  test.each([
    ["33 days ahead, where answers have a Date", 33, true],
    ["25 days ahead", 25, false],
    ["2,000 days behind", -2_000, false],
  ])("now is the service's: a reader's clock that is wrong changes nothing (%s)", async (_, days, hasDate) => {
    const asOf = async () => (await json<{ as_of: string }>("/api/supply-breakdown")).as_of;
    /** Day as the page writes it, such as "5 Nov 2026". */
    const dayText = (instant: string) => new Date(instant).toUTCString().slice(5, 16).replace(/^0/, "");
    const asOfBefore = await asOf();
    const { page } = await visit(product.url, DESKTOP, async (fresh) => {
      await fresh.clock.install({ time: Date.now() + days * 86_400_000 });
      if (!hasDate) return;
      // Adds a header field that every response of the platform has, and the bare runtime lacks.
      await fresh.route("**/api/**", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), date: new Date().toUTCString() } });
      });
    });
    await page.locator("#verdict[data-state=verified]").waitFor();
    const answer = await fetch(`${product.url}/api/circulating-supply`);
    expect(answer.headers.get("Date"), "the bare runtime sends none").toBeNull();
    const circulating = await answer.text();
    const headline = page.locator("#circulating");
    await expect.poll(async () => (await headline.textContent())?.replaceAll(",", "")).toBe(circulating);
    const { next_unlock: next } = await json<{ next_unlock: { at: string } }>("/api/supply");
    await expect.poll(() => page.locator("#next-date").getAttribute("datetime")).toBe(next.at);
    // Of a midnight between the page's reading and this one both days are right.
    const readOn = [asOfBefore, await asOf()].map((instant) => ` ${dayText(instant)}, `);
    const said = await page.locator("#chain-said").textContent();
    expect(
      readOn.some((day) => said?.includes(day)),
      `${said}: ${readOn}`,
    ).toBe(true);
    // A proof expires an hour after its reading, so its state shows whose hour it is.
    expect(await page.locator("#chain-note").getAttribute("data-state")).toBe("verified");
  });

  test("while the API is silent, a reader's clock that is 2,000 days behind shows the figures of the build", async () => {
    const { page } = await visit(product.url, DESKTOP, async (fresh) => {
      await fresh.clock.install({ time: Date.now() - 2_000 * 86_400_000 });
      await fresh.route("**/api/**", () => new Promise(() => undefined));
    });
    await page.waitForSelector("#chart svg");
    const circulating = await (await fetch(`${product.url}/api/circulating-supply`)).text();
    expect((await page.locator("#circulating").textContent())?.replaceAll(",", "")).toBe(circulating);
  });

  test("the drawing of an open page follows the day: a note that today reaches goes, and the finding is past", async () => {
    const { page: early } = await visit(product.url, DESKTOP, (fresh) => enterState(fresh, "usual"));
    await drawn(early);
    expect(await early.locator("#drawing .cliff-note:not([hidden])").allTextContents()).toEqual([
      "Dec 2026: 30-month cliff endsInvestors",
    ]);
    const page = await beforeTheStep("usual");
    const notes = page.locator("#drawing .cliff-note:not([hidden])");
    expect(await page.locator("#drawing-title").textContent()).toBe("All of the billion is unlocked by June 2029");
    await jump(page, () => page.clock.fastForward(86_400_000 * 40));
    await page.clock.runFor(2_000);
    await expect.poll(() => notes.count(), { message: "the line of today is on the note" }).toBe(0);
    await jump(page, () => page.clock.fastForward(86_400_000 * 365 * 3));
    await page.clock.runFor(2_000);
    expect(await page.locator("#drawing-title").textContent()).toBe(
      "All of the billion has been unlocked since June 2029",
    );
    expect(await notes.count(), "the drawing has ended").toBe(1);
  });

  test("the status region is silent while its state stays, however often the page reads", async () => {
    const { page } = await visit(product.url, DESKTOP, (fresh) => fresh.clock.install());
    const breakdown = await json<{ as_of: string }>("/api/supply-breakdown");
    const later = (minutes: number) => ({
      supply_breakdown: { ...breakdown, as_of: new Date(Date.parse(breakdown.as_of) + minutes * 60_000).toISOString() },
    });
    await page.locator("#verdict[data-state=verified]").waitFor();
    expect(await page.locator("[role=status]").count()).toBe(1);
    await page.evaluate(`globalThis.spoken = 0;
      new MutationObserver(() => { globalThis.spoken += 1; })
        .observe(document.querySelector("[role=status]"), { childList: true, characterData: true, subtree: true });`);
    const read = () => page.locator("#verdict-read").textContent();
    for (const minutes of [2, 4]) {
      await answerMembers(page, later(minutes));
      const before = await read();
      await page.clock.fastForward(76_000);
      await expect.poll(read, { message: "control: it was read again" }).not.toBe(before);
    }
    expect(await page.evaluate("globalThis.spoken")).toBe(0);
  });

  test("icons are at the addresses that browsers and phones ask for, and bars have the ground's colour", async () => {
    const icon = Buffer.from(await (await fetch(`${product.url}/favicon.ico`)).arrayBuffer());
    expect([icon.readUInt16LE(2), icon.readUInt16LE(4), icon.subarray(23, 26).toString()]).toEqual([1, 1, "PNG"]);
    expect(icon.readUInt32LE(14) + icon.readUInt32LE(18), "its picture ends with it").toBe(icon.length);
    const touch = Buffer.from(await (await fetch(`${product.url}/apple-touch-icon.png`)).arrayBuffer());
    expect([touch.subarray(1, 4).toString(), touch.readUInt32BE(16), touch.readUInt32BE(20)]).toEqual([
      "PNG",
      180,
      180,
    ]);
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await visit(product.url, { ...DESKTOP, colorScheme });
      const [bar, ground] = (await page.evaluate(`[
        [...document.querySelectorAll("meta[name=theme-color]")].find((one) => matchMedia(one.media).matches).content,
        getComputedStyle(document.documentElement).backgroundColor]`)) as [string, string];
      expect(bar, colorScheme).toBe(hex(ground));
    }
  });

  test("a chart's range is what it draws, each with its own name, and it tells what it draws", async () => {
    const { page } = await visit(product.url, DESKTOP, (fresh) => enterState(fresh, "unlocks of three sizes"));
    await drawn(page);
    const next = page.locator("#next-chart [role=slider]");
    await next.focus();
    await page.keyboard.press("Home");
    expect(await page.locator("#next-chart .cursor").getAttribute("visibility")).toBe("visible");
    expect(await next.getAttribute("aria-valuetext")).toMatch(
      /^On 12 Nov 2026: \+12,000,000 XYZ, 1\.20% of the maximum\./,
    );
    expect(await next.getAttribute("aria-valuenow")).toBe(await next.getAttribute("aria-valuemin"));
    await page.keyboard.press("End");
    expect(await next.getAttribute("aria-valuetext")).toMatch(/^On 12 Nov 2027: /);
    const names = await page
      .locator("[role=slider]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    expect(new Set(names).size).toBe(2);
    await page.getByRole("button", { name: "Per month" }).click();
    await page.locator("#chart [role=slider]").focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("#chart .cursor").textContent()).toContain("+262,000,000 XYZ");
    expect(await page.locator("#legend .total").textContent()).toBe("On 12 Dec 2026+262.00M26.20%");
    expect(await page.locator("#legend li").nth(1).textContent()).toBe("Investors+250.00M25.00%");
  });

  test("a proof expires with its hour: the tick goes, the sentence and its instant stay", async () => {
    const { page } = await visit(product.url, DESKTOP, async (fresh) => {
      await enterState(fresh, "usual");
      await fresh.clock.install({ time: new Date("2026-11-21T12:00:30Z") });
    });
    await page.locator("#chain-note[data-state=verified]").waitFor();
    await page.route("**/api/**", (route) => route.fulfill({ status: 503, json: {} }));
    await page.clock.fastForward(3_700_000);
    await page.locator("#chain-note[data-state=expired]").waitFor({ state: "attached" });
    expect(await page.locator("#chain-said").textContent()).toContain("read on 21 Nov 2026, 12:00 UTC from 2 nodes.");
    expect(await page.locator("#verdict").getAttribute("data-state")).toBe("expired");
  });

  test("a silent API hides neither the yields' section nor the footer", async () => {
    const { page } = await visit(product.url, DESKTOP, (fresh) =>
      fresh.route("**/api/**", () => new Promise(() => undefined)),
    );
    for (const selector of ["#yield h2", "#yield a[href='/docs/embed']", "footer a[href='/docs/']", "#wallets h2"])
      expect(await page.locator(selector).isVisible(), selector).toBe(true);
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
    await page.locator("#chart .cursor[visibility=hidden]").waitFor({ state: "attached" });
    expect(await page.locator("#legend .total").textContent()).not.toContain("2022");
  });

  test.each(["light", "dark"] as const)(
    "%s: the legend and the bands have the same colours, which have a contrast of 3",
    async (colorScheme) => {
      const { page } = await visit(product.url, { ...DESKTOP, colorScheme });
      await drawn(page);
      const colors = (selector: string): Promise<string[]> =>
        page.evaluate(`[...document.querySelectorAll("${selector}")].map((one) => getComputedStyle(one).fill)`);
      const keys = (await colors("#legend .key rect")).reverse();
      expect(new Set(keys).size).toBe(4);
      expect(await colors("#chart .band.past")).toEqual(keys);
      expect((await colors("#drawing path[fill]")).reverse()).toEqual(keys);
      expect(await colors("#drawing .names rect")).toEqual(keys);
      const behind = hex(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
      for (const key of keys) expect(contrast(hex(key), behind)).toBeGreaterThan(3);
    },
  );

  test("per month: one bar a step, under its own month, wholly past or future", async () => {
    const { page } = await visit(product.url, DESKTOP, (fresh) => enterState(fresh, "unlocks of three sizes"));
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
    const { page } = await visit(product.url, DESKTOP, (fresh) => enterState(fresh, "unlocks of three sizes"));
    const slider = page.locator("#chart [role=slider]");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("#chart .cursor").textContent()).toContain("12 Dec 2026");
    expect(await page.locator("#chart .cursor").textContent()).toContain("Investors: cliff");
    expect(await slider.getAttribute("aria-valuetext")).toContain("Investors: cliff.");
    expect(await page.locator("#chart .cliff").count()).toBe(2);
    // The next unlock: its mark is beside the word "today", and not on it.
    const overlaps = `[...document.querySelectorAll(".chart .cliff")].map((cliff) => {
      const word = [...cliff.closest("svg").querySelectorAll("text")].find((one) => one.textContent.startsWith("today"));
      return word.getBoundingClientRect().bottom - cliff.getBoundingClientRect().top;
    })`;
    const found: number[] = await page.evaluate(overlaps);
    expect(found).toHaveLength(4);
    expect(Math.max(...found)).toBeLessThanOrEqual(0);
  });

  test("a shared link opens the same view; isolating a bucket hides the others", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    await page.getByRole("button", { name: "Per month" }).click();
    await page.locator("#legend").getByRole("button", { name: "Community" }).click();
    expect(await page.locator("#chart .band.future").count()).toBe(1);
    await expect.poll(() => page.url()).toContain("?mode=monthly&bucket=community#schedule");
    const { page: other } = await visit(page.url(), DESKTOP);
    await drawn(other);
    const top = () => other.evaluate("document.getElementById('schedule').getBoundingClientRect().top");
    await expect.poll(top, { message: "the link leads to the chart" }).toBeLessThan(400);
    expect(await other.locator("#chart .band.future").count()).toBe(1);
    for (const name of ["Per month", "Community"])
      expect(await other.getByRole("button", { name, exact: true }).getAttribute("aria-pressed")).toBe("true");
  });

  test("a reader who chose a view is not moved back to the chart by the next reading", async () => {
    const { page } = await visit(product.url, DESKTOP, async (fresh) => {
      await enterState(fresh, "usual");
      await fresh.clock.install({ time: new Date("2026-11-21T12:00:30Z") });
    });
    await drawn(page);
    await page.locator("#rates-list li").first().waitFor();
    await page.getByRole("button", { name: "Per month" }).click();
    await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
    await page.route("**/api/**", (route) => route.fulfill({ status: 503, json: {} }));
    await page.clock.runFor(76_000);
    // The yields are shown last of a reading.
    await page.locator("#rates-note", { hasText: "could not be read" }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  test("only what is still to come is a tint: an allocation that has wholly unlocked is solid", async () => {
    const { page } = await load(product.url);
    await drawn(page);
    const bandsOf = async (name: string) => {
      await page.locator("#legend").getByRole("button", { name }).click();
      const [past, future] = [page.locator("#chart .band.past"), page.locator("#chart .band.future")];
      return [await past.count(), await future.count()];
    };
    expect(await bandsOf("Investors")).toEqual([1, 0]);
    expect(await bandsOf("Community")).toEqual([1, 1]);
  });

  test("what the chain itself offers is at nobody, and a button says what it shows", async () => {
    const { data } = await json<{ data: object[] }>("/api/rates");
    const own = { ...data[0], name: "Native staking", provider: "Protocol", url: null, source: "ledger" };
    const rows = Array.from({ length: 7 }, (_, index) => ({ ...own, id: `own-${index}`, apy: 9, apy_mean_30d: null }));
    const { page } = await visit(product.url, DESKTOP, (fresh) => answerMembers(fresh, { rates: { data: rows } }));
    await drawn(page);
    expect(await page.locator("#best-note .where").textContent()).toBe("Native staking");
    await page.getByRole("button", { name: "Show all 7 yields" }).click();
    expect(await page.locator("#rates-list li").count()).toBe(7);
  });

  test("on a phone columns keep their heads; headings and links say what is behind them", async () => {
    const { page } = await visit(product.url, { viewport: { width: 390, height: 844 } });
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const heads = nodes.filter(({ ignored, role }) => !ignored && role?.value === "columnheader");
    const names = heads.map(({ name }) => String(name?.value));
    for (const name of ["Allocation", "Share", "Unlocked", "Vesting", "Date", "Of circulating", "Goes to"])
      expect(names).toContain(name);
    for (const [table, words] of [
      ["upcoming", " of circulating"],
      ["allocation-rows", " of max."],
    ] as const) {
      const after = `getComputedStyle(document.querySelector("#${table} .share"), "::after").content`;
      expect(await page.evaluate(after), "a share says of what").toBe(`"${words}"`);
    }
    for (const name of ["Upcoming unlocks", "Vesting schedule, month by month", "Who the tokens are for"])
      expect(await page.getByRole("heading", { name, exact: true }).count(), name).toBe(1);
    const methodology = page.locator("#supply").getByRole("link", { name: "What each figure means" });
    const meaning = await (await fetch(product.url + (await methodology.getAttribute("href")))).text();
    expect(meaning).toContain("What each figure means");
    const raw = { "/api/health": "(JSON)", "/feed.atom": "(Atom)" };
    for (const [path, form] of Object.entries(raw))
      expect(await page.locator(`footer a[href="${path}"]`).textContent()).toContain(form);
  });

  test.each(IS_NIGHTLY ? [390, 768, 1280] : [390, 1280])(
    "%i px: what is below the yields keeps its place when they arrive",
    async (width) => {
      const { data } = await json<{ data: object[] }>("/api/rates");
      const rows = Array.from({ length: 7 }, (_, index) => ({ ...data[index % data.length], id: `own-${index}` }));
      let answer = (): void => undefined;
      const asked = new Promise<void>((resolve) => (answer = resolve));
      const { page } = await visit(product.url, { viewport: { width, height: 844 } }, async (fresh) => {
        await answerMembers(fresh, { rates: { data: rows } });
        await fresh.route("**/api/page", (route) => asked.then(() => route.fallback()));
      });
      const height = async () => (await page.locator("#yield").boundingBox())?.height ?? 0;
      const before = await height();
      answer();
      await page.getByRole("button", { name: "Show all 7 yields" }).waitFor();
      expect(Math.abs((await height()) - before), "two lines of text at most").toBeLessThan(48);
      expect(await page.locator("#rates-list li").count()).toBe(3);
    },
  );

  test("the first paint has the figures of now, on whatever day the page was built", async () => {
    const html = await (await fetch(product.url)).text();
    const { page } = await visit(product.url, DESKTOP, async (fresh) => {
      await fresh.addInitScript(`new PerformanceObserver(() => {
        globalThis.atPaint ??= document.querySelector("#headline").textContent;
      }).observe({ type: "paint", buffered: true });`);
      await fresh.route(`${product.url}/`, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: html.replace(/(<p id="headline"[^>]*>).*?<\/p>/, "$1of another day</p>"),
        }),
      );
    });
    const { circulating } = await json<{ circulating: { tokens: string } }>("/api/supply");
    await comesTrue(page, "globalThis.atPaint !== undefined");
    expect(await page.evaluate("globalThis.atPaint")).toContain(wholeTokens(circulating.tokens));
  });

  test("refreshed rates are new rows in the listing's order", async () => {
    const { page } = await visit(product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    const { data } = await json<{ data: { name: string }[] }>("/api/rates");
    const order = data.slice(0, 3).map(({ name }) => name);
    expect(await page.locator("#rates-list h3 bdi").allTextContents()).toEqual(order);
    await page
      .locator("#rates-list li")
      .first()
      .evaluate((row) => row.setAttribute("data-old", ""));
    await page.clock.runFor(76_000);
    await page.locator("#rates-list [data-old]").waitFor({ state: "detached" });
    expect(await page.locator("#rates-list h3 bdi").allTextContents()).toEqual(order);
  });

  test("a hidden tab sends no request, and reads when it is visible again", async () => {
    const { page, requests } = await visit(product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    await hide(page, true);
    const before = requests.length;
    await page.clock.runFor(180_000);
    expect(requests.length).toBe(before);
    const requested = page.waitForRequest("**/api/page");
    await hide(page, false);
    await requested;
  });

  test.each(["wallets", "allocations", "yield"])("/#%s leads to its section, once all are filled", async (id) => {
    const { page } = await visit(`${product.url}/#${id}`, PHONE);
    await page.locator("#rates-list li").first().waitFor();
    await page.locator("#verdict[data-state=verified]").waitFor();
    const top = `Math.round(document.getElementById("${id}").getBoundingClientRect().top) | 0`;
    await expect.poll(() => page.evaluate(top)).toBe(0);
  });

  test("the focus stays over a renewal, and goes to the first row that a button brings", async () => {
    const { page } = await visit(product.url, DESKTOP, (fresh) => fresh.clock.install());
    await drawn(page);
    const focused = (inside: string) => page.evaluate(`document.activeElement.matches("${inside}, ${inside} *")`);
    await page.locator("#rates-list li:nth-child(2) summary").focus();
    const renewed = page.waitForResponse("**/api/page");
    await page.clock.runFor(76_000);
    await (await renewed).finished();
    await page.clock.runFor(1_000);
    expect(await focused("#rates-list li:nth-child(2)")).toBe(true);
    await page.getByRole("button", { name: "Show the next 12 unlocks" }).click();
    expect(await focused("#upcoming tr:nth-child(4)")).toBe(true);
  });

  test.each(IS_NIGHTLY ? [1440, 768, 390, 320] : [1440, 320])(
    "%i px: no layout shift for a reader who scrolls through the page",
    async (width) => {
      const look = { viewport: { width, height: 800 }, hasTouch: width < 800, isMobile: width < 500 };
      const { page, requests } = await visit(product.url, { ...look, reducedMotion: "reduce" });
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
});

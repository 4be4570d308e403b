import { createServer, type Server } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { product } from "../support/shared-product.ts";
import { expectLayout, useBrowser, violations } from "../support/visit.ts";

const visit = useBrowser();
const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** A proxy that takes out the scripts that this matches. */
const without = (scripts: RegExp) => (page: Page) =>
  page.route(
    ({ pathname }) => pathname === "/",
    async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const body = html.replace(scripts, "");
      expect(body, "a script was taken out").not.toBe(html);
      await route.fulfill({ response, body });
    },
  );

/** Ways to lose a script. */
const LOST: Readonly<Record<string, readonly [options: object, prepare: (page: Page) => Promise<unknown>]>> = {
  "scripts are switched off": [{ javaScriptEnabled: false }, async () => undefined],
  "a proxy takes the scripts out": [{}, without(/<script (?!type="application)[\s\S]+?<\/script>/g)],
  "a proxy takes the script of the rest out": [{}, without(/<script type="module"[\s\S]+?<\/script>/)],
  "the script of the rest ends in an exception": [
    {},
    (page) =>
      page.addInitScript(
        "Object.defineProperty(HTMLElement.prototype, 'onclick', { set() { throw new Error('broken'); } })",
      ),
  ],
  "the script ends in an exception": [
    {},
    (page) => page.addInitScript("Object.defineProperty(JSON, 'parse', { value() { throw new Error('broken'); } })"),
  ],
};

describe.skipIf(chromiumPath === undefined)(`the page without its script (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test.each(Object.entries(LOST))("%s: the figures of the day of its build, and that they are", async (_, lost) => {
    const [options, prepare] = lost;
    for (const width of [1280, 390]) {
      const { page } = await visit(product.url, { ...options, viewport: { width, height: 900 } }, prepare, false);
      const circulating = await (await fetch(`${product.url}/api/circulating-supply`)).text();
      expect((await page.locator("#circulating").textContent())?.replaceAll(",", "")).toBe(circulating);
      expect(await page.locator("#as-of").textContent()).toMatch(
        /^Figures of \d+ \w+ \d{4}, \d\d:\d\d UTC, when this page was published\. Now: \/api\/circulating-supply$/,
      );
      expect(await page.locator("#circulating-note").textContent()).toMatch(/^since \d+ \w+ \d{4}, 00:00 UTC\./);
      expect(await page.locator("#next").textContent()).toMatch(
        /Next unlock\d+ \w+ \d{4}, 00:00 UTC.*\+[\d,]+ APT \+\d+\.\d+%/,
      );
      expect((await page.locator("#part-maximum").textContent())?.replaceAll(",", "")).toBe("1000000000");
      expect(await page.locator("#drawing-now text.now").textContent()).toMatch(/^[\d.]+M today$/);
      expect(await page.locator("#drawing path").count(), "four bands and their outline").toBe(5);
      expect(await page.locator("#upcoming tbody tr:visible").count()).toBe(12);
      expect(await page.locator("#allocation-rows tr:visible").count()).toBe(4);
      await page.locator("#months > summary").click();
      const month = page.locator("#months .months > .scroll tbody tr:has(td)").first();
      expect((await month.locator("td").first().textContent())?.replaceAll(",", "")).toBe(circulating);
      // Nothing that only a script could serve, and no link that leads nowhere.
      expect(await page.locator("button:visible, select:visible").count()).toBe(0);
      for (const link of await page.locator("nav a[href^='#']").all())
        expect(await page.locator((await link.getAttribute("href")) ?? "").isVisible()).toBe(true);
      expect((await page.locator("main").allInnerTexts()).join()).not.toMatch(/Loading|HOST|–/);
      if (!("javaScriptEnabled" in options)) {
        await expectLayout(page);
      }
    }
  });

  test("two unlocks after its build, without the script of the rest: the figures of the day that it names", async () => {
    const [, takeOut] = LOST["a proxy takes the script of the rest out"] ?? expect.fail();
    const later = async (page: Page) => {
      await page.clock.setFixedTime(Date.now() + 62 * 86_400_000);
      await takeOut(page);
    };
    const built = await (await fetch(`${product.url}/api/circulating-supply`)).text();
    const circulating = async (prepare: (page: Page) => Promise<unknown>) => {
      const { page } = await visit(product.url, DESKTOP, prepare, false);
      return (await page.locator("#circulating").textContent())?.replaceAll(",", "");
    };
    expect(await circulating(later)).toBe(built);
  });

  test("accessible without its script", async () => {
    const [, prepare] = LOST["a proxy takes the scripts out"] ?? [];
    const { page } = await visit(`${product.url}/`, DESKTOP, prepare, false);
    expect(await violations(page)).toEqual([]);
  });
});

describe.skipIf(chromiumPath === undefined)("a file that is missing once, while a deployment spreads", () => {
  let proxy: Server;
  let address: string;
  /** Scripts that the proxy has asked the product for by a name that it does not have. */
  let lost = 0;

  beforeAll(async () => {
    proxy = createServer(async (request, response) => {
      const path = request.url ?? "/";
      const isLost = /^\/assets\/verify-.*\.js$/.test(path) && lost++ === 0;
      const answer = await fetch(product.url + (isLost ? path.replace(/-[\w-]{8}\./, "-00000000.") : path));
      const fields = [...answer.headers].filter(
        ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection)$/.test(name),
      );
      response.writeHead(answer.status, Object.fromEntries(fields));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    address = await listening(proxy);
  });

  afterAll(() => proxy?.close());

  test("the browser asks for it again, and the page works", async () => {
    const { page } = await visit(`${address}/verify`, DESKTOP);
    expect(lost, "the product's own 404 was passed on").toBe(1);
    expect(await page.getByRole("button", { name: "Compute it again" }).count()).toBe(0);
    await page.goto(`${address}/`);
    await page.goto(`${address}/verify`);
    await page.getByRole("button", { name: "Compute it again" }).waitFor();
    expect(lost).toBe(2);
  });

  test("the first page has no file to lose", async () => {
    const { page, requests } = await visit(`${address}/`, DESKTOP);
    await page.locator("#chart svg").waitFor();
    expect(requests.filter((url) => new URL(url).pathname.startsWith("/assets/"))).toEqual([]);
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ScheduleFile } from "../../src/supply/file/schedule-file.ts";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { HOSTILE_NAMES } from "../support/hostile-names.ts";
import { enterState, pageOf, STATES } from "../support/page-states.ts";
import { product } from "../support/shared-product.ts";
import { useBrowser } from "../support/visit.ts";

const [REFRESH, LINKS, FIELDS, MARKS, SCRIPT, ADDRESSES] = HOSTILE_NAMES;
const ORIGIN = "https://figures.example";

/** What else an operator's brand says. */
const OWN = {
  links: [{ label: "Homepage", url: "https://example.org/home" }],
  explorer: "https://explorer.example/account/{address}?network=main",
  url: "https://figures.example.org",
};

/** The tests' schedule with these names in every place that has one. */
function named(file: ScheduleFile): object {
  const buckets = (file.buckets ?? []).map((bucket, index) => ({
    ...bucket,
    label: HOSTILE_NAMES[index % HOSTILE_NAMES.length],
  }));
  return {
    ...file,
    publisher: LINKS,
    token: { ...file.token, name: REFRESH, symbol: FIELDS },
    sources: file.sources.map((source) => ({ ...source, title: SCRIPT })),
    buckets,
    wallets: (file.wallets ?? []).map((wallet) => ({ ...wallet, label: MARKS })),
  };
}

const visit = useBrowser();
let folder: string;
const build = () => spawnSync("node", ["tools/main.mjs", "build"], { cwd: folder, env: ENVIRONMENT, encoding: "utf8" });
const builtFile = (path: string): string => readFileSync(join(folder, "dist", "page", path), "utf8");

beforeAll(() => {
  folder = copyCheckout();
  const [schedule, brand] = [join(folder, "schedule", "native.json"), join(folder, "page", "brand.json")];
  writeFileSync(schedule, JSON.stringify(named(JSON.parse(readFileSync(schedule, "utf8")))));
  // The record is of the schedule before.
  for (const name of ["published.csv", "published.json"]) rmSync(join(folder, "schedule", name), { force: true });
  const names = { name: ADDRESSES, title: "{token} {symbol}", description: MARKS, footer: "{symbol} of {token}" };
  writeFileSync(brand, JSON.stringify({ ...JSON.parse(readFileSync(brand, "utf8")), ...names, ...OWN }));
  const { status, stderr } = build();
  expect(status, stderr).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a page of the build, of which nothing answers but its files. */
async function open(path: string): Promise<{ readonly page: Page; readonly requests: readonly string[] }> {
  return visit(ORIGIN + path, {}, (page) =>
    page.route("**", (route) => {
      const { pathname } = new URL(route.request().url());
      const file = join(folder, "dist", "page", pathname.endsWith("/") ? `${pathname}index.html` : pathname);
      return existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404, body: "" });
    }),
  );
}

/** Elements that a name could have become, beside the page's own. Runs in the page. */
const INJECTED = `[...document.querySelectorAll("meta[http-equiv], main em, main s, main b, main i:not(.swatch), [href*='o.example'], [src*='o.example']")]
  .map((element) => element.outerHTML)`;

describe.skipIf(chromiumPath === undefined)(`names are text (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("on the page", async () => {
    const { page, requests } = await open("/");
    expect(await page.evaluate(INJECTED)).toEqual([]);
    expect(await page.title()).toBe(`${REFRESH} ${FIELDS}`);
    expect(await page.locator("header .brand span").textContent()).toBe(ADDRESSES);
    expect(await page.locator("footer").textContent()).toContain(`${FIELDS} of ${REFRESH}`);
    expect(await page.locator(".unit").first().textContent()).toBe(FIELDS);
    expect(await page.getByRole("link", { name: SCRIPT, exact: true }).count()).toBeGreaterThan(0);
    expect(await page.locator("meta[name=description]").getAttribute("content")).toBe(MARKS);
    expect(requests.filter((url) => !url.startsWith(ORIGIN))).toEqual([]);
  });

  test.each(["/docs/", "/docs/schedule.html", "/404.html", "/embed/chart.html"])("on %s", async (path) => {
    const { page, requests } = await open(path);
    expect(await page.evaluate(INJECTED)).toEqual([]);
    if (path.startsWith("/docs/")) {
      const footer = await page.locator("footer").textContent();
      expect(footer).toContain(`The figures of ${REFRESH} (${FIELDS}), published by ${ADDRESSES}.`);
    }
    if (path === "/docs/") {
      const first = await page.locator("main p").first().textContent();
      expect(first).toContain(`Public figures of ${REFRESH} (${FIELDS}):`);
      expect(first).toContain(`${LINKS} publishes them.`);
    }
    expect(page.url()).toBe(ORIGIN + path);
    expect(requests.filter((url) => !url.startsWith(ORIGIN))).toEqual([]);
  });
});

test("in Markdown, the search, the calendar and the map of the pages", () => {
  expect(builtFile("docs/index.md")).not.toMatch(/(?<!\\)[<{]meta|(?<!\\)\[link/);
  expect(builtFile("documents/llms.txt")).toMatch(/^# www\\.o\\.example w\\@/);
  const [first] = JSON.parse(builtFile("docs/search.json"));
  expect(first.text).toContain("Public figures of <meta http-equiv=");
  expect(
    builtFile("documents/unlock-events.ics")
      .split("\r\n")
      .filter((line) => /^NAME:/.test(line)),
  ).toHaveLength(1);
  expect(XMLValidator.validate(builtFile("documents/sitemap.xml"))).toBe(true);
});

test("plain names are written as they are", () => {
  const plain = (path: string): string =>
    readFileSync(join(String(process.env["WORKER_BUNDLES"]), "page", path), "utf8");
  expect(plain("docs/index.md")).toContain("Public figures of Aptos (APT): how much circulates");
  expect(plain("docs/index.html")).toContain("Public figures of Aptos (APT): how much circulates");
  expect(plain("index.html") + plain("docs/index.html")).not.toMatch(/&#\d/);
});

test.skipIf(chromiumPath === undefined)("the operator's links, addresses and explorer are on the page", async () => {
  const { page } = await visit(product.url, {}, async (fresh) => {
    await enterState(fresh, "token on two chains");
    // The files of the operator's build, the API's answers of that state.
    await fresh.route(
      ({ pathname }) => !pathname.startsWith("/api"),
      (route) => {
        const { pathname } = new URL(route.request().url());
        if (pathname !== "/") return route.fulfill({ path: join(folder, "dist", "page", pathname) });
        const html = builtFile("index.html");
        return route.fulfill({
          contentType: "text/html",
          body: pageOf(html, STATES.usual.schedule, STATES.usual.nowMs),
        });
      },
    );
  });
  expect(await page.getByRole("link", { name: "Homepage" }).getAttribute("href")).toBe("https://example.org/home");
  expect(await page.locator("link[rel=canonical]").getAttribute("href")).toBe("https://figures.example.org/");
  const picture = await page.locator("meta[property='og:image']").getAttribute("content");
  expect(picture).toBe("https://figures.example.org/preview.png");
  await page.locator("#wallets-details summary").click();
  const wallets = page.locator("#wallet-list th[scope=row]");
  const address = (await wallets.nth(1).locator("code").textContent()) ?? "";
  expect(address).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await wallets.nth(1).locator("a").getAttribute("href")).toBe(
    `https://explorer.example/account/${address}?network=main`,
  );
  expect(await wallets.nth(0).locator("a").count(), "an address on another chain").toBe(0);
});

test("a wrong brand is refused in one line for each problem, without a stack", () => {
  const brand = join(folder, "page", "brand.json");
  const text = readFileSync(brand, "utf8");
  writeFileSync(brand, JSON.stringify({ ...JSON.parse(text), logo: "/none.svg" }));
  const { status, stderr } = build();
  writeFileSync(brand, text);
  expect([status, stderr]).toEqual([1, "page/brand.json: logo: page/public/none.svg does not exist\n"]);
});

import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch, NO_CHROMIUM } from "../support/browser.ts";
import { enterState, STATES, type StateName } from "../support/page-states.ts";
import { product } from "../support/shared-product.ts";
import { layoutProblems, layoutShift, violations, visit } from "../support/visit.ts";

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 768, 390, 320];
const MAX_LAYOUT_SHIFT = 0.01;
/** The scale of text sizes in page/src/base.css; the chart's labels are of its smallest one. */
const MAX_FONT_SIZES = 5;
/** A picture of every state is written here, to be looked at. */
const PICTURES = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "page-pictures-"));

/** What the page reports in a state, by selector. */
const REPORTS: Partial<Record<StateName, Readonly<Record<string, RegExp>>>> = {
  usual: {
    "#circulating": /^378,000,000$/,
    "#circulating-note": /^37\.80 % of the maximum of 1,000,000,000$/,
    "#provenance": /schedule revision 1: Published tokenomics\.$/,
    "#next-amount": /^\+262,000,000$/,
    "#next-date": /^12 Dec 2026, in 20 days$/,
    "#next-share": /^69\.31 % of what circulates now$/,
    "#next-recipients": /^Investors 250M, Community 4M, 2 more$/,
    "#best-rate": /^7\.25 %$/,
    "#best-note": /^Staking 2 at Provider$/,
    "#parts": /^Circulating 378,000,000 37\.80 % Locked 622,000,000 62\.20 %$/,
    "#chain-note": /^On chain: 1,000,000,000 exist, ledger version 123456\.$/,
    "#sums":
      /^Past 30 days \+12,000,000 3\.17 % of circulating Next 30 days \+262,000,000 69\.31 %.* Next 12 months \+394,000,000/,
    "#upcoming tbody tr":
      /^12 Dec 2026\s\+262,000,000\s69\.31 %\sCommunity\s*Core contributors\s*and 2 more\s*cliff\s640,000,000$/,
    "#legend .total": /^From 12 Nov 2026 378M 37\.80 %$/,
    "#allocations tbody tr":
      /^Community\s250,000,000\s25\.00 %\s50\.40 % unlocked\s10,000,000 at launch\. 240,000,000 in 60 monthly instalments, Jul 2024 to Jun 2029\. Next: \+4,000,000 on 12 Dec 2026\.$/,
    "#verdict": /^Verified on chain: all 4 wallets hold what the schedule locks\.$/,
    "#comparison":
      /^Circulating 378,000,000 what the published schedule has unlocked Circulating on chain 378,000,000 what exists on chain and is not held by the project Difference 0 on chain less the schedule$/,
  },
  "all down": {
    "#circulating": /^378,000,000$/,
    "#next-amount": /^\+262,000,000$/,
    "#chain-note": /^Chain not read: The figure is not available now\.$/,
    "#best-rate": /^–$/,
    "#best-note": /not available now/,
    "#rates-note": /not available now/,
    "#verdict": /has not been read/,
    "#wallets-note": /not available now/,
  },
  "3 buckets, 18 decimals": { "#circulating": /^335,999,999$/, "#legend .total": /336M/ },
  "25 buckets, 0 decimals": {
    "#circulating": /^483,840,000$/,
    "#legend": /18 other buckets/,
    "#next-recipients": /^Allocation 25 40M, Allocation 1 640K, 23 more$/,
  },
  "table without buckets": {
    "#circulating": /^536,000,000$/,
    "#next-amount": /^\+14,000,000$/,
    "#verdict": /names no wallets/,
    "#legend": /Circulating supply 536M/,
  },
  "starts next month": {
    "#circulating": /^Not launched$/,
    "#next-title": /^Launch$/,
    "#next-date": /^12 Dec 2026, in 20 days$/,
    "#next-amount": /^\+30,000,000$/,
    "#parts": /^Circulating 0 0\.00 % Locked 1,000,000,000 100\.00 %$/,
  },
  ended: {
    "#circulating": /^1,000,000,000$/,
    "#next-amount": /^None$/,
    "#next-date": /^$/,
    "#next-share": /has unlocked/,
    "#upcoming-none": /schedule is complete/,
  },
  "huge numbers": { "#circulating": /^3,404,721,318,292,092$/ },
  "wallet on another chain": {
    "#verdict": /^Not every wallet can be read here\.$/,
    "#wallet-list .mark": /^unverified, on ethereum$/,
    "#wallet-list tbody td:nth-of-type(2)": /^–$/,
  },
  "old values": {
    "#chain-note": /read 25 minutes ago\.$/,
    // The paused product has the higher rate.
    "#best-rate": /^6\.25 %$/,
    "#best-note": /^Staking 1 at Provider out of date, 1 minute old$/,
    "#verdict": /^Less than scheduled is held for Community\.$/,
    "#wallet-buckets .mark": /^less than scheduled$/,
    "#wallet-buckets tbody td:last-child": /^-1,000$/,
    "#wallet-list .mark": /^anomaly$/,
    "#wallet-list tbody th": /fell by more than half.* Read now: 12,345\.$/,
  },
};

let browser: Browser;
/** One tab for every state: a new tab takes three times as long as loading the page again. */
let page: Page;

const twoFrames = (): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

/** Loads the page in a state. The answers come after the first paint, as over a network. */
async function load(name: StateName, width: number): Promise<void> {
  await page.unrouteAll();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: "light", media: "screen" });
  await enterState(page, name);
  let answer = (): void => undefined;
  const painted = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/**", (route) => painted.then(() => route.fallback()));
  await page.goto(product.url);
  await page.waitForSelector("#chart svg");
  await twoFrames();
  const answered = ["**/api/rates", "**/api/supply-breakdown"].map((path) => page.waitForResponse(path));
  answer();
  await Promise.all(answered);
  await twoFrames();
}

/** The visible text on one line. */
const textOf = async (selector: string): Promise<string> =>
  ((await page.locator(selector).allInnerTexts())[0] ?? "").replaceAll(/\s+/g, " ").trim();

/** Every text size in use, and every space character of a figure that is not one. Runs in the page. */
const FONT_SIZES = `[...new Set([...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
  .map((one) => getComputedStyle(one).fontSize))]`;

describe.skipIf(chromiumPath === undefined)(`states of the page (${chromiumPath ?? NO_CHROMIUM})`, () => {
  beforeAll(async () => {
    browser = await launch();
    ({ page } = await visit(browser, "about:blank"));
    mkdirSync(PICTURES, { recursive: true });
  });

  afterAll(async () => {
    await browser?.close();
  });

  describe.each(Object.keys(STATES) as StateName[])("the page while %s", (name) => {
    test.each(WIDTHS)("%i px: no layout shift, nothing overflows, accessible, in both themes", async (width) => {
      await load(name, width);
      expect(await layoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      await page.locator("#chart").scrollIntoViewIfNeeded();
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        const view = `${width}-${colorScheme}`;
        expect(await layoutProblems(page), view).toEqual([]);
        if (width === 320 || width === 1280) expect(await violations(page), view).toEqual([]);
        await page.evaluate("document.querySelector('#months').open = false");
        await page.screenshot({
          path: join(PICTURES, `${name.replaceAll(/[ ,]+/g, "-")}-${view}.png`),
          fullPage: true,
        });
      }
    });

    const reports = REPORTS[name];
    if (reports)
      test("the page reports it", async () => {
        await load(name, 1280);
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
        for (const [selector, pattern] of Object.entries(reports))
          expect(await textOf(selector), selector).toMatch(pattern);
      });
  });

  test("there are five sizes of text", async () => {
    await load("usual", 1280);
    expect(((await page.evaluate(FONT_SIZES)) as string[]).length).toBeLessThanOrEqual(MAX_FONT_SIZES);
  });

  test("text of twice the size on a phone: nothing overflows", async () => {
    await load("usual", 390);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await layoutProblems(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, "usual-text-of-twice-the-size.png"), fullPage: true });
  });

  test.each([320, 360, 390])("%i px: the legend is whole, its total first", async (width) => {
    await load("usual", width);
    expect(await textOf("#legend li")).toBe("From 12 Nov 2026 378M 37.80 %");
    const hidden =
      "[...document.querySelectorAll('#legend, #legend *')].filter((one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible').length";
    expect(await page.evaluate(hidden)).toBe(0);
  });

  test("printed, every section has its figures without having been scrolled to", async () => {
    await load("usual", 768);
    await page.emulateMedia({ media: "print" });
    await twoFrames();
    expect(await page.locator("#months tbody tr").count()).toBe(61);
    for (const selector of [
      "#months tbody tr:last-child",
      "#wallet-list tbody tr",
      "#rates-list li",
      "#upcoming tbody tr",
    ])
      expect(await textOf(selector), selector).toMatch(/\d/);
    expect(await textOf("main")).not.toMatch(/Loading|–/);
  });

  test("without scripts the page is the schedule, readable, and nothing that waits", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const bare = await context.newPage();
    await bare.goto(product.url);
    const text = (await bare.locator("main").allInnerTexts()).join();
    expect(text).toContain("/api/circulating-supply");
    expect(text).toMatch(/12 Nov 2026\s+677,413,062\s+\+4,543,4\d\d\s+67\.74 %/);
    expect(text).not.toMatch(/Loading|–/);
    expect(await bare.getByRole("button").count()).toBe(0);
    await context.close();
  });

  test("observed days are two lines in the chart, with a gap for a missing day, and a table", async () => {
    await load("observed days", 1280);
    await page.locator("#chart").scrollIntoViewIfNeeded();
    // A horizontal line has no height, so the browser's driver treats it as invisible.
    await page.waitForSelector("#chart .observed", { state: "attached" });
    expect(await textOf("#chart-key")).toBe("Observed on chain: total circulating");
    for (const figure of ["total", "circulating"]) {
      const line = (await page.locator(`#chart .observed.${figure}`).getAttribute("d")) ?? "";
      expect([line.match(/M/g)?.length, line.match(/L/g)?.length], figure).toEqual([2, 4]);
    }
    await page.locator("#observed-details summary").click();
    expect(await textOf("#observed-days tbody tr")).toBe("20 Nov 2026 1,000,000,000 378,000,000 378,000,000 0");
  });

  test("locked is the maximum less circulating; what is not minted is named as such", async () => {
    await load("usual", 1280);
    await page.route("**/api/supply-breakdown", async (route) => {
      const { breakdown } = STATES.usual;
      const total = { tokens: "800000000", base_units: "80000000000000000" };
      await route.fulfill({ json: { ...(breakdown as object), total_supply: total, minted_supply: total } });
    });
    await page.reload();
    await page.locator("div.unminted").waitFor();
    expect(await textOf("#parts")).toBe(
      "Circulating 378,000,000 37.80 % Locked 622,000,000 62.20 % of it not minted yet 200,000,000 20.00 %",
    );
  });

  test("control: a figure that is broken over lines is found", async () => {
    await load("usual", 1280);
    await page.evaluate(
      `Object.assign(document.querySelector("#circulating").style, { whiteSpace: "normal", overflowWrap: "anywhere", width: "4em" })`,
    );
    expect((await layoutProblems(page)).join()).toContain("is broken over lines");
  });

  test("control: the accessibility checker finds an injected fault", async () => {
    await load("usual", 1280);
    await page.evaluate("document.body.append(document.createElement('img'))");
    expect(await violations(page)).not.toEqual([]);
  });
});

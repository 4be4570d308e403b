import { mkdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch, NO_CHROMIUM } from "../support/browser.ts";
import { enterState, STATES, type StateName } from "../support/page-states.ts";
import { product } from "../support/shared-product.ts";
import { layoutProblems, layoutShift, violations, visit } from "../support/visit.ts";

const THEMES = ["light", "dark"] as const;
const MAX_LAYOUT_SHIFT = 0.02;
/** The folder for screenshots; none are taken without it. */
const SCREENSHOTS = process.env["SCREENSHOTS"];

/** What the page reports in a state, by selector. */
const REPORTS: Partial<Record<StateName, Readonly<Record<string, RegExp>>>> = {
  usual: {
    "#headline-amount": /^375,000,000$/,
    "#best-rate": /^7\.25 %$/,
    "#best-note": /^Staking 2 on XYZ$/,
    "#event-date": /^12 Dec 2026, 00:00 UTC$/,
    "#event-countdown": /^in 20 d 12 h$/,
    "#event-amount": /^\+262,499,998$/,
    "#event-share": /^70\.00 % of what circulates now$/,
    ".recipients h3": /^Goes to$/,
    ".recipients li": /^Investors 250,000,000 95\.24 %$/,
    "#holdings-note":
      /^Total on chain 1,000,000,000 less these wallets 625,000,000 is 375,000,000 observed, 375,000,000 scheduled\. Read at ledger version 123456, 21 Nov 2026\.$/,
    "#holdings-buckets tbody tr:last-child": /^Investors\s+250,000,000\s+250,000,000\s+0$/,
    "#holdings-wallets tbody tr:last-child":
      /^Investors custody 0xaaaaaa…aaaaa4\s+Investors\s+account\s+250,000,000\s+25\.00 %$/,
  },
  "one upstream down": {
    "#part-unminted": /^–$/,
    "#total-note": /No chain node answers/,
    "#best-rate": /^–$/,
    "#best-note": /not available now/,
    "#rates-panel": /not available now/,
    "#holdings-note": /not available now\. Trying again shortly\.$/,
    "#holdings-wallets [data-label=Balance]": /^–$/,
  },
  "wallet on another chain": {
    "#holdings-wallets .mark": /^unverified, on ethereum$/,
    "#holdings-wallets tbody td:nth-of-type(3)": /^–$/,
    "#holdings-note": /Incomplete: /,
  },
  "all down": {
    "#headline-amount": /^–$/,
    "#headline-note": /not available now/,
    // The schedule is embedded in the page.
    "#legend caption": /^From 12 Nov 2026$/,
  },
  "before the start": {
    "#headline-amount": /^Not launched$/,
    "#event-title": /^Launch$/,
    "#event-countdown": /^in 110 d/,
    "#part-maximum": /^1,000,000,000$/,
  },
  "after the end": {
    "#event-amount": /^None$/,
    "#event-countdown": /^$/,
    "#event-date": /^$/,
    "#event-share": /complete/,
    ".recipients": /^$/,
    "#holdings-note": /names no wallets/,
  },
  "huge numbers": {
    "#headline-amount": /^3,377,699,720,527,869$/,
  },
  "30 buckets": {
    ".recipients summary": /^28 more$/,
  },
  "old values": {
    "#total-note": /25 min ago/,
    // The paused product has the higher rate.
    "#best-rate": /^6\.25 %$/,
    "#best-note": /^Staking 1 on XYZ stale, 1 min old$/,
    "#rates-panel .mark": /^stale, 1 min old$/,
    "#holdings-buckets .mark": /^less than scheduled$/,
    "#holdings-buckets tbody td:nth-of-type(3)": /^-1,000$/,
    "#holdings-wallets .mark": /^anomaly$/,
    "#holdings-wallets tbody th": /fell by more than half.* Read now: 12,345\.$/,
  },
};
/** The states whose accessibility is checked: the usual one, a long one and one with every mark. */
const ACCESSIBLE: readonly StateName[] = ["usual", "30 buckets", "old values"];

let browser: Browser;
/** One tab for every state: a new tab takes three times as long as loading the page again. */
let page: Page;

const twoFrames = (): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

/**
 * Loads the page in a state, and waits for the content that needs no scrolling. The answers come after the first paint,
 * as over a network: what they move is a layout shift only then.
 */
async function load(name: StateName, width = 1280): Promise<void> {
  await page.unrouteAll();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await enterState(page, name);
  let answer = (): void => undefined;
  const painted = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/**", (route) => painted.then(() => route.fallback()));
  await page.goto(product.url);
  await twoFrames();
  answer();
  await page.waitForSelector("#supply[aria-busy=false]");
  await page.waitForSelector("#chart-panel[aria-busy=false]");
}

/** Scrolls through the parts that load when they come into view. */
async function scrollThrough(): Promise<void> {
  await page.locator("#month-table").scrollIntoViewIfNeeded();
  await page.locator("#holdings-panel").scrollIntoViewIfNeeded();
  await page.waitForSelector("#holdings-panel[aria-busy=false]");
  await page.locator("#rates-panel").scrollIntoViewIfNeeded();
  await page.waitForSelector("#rates-panel[aria-busy=false]");
}

describe.skipIf(chromiumPath === undefined)(`states of the page (${chromiumPath ?? NO_CHROMIUM})`, () => {
  beforeAll(async () => {
    browser = await launch();
    ({ page } = await visit(browser, "about:blank"));
    if (SCREENSHOTS !== undefined) mkdirSync(SCREENSHOTS, { recursive: true });
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** The visible text on one line. */
  const textOf = async (selector: string): Promise<string> =>
    ((await page.locator(selector).allInnerTexts())[0] ?? "").replaceAll("\n", " ");

  const names = Object.keys(STATES) as StateName[];
  const views = names.flatMap((name) => [[name, [1440, 768]] as const, [name, [360, 320]] as const]);
  describe.each(views)("%s at %j px", (name, widths) => {
    let shift: number;
    beforeAll(async () => {
      await load(name, widths[0]);
      // Only content that loads without scrolling may cause layout shifts.
      shift = await layoutShift(page);
      await scrollThrough();
    });

    /** At both widths, or the given ones, in both themes. */
    async function inEveryView(check: (view: string) => Promise<void>, at: readonly number[] = widths): Promise<void> {
      for (const width of at) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme });
          await check(`${width}-${colorScheme}`);
        }
      }
    }

    test("no layout shift", () => {
      expect(shift).toBeLessThan(MAX_LAYOUT_SHIFT);
    });

    test("readable in both themes, no overflow", () =>
      inEveryView(async (view) => {
        expect(await layoutProblems(page), view).toEqual([]);
        const path = `${SCREENSHOTS}/${name.replaceAll(" ", "-")}-${view}.png`;
        if (SCREENSHOTS !== undefined) await page.screenshot({ path, fullPage: true });
      }));

    const isDesktop = widths[0] === 1440;
    const reports = isDesktop ? REPORTS[name] : undefined;
    if (reports)
      test("the page reports it", async () => {
        for (const [selector, pattern] of Object.entries(reports))
          expect(await textOf(selector), selector).toMatch(pattern);
      });

    if (ACCESSIBLE.includes(name))
      test("accessible in both themes; on a phone tables are cards", async () => {
        await page.locator("#endpoints-panel").scrollIntoViewIfNeeded();
        await page.waitForSelector(".live .status");
        await inEveryView(async (view) => expect(await violations(page), view).toEqual([]), [widths[0]]);
      });

    if (isDesktop && name === "observed days")
      test("observed days are lines in the chart and the cards, with a gap for a missing day", async () => {
        // A horizontal line has no height, so the browser's driver treats it as invisible.
        await page.waitForSelector("#chart .observed", { state: "attached" });
        await page.waitForSelector(".card .sparkline");
        expect(await textOf("#chart-key")).toBe("Observed on chain: total circulating");
        for (const figure of ["total", "circulating"]) {
          const line = (await page.locator(`#chart .observed.${figure}`).getAttribute("d")) ?? "";
          expect([line.match(/M/g)?.length, line.match(/L/g)?.length], figure).toEqual([2, 4]);
        }
        expect(await page.locator(".card .sparkline").count()).toBe(2);
        expect(await page.locator(".card .sparkline").first().getAttribute("aria-label")).toBe(
          "APY from 14 Nov 2026 to 20 Nov 2026: between 6.00 % and 6.50 %, last 6.50 %",
        );
        await page.getByRole("button", { name: "Per month" }).click();
        expect(await page.locator("#chart .observed").count()).toBe(0);
      });

    if (isDesktop && name === "usual")
      test("only samples are marked as such, and a sample schedule is marked in the header", async () => {
        expect(await textOf("main")).not.toMatch(/sample/i);
        const { sample } = (await (await fetch(`${product.url}/api/allocations`)).json()) as { sample: boolean };
        expect(await page.locator("header .mark").allInnerTexts()).toEqual(sample ? ["Sample data"] : []);
      });
  });

  test("control: a figure that is broken over lines is found", async () => {
    await load("usual");
    await page.evaluate(
      `Object.assign(document.querySelector("#headline-amount").style, { whiteSpace: "normal", overflowWrap: "anywhere", width: "4em" })`,
    );
    expect((await layoutProblems(page)).join()).toContain("is broken over lines");
  });

  test("control: the accessibility checker finds an injected fault", async () => {
    await load("usual");
    await page.evaluate("document.body.append(document.createElement('img'))");
    expect(await violations(page)).not.toEqual([]);
  });
});

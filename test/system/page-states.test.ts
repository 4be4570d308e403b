import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { documentWith, enterState, STATES, type StateName } from "../support/page-states.ts";
import { product } from "../support/shared-product.ts";
import {
  comesTrue,
  expectLayout,
  goTo,
  layoutProblems,
  layoutShift,
  overlappingTexts,
  picture,
  resizeTo,
  sharedBrowser,
  violations,
  visit,
} from "../support/visit.ts";

/** Colours are those of the theme, what is shown is of the width: each of both is seen on a load of its own. */
const VIEWS = [
  { width: 1280, colorScheme: "dark" },
  { width: 768, colorScheme: "dark" },
  { width: 320, colorScheme: "light" },
  { width: 390, colorScheme: "light" },
] as const;
/** Widths at which a state is loaded; the others are seen in a load at another width. */
const LOADED: readonly number[] = [1280, 320];
/** States whose layout is harder have a load at each of those widths and every view; at night all states. */
const HARD: readonly StateName[] = ["usual", "25 buckets, 0 decimals", "huge numbers", "right-to-left labels"];
/** States with elements and colours that the others have not. The colours of the others are checked at night. */
const COLOURED: readonly StateName[] = [
  "usual",
  "all down",
  "old values",
  "other wallets and burned tokens",
  "more in circulation than planned",
  "token on two chains",
];
/** States in which something is wrong, which the first view says aloud. */
const LOUD: readonly StateName[] = [
  "all down",
  "more in circulation than planned",
  "locked in no listed wallet, not minted yet",
  "wallet that cannot be read",
  "old values",
];
/** States in which nothing is wrong. */
const QUIET: readonly StateName[] = ["usual", "other wallets and burned tokens", "ended", "table without buckets"];
const IS_NIGHTLY = process.env["NIGHTLY"] !== undefined;
const MAX_LAYOUT_SHIFT = 0.01;
/** The scale of text sizes in page/src/base.css, and the text size of the chart below. */
const MAX_FONT_SIZES = 8;
/** Text is at least as large, but for axes and the names beside them. */
const MIN_TEXT_PX = 14;

/** Texts that the page reports in a state, by selector. */
const REPORTS: Partial<Record<StateName, Readonly<Record<string, RegExp>>>> = {
  usual: {
    "#circulating": /^378,000,000$/,
    "#circulating-note": /^since 12 Nov 2026, 00:00 UTC\. Next change in 20 days\.$/,
    "#drawing-title": /^All of the billion is unlocked by June 2029$/,
    "#drawing-note": /^XYZ, steps on the 12th of each month Source$/,
    "#next-amount": /^\+262,000,000$/,
    "#next-date": /^12 Dec 2026, 00:00 UTC, in 20 days$/,
    "#next-share": /^\+69\.31%$/,
    "#next-recipients": /^Investors 250M Community 4M 2 more$/,
    "#best-rate": /^6\.50%$/,
    "#best-note": /^Staking 2 at Provider, 30-day mean, now 7\.25%$/,
    "#rates-note": /^Read on 21 Nov 2026, 12:00 UTC\.$/,
    "#rates-list li:first-child .rate": /^6\.50% APY 30-day mean 6\.25% base \+ 0\.25% reward$/,
    "#rates-list li:first-child dl":
      /^Now 7\.25% 7\.00% base \+ 0\.25% reward 7-day mean 5\.40% 5\.15% base \+ 0\.25% reward /,
    "#parts":
      /^Circulating on chain 378,000,000 as CoinGecko and CMC count Total supply 1,000,000,000 minted less burned Locked 622,000,000 by schedule Burned 0 removed for good Maximum 1,000,000,000 as published$/,
    "#chain-note": /^Locked tokens in place 4 wallets, 2 nodes, 21 Nov 2026, 12:00 UTC\. Check it yourself$/,
    "#sums":
      /^Past 30 days \+12,000,000 3\.17% of circulating Next 30 days \+262,000,000 69\.31%.* Next 12 months \+394,000,000/,
    "#upcoming-said": /^262M XYZ on 12 Dec 2026, then 12M on the 12th of each month until June 2029\.$/,
    "#upcoming tbody tr":
      /^12 Dec 2026 \+262,000,000 69\.31% Every recipient Investors cliff \+250,000,000 Community \+4,000,000 Core contributors \+4,000,000 Foundation \+4,000,000 640,000,000$/,
    "#legend .total": /^From 12 Nov 2026 378\.00M 37\.80%$/,
    "#chart-key": /^Solid: unlocked\. Light: planned\. ▼ cliff$/,
    "#allocations tbody tr":
      /^Community 250,000,000 25\.00% 50\.40% unlocked 4% at launch, then 60 months until Jun 2029\. Next: \+4,000,000 on 12 Dec 2026\. 10,000,000 at launch\. 240,000,000 in 60 monthly installments, Jul 2024 to Jun 2029\. Held in a custody wallet, on this chain\. As stated in the source\.$/,
    "#months tbody": /^2024 June 30,000,000 \+30,000,000 July/,
    "#months .months > .scroll tbody": /^2026 November 378,000,000 \+12,000,000 December/,
    "#verdict": /^The 4 wallets of the allocations held what the schedule locks\.$/,
    "#verdict-read": /^Read on 21 Nov 2026, 12:00 UTC from 2 nodes\.$/,
    "#difference tbody":
      /^Planned: what the schedule has unlocked 378,000,000 Circulating on chain 378,000,000 Above plan 0$/,
  },
  "all down": {
    "#circulating": /^378,000,000$/,
    "#next-amount": /^\+262,000,000$/,
    "#alert":
      /^The chain could not be read\. The figure is not available now\. Next try in about a minute\. See the wallets$/,
    "#part-total": /^–$/,
    "#best-rate": /^–$/,
    "#best-note": /^Could not be read now\.$/,
    "#rates-note": /could not be read/,
    // The band tells the failure, once.
    "#verdict": /^$/,
    "#wallets": /^((?!could not be read).)*$/,
  },
  "3 buckets, 18 decimals": { "#circulating": /^335,999,999$/, "#legend .total": /335\.99M/ },
  "25 buckets, 0 decimals": {
    "#circulating": /^483,840,000$/,
    "#legend": /18 other allocations/,
    "#next-recipients": /^Allocation 25 40M Allocation 1 640K 23 more$/,
    "#upcoming tbody tr":
      /^12 Dec 2026 \+55,360,000 11\.44% Every recipient Allocation 25 cliff \+40,000,000 Allocation 1 \+640,000/,
  },
  "table without buckets": {
    "#circulating": /^536,000,000$/,
    "#next-amount": /^\+14,000,000$/,
    "#verdict": /names no wallets/,
    "#legend": /Circulating supply 536\.00M/,
    nav: /^Unlocks Yield On chain API Docs$/,
    // Nobody is named: there is no column for it.
    "#upcoming thead": /^Date Unlocks Of circulating Circulating then$/,
    "#upcoming tbody tr": /^12 Dec 2026 \+14,000,000 2\.61% 550,000,000$/,
  },
  "starts next month": {
    "#circulating": /^Not launched$/,
    "#next-title": /^Launch$/,
    "#next-date": /^12 Dec 2026, 00:00 UTC, in 20 days$/,
    "#next-amount": /^\+30,000,000$/,
    "#sums": /Next 30 days \+30,000,000 /,
    "#part-locked": /^1,000,000,000$/,
  },
  ended: {
    "#circulating": /^1,000,000,000$/,
    "#next-amount": /^None$/,
    "#next-share": /has unlocked/,
    "#upcoming-none": /schedule is complete/,
    "#allocations .unlocked": /^100% unlocked$/,
  },
  "huge numbers": { "#circulating": /^3,404,721,318,292,092$/ },
  "other wallets and burned tokens": {
    "#verdict": /^The 4 wallets of the allocations held what the schedule locks\.$/,
    "#part-on-chain": /^365,000,000$/,
    "#part-total": /^992,000,000$/,
    "#part-burned": /^8,000,000$/,
    "#difference tbody":
      /^Planned.* 378,000,000 Held by the project’s other wallets −5,000,000 Burned −8,000,000 Circulating on chain 365,000,000 Above plan 0$/,
    "#wallets-free":
      /^The project’s, without locked tokens Treasury 0x[0-9a-f]{64} Copy in its account 5,000,000 0\.50%$/,
    "#wallets-burned": /^In burn wallets Burn address 0x[0-9a-f]{64} Copy in its account 8,000,000/,
  },
  "more in circulation than planned": {
    "#alert":
      /^47,000,000 XYZ more circulate than planned \(\+12\.43%\)\. Held for Community: 47,000,000 less than scheduled\. See the wallets$/,
    "#difference tr.above": /^Above plan 47,000,000$/,
    "#part-on-chain": /^425,000,000$/,
  },
  "locked in no listed wallet, not minted yet": {
    "#alert":
      /^126,000,000 XYZ of it are not minted yet, or burned: 836,000,000 circulate on chain, 850,000,000 exist\. See the wallets$/,
    "#difference tbody":
      /^Planned.* Held by the project’s other wallets −14,000,000 Locked by schedule, in no listed wallet \+24,000,000 Not minted yet −150,000,000 Circulating on chain 836,000,000$/,
  },
  "token on two chains": {
    "#chain-said": /^4 wallets, 2 nodes on each of 2 chains, 21 Nov 2026, 12:00 UTC\.$/,
    "#verdict-read": /from 2 nodes on each of 2 chains\.$/,
    "#chains":
      /^Where the tokens are Chain Contract Supply How Escrow Read at Nodes native 0x1::aptos_coin::AptosCoin Copy 1,000,000,000 issued – ledger version 123456 2 nodes base chain 8453 0x(c1){20} Copy 100,000,001 bridged 100,000,000 on native, difference −1 short 123456 2 nodes$/,
    "#wallets-locked tr:nth-child(2)": /^Community custody 0x(7b){20} Copy Community, in its account on base /,
    "#wallets-locked tr:nth-child(3)": / in its account on native /,
    // The table has it.
    "#wallets > .asset:not([hidden])": /^$/,
  },
  "wallet that cannot be read": {
    "#alert": /^1 of 4 wallets could not be read\. See the wallets$/,
    "#verdict": /^1 of 4 wallets could not be read\.$/,
    "#wallet-list .mark": /^anomaly$/,
    "#wallet-list tbody tr:nth-child(2) th": /It could not be read, the balance is an earlier one: /,
    "#wallet-list tbody td:nth-of-type(2)": /^124,000,000$/,
  },
  "old values": {
    "#alert":
      /^1,000 XYZ less than scheduled are held for Community\. The balance of 1 of 4 wallets fell by more than half\. See the wallets$/,
    // The paused product has the higher rate.
    "#best-rate": /^5\.50%$/,
    "#best-note": /^Staking 1 at Provider, 30-day mean, now 6\.25% out of date, 1 minute old$/,
    "#verdict": /^Less than scheduled was held for Community\.$/,
    "#wallet-buckets .mark": /^less than scheduled$/,
    "#wallet-buckets tbody td:last-child": /^−1,000$/,
    "#wallet-list .mark": /^anomaly$/,
    "#wallet-list tbody tr:nth-child(2) th": /fell by more than half.* Read now: 12,345\.$/,
  },
};

/** Links within the page without a target, in words. */
const LOST_LINKS = `[...document.querySelectorAll("a[href^='#']")].flatMap((one) =>
  document.getElementById(one.hash.slice(1)) === null ? [one.textContent + " " + one.hash] : [])`;

/** Size of the warning's text, its share of the first view's width, its end, and its links. Runs in the page. */
const BAND = `(() => {
  const [band, hero] = ["alert", "supply"].map((id) => document.getElementById(id));
  const { width, bottom } = band.getBoundingClientRect();
  const texts = [...band.querySelectorAll("*")].map((one) => parseFloat(getComputedStyle(one).fontSize));
  const { paddingLeft, paddingRight } = getComputedStyle(hero);
  const inner = hero.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return {
    smallest: Math.min(...texts),
    share: Math.round((width / inner) * 100),
    bottom: bottom + scrollY,
    links: band.querySelectorAll("a").length,
    isFactFirst: band.firstElementChild?.firstElementChild?.tagName === "STRONG",
  };
})()`;

/** Ends of the parts of the first view, from the top of the page. Runs in the page. */
const FIRST_VIEW = `Object.fromEntries([".headline", ".proof", "#next", "#best", ".plot", "#parts", ".more"].map((name) =>
  [name, document.querySelector(name).getBoundingClientRect().bottom + scrollY]))`;

/** Small texts of the first view outside of the drawing. Runs in the page. */
const SMALL_TEXTS = `[...document.querySelectorAll("header *, #supply *")].flatMap((one) =>
  one.checkVisibility() && !one.closest(".plot, details, script") && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")
    && parseFloat(getComputedStyle(one).fontSize) < 14 ? [one.textContent] : [])`;

/** Place of today's dot and the end of the veil, in percent of the drawing. Runs in the page. */
const DRAWN = `(() => {
  const [dot, veil, plot] = ["#drawing-now circle", "#drawing .veil", ".plot"].map((name) =>
    document.querySelector(name).getBoundingClientRect());
  const of = (value, from, size) => ((value - from) / size) * 100;
  return {
    left: of(dot.left + dot.width / 2, plot.left, plot.width),
    top: of(dot.top + dot.height / 2, plot.top, plot.height),
    right: of(veil.right, plot.left, plot.width),
  };
})()`;

/** Marks beside the best yield that its box cuts off. */
const CUT_MARKS = `[...document.querySelectorAll("#best-note .mark")].filter((one) =>
  one.getBoundingClientRect().bottom > document.getElementById("best-note").getBoundingClientRect().bottom).length`;

let browser: Browser;
/** One tab for every state: a new tab takes three times as long as loading the page again. */
let page: Page;
/** The page keeps nothing of an earlier state. */
let loaded: StateName | undefined;

const twoFrames = (): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

/** The next load is of this state. */
async function enter(name: StateName, width: number): Promise<void> {
  await page.unrouteAll();
  if (name !== loaded && loaded !== undefined) await page.evaluate("localStorage.clear()");
  loaded = name;
  await page.emulateMedia({ colorScheme: "light", media: "screen" });
  await resizeTo(page, width, 900);
  await enterState(page, name);
}

/** The yields are shown last of an answer. */
const ANSWERED = "!document.getElementById('rates-note').textContent.startsWith('Not read by this page yet')";

/** Loads the page in a state. The answers come after the first paint, as over a network. */
async function load(name: StateName, width: number): Promise<void> {
  await enter(name, width);
  let answer = (): void => undefined;
  const painted = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/**", (route) => painted.then(() => route.fallback()));
  await goTo(page, product.url);
  await twoFrames();
  answer();
  await comesTrue(page, ANSWERED);
  await twoFrames();
}

/** The visible text on one line. */
const textOf = async (selector: string): Promise<string> =>
  ((await page.locator(selector).allInnerTexts())[0] ?? "").replaceAll(/\s+/g, " ").trim();

/** Every text size in use, and every space character of a figure that is not one. Runs in the page. */
const FONT_SIZES = `[...new Set([...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
  .map((one) => getComputedStyle(one).fontSize))]`;

/** Names of which a word of at least four letters is on four lines or more. Runs in the page. */
const BROKEN_NAMES = `[...document.querySelectorAll("bdi, dt, h2, caption, summary")].flatMap((one) => {
  if (!one.checkVisibility() || one.closest("#months, .visually-hidden")) return [];
  const range = document.createRange();
  range.selectNodeContents(one);
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  const words = one.textContent.trim().split(/\\s+/).length;
  return lines > words + 2 ? [one.textContent] : [];
})`;

/** Expects the warning across the first view of this height: its amount first, as large as text. */
async function expectAnnounced(height: number): Promise<void> {
  const band = (await page.evaluate(BAND)) as Record<"smallest" | "share" | "bottom" | "links", number>;
  expect(band).toMatchObject({ share: 100, links: 1, isFactFirst: true });
  expect(band.smallest).toBeGreaterThanOrEqual(16);
  expect(band.bottom).toBeLessThanOrEqual(height);
  expect(await page.locator("#chain-note").isVisible(), "the proof's place").toBe(false);
}

/** Expects that nothing is announced. */
async function expectQuiet(): Promise<void> {
  expect(await page.locator("#alert").isVisible()).toBe(false);
  expect(await page.locator("#composition .above, #difference tr.above").count()).toBe(0);
}

describe.skipIf(chromiumPath === undefined)(`states of the page (${chromiumPath ?? NO_CHROMIUM})`, () => {
  beforeAll(async () => {
    browser = await sharedBrowser();
    ({ page } = await visit(browser, "about:blank"));
  });

  afterAll(() => page?.context().close());

  test.each(Object.keys(STATES) as StateName[])("%s: what the page reports, no overflow", async (name) => {
    const isWhole = IS_NIGHTLY || HARD.includes(name);
    for (const { width, colorScheme } of VIEWS) {
      if (!isWhole && !LOADED.includes(width)) continue;
      const view = `${width}-${colorScheme}`;
      if (width === 1280 || (isWhole && LOADED.includes(width))) {
        await load(name, width);
        expect(await layoutShift(page), view).toBeLessThan(MAX_LAYOUT_SHIFT);
        expect(await page.evaluate(CUT_MARKS), view).toBe(0);
        expect(await page.evaluate(LOST_LINKS), view).toEqual([]);
        if (width === 1280 && LOUD.includes(name)) await expectAnnounced(800);
        if (width === 1280 && QUIET.includes(name)) await expectQuiet();
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      } else await resizeTo(page, width, 900);
      await page.emulateMedia({ colorScheme });
      await page.locator("#chart").scrollIntoViewIfNeeded();
      await expectLayout(page, view);
      if (width === 1280)
        for (const [selector, pattern] of Object.entries(REPORTS[name] ?? {}))
          expect(await textOf(selector), selector).toMatch(pattern);
      const isColoured = IS_NIGHTLY || COLOURED.includes(name);
      if (width === 320) expect(await violations(page, isColoured ? "all" : "structure"), view).toEqual([]);
      // Structure is the same in the other theme.
      else if (width === 1280 && (IS_NIGHTLY || name === "usual"))
        expect(await violations(page, "colours"), view).toEqual([]);
      await picture(page, `${name.replaceAll(/[ ,]+/g, "-")}-${view}`);
    }
  });

  test.each(LOUD)("%s: announced across the first view of a phone too", async (name) => {
    await load(name, 390);
    expect(await layoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
    await expectAnnounced(844);
  });

  test("more in circulation than planned: a third part of the bar, and a row in the colour of warnings", async () => {
    await load("more in circulation than planned", 1280);
    const bar = await page
      .locator("#composition .above")
      .evaluate((one) => [one.getAttribute("x"), one.getAttribute("width")]);
    expect(bar).toEqual(["37.8%", "4.7%"]);
    const colors = await page.evaluate(`(() => {
      const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
      return [of("#composition .above", "fill"), of("#difference tr.above td", "color"), of("#alert", "backgroundColor")];
    })()`);
    const [warning] = colors as string[];
    expect(colors).toEqual([warning, warning, warning]);
    expect(warning).not.toBe(await page.evaluate("getComputedStyle(document.body).color"));
  });

  test.each([390, 1280])(
    "most of what is locked in circulation: no text of the bar is on the warning, %i px",
    async (width) => {
      await load("most of what is locked in circulation", width);
      const boxes = await page.evaluate(`(() => {
      const [bar] = document.querySelectorAll("#composition svg");
      const box = (one) => { const { left, right } = one.getBoundingClientRect(); return [left, right].map(Math.round); };
      const texts = [...bar.querySelectorAll("text")].filter((one) => one.checkVisibility());
      return { above: box(bar.querySelector(".above")), texts: texts.map(box) };
    })()`);
      const { above, texts } = boxes as { above: [number, number]; texts: [number, number][] };
      expect(above[1] - above[0], "a large part").toBeGreaterThan(100);
      expect(texts.length).toBeGreaterThan(0);
      for (const [left, right] of texts)
        expect(right <= above[0] || left >= above[1], `${left} to ${right}`).toBe(true);
    },
  );

  test("the next unlock is beside the headline, no half of the first view is empty, and text has few sizes", async () => {
    await load("usual", 1280);
    for (const width of [1280, 768]) {
      await resizeTo(page, width, 900);
      const boxOf = (selector: string) =>
        page.locator(selector).evaluate((one) => {
          const { left, right, top } = (
            one as unknown as { getBoundingClientRect(): Record<"left" | "right" | "top", number> }
          ).getBoundingClientRect();
          return { left, right, top };
        });
      const [headline, next, hero] = [await boxOf(".headline"), await boxOf("#next"), await boxOf("#supply")];
      expect(next.left).toBeGreaterThan(headline.right);
      expect(next.top).toBe(headline.top);
      expect(next.right - headline.left).toBeGreaterThan((hero.right - hero.left) * 0.9);
      expect(((await page.evaluate(FONT_SIZES)) as string[]).length).toBeLessThanOrEqual(MAX_FONT_SIZES);
    }
  });

  test.each([
    [1280, 800],
    [390, 844],
  ])(
    "%i x %i: the first view has the figure, its proof, the next unlock, the yield and the drawing",
    async (width, height) => {
      await load("usual", width);
      const ends = (await page.evaluate(FIRST_VIEW)) as Record<string, number>;
      const wanted = width === 1280 ? Object.keys(ends) : Object.keys(ends).filter((name) => !/parts|more/.test(name));
      expect(wanted.length).toBeGreaterThan(4);
      for (const name of wanted) expect(ends[name], name).toBeLessThanOrEqual(height);
      expect(
        await page
          .locator("#supply :not(details *, script)")
          .allInnerTexts()
          .then((all) => all.join()),
      ).not.toMatch(/\/api\//);
      const small = (await page.evaluate(SMALL_TEXTS)) as string[];
      expect(small, `text below ${MIN_TEXT_PX} px`).toEqual([]);
    },
  );

  test("the drawing has today's value on it, the cliff at its step, and names at the ends of their bands", async () => {
    await load("usual", 1280);
    const { left, top, right } = (await page.evaluate(DRAWN)) as Record<"left" | "top" | "right", number>;
    // 29.3 of 61 steps have passed, of which 37.8 % of the maximum circulates; it is at 94 % of the height.
    expect(left).toBeCloseTo((29.3 / 61) * 100, 0);
    expect(top).toBeCloseTo(100 - 37.8 * 0.94, 0);
    expect(right, "what is planned is veiled").toBeCloseTo(100, 0);
    expect(await page.locator("#drawing-now").textContent()).toContain("378M today");
    expect(await page.locator("#drawing text.wide tspan").allTextContents()).toEqual([
      "Dec 2026: 30-month cliff ends",
      "Investors",
    ]);
    const names = await page.locator("#drawing .label").allTextContents();
    expect(names).toEqual([
      "Investors 25.0% · 0% unlocked",
      "Foundation 25.0% · 50% unlocked",
      "Core contributors 25.0% · 50% unlocked",
      "Community 25.0% · 50% unlocked",
    ]);
    const sizes = await page.evaluate(
      `["next-amount", "next-share"].map((id) => getComputedStyle(document.getElementById(id)).fontSize)`,
    );
    expect((sizes as string[])[0], "the share is as large as the amount").toBe((sizes as string[])[1]);
    expect(await page.locator("#next .split rect").count()).toBe(4);
  });

  test("without an answer of the API the first view is complete but for what the chain and the listing say", async () => {
    await enter("usual", 1280);
    await page.route("**/api/**", () => new Promise(() => undefined));
    await page.goto(product.url);
    await page.waitForSelector("#chart svg");
    for (const selector of [
      "#circulating",
      "#next-amount",
      "#next-share",
      "#drawing-now",
      "#part-locked",
      "#part-maximum",
    ])
      expect(await page.locator(selector).textContent(), selector).toMatch(/\d/);
    expect(await layoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
  });

  test.each(["unlocks", "schedule", "allocations", "wallets", "yield"])(
    "the API is slow: nothing moves under a reader who is at #%s",
    async (anchor) => {
      await enter("other wallets and burned tokens", 390);
      let answer = (): void => undefined;
      const asked = new Promise<void>((resolve) => (answer = resolve));
      await page.route("**/api/**", (route) => asked.then(() => route.fallback()));
      await page.goto("about:blank");
      await goTo(page, `${product.url}#${anchor}`);
      // The page leads there again once its charts are drawn.
      await twoFrames();
      await twoFrames();
      const top = async () => Math.round((await page.locator(`#${anchor} h2`).boundingBox())?.y ?? 0) + 0;
      // The reader is where the address leads; the last section's heading is in view only.
      await expect.poll(top).toBeLessThanOrEqual(anchor === "yield" ? 800 : 0);
      const [before, shift] = [await top(), await layoutShift(page)];
      answer();
      await comesTrue(page, ANSWERED);
      await twoFrames();
      await twoFrames();
      // Below these headings is what is being filled.
      if (anchor !== "yield" && anchor !== "wallets")
        expect((await layoutShift(page)) - shift).toBeLessThan(MAX_LAYOUT_SHIFT);
      // The last section cannot stay at the top of a page that ends with it.
      if (anchor === "yield") expect(await top()).toBeGreaterThanOrEqual(0);
      else expect(await top()).toBe(before);
    },
  );

  test.each(["usual", "25 buckets, 0 decimals", "other wallets and burned tokens"] as const)(
    "%s, text of twice the size on a phone: nothing overflows, overlaps or is one letter to a line",
    async (name) => {
      await load(name, 390);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      await expectLayout(page);
      expect(((await page.evaluate(BROKEN_NAMES)) as string[]).slice(0, 3)).toEqual([]);
      await picture(page, `${name.replaceAll(/[ ,]+/g, "-")}-text-of-twice-the-size`);
    },
  );

  test("the page follows the size of text that the reader has set in the browser", async () => {
    await load("usual", 1280);
    const size = "getComputedStyle(document.querySelector('#circulating-note')).fontSize";
    expect(await page.evaluate(size)).toBe("16px");
    const session = await page.context().newCDPSession(page);
    await session.send("Page.enable");
    await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await expect.poll(() => page.evaluate(size)).toBe("32px");
    await expectLayout(page);
    await session.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
    await expect.poll(() => page.evaluate(size)).toBe("16px");
  });

  test("in forced colours what is chosen looks chosen, and bars say what they say", async () => {
    await load("usual", 390);
    await page.emulateMedia({ forcedColors: "active" });
    const style = (selector: string, property: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate(
          (one, name) =>
            (globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }).getComputedStyle(one)[
              name
            ] ?? "",
          property,
        );
    await comesTrue(page, "matchMedia('(forced-colors: active)').matches");
    for (const group of ["#controls fieldset:nth-of-type(1)", "#controls fieldset:nth-of-type(2)"])
      expect(await style(`${group} [aria-pressed=true]`, "backgroundColor"), group).not.toBe(
        await style(`${group} [aria-pressed=false]`, "backgroundColor"),
      );
    const ground = await style("html", "backgroundColor");
    expect(await style("#composition .circulating", "fill")).not.toBe(ground);
    expect(await style("#composition .locked", "stroke")).not.toBe("none");
    expect(await style("#drawing .veil", "fill"), "what is planned is hatched").toContain("#planned");
    await picture(page, "usual-forced-colors");
    await page.emulateMedia({ forcedColors: "none" });
  });

  test("on a phone the legend is whole, its total first", async () => {
    await load("usual", 320);
    const hidden =
      "[...document.querySelectorAll('#legend, #legend *')].filter((one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible').length";
    for (const width of [320, 360, 390]) {
      await resizeTo(page, width, 900);
      expect(await textOf("#legend li"), `${width} px`).toBe("From 12 Nov 2026 378.00M 37.80%");
      await expect.poll(() => page.evaluate(hidden), { message: `${width} px` }).toBe(0);
    }
  });

  test("printed, what is on the sheet has its figures, and nothing overlaps", async () => {
    await load("other wallets and burned tokens", 768);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: "print" });
    await resizeTo(page, 680, 900);
    await expectLayout(page);
    for (const selector of [
      "#circulating",
      "#upcoming tbody tr",
      "#wallet-list tbody tr:nth-child(2)",
      "#difference tbody tr",
    ])
      expect(await textOf(selector), selector).toMatch(/\d/);
    expect(await page.locator("#upcoming tbody tr:visible").count()).toBe(12);
    expect(await textOf("#printed")).toBe(`Printed from ${product.url}/ on 21 Nov 2026, 12:00 UTC.`);
    expect(await textOf("main")).not.toMatch(/Loading|–/);
    await picture(page, "printed");
  });

  test("observed days are two lines in the chart, with a gap for a missing day, and a table", async () => {
    await load("observed days", 1280);
    await page.locator("#chart").scrollIntoViewIfNeeded();
    // A horizontal line has no height, so the browser's driver treats it as invisible.
    await page.waitForSelector("#chart .observed", { state: "attached" });
    expect(await textOf("#chart-key")).toBe(
      "Solid: unlocked. Light: planned. ▼ cliff. Observed on chain: total circulating",
    );
    for (const figure of ["total", "circulating"]) {
      const line = (await page.locator(`#chart .observed.${figure}`).getAttribute("d")) ?? "";
      expect([line.match(/M/g)?.length, line.match(/L/g)?.length], figure).toEqual([2, 4]);
    }
    await page.locator("#observed-details summary").click();
    expect(await textOf("#observed-days tbody tr")).toBe("20 Nov 2026 1,000,000,000 378,000,000 378,000,000 0");
  });

  test("locked is the maximum less circulating; what is not minted is named as such", async () => {
    await load("usual", 1280);
    const total = { tokens: "800000000", base_units: "80000000000000000" };
    const breakdown = { ...(STATES.usual.breakdown as object), total_supply: total, minted_supply: total };
    await page.route("**/api/page", (route) =>
      route.fulfill({ json: documentWith({ as_of: null, rates: null }, { supply_breakdown: breakdown }) }),
    );
    await page.reload();
    await page.locator("#difference", { hasText: "Not minted yet" }).waitFor();
    expect(await textOf("#part-total")).toBe("800,000,000");
    expect(await textOf("#part-locked")).toBe("622,000,000");
  });

  test("less than a token above the plan is no warning: neither a band, nor a segment of the bar, nor a marked row", async () => {
    await load("usual", 1280);
    const dust = { tokens: "378000000.99999999", base_units: "37800000099999999" };
    const breakdown = { ...(STATES.usual.breakdown as object), circulating_supply_on_chain: dust };
    await page.route("**/api/page", (route) =>
      route.fulfill({ json: documentWith({ as_of: null, rates: null }, { supply_breakdown: breakdown }) }),
    );
    await page.reload();
    const last = page.locator("#difference tbody tr:last-child");
    await last.filter({ hasText: "0.99999999" }).waitFor();
    expect(await last.getAttribute("class"), "control: the row is there").toBe("sum");
    expect(await page.locator("#alert > *, #composition .above, #difference .above").count()).toBe(0);
  });

  test("control: what is inaccessible, broken over lines or on another text is found", async () => {
    await load("usual", 1280);
    await page.evaluate("document.body.append(document.createElement('img'))");
    expect((await violations(page, "structure")).join()).toContain("image-alt");
    await page.evaluate("document.querySelector('#circulating-note').style.color = '#ddd'");
    expect((await violations(page, "colours")).join()).toContain("color-contrast");
    expect([await layoutProblems(page), await overlappingTexts(page)]).toEqual([[], []]);
    await page.evaluate(
      `Object.assign(document.querySelector("#circulating").style, { whiteSpace: "normal", overflowWrap: "anywhere", width: "4em" })`,
    );
    expect((await layoutProblems(page)).join()).toContain("is broken over lines");
    await page.evaluate("document.querySelector('#schedule').style.marginTop = '-8rem'");
    expect(await overlappingTexts(page)).not.toEqual([]);
  });
});

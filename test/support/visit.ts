import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { launch } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { PATIENCE_MS } from "./patience.ts";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Open page with its requests and the errors in its console. */
export interface Visit {
  readonly page: Page;
  readonly consoleErrors: string[];
  readonly requests: string[];
  /** Bytes of everything except API responses. */
  readonly gzipBytes: () => Promise<number>;
}

/** Whether every chart that has room is drawn; its frame is there before, and takes the keyboard's focus. */
const ARE_CHARTS_DRAWN = `[...document.querySelectorAll("#chart, #next-chart")].every((host) =>
  host.clientWidth === 0 || host.querySelector("svg") !== null)`;

/** Waits until an expression is true in the page, whose policy keeps the driver from waiting there. */
export async function comesTrue(page: Page, expression: string): Promise<void> {
  await eventually(async () => expect(await page.evaluate(expression), expression).toBe(true), 20);
}

/** Loads a page, and waits for its chart if it has one, because the chart is drawn after the first paint. */
export async function goTo(page: Page, url: string, isDrawn = true): Promise<void> {
  await page.goto(url);
  if (isDrawn) await comesTrue(page, ARE_CHARTS_DRAWN);
}

/** Whether the width of every chart is that of its frame. Runs in the page. */
const DO_CHARTS_FOLLOW = `[...document.querySelectorAll("#chart, #next-chart")].every((host) => {
  const svg = host.querySelector("svg");
  const { paddingLeft, paddingRight } = getComputedStyle(host);
  const room = host.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return svg === null || host.clientWidth === 0 || Math.abs(svg.getAttribute("width") - Math.max(room, 240)) <= 1;
})`;

/** Resizes the window of a page, and waits until the page knows its width, which the driver does not wait for. */
export async function resizeWindow(page: Page, width: number, height = 844): Promise<void> {
  await page.setViewportSize({ width, height });
  await comesTrue(page, `matchMedia("(width: ${width}px)").matches`);
}

/** {@link resizeWindow}, after which the charts, which follow by an observer, have followed. */
export async function resizeTo(page: Page, width: number, height?: number): Promise<void> {
  await resizeWindow(page, width, height);
  await comesTrue(page, DO_CHARTS_FOLLOW);
}

/** Expects that nothing overflows, breaks or overlaps, once what changes the layout has come to rest. */
export async function expectLayout(page: Page, message = "the layout"): Promise<void> {
  const problems = async () => [...(await layoutProblems(page)), ...(await overlappingTexts(page))];
  await expect.poll(problems, { message }).toEqual([]);
}

const PICTURES = process.env["SCREENSHOTS"];

/** Writes a picture of the whole page into the folder SCREENSHOTS; without that variable, none. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.evaluate("document.querySelector('#months')?.removeAttribute('open')");
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/** Tab with everything that its page has done since the last {@link openTab}. */
interface Tab extends Visit {
  readonly assets: Promise<Buffer>[];
}

/** Opens a tab in a new context; it records from before a page's first byte. */
async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  const requests: string[] = [];
  const assets: Promise<Buffer>[] = [];
  page.on("console", (message) => (message.type() === "error" ? consoleErrors.push(message.text()) : undefined));
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.startsWith("/api")) assets.push(response.body().catch(() => Buffer.alloc(0)));
  });
  await page.addInitScript(RECORD_SHIFTS);
  const gzipBytes = async (): Promise<number> =>
    (await Promise.all(assets)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  return { page, consoleErrors, requests, gzipBytes, assets };
}

/** Opens a page in a new context; `prepare` runs before its first byte. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
  isDrawn = true,
): Promise<Visit> {
  const tab = await openTab(browser, options);
  await prepare(tab.page);
  await goTo(tab.page, url, isDrawn);
  return tab;
}

/**
 * Browser of this worker, whose files run one after the other. It ends with the worker, when the pipe between them
 * closes.
 */
let started: Browser | undefined;

/** Returns the worker's browser. */
export async function sharedBrowser(): Promise<Browser> {
  if (started?.isConnected() !== true) started = await launch();
  return started;
}

/** Resets a tab: page, storage, and everything that a test has set. */
async function clearTab({ page, consoleErrors, requests, assets }: Tab, options: BrowserContextOptions): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // A page without an origin has no storage.
  await page.evaluate("localStorage.clear(); sessionStorage.clear()").catch(() => undefined);
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.mouse.move(0, 0);
  await page.goto("about:blank");
  const { viewport = { width: 1280, height: 720 }, colorScheme = null, reducedMotion = null } = options;
  if (viewport !== null) await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, forcedColors: null, colorScheme, reducedMotion });
  consoleErrors.length = requests.length = assets.length = 0;
}

/**
 * Makes {@link visit} use the worker's browser. A visit that prepares nothing takes the tab of an earlier test with the
 * same options, because a new tab takes half as long as loading the page. A test that prepares a script or a clock gets
 * a new tab.
 */
export function useBrowser() {
  /** Reset tabs, by the options of their contexts. */
  const free = new Map<string, Tab>();
  const taken = new Map<string, Tab>();
  const own: Visit[] = [];
  afterEach(async () => {
    for (const [key, tab] of taken) {
      if (tab.page.isClosed()) continue;
      await clearTab(tab, JSON.parse(key));
      free.set(key, tab);
    }
    taken.clear();
    await Promise.all(own.splice(0).map(({ page }) => page.context().close()));
  });
  afterAll(() => Promise.all([...free.values()].map(({ page }) => page.context().close())));
  return async (
    url: string,
    options: BrowserContextOptions = {},
    prepare?: Parameters<typeof visit>[3],
    isDrawn?: boolean,
  ): Promise<Visit> => {
    const browser = await sharedBrowser();
    const key = JSON.stringify(options);
    if (prepare !== undefined || taken.has(key)) {
      const alone = await visit(browser, url, options, prepare, isDrawn);
      own.push(alone);
      return alone;
    }
    const tab = free.get(key) ?? (await openTab(browser, options));
    free.delete(key);
    taken.set(key, tab);
    await goTo(tab.page, url, isDrawn);
    return tab;
  };
}

const RECORD_SHIFTS = `
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.layoutShift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Sum of the page's layout shifts so far. */
export const layoutShift = (page: Page): Promise<number> => page.evaluate("globalThis.layoutShift");

/** Hides or shows the page, as if the reader had turned to another tab or back. */
export const hide = (page: Page, isHidden: boolean): Promise<unknown> =>
  page.evaluate(
    `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
  );

/** Rules of axe that depend on the theme; they take half of the total time. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** Rows of the same structure as earlier ones, which are not checked again. */
const REPEATED = ["#months tbody:nth-of-type(n + 2)", "#upcoming tbody tr:nth-child(n + 4)"];

const RULES = {
  all: {},
  colours: { runOnly: COLOUR_RULES },
  structure: { rules: Object.fromEntries(COLOUR_RULES.map((name) => [name, { enabled: false }])) },
};

/** Lists the accessibility violations that axe finds with these rules. Runs despite the page's policy. */
export async function violations(page: Page, rules: keyof typeof RULES = "all"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate(
    async ([chosen, exclude]) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run: (
            context: object,
            options: object,
          ) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      // Selectors for thousands of correct elements are left out, because they cost time.
      const quick = { reporter: "no-passes", resultTypes: ["violations"], selectors: false };
      const found = await axe.run({ exclude }, { ...quick, ...chosen });
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    },
    [RULES[rules], REPEATED] as const,
  );
}

/** Writes `rgb(8, 145, 153)` as `#089199`. */
export function hex(color: string): string {
  const parts = color.match(/\d+/g) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Lists elements that overflow the page's side, and figures that are broken over lines or cut. */
export const layoutProblems = (page: Page): Promise<string[]> => page.evaluate(LAYOUT_CHECK);

/** Check of the layout, as text because the test project lacks the types of a page. */
const LAYOUT_CHECK = `(() => {
  const problems = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) problems.push("the page is " + root.scrollWidth + " wide in " + root.clientWidth);
  for (const element of document.querySelectorAll(".digits, .number")) {
    if (!element.checkVisibility() || element.closest(".visually-hidden, thead") && getComputedStyle(element.closest(".visually-hidden, thead")).clipPath !== "none") continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 1);
    const lines = new Set(rects.map(({ bottom }) => Math.round(bottom / 8)));
    if (lines.size > 1 && !element.matches(":has(*)")) problems.push('"' + element.textContent + '" is broken over lines');
    const width = Math.max(0, ...rects.map((rect) => rect.width));
    const right = Math.max(0, ...rects.map((rect) => rect.right));
    if (width > element.getBoundingClientRect().width + 1) problems.push('"' + element.textContent + '" overlaps what is beside it');
    if (right > root.clientWidth && element.closest(".scroll") === null) problems.push('"' + element.textContent + '" leaves the page');
  }
  return problems;
})()`;

/** Lists every two texts of a page that overlap. */
export const overlappingTexts = (page: Page): Promise<string[]> => page.evaluate(OVERLAP_CHECK);

/**
 * Check of overlaps, which runs in the page: boxes of text lines, except text that is scrolled away or only for
 * assistive technology.
 */
const OVERLAP_CHECK = `(() => {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || element.closest("script, style, noscript, option, .visually-hidden, .skip, [visibility=hidden]")) continue;
    if (!element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue;
    // Text that is only for assistive technology is skipped.
    if (element.closest("thead") !== null && getComputedStyle(element.closest("thead")).clipPath !== "none") continue;
    const scroller = element.closest(".scroll, pre, textarea, .side, .examples, .where");
    const clips = scroller !== null && getComputedStyle(scroller).overflowY !== "visible";
    const frame = clips ? scroller.getBoundingClientRect() : undefined;
    if (frame !== undefined && getComputedStyle(element).position === "sticky") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < 1 || bottom - top < 1) continue;
      if (frame !== undefined && (top < frame.top + 40 || bottom > frame.bottom)) continue;
      boxes.push({ left, right, top, bottom, element, text: node.data.trim().slice(0, 30) });
    }
  }
  boxes.sort((one, other) => one.top - other.top);
  const found = [];
  for (const [index, one] of boxes.entries())
    for (let next = index + 1; next < boxes.length && boxes[next].top < one.bottom; next += 1) {
      const other = boxes[next];
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - other.top;
      // Lines may touch, because the boxes of letters are higher than the letters.
      if (wide > 2 && high > Math.min(one.bottom - one.top, other.bottom - other.top) * 0.4) found.push('"' + one.text + '" and "' + other.text + '"');
    }
  return [...new Set(found)].slice(0, 20);
})()`;

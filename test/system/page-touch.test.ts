import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { enterState } from "../support/page-states.ts";
import { product } from "../support/shared-product.ts";
import { useBrowser } from "../support/visit.ts";

/** A phone in portrait: the browser's bars take a part of its 844 px. */
const PHONE = {
  viewport: { width: 390, height: 664 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: "reduce" as const,
  permissions: ["clipboard-read", "clipboard-write"],
};
const MAX_SCREENS = 1;
const MAX_TAPS = 2;
const MIN_TARGET_PX = 44;

/** Controls that are too small to tap, except links inside a sentence (WCAG 2.5.8). Runs in the page. */
const SMALL_TARGETS = `(() => {
  const found = [];
  for (const element of document.querySelectorAll("a, button, select, summary, input, textarea, [role=slider]")) {
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || element.matches(".skip")) continue;
    const isInline = getComputedStyle(element).display === "inline";
    if (isInline && element.parentElement.textContent.trim() !== element.textContent.trim()) continue;
    if (width >= ${MIN_TARGET_PX} && height >= ${MIN_TARGET_PX}) continue;
    found.push(element.textContent.trim().slice(0, 40) + ": " + Math.round(width) + " x " + Math.round(height));
  }
  return found;
})()`;

const visit = useBrowser();

/** A reader on a phone, who scrolls down from the top and taps visible elements. */
interface Reader {
  readonly page: Page;
  readonly find: (target: Locator) => Promise<string>;
  readonly tap: (target: Locator) => Promise<void>;
  readonly effort: { screens: number; taps: number };
}

async function reader(): Promise<Reader> {
  const { page } = await visit(product.url, PHONE);
  await page.waitForSelector("#chart svg");
  const effort = { screens: 0, taps: 0 };
  const isInView = async (target: Locator): Promise<boolean> => {
    const box = await target.boundingBox();
    return box !== null && box.height > 0 && box.y >= 0 && box.y + box.height <= PHONE.viewport.height;
  };
  const find = async (target: Locator): Promise<string> => {
    await target.waitFor();
    while (!(await isInView(target))) {
      if (effort.screens > 10) throw new Error("scrolled past the end without seeing it");
      effort.screens += 1;
      await page.evaluate("scrollBy({ top: innerHeight * 0.9, behavior: 'instant' })");
    }
    return (await target.textContent())?.trim() ?? "";
  };
  const tap = async (target: Locator): Promise<void> => {
    await find(target);
    effort.taps += 1;
    await target.tap();
  };
  return { page, find, tap, effort };
}

describe.skipIf(chromiumPath === undefined)(`the page on a touch screen (${chromiumPath ?? NO_CHROMIUM})`, () => {
  const json = async <T>(path: string): Promise<T> => (await fetch(product.url + path)).json() as Promise<T>;
  const digits = (text: string): string => text.replace(/\D/g, "");

  test.each<[string, (reader: Reader) => Promise<void>]>([
    [
      "find today's circulating supply",
      async ({ find, page }) => {
        const figure = await (await fetch(`${product.url}/api/circulating-supply`)).text();
        expect(digits(await find(page.locator("#circulating")))).toBe(figure);
      },
    ],
    [
      "find the next unlock, its size and who gets it",
      async ({ find, page }) => {
        type Unlock = { at: string; amount: { tokens: string }; buckets: { label: string }[] };
        const { next_unlock: next } = await json<{ next_unlock: Unlock }>("/api/supply");
        expect(digits(await find(page.locator("#next-amount")))).toBe(next.amount.tokens.split(".")[0]);
        await find(page.locator("#next-date"));
        expect(await page.locator("#next-date").getAttribute("datetime")).toBe(next.at);
        const recipients = await find(page.locator("#next-recipients"));
        for (const { label } of next.buckets) expect(recipients).toContain(label);
      },
    ],
    [
      "find the best yield and where to get it",
      async ({ find, tap, page, effort }) => {
        await find(page.locator("#best-rate", { hasText: "%" }));
        const link = page.locator("#best-note a");
        const name = await find(link);
        if ((await link.getAttribute("href"))?.startsWith("#")) {
          await tap(link);
          const row = page.locator("#rates-list > li:target", { hasText: name });
          expect(await row.locator("details[open]").textContent()).toMatch(/Stake|The listing names no address/);
          await expect.poll(async () => (await row.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
        } else expect(await link.getAttribute("href")).toMatch(/^https:/);
        expect(effort.taps).toBeLessThanOrEqual(1);
      },
    ],
    [
      "trust the figure: whose it is, of when, and computed again here",
      async ({ find, tap, page, effort }) => {
        expect(await find(page.locator("#circulating-note"))).toMatch(/^since \d+ \w+ \d{4}, 00:00 UTC\./);
        expect(await page.locator("#provenance").textContent()).toMatch(/, revision \d+ of \d+ \w+ \d{4}\..*SHA-256 /);
        expect(await page.locator("#provenance a[href^='https:']").count()).toBeGreaterThan(0);
        await tap(page.getByRole("link", { name: "Check it yourself" }));
        // The next page begins at its own top.
        expect(effort.screens).toBeLessThanOrEqual(MAX_SCREENS);
        effort.screens = 0;
        await tap(page.getByRole("button", { name: "Compute it again" }));
        expect(await find(page.locator("#plan-verdict", { hasText: /equal/i }))).toMatch(/^✓? ?Equal/);
        expect(effort.taps).toBe(2);
      },
    ],
    [
      "download all unlocks as CSV",
      async ({ tap, page }) => {
        await tap(page.getByRole("navigation").getByRole("link", { name: "Unlocks" }));
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          tap(page.getByRole("link", { name: "CSV of all unlocks" })),
        ]);
        expect(await text(await file.createReadStream())).toMatch(/^at,bucket,label,/);
      },
    ],
    [
      "get the address of a figure",
      async ({ find, tap, page }) => {
        await tap(page.getByText("API address of each figure"));
        const link = page.locator("#addresses li", { hasText: "Total supply" }).locator("a");
        expect(await find(link)).toBe("/api/total-supply");
        expect(await (await fetch(product.url + (await link.getAttribute("href")))).text()).toMatch(/^\d+$/);
      },
    ],
  ])("%s: at most 1 screen and 2 taps from the top", async (_, task) => {
    const someone = await reader();
    await task(someone);
    expect(someone.effort.screens).toBeLessThanOrEqual(MAX_SCREENS);
    expect(someone.effort.taps).toBeLessThanOrEqual(MAX_TAPS);
  });

  test.each(["/", "/docs/", "/docs/embed", "/docs/reference/supply-and-yield", "/embed/chart", "/nowhere"])(
    "%s: every control is at least 44 px high and wide",
    async (path) => {
      const { page } = await visit(product.url + path, PHONE, (opened) =>
        path === "/" ? enterState(opened, "usual") : Promise.resolve(),
      );
      await page.waitForLoadState("networkidle");
      if (path === "/") {
        await page.waitForSelector("#rates-list li");
      }
      await expect.poll(() => page.evaluate(SMALL_TARGETS)).toEqual([]);
    },
  );
});

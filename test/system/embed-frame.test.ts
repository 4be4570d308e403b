import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { product } from "../support/shared-product.ts";
import { expectLayout, layoutShift, picture, useBrowser, violations } from "../support/visit.ts";

const visit = useBrowser();
const FAILED = "The unlock schedule cannot be loaded now.";
const open = (prepare?: (page: Page) => Promise<unknown>, width = 640) =>
  visit(`${product.url}/embed/chart`, { viewport: { width, height: 600 } }, prepare);

describe.skipIf(chromiumPath === undefined)(`the chart in a frame (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("while its script is waited for it says nothing, and nothing moves when it arrives", async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const { page } = await open((fresh) =>
      fresh.route("**/assets/unlock-chart*", (route) => arrived.then(() => route.continue())),
    );
    await page.locator("unlock-chart[loading]").waitFor();
    expect(await page.getByText(FAILED).isVisible()).toBe(false);
    arrive();
    await page.locator("unlock-chart svg").first().waitFor();
    expect(await layoutShift(page)).toBeLessThan(0.01);
    expect(await page.getByText("Solid: unlocked. Light: planned.").isVisible()).toBe(true);
  });

  test.each(["**/assets/unlock-chart*", "**/embed.js"])(
    "%s is lost: it says so, at the latest after 20 s",
    async (lost) => {
      const { page } = await open((fresh) => fresh.route(lost, (route) => route.fulfill({ status: 404 })));
      await page.waitForLoadState("networkidle");
      await page.evaluate("for (const one of document.getAnimations()) one.finish()");
      await page.getByText(FAILED).waitFor({ state: "visible" });
      expect(await violations(page)).toEqual([]);
    },
  );

  test.each([320, 640, 1000])(
    "%i px: the legend's names are beside their colours, its amounts in columns",
    async (width) => {
      const { page } = await open(undefined, width);
      await page.locator("unlock-chart svg").first().waitFor();
      const rows = (await page.locator("unlock-chart li").evaluateAll((all) =>
        (all as unknown as { getBoundingClientRect(): { left: number }; children: ArrayLike<Boxed> }[]).map((one) => ({
          left: Math.round(one.getBoundingClientRect().left),
          amount: Math.round(one.children[1]?.getBoundingClientRect().right ?? 0),
          height: Math.round(one.children[0]?.getBoundingClientRect().height ?? 0),
        })),
      )) as { left: number; amount: number; height: number }[];
      expect(rows.length).toBeGreaterThan(4);
      const [total, ...others] = rows;
      // The total stands in the first column, as the amounts below it.
      const below = others.filter(({ left }) => left === total?.left);
      expect(below.length).toBeGreaterThan(0);
      for (const one of below) expect(one.amount).toBe(total?.amount);
      for (const one of width < 640 ? others : rows) expect(one.height).toBeLessThan(30);
      await expectLayout(page);
      await picture(page, `embed-frame-${width}`);
    },
  );
});

describe.skipIf(chromiumPath === undefined)("a narrow frame", () => {
  test.each([160, 180, 220])("%i px: the whole drawing is in it, with name, day and link", async (width) => {
    const { page } = await open(undefined, width);
    await page.locator("unlock-chart svg .band").first().waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const right = (await page.locator("unlock-chart svg").first().boundingBox()) ?? { x: 0, width: 0 };
    expect(right.x + right.width).toBeLessThanOrEqual(width);
    expect(right.x).toBeGreaterThanOrEqual(0);
    expect(await page.locator("unlock-chart .source a").textContent()).toMatch(/^Aptos supply, \d+ \w{3} \d{4}$/);
    await expectLayout(page);
  });
});

describe.skipIf(chromiumPath === undefined)("the frame on another origin", () => {
  test.each(["require-corp", "credentialless"])("is drawn on a page that is isolated by %s", async (policy) => {
    const host = createServer((_request, response) => {
      const isolation = { "Cross-Origin-Embedder-Policy": policy, "Cross-Origin-Opener-Policy": "same-origin" };
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...isolation });
      response.end(`<!doctype html><iframe src="${product.url}/embed/chart" width="640" height="520"></iframe>`);
    });
    const { page } = await visit(await listening(host), {});
    try {
      await page.frameLocator("iframe").locator("unlock-chart svg").first().waitFor();
      expect(await page.evaluate("crossOriginIsolated")).toBe(true);
    } finally {
      host.close();
    }
  });
});

interface Boxed {
  getBoundingClientRect(): { readonly right: number; readonly height: number };
}

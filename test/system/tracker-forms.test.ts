import { describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { product } from "../support/shared-product.ts";
import { expectLayout, picture, useBrowser, violations } from "../support/visit.ts";

const IS_NIGHTLY = process.env["NIGHTLY"] !== undefined;
const visit = useBrowser();
const open = (width: number) =>
  visit(`${product.url}/docs/trackers`, {
    viewport: { width, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
  });

describe.skipIf(chromiumPath === undefined)(`/docs/trackers (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test("every address is whole, on one line, copied as it is, and answers", async () => {
    const { page, consoleErrors } = await open(1280);
    const blocks = await page.locator(".address").all();
    expect(blocks.length).toBeGreaterThan(15);
    for (const block of blocks) {
      const url = (await block.locator("code").textContent()) ?? "";
      expect(url).toMatch(new RegExp(`^${product.url}/(api|docs)/`));
      expect(
        await block
          .locator("pre")
          .evaluate((pre) => (pre as unknown as Box).scrollWidth <= (pre as unknown as Box).clientWidth),
        url,
      ).toBe(true);
      expect((await block.locator("code").boundingBox())?.height, url).toBeLessThan(30);
      await block.getByRole("button", { name: /Cop/ }).click();
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(url);
      expect(product.url + (await block.getByRole("link", { name: "Open" }).getAttribute("href"))).toBe(url);
      expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    }
    expect(consoleErrors).toEqual([]);
  });

  test("beside each figure stands what its address answers now, for every address read once", async () => {
    const { page, requests } = await open(1280);
    const places = page.locator(".now");
    await places
      .first()
      .filter({ hasText: /^Now: \d+$/ })
      .waitFor();
    await expect.poll(() => page.locator(".now", { hasText: /^Now: / }).count()).toBe(await places.count());
    const shown = await places.evaluateAll((all) =>
      all.map((one) => [one.getAttribute("data-path") ?? "", one.textContent ?? ""] as const),
    );
    expect(shown.length).toBeGreaterThan(8);
    for (const [path, text] of shown)
      if (!path.includes("on-chain") && !path.includes("total"))
        expect(text).toBe(`Now: ${await (await fetch(product.url + path)).text()}`);
      else expect(text).toMatch(/^Now: (\d+|\{"result":"\d+\.\d+"\})$/);
    const asked = requests.map((url) => url.replace(product.url, "")).filter((path) => path.startsWith("/api/"));
    expect(asked.sort()).toEqual([...new Set(shown.map(([path]) => path))].sort());
  });

  test("a figure that has no value now says so", async () => {
    const { page } = await visit(`${product.url}/docs/trackers`, {}, (fresh) =>
      fresh.route("**/api/max-supply", (route) => route.fulfill({ status: 503, json: { message: "none" } })),
    );
    await page.locator(".now", { hasText: "No value now: status 503" }).first().waitFor();
  });

  test.each([390, 1280])("%i px: nothing overflows or overlaps, axe finds nothing", async (width) => {
    const { page } = await open(width);
    await page
      .locator(".now", { hasText: /^Now: \d+$/ })
      .first()
      .waitFor();
    await expectLayout(page);
    // Accessibility is checked in one theme at one width; in the others at night.
    if (IS_NIGHTLY || width === 390) expect(await violations(page), "light").toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    if (IS_NIGHTLY) expect(await violations(page, "colours"), "dark").toEqual([]);
    await picture(page, `tracker-forms-${width}`);
  });
});

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

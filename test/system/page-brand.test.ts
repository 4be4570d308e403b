import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import { copyCheckout } from "../support/checkout.ts";
import { enterState, pageOf, STATES } from "../support/page-states.ts";
import { product } from "../support/shared-product.ts";
import { useBrowser } from "../support/visit.ts";

const OWN = {
  name: "Example <b>figures</b>",
  links: [{ label: "Homepage", url: "https://example.org/home" }],
  explorer: "https://explorer.example/account/{address}?network=main",
  footer: "Run by Example.",
  url: "https://figures.example.org",
};

const visit = useBrowser();
let built: string;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  const folder = copyCheckout();
  const brand = join(folder, "page", "brand.json");
  writeFileSync(brand, JSON.stringify({ ...JSON.parse(readFileSync(brand, "utf8")), ...OWN }));
  const { status, stderr } = spawnSync("node", ["tools/main.mjs", "build"], { cwd: folder, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  built = join(folder, "dist", "page");
});

test.skipIf(chromiumPath === undefined)("the operator's name, links, footer and explorer are on the page", async () => {
  const { page } = await visit(product.url, {}, async (fresh) => {
    await enterState(fresh, "wallet on another chain");
    // The files of the operator's build, the API's answers of that state.
    await fresh.route(
      ({ pathname }) => !pathname.startsWith("/api"),
      (route) => {
        const { pathname } = new URL(route.request().url());
        if (pathname !== "/") return route.fulfill({ path: join(built, pathname) });
        const html = readFileSync(join(built, "index.html"), "utf8");
        return route.fulfill({
          contentType: "text/html",
          body: pageOf(html, STATES.usual.schedule, STATES.usual.nowMs),
        });
      },
    );
  });
  expect(await page.locator("header .brand").textContent()).toBe(OWN.name);
  expect(await page.getByRole("link", { name: "Homepage" }).getAttribute("href")).toBe("https://example.org/home");
  expect(await page.locator("footer").textContent()).toContain(OWN.footer);
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
  const folder = copyCheckout();
  const brand = join(folder, "page", "brand.json");
  writeFileSync(brand, JSON.stringify({ ...JSON.parse(readFileSync(brand, "utf8")), logo: "/none.svg" }));
  const { status, stderr } = spawnSync("node", ["tools/main.mjs", "build"], { cwd: folder, encoding: "utf8" });
  expect([status, stderr]).toEqual([1, "page/brand.json: logo: page/public/none.svg does not exist\n"]);
});

import type { TestProject } from "vitest/node";
import { chromiumPath, serveBrowser } from "./browser.ts";
import { startProduct } from "./product.ts";

/** Once for the page's project: a browser, and a product with quotas that no test reaches, or the running one at PAGE_URL. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env["PAGE_URL"];
  const [own, closeBrowser] = await Promise.all([
    running === undefined ? startProduct({ RATE_LIMIT_DEFAULT: "10000/60", RATE_LIMIT_NODE: "10000/60" }) : undefined,
    chromiumPath === undefined ? undefined : serveBrowser(),
  ]);
  project.provide("productUrl", own?.url ?? running ?? "");
  return async () => void (await Promise.all([own?.stop(), closeBrowser?.()]));
}

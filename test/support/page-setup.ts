import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startProduct } from "./product.ts";

/**
 * Starts a product with quotas that no test reaches, once for the system project; or uses the running one at PAGE_URL.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env["PAGE_URL"];
  const quotas = { RATE_LIMIT_DEFAULT: "10000/60", RATE_LIMIT_NODE: "10000/60" };
  const own = running === undefined ? await startProduct(quotas) : undefined;
  project.provide("productUrl", own?.url ?? running ?? "");
  return async () => {
    await own?.stop();
    // The product started before the run had a temporary folder.
    if (own !== undefined) rmSync(own.state, { recursive: true });
  };
}

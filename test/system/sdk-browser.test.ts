import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ed25519PrivateKey } from "@aptos-labs/ts-sdk";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { chromiumPath, launch, NO_CHROMIUM } from "../support/browser.ts";
import { listening } from "../support/listening.ts";

let product: BareProduct;
let browser: Browser;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [product, browser] = await Promise.all([startBareProduct(), launch()]);
});
afterAll(async () => {
  if (chromiumPath === undefined) return;
  await Promise.all([browser.close(), product.remove()]);
});

test.skipIf(chromiumPath === undefined)(
  `a page of another origin is funded and pays with the public SDK, at the defaults${chromiumPath === undefined ? ` (${NO_CHROMIUM})` : ""}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "sdk-page-"));
    await build({
      configFile: false,
      logLevel: "error",
      define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
      build: {
        outDir: folder,
        copyPublicDir: false,
        lib: {
          entry: join(import.meta.dirname, "../support/sdk-page.ts"),
          formats: ["iife"],
          name: "page",
          fileName: () => "page.js",
        },
      },
    });
    const script = readFileSync(join(folder, "page.js"));
    const site = createServer((request, response) => {
      const isScript = request.url === "/page.js";
      response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
      response.end(isScript ? script : '<script src="/page.js"></script>');
    });
    const key = new Ed25519PrivateKey(new Uint8Array(32).fill(77));
    const page = await browser.newPage();
    await page.goto(await listening(site));
    const call = `transferInPage(${JSON.stringify(product.url)}, ${JSON.stringify(key.toHexString())}, "0x${"77".repeat(32)}")`;
    const result: unknown = await page.evaluate(call);
    site.close();
    expect(result).toEqual({ simulated: true, committed: true, balance: 1_000, cursor: true, limit: true });
  },
);

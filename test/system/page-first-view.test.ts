import { createServer, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wholeTokens } from "../../src/base/shown-figures.ts";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { product } from "../support/shared-product.ts";
import { layoutShift, useBrowser } from "../support/visit.ts";

/** With what it reads of the API at once: a first visit. */
const MAX_BYTES = 34_000;
/** Up to the end of the first view's script. At 0.4 Mbit/s a browser has so many after a quarter of a second. */
const MAX_BYTES_BEFORE_PAINT = 12_000;
const BYTES_PER_SECOND = 100_000;

const visit = useBrowser();
const sizeOf = (text: string): number => gzipSync(text, { level: 9 }).length;
const textOf = async (path: string): Promise<string> => (await fetch(product.url + path)).text();

test("the page with its two answers has at most 34 kB, of which the first view waits for 12", async () => {
  const html = await textOf("/");
  const [first = ""] = html.split('<section id="unlocks">');
  expect(first, "the first view and its script").toMatch(
    /<section id="supply"[\s\S]+<script id="first-view">var first/,
  );
  expect(sizeOf(first)).toBeLessThan(MAX_BYTES_BEFORE_PAINT);
  const answers = await Promise.all(["/api/supply-breakdown", "/api/rates"].map(textOf));
  expect([html, ...answers].reduce((sum, text) => sum + sizeOf(text), 0)).toBeLessThan(MAX_BYTES);
});

describe.skipIf(chromiumPath === undefined)(`over a slow network (${chromiumPath ?? NO_CHROMIUM})`, () => {
  let proxy: Server;
  let address: string;

  beforeAll(async () => {
    proxy = createServer(async (request, response) => {
      const answer = await fetch(product.url + request.url);
      const body = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get("Content-Type") ?? "";
      response.writeHead(answer.status, { "Content-Type": type });
      // As if it had been built another day.
      response.end(
        type.startsWith("text/html")
          ? String(body).replace(/(<p id="headline"[^>]*>).*?<\/p>/, "$1of another day</p>")
          : body,
      );
    });
    address = await listening(proxy);
  });

  afterAll(() => proxy?.close());

  test.each([390, 1280])("%i px: the first paint has the figures of now, and comes before the rest", async (width) => {
    const { page } = await visit(address, { viewport: { width, height: 844 } }, async (fresh) => {
      const session = await fresh.context().newCDPSession(fresh);
      await session.send("Network.enable");
      const network = { offline: false, latency: 0, downloadThroughput: BYTES_PER_SECOND, uploadThroughput: -1 };
      await session.send("Network.emulateNetworkConditions", network);
      await fresh.addInitScript(`new PerformanceObserver(() => {
        globalThis.atPaint ??= [document.querySelector("#headline")?.textContent, document.querySelector("footer") === null];
      }).observe({ type: "paint", buffered: true });`);
    });
    const { circulating } = JSON.parse(await textOf("/api/supply")) as { circulating: { tokens: string } };
    expect(await page.evaluate("globalThis.atPaint")).toEqual([
      expect.stringContaining(wholeTokens(circulating.tokens)),
      true,
    ]);
    await page.locator("#verdict[data-state=verified]").waitFor();
    expect(await layoutShift(page)).toBeLessThan(0.01);
  });
});

import { createServer, type Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wholeTokens } from "../../src/base/shown-figures.ts";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { listening } from "../support/listening.ts";
import { product } from "../support/shared-product.ts";
import { comesTrue, layoutShift, useBrowser } from "../support/visit.ts";

/** Most bytes of a first visit, with its first API responses. */
const MAX_BYTES = 36_000;
/** Up to the end of the script that fills the figures: the drawing follows within the same view. At 0.4 Mbit/s a browser has so many after a quarter of a second. */
const MAX_BYTES_BEFORE_PAINT = 12 * 1_024;

/** From here on the browser paints. */
const REST = '<div class="drawing">';
/** Places at which the bytes of the first view may be cut, each with what is painted before it. */
const CUTS = {
  "before the drawing": REST,
  "inside the drawing": '<svg class="plot',
  "before the last numbers": "<div><dt>Burned",
} as const;

const visit = useBrowser();
const sizeOf = (text: string): number => gzipSync(text, { level: 9 }).length;
const textOf = async (path: string): Promise<string> => (await fetch(product.url + path)).text();

test("the page with its answer has at most 36 kB, of which the first view waits for 12", async () => {
  const html = await textOf("/");
  const [first = ""] = html.split(REST);
  expect(first, "the first view and its script").toMatch(
    /<section id="supply"[\s\S]+<script id="first-view">var first/,
  );
  expect(sizeOf(first)).toBeLessThan(MAX_BYTES_BEFORE_PAINT);
  const answers = await Promise.all(["/api/page"].map(textOf));
  expect([html, ...answers].reduce((sum, text) => sum + sizeOf(text), 0)).toBeLessThan(MAX_BYTES);
});

describe.skipIf(chromiumPath === undefined)(`before the rest (${chromiumPath ?? NO_CHROMIUM})`, () => {
  let proxy: Server;
  let address: string;
  /** Ends when the browser has painted something of the page that was asked for last. */
  let painted = Promise.withResolvers<void>();
  let cut: string = REST;

  beforeAll(async () => {
    proxy = createServer(async (request, response) => {
      if (request.url === "/painted") {
        painted.resolve();
        response.end();
        return;
      }
      const answer = await fetch(product.url + request.url);
      const body = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get("Content-Type") ?? "";
      response.writeHead(answer.status, { "Content-Type": type });
      if (!type.startsWith("text/html")) {
        response.end(body);
        return;
      }
      painted = Promise.withResolvers();
      // Makes the page look as if it had been built another day; the rest is not sent before the first paint.
      const html = String(body).replace(/(<p id="headline"[^>]*>).*?<\/p>/, "$1of another day</p>");
      const [script, rest] = [html.indexOf('<script id="first-view">'), html.indexOf(cut)];
      response.write(html.slice(0, script));
      // Long enough to paint what has arrived, if nothing held that back.
      await pause(500);
      response.write(html.slice(script, rest));
      await painted.promise;
      response.end(html.slice(rest));
    });
    address = await listening(proxy);
  });

  afterAll(() => proxy?.close());

  describe.each([390, 1280])("%i px", (width) => {
    test.each(Object.entries(CUTS))(
      "cut %s: the figures of now are painted, and nothing moves later",
      async (...at) => {
        [, cut] = at;
        expect((await textOf("/")).split(cut)).toHaveLength(2);
        const { page } = await visit(address, { viewport: { width, height: 844 } }, (fresh) =>
          fresh.addInitScript(`new PerformanceObserver(() => {
          globalThis.atPaint ??= document.querySelector("#headline")?.textContent;
          fetch("/painted");
        }).observe({ type: "paint", buffered: true });`),
        );
        const { circulating } = JSON.parse(await textOf("/api/supply")) as { circulating: { tokens: string } };
        await comesTrue(page, "globalThis.atPaint !== undefined");
        expect(await page.evaluate("globalThis.atPaint")).toContain(wholeTokens(circulating.tokens));
        await page.locator("#verdict[data-state=verified]").waitFor();
        expect(await layoutShift(page)).toBeLessThan(0.01);
      },
    );
  });
});

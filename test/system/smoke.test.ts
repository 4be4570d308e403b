import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { estimatedSeconds, REQUESTS } from "../../tools/smoke.ts";
import { FedUpstreams } from "../support/fed-upstreams.ts";
import { listening } from "../support/listening.ts";
import { type Product, startProduct } from "../support/product.ts";
import { runTool } from "../support/run-tool.ts";

const QUOTA = 10_000;

let upstreams: FedUpstreams;
let product: Product;

/** An operator's deployment: nodes and a listing of his own, no stable token, no node interface. */
beforeAll(async () => {
  upstreams = await FedUpstreams.start();
  const pool = { chain: "Aptos", project: "amnis-finance", symbol: "APT", tvlUsd: 1_000, apy: 7.5, apyBase: 7.5 };
  upstreams.listing = { status: "success", data: [{ ...pool, pool: "747c1d2a-c668-4682-b9f9-296708a3dd90" }] };
  product = await startProduct({
    NODE_URLS: upstreams.node.url,
    RATES_URL: `${upstreams.url}/rates`,
    NODE_GATEWAY: "off",
    RATE_LIMIT_DEFAULT: `${QUOTA}/3600`,
  });
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await upstreams?.stop();
});

test("a correct deployment without the optional parts passes, with the number of requests that it estimates", async () => {
  const { code, output } = await runTool("smoke", [product.url]);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^smoke: the tests that a deployment waits for, at most about \d+ s\n/);
  // It has no stable token, so this proves that the suite has met the documented 404.
  const { status: stable, headers } = await fetch(`${product.url}/api/stable-supply`);
  expect(stable).toBe(404);
  const [, remaining = "0"] = /;r=(\d+);/.exec(headers.get("RateLimit") ?? "") ?? [];
  const sent = QUOTA - Number(remaining);
  expect(sent).toBeGreaterThan(REQUESTS.short * 0.8);
  expect(sent).toBeLessThan(REQUESTS.short * 1.2);
}, 240_000);

test("differences show what a server sent without anything that a terminal obeys", async () => {
  const server = createServer((_, response) => response.end('"build_revision" \u001b]0;owned\u0007\rok\u009b1m'));
  const { code, output } = await runTool("smoke", [await listening(server)]);
  server.close();
  expect(code).toBe(1);
  expect(output).toContain("\\u001b]0;owned\\u0007\\u000dok\\u009b1m");
  expect(output.match(/(?![\n\t])\p{Cc}/u)).toBeNull();
}, 240_000);

test.each([
  [{ quota: 60, windowSeconds: 60 }, 100, 75],
  [{ quota: 60, windowSeconds: 60 }, 60, 9],
  [{ quota: 1_000, windowSeconds: 60 }, 100, 15],
])("at %o, %i requests take %i s", (quota, requests, seconds) => {
  expect(estimatedSeconds(quota, requests)).toBe(seconds);
});

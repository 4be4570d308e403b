import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriesOf } from "../../src/chain/share-price.ts";
import type { RecordedPrice } from "../../src/rates/price-growth.ts";
import { pricesText } from "../../tools/history/prices-csv.ts";
import { ENVIRONMENT } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { EvmChain, TOKEN } from "../support/evm/chain.ts";
import { type HttpEvmNode, startEvmNode } from "../support/evm/http.ts";
import { beginVault } from "../support/evm/vault.ts";
import { yearlyPercentExactly } from "../support/fixed-point.ts";
import { type Product, startProduct } from "../support/product.ts";

const ETHER = 10n ** 18n;
const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "share-prices-"));
let chain: EvmChain;
let nodes: HttpEvmNode[] = [];
let product: Product;
let price = 0n;

beforeAll(async () => {
  chain = await EvmChain.begin({ startSeconds: Math.floor(Date.now() / 1_000) - 30 });
  const vault = await beginVault(chain);
  await vault.deposit(1_000n * ETHER);
  await vault.earn(ETHER);
  price = vault.price();
  const asked = { chain: "native", contract: vault.address, view: "convertToAssets(uint256)", decimals: 18 };
  const share = { id: "vault", name: "Vault", kind: "vault", provider: "Example", asset: { symbol: "XYZ" }, ...asked };
  const file = JSON.parse(readFileSync(join(import.meta.dirname, "..", "fixtures", "editions", "erc20.json"), "utf8"));
  writeFileSync(join(folder, "native.json"), JSON.stringify({ ...file, share_prices: [share] }));
  const past = Array.from({ length: 40 }, (_, index): RecordedPrice => {
    const day = new Date(Date.now() - (40 - index) * DAY_MS).toISOString().slice(0, 10);
    const atMs = Date.parse(`${day}T00:00:11Z`);
    const value = String(ETHER + BigInt(index) * 10n ** 13n);
    return {
      series: seriesOf(asked, 1),
      day,
      value,
      ledgerVersion: "7",
      atMs,
      observedAtMs: atMs,
      source: "backfill",
      witnesses: 1,
    };
  });
  writeFileSync(join(folder, "history-prices.csv"), pricesText(past));
  nodes = [await startEvmNode(chain), await startEvmNode(chain)];
  const settings = {
    CHAIN_FAMILY: "evm",
    CHAIN_ID: "1",
    NATIVE_ASSET: TOKEN,
    RATES_URL: "none",
    NODE_URLS: nodes.map(({ url }) => url).join(),
    RATE_LIMIT_DEFAULT: "10000/60",
  };
  product = await startProduct(settings, { env: { ...ENVIRONMENT, SCHEDULE_FOLDER: folder } });
});

afterAll(async () => {
  await product?.stop();
  for (const node of nodes) await node.close();
  rmSync(folder, { recursive: true });
});

const textAt = async (path: string) => (await fetch(product.url + path)).text();
const json = async (path: string) => JSON.parse(await textAt(path));

test("the product serves the growth of a real vault's price, with the days that an archive node gave", async () => {
  await eventually(async () => {
    while (chain.head.timestampSeconds < Date.now() / 1_000 - 2) await chain.mine();
    const rows = (await json("/api/rates/vault/history")).data;
    expect(rows.at(-1)).toMatchObject({ source: "share_price", share_price: { value: String(price), witnesses: 2 } });
    expect(rows.length).toBeGreaterThan(40);
  });
  const { count, data } = await json("/api/rates");
  expect([count, data[0].id]).toEqual([1, "vault"]);
  const { apy, share_price: growth } = await json("/api/rates/vault");
  for (const { apy: served, since, seconds } of [growth.growth_7d, growth.growth_30d]) {
    expect(since.source).toBe("backfill");
    const exact = yearlyPercentExactly(BigInt(since.value), BigInt(growth.price.value), seconds);
    expect(Math.abs(served - exact)).toBeLessThan(0.000006);
  }
  expect(await textAt("/api/rates/vault?value=apy")).toBe(String(apy));
  const { problems } = await json("/api/health");
  expect(problems.map(({ code }: { readonly code: string }) => code)).not.toContain("share_price_unreadable");
});

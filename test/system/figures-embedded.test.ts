import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Product, startProduct } from "../support/product.ts";

let product: Product;

beforeAll(async () => {
  product = await startProduct({ RATE_LIMIT_DEFAULT: "10000/60" });
});

afterAll(() => product.stop());

async function json(path: string, method = "GET") {
  return (await fetch(product.url + path, { method })).json();
}

/** Base units per native token, for the account's balance view and the total. */
async function totalUnits(): Promise<bigint> {
  const { total } = (await json("/api/supply")) as { total: { base_units: string } };
  return BigInt(total.base_units);
}

test("the embedded chain's figures are served without network or account", async () => {
  const health = await fetch(`${product.url}/api/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { status: "ok", problems: [] }]);
  expect(await json("/api/stable-supply")).toBe(25_000_000);
  expect(await json("/api/total-supply")).toBe(Number((await totalUnits()) / 100_000_000n));
  const { symbol } = ((await json("/api/unlock-schedule")) as { token: { symbol: string } }).token;
  expect(await json("/api/rates")).toMatchObject({
    count: 4,
    data: [
      { id: "native-staking", source: "ledger", asset: { symbol } },
      { kind: "liquid_staking", asset: { symbol: `st${symbol}` } },
      {},
      {},
    ],
  });
});

test("the faucet mints nothing: the total decreases by the fee, within seconds", async () => {
  const before = await totalUnits();
  const funded = await fetch(`${product.url}/mint?address=0x77&amount=1234567890`, { method: "POST" });
  expect(funded.status).toBe(200);
  await vi.waitFor(
    async () => {
      const burned = before - (await totalUnits());
      expect(burned > 0n && burned < 1_000_000n).toBe(true);
    },
    { timeout: 15_000, interval: 500 },
  );
});

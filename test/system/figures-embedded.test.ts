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

/** Units of the native token that the account's own balance view and the total are both told in. */
async function totalUnits(): Promise<bigint> {
  const { total } = (await json("/api/supply")) as { total: { base_units: string } };
  return BigInt(total.base_units);
}

test("the embedded chain's own figures come out of a bare machine", async () => {
  const health = await fetch(`${product.url}/api/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { status: "ok", problems: [] }]);
  expect(await json("/api/stable-supply")).toBe(25_000_000);
  expect(await json("/api/total-supply")).toBe(Number((await totalUnits()) / 100_000_000n));
  expect(await json("/api/rates")).toMatchObject({
    count: 4,
    data: [{ id: "native-staking", source: "ledger" }, {}, {}, {}],
  });
});

test("what is minted on the chain is in the total to the last unit, within seconds", async () => {
  const before = await totalUnits();
  const minted = 1_234_567_890n;
  expect((await fetch(`${product.url}/mint?address=0x77&amount=${minted}`, { method: "POST" })).status).toBe(200);
  await vi.waitFor(
    async () => {
      const burned = before + minted - (await totalUnits());
      // The faucet pays gas for its transaction; nothing else moves on this chain.
      expect(burned >= 0n && burned < 1_000_000n).toBe(true);
    },
    { timeout: 15_000, interval: 500 },
  );
});

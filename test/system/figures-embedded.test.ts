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

test("the total is at most the maximum, and the schedule's wallets have the locked amount", async () => {
  const { max, locked } = (await json("/api/supply")) as Record<string, { base_units: string }>;
  expect(await totalUnits()).toBeLessThanOrEqual(BigInt(max?.base_units ?? 0));
  const stake = await view("0x1::stake::get_stake", FOUNDATION_POOL);
  const pool = await view("0x1::vesting::stake_pool_address", GRANTS_CONTRACT);
  const parts = [...stake, ...(await view("0x1::stake::get_stake", pool[0] ?? ""))];
  parts.push(...(await view("0x1::delegation_pool::get_stake", [POOL, DELEGATOR])));
  const contract = await view("0x1::staking_contract::stake_pool_address", [STAKER, OPERATOR]);
  parts.push(...(await view("0x1::stake::get_stake", contract[0] ?? "")));
  const [, , commission] = await view("0x1::staking_contract::staking_contract_amounts", [STAKER, OPERATOR]);
  parts.push(`-${commission}`);
  for (const account of ACCOUNTS) parts.push(...(await view("0x1::coin::balance", account, [COIN])));
  expect(String(parts.reduce((sum, part) => sum + BigInt(part), 0n))).toBe(locked?.base_units);
});

const COIN = "0x1::aptos_coin::AptosCoin";
// The addresses of schedule/native.json.
const FOUNDATION_POOL = "0xe64d94fc68f2a956b39b1a0b3770fe721a6c44fd0804482e87c2370643bd7685";
const GRANTS_CONTRACT = "0x6cd53f94942f13416986ceed5787062638b2a2351752db1fc2a0125ab317d1be";
const [DELEGATOR, POOL] = [
  "0xc464b33abdbac2b034dca7f1eb11202f89e9a83426c0478b53c0b42b96fdb383",
  "0x392986b4b70c189bcaf8af296bcf6cc98466adebcb02d707b3db8e202d3ade4d",
];
const [STAKER, OPERATOR] = [
  "0x30a41c6988b87d72e6fb0cf075152898d8780dcb34bbe668aa461f2c095c49e5",
  "0x787308c6cc03747b6b1d1e4082106c6d7015a11606f14e0bf7a1da04f82c2f86",
];
const ACCOUNTS = [
  "0x9dff9cfd1f1e7786bab2dec44baaa7ff5cdc4c14e9fe3240872d44d5dad3bb38",
  "0xb5ac4b53caa2d2bbe1424fa8357fe74f1505b16d07db223fd23429cf852f093e",
  "0xda0b8533c90857bc7d03788ed457f62390ce82e9c8afe8268de2974b40781efd",
];

async function view(name: string, at: string | string[], types: readonly string[] = []): Promise<readonly string[]> {
  const body = JSON.stringify({ function: name, type_arguments: types, arguments: [at].flat() });
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${product.url}/v1/view`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return (await response.json()) as string[]; // u64s and addresses are strings in the node's JSON
}

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

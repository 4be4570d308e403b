import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { product } from "../support/shared-product.ts";

async function json(path: string, method = "GET") {
  return (await fetch(product.url + path, { method })).json();
}

/** Base units per native token, for the account's balance view and the total. */
async function totalUnits(): Promise<bigint> {
  const { total } = (await json("/api/supply")) as { total: { base_units: string } };
  return BigInt(total.base_units);
}

test("the embedded chain's figures are served without network or account", async () => {
  await expect.poll(() => json("/api/health")).toMatchObject({ status: "ok", problems: [] });
  expect(await json("/api/stable-supply")).toBe(25_000_000);
  // Between both reads another test may pay a fee that changes the whole tokens.
  await eventually(async () =>
    expect(await json("/api/total-supply")).toBe(Number((await totalUnits()) / 100_000_000n)),
  );
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

test("native staking is recomputed from three reads of the chain at the version that it names", async () => {
  const row = (await json("/api/rates/native-staking")) as {
    apr: number;
    apy: number;
    staked_percent: number;
    methodology: { ledger_version: string; staked_base_units: string };
  };
  const at = `ledger_version=${row.methodology.ledger_version}`;
  const view = async (name: string): Promise<string[]> => {
    const body = JSON.stringify({ function: `0x1::${name}`, type_arguments: [], arguments: [] });
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${product.url}/v1/view?${at}`, { method: "POST", headers, body });
    return (await response.json()) as string[];
  };
  const [numerator, denominator] = await view("staking_config::reward_rate");
  const [seconds] = await view("block::get_epoch_interval_secs");
  const { data } = (await json(`/v1/accounts/0x1/resource/0x1::stake::ValidatorSet?${at}`)) as {
    data: { total_voting_power: string };
  };
  const [rate, epochs] = [Number(numerator) / Number(denominator), 31_536_000 / Number(seconds)];
  expect(row.apr).toBeCloseTo(100 * rate * epochs, 5);
  expect(row.apy).toBeCloseTo(100 * ((1 + rate) ** epochs - 1), 5);
  expect(row.apy).toBeGreaterThan(row.apr);
  expect(row.methodology.staked_base_units).toBe(data.total_voting_power);
  expect(BigInt(data.total_voting_power)).toBeGreaterThan(0n);
  expect(row.staked_percent).toBeCloseTo(Number(data.total_voting_power) / (Number(await totalUnits()) / 100), 3);
  expect(await (await fetch(`${product.url}/api/rates/native-staking?value=apy`)).text()).toBe(String(row.apy));
  expect(await json("/api/staked-supply")).toBe(Number(BigInt(data.total_voting_power) / 100_000_000n));
});

test("the faucet mints nothing: the total decreases by the fee", async () => {
  const supplyAt = async (version: bigint): Promise<bigint> => {
    const call = { function: "0x1::coin::supply", type_arguments: ["0x1::aptos_coin::AptosCoin"], arguments: [] };
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(call) };
    const response = await fetch(`${product.url}/v1/view?ledger_version=${version}`, init);
    const [{ vec }] = (await response.json()) as [{ vec: [string] }];
    return BigInt(vec[0]);
  };
  const [hash] = (await json("/mint?address=0x77&amount=1234567890", "POST")) as [string];
  const paid = (await eventually(async () => {
    const found = await json(`/v1/transactions/by_hash/${hash}`);
    expect(found).toMatchObject({ type: "user_transaction", success: true });
    return found;
  })) as { version: string; gas_used: string; gas_unit_price: string };
  const version = BigInt(paid.version);
  const fee = BigInt(paid.gas_used) * BigInt(paid.gas_unit_price);
  expect(fee).toBeGreaterThan(0n);
  expect((await supplyAt(version - 1n)) - (await supplyAt(version))).toBe(fee);
});

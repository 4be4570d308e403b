import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campaign, reported } from "../fuzz/campaign.ts";
import { check } from "../fuzz/check-response.ts";
import { PLAIN, type RawRequest } from "../fuzz/raw-request.ts";
import { Wire } from "../fuzz/wire.ts";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";

const SEED = 1;
const REQUESTS = 1_500;

let product: BareProduct;
beforeAll(async () => {
  product = await startBareProduct({ RATE_LIMIT_DEFAULT: "10000/1", RATE_LIMIT_NODE: "10000/1" });
});
afterAll(() => product?.remove());

test(`every response to ${REQUESTS} requests, valid to hostile, keeps the contract (seed ${SEED})`, async () => {
  const { sent, failures, by, statuses } = await campaign({
    url: product.url,
    seed: SEED,
    from: 0,
    count: REQUESTS,
    width: 8,
  });
  expect(failures.map((failure) => reported(failure, SEED))).toEqual([]);
  expect(sent).toBe(REQUESTS);
  // Not all requests may have been refused by the runtime.
  expect(by.product).toBeGreaterThan(REQUESTS * 0.8);
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(["200", "204", "400", "404", "405", "411", "415"]));
});

const VIEW = { ...PLAIN, method: "POST", target: "/v1/view" };
const JSON_TYPE = ["Content-Type", "application/json"] as const;
const SUPPLY = '{"function":"0x1::coin::supply","type_arguments":["0x1::aptos_coin::AptosCoin"],"arguments":[]}';

describe("requests that once broke a promise", () => {
  test.each<[string, RawRequest, number]>([
    ["an invalid port", { ...PLAIN, target: "/.well-known/api-catalog", fields: [["Host", "127.0.0.1:99999"]] }, 200],
    ["a conditional POST", { ...VIEW, fields: [JSON_TYPE, ["If-None-Match", "*"]], body: Buffer.from(SUPPLY) }, 200],
    [
      "a type argument that is not a string",
      { ...VIEW, fields: [JSON_TYPE], body: Buffer.from(SUPPLY.replace(/"0x1::aptos_coin::AptosCoin"/, "{}")) },
      400,
    ],
    ["a figure of a future month", { ...PLAIN, target: "/api/circulating-supply?month=2031-07" }, 200],
  ])("the answer keeps every promise for %s", async (_what, raw, status) => {
    const wire = new Wire(product.url);
    const answer = await wire.send({ ...raw, expected: [status] });
    wire.close();
    expect(check({ ...raw, expected: [status] }, answer, { chain: true, secrets: [] }).faults).toEqual([]);
  });
});

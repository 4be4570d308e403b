import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check } from "../fuzz/check-response.ts";
import { described, PLAIN, type RawRequest } from "../fuzz/raw-request.ts";
import { request } from "../fuzz/requests.ts";
import { Wire } from "../fuzz/wire.ts";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { SLOW } from "../support/runtime.ts";

const { FUZZ_RUNS = "800", FUZZ_SEED = "1", FUZZ_PATH = "" } = process.env;
const RUNS = Number(FUZZ_RUNS);
/** For what hangs: on a quiet machine a run takes 8 ms. */
const MAX_MS = 60_000 + RUNS * 200;
const SECRETS = {
  LIMITER_SALT: "salt-that-nobody-sees",
  ALERT_WEBHOOK: "https://alerts.example/hook-that-nobody-sees",
};

let product: BareProduct;
beforeAll(async () => {
  product = await startBareProduct({ ...SECRETS, RATE_LIMIT_DEFAULT: "10000/1", RATE_LIMIT_NODE: "10000/1" }, SLOW);
});
afterAll(() => product?.remove());

/** Counts of a run's responses: a run in which the runtime refuses everything proves nothing. */
const seen = { byProduct: 0, statuses: new Set<number>() };

async function keepsTheContract(raw: RawRequest): Promise<void> {
  const wire = new Wire(product.url);
  const answer = await wire.send(raw);
  wire.close();
  const { by, faults } = check(raw, answer, Object.values(SECRETS));
  if (by === "product") seen.byProduct += 1;
  if (answer.kind === "answer") seen.statuses.add(answer.status);
  const reply = answer.kind === "none" ? "" : `${answer.status} ${answer.body.toString("utf8").slice(0, 400)}`;
  expect(faults, `${described(raw)}\n-> ${reply}`).toEqual([]);
}

// A failure is repeated alone by the seed and the path of its report: FUZZ_SEED, FUZZ_PATH.
test(
  `every response to ${RUNS} requests, valid to hostile, keeps the contract (seed ${FUZZ_SEED})`,
  async () => {
    await fc.assert(fc.asyncProperty(request, keepsTheContract), {
      numRuns: RUNS,
      seed: Number(FUZZ_SEED),
      path: FUZZ_PATH,
      interruptAfterTimeLimit: MAX_MS - 20_000,
      markInterruptAsFailure: true,
    });
    if (FUZZ_PATH !== "") return;
    expect(seen.byProduct).toBeGreaterThan(RUNS * 0.75);
    expect([...seen.statuses]).toEqual(expect.arrayContaining([200, 204, 400, 404, 405, 415]));
  },
  MAX_MS,
);

const VIEW = { ...PLAIN, method: "POST", target: "/v1/view" };
const JSON_TYPE = ["Content-Type", "application/json"] as const;
const SUPPLY = '{"function":"0x1::coin::supply","type_arguments":["0x1::aptos_coin::AptosCoin"],"arguments":[]}';

describe("requests that once broke a promise", () => {
  test.each<[string, RawRequest, number]>([
    ["an invalid port", { ...PLAIN, target: "/.well-known/api-catalog", fields: [["Host", "127.0.0.1:99999"]] }, 200],
    ["an invalid port of a badge", { ...PLAIN, target: "/api/badge/max-supply.json", fields: [["Host", "::::"]] }, 200],
    ["a conditional POST", { ...VIEW, fields: [JSON_TYPE, ["If-None-Match", "*"]], body: Buffer.from(SUPPLY) }, 200],
    [
      "a type argument that is not a string",
      { ...VIEW, fields: [JSON_TYPE], body: Buffer.from(SUPPLY.replace(/"0x1::aptos_coin::AptosCoin"/, "{}")) },
      400,
    ],
    ["a figure of a future month", { ...PLAIN, target: "/api/circulating-supply?month=2031-07" }, 200],
  ])("the answer keeps every promise for %s", async (_what, raw, status) => {
    await keepsTheContract({ ...raw, expected: [status] });
  });
});

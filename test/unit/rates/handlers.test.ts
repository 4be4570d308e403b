import { expect, test } from "vitest";
import type { RequestContext } from "../../../src/http/handler.ts";
import { ratesHandler } from "../../../src/rates/handlers.ts";
import type { Product } from "../../../src/rates/product.ts";
import { HOURLY } from "../../../src/swr/cached-value.ts";
import { SwrValue } from "../../../src/swr/swr-value.ts";

const START = Date.parse("2026-11-21T02:00:00Z");

test("a refresh with the same products has the new time and a new ETag", async () => {
  const products: readonly Product[] = [];
  const rates = new SwrValue<readonly Product[]>({
    name: "rates",
    key: "rates",
    policy: HOURLY,
    load: async (nowMs) => ({ kind: "observed", value: products, observedAtMs: nowMs }),
    lastGood: { get: async () => null, put: async () => undefined, putSometimes: async () => undefined },
    log: () => undefined,
  });
  const handler = ratesHandler(rates);
  const get = async (nowMs: number) => {
    const context: RequestContext = {
      request: new Request("https://edge.test/api/rates"),
      method: "GET",
      path: "/api/rates",
      query: "",
      params: {},
      nowMs,
      requestId: "1",
      waitUntil: () => undefined,
    };
    const outcome = await handler(context);
    if (outcome.kind !== "reply") throw new Error(JSON.stringify(outcome));
    return { asOf: JSON.parse(String(outcome.body)).as_of, tag: outcome.headers["ETag"] };
  };
  const first = await get(START);
  await rates.renew(START + 60_000);
  const second = await get(START + 60_000);
  expect([first.asOf, second.asOf]).toEqual(["2026-11-21T02:00:00Z", "2026-11-21T02:01:00Z"]);
  expect(first.tag).not.toBe(second.tag);
  expect((await get(START + 61_000)).tag).toBe(second.tag);
});

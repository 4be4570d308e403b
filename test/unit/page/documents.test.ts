import { expect, test } from "vitest";
import { parseHoldings, parseRates, strict } from "../../../page/src/documents.ts";
import { ratesOf } from "../../../page/src/shown-rate.ts";
import { STATES } from "../../support/page-states.ts";

test("a member that a document does not have throws when it is read, at any depth", () => {
  const read = strict<{ list: { a?: number | null; b: number }[] }>({ list: [{ a: null, b: 2 }, { b: 3 }] });
  expect([read.list.length, read.list[0]?.a, ...read.list.map(({ b }) => b)]).toEqual([2, null, 2, 3]);
  expect("a" in (read.list[1] ?? {})).toBe(false);
  expect(() => read.list[1]?.a).toThrow(TypeError);
});

test.each(["minted_supply", "burned_supply", "total_supply", "circulating_supply_on_chain"])(
  "a breakdown without %s, or with one that is no number, is another shape",
  (name) => {
    const body = STATES.usual.breakdown as object;
    expect(() => parseHoldings(body)).not.toThrow();
    expect(() => parseHoldings({ ...body, [name]: undefined })).toThrow(TypeError);
    expect(() => parseHoldings({ ...body, [name]: { base_units: "1.5" } })).toThrow(SyntaxError);
  },
);

test.each([null, {}, { data: [{}] }])("%j lists no product with a rate", (body) => {
  expect(() => parseRates(body).flatMap(ratesOf)).toThrow(TypeError);
});

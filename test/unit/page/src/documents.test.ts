import { expect, test } from "vitest";
import { parseHistory, parseHoldings, parseRates, strict, units } from "../../../../page/src/documents.ts";
import { ratesOf } from "../../../../page/src/shown-rate.ts";
import { STATES } from "../../../support/page-states.ts";

test("a member that a document does not have throws when it is read, at any depth", () => {
  const read = strict<{ list: { apy?: number | null; tvl_usd: number }[] }>({
    list: [{ apy: null, tvl_usd: 2 }, { tvl_usd: 3 }],
  });
  expect([read.list.length, read.list[0]?.apy, ...read.list.map((one) => one.tvl_usd)]).toEqual([2, null, 2, 3]);
  expect("apy" in (read.list[1] ?? {})).toBe(false);
  expect(() => read.list[1]?.apy).toThrow(TypeError);
});

test.each<[object, string]>([
  [{ apy: "5.2" }, "apy"],
  [{ apr: true }, "apr"],
  [{ tvl_usd: "1e9" }, "tvl_usd"],
  [{ lockup_seconds: "0" }, "lockup_seconds"],
  [{ schedule_revision: "2" }, "schedule_revision"],
  [{ complete: "false" }, "complete"],
  [{ anomaly: 0 }, "anomaly"],
  [{ label: 5 }, "label"],
  [{ ledger_version: 120 }, "ledger_version"],
  [{ base_units: 12 }, "base_units"],
  [{ apy_mean_30d_source: 1 }, "apy_mean_30d_source"],
])("a member of another type than the document's is none: %j", (document, name) => {
  expect(() => Reflect.get(strict(document), name)).toThrow(TypeError);
  expect(Reflect.get(strict({ [name]: null }), name), "unless it is null").toBeNull();
});

test.each(["", " 1", "1e3", "0x10"])("%j is no amount", (text) => {
  expect(() => units({ base_units: text })).toThrow(SyntaxError);
  const row = { date: "2026-11-01", total_supply: text, non_circulating_supply: null };
  expect(() => parseHistory({ data: [row] })).toThrow(SyntaxError);
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

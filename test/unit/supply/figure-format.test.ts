import fc from "fast-check";
import { expect, test } from "vitest";
import { bareFigureHandler, bareReply } from "../../../src/supply/figure-format.ts";
import { getContext } from "../../support/get-context.ts";

const handler = bareFigureHandler(["month"], (form) => bareReply({ baseUnits: 700_008_000n, decimals: 8 }, form, {}));
const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";

async function call(query: string, accept?: string) {
  const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
  return handler(getContext(`/?${query}`, { headers }));
}

test.each(["decimals=", "decimals=8", "decimals=Exact", "decimals=true", "decimals=exact&decimals=exact"])(
  "?%s is refused",
  async (query) => {
    expect(await call(query)).toMatchObject({ kind: "invalid_input" });
  },
);

// 7 and 8,000 of its 10^8 base units.
test.each([
  ["decimals=exact", undefined, "7.00008", JSON_TYPE],
  ["decimals=exact", "text/plain", "7.00008", TEXT_TYPE],
  ["decimals=exact&format=plain", undefined, "7.00008", TEXT_TYPE],
  ["format=result&decimals=exact", undefined, '{"result":"7.00008"}', JSON_TYPE],
])("?%s with Accept %s is exact: %s as %s", async (query, accept, body, type) => {
  expect(await call(query, accept)).toMatchObject({ body, headers: { "Content-Type": type, Vary: "Accept" } });
});

test("an exact figure is canonical: every digit, no trailing zero, no exponent, the number's own value", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), fc.integer({ min: 0, max: 36 }), (baseUnits, decimals) => {
      const text = String(Object(bareReply({ baseUnits, decimals }, "plain-exact", {})).body);
      expect(text).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
      const [whole = "", fraction = ""] = text.split(".");
      expect(BigInt(whole + fraction.padEnd(decimals, "0"))).toBe(baseUnits);
    }),
  );
});

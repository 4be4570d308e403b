import { expect, test } from "vitest";
import { parseMapping } from "../../../src/rates/file/parse-mapping.ts";
import { ratesFinding } from "../../../tools/doctor/rates.ts";

const value = (text: string) => ({ value: text });
const parsed = parseMapping(
  JSON.stringify({
    members: {
      id: { path: "$[*].id" },
      name: value("Vault"),
      kind: value("vault"),
      provider: value("Example"),
      "asset.symbol": value("USD"),
      apy: { path: "$[*].apy", unit: "percent" },
    },
  }),
);
const file = parsed.kind === "mapping" ? { mapping: parsed.mapping, sha256: "aa" } : null;
const URL_OF_LISTING = "https://rates.example/apy?key=secret";

const productsWith = (...ids: readonly string[]) => Response.json({ data: ids.map((id) => ({ id })) });

/** The doctor's finding where the endpoint answers `answer`, and the deployment its paths as `served` says. */
const find = (answer: () => Response, served: { readonly rates?: () => Response; readonly health?: object } = {}) =>
  ratesFinding("https://api.example", URL_OF_LISTING, file, async (input, init) => {
    expect(init?.signal, String(input)).toBeInstanceOf(AbortSignal);
    const { rates = () => productsWith("a"), health = { native_staking: { source: null } } } = served;
    if (String(input) === "https://api.example/api/rates") return rates();
    if (String(input) === "https://api.example/api/health") return Response.json(health, { status: 503 });
    expect(String(input)).toBe(URL_OF_LISTING);
    return answer();
  });

const refuse = (): never => {
  throw new Error("refused");
};

test("products that are served are counted", async () => {
  const answer = () => Response.json([{ id: "a", apy: 1 }]);
  expect(await find(answer)).toEqual({ is: "1 product by rates.json, 1 served", problems: [], warnings: [] });
});

test("rows that are dropped, and products that are not served, are warnings", async () => {
  const answer = () => Response.json([{ id: "a", apy: 1 }, { id: "b", apy: 2 }, { id: "c" }]);
  expect(await find(answer)).toEqual({
    is: "2 products by rates.json, 1 served",
    problems: [],
    warnings: [
      "of the listing 1 dropped, c for example: apy has no value in the answer",
      "b is not served: deploy this checkout, or wait an hour for the next reading",
    ],
  });
});

test.each<[string, () => Response, string]>([
  ["does not answer", refuse, "RATES_URL (rates.example) does not answer"],
  ["answers an error", () => new Response("", { status: 403 }), "RATES_URL (rates.example) answers 403"],
  [
    "has another shape",
    () => Response.json({ rows: "down" }),
    "RATES_URL (rates.example) does not fit rates.json: none of 1 rows is valid; 1 dropped, row 1 for example: apy has no value in the answer; record the answer in rates-recorded.json and correct rates.json",
  ],
])("a listing that %s is a problem, without its key", async (_what, answer, problem) => {
  expect((await find(answer))?.problems).toEqual([problem]);
});

test.each<[string, () => Response]>([
  ["answers 503", () => Response.json({ error_code: "service_unavailable" }, { status: 503 })],
  ["does not answer", refuse],
])("products are not called absent where /api/rates %s", async (what, rates) => {
  const found = await find(() => Response.json([{ id: "a", apy: 1 }]), { rates });
  expect(found?.problems).toEqual([`/api/rates ${what}, so products are not compared; see the health problems`]);
  expect(found?.warnings).toEqual([]);
});

test("a row with the id of the chain's own product is dropped only where that product comes from the chain", async () => {
  const answer = () =>
    Response.json([
      { id: "a", apy: 1 },
      { id: "native-staking", apy: 2 },
    ]);
  const rates = () => productsWith("native-staking", "a");
  expect(await find(answer, { rates, health: { native_staking: { source: "chain" } } })).toMatchObject({
    is: "1 product by rates.json, 1 served",
    warnings: ["of the listing 1 dropped, native-staking for example: id is that of the chain's own product"],
  });
  expect(await find(answer, { rates, health: { native_staking: { source: "listing" } } })).toMatchObject({
    is: "2 products by rates.json, 2 served",
    warnings: [],
  });
});

test("without a mapping or a listing there is no such check", async () => {
  expect(await ratesFinding("https://api.example", "none", file, fetch)).toBeNull();
  expect(await ratesFinding("https://api.example", URL_OF_LISTING, null, fetch)).toBeNull();
});

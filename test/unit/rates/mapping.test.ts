import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { poolFilter } from "../../../src/rates/defillama.ts";
import { parseMapping } from "../../../src/rates/file/parse-mapping.ts";
import { ListingReader, type ListingTerms } from "../../../src/rates/listing.ts";
import { MAPPED_MEMBERS } from "../../../src/rates/mapping.ts";
import { RATE_ENDPOINTS } from "../../fixtures/rate-endpoints.ts";

const NOW_MS = Date.parse("2026-11-28T02:00:00Z");
const BASE = {
  id: { value: "vault" },
  name: { value: "Vault" },
  kind: { value: "vault" },
  provider: { value: "Example" },
  "asset.symbol": { value: "USD" },
};
const APY = { apy: { path: "$.apy", unit: "percent" } };

function mappingOf(members: unknown, currentSeconds?: number) {
  const result = parseMapping(JSON.stringify({ members, current_seconds: currentSeconds }));
  if (result.kind === "errors") throw new Error(JSON.stringify(result.errors));
  return result.mapping;
}

/** Products of an answer, or why it is refused, and the reasons for dropped rows. */
function read(members: unknown, answer: string, chunkBytes = Number.POSITIVE_INFINITY, currentSeconds?: number) {
  const terms: ListingTerms = {
    observedAtMs: NOW_MS,
    samplesAllowed: false,
    reservedIds: [],
    filter: poolFilter(null, []),
    mapping: mappingOf(members, currentSeconds),
  };
  const reader = new ListingReader(terms);
  const bytes = new TextEncoder().encode(answer);
  for (let at = 0; at < bytes.length && reader.push(bytes.subarray(at, at + chunkBytes)); at += chunkBytes);
  const end = reader.end();
  return { products: "kind" in end ? end.reason : end, dropped: Object.fromEntries(reader.dropped) };
}

describe("an operator's own endpoint is read by its mapping", () => {
  test.each(RATE_ENDPOINTS)("$name", ({ answer, members, products, currentSeconds }) => {
    const found = read(members, JSON.stringify(answer), undefined, currentSeconds).products;
    expect(found).toMatchObject(products);
    expect(found).toHaveLength(products.length);
  });

  test("property: the products do not depend on how the answer is cut into chunks", () => {
    fc.assert(
      fc.property(fc.constantFrom(...RATE_ENDPOINTS), fc.integer({ min: 1, max: 40 }), ({ answer, members }, bytes) => {
        const text = JSON.stringify(answer);
        expect(read(members, text, bytes)).toEqual(read(members, text));
      }),
      { numRuns: 40 },
    );
  });

  test("property: a fraction is a hundredth of the percentage, to five decimals", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (units) => {
        const percent = units / 100_000;
        const apyOf = (unit: string, value: unknown) =>
          read({ ...BASE, apy: { path: "$.apy", unit } }, JSON.stringify({ apy: value })).products;
        expect(apyOf("fraction", percent / 100)).toMatchObject([{ apy: percent }]);
        expect(apyOf("percent", percent)).toMatchObject([{ apy: percent }]);
      }),
    );
  });

  test.each([
    ["unix_seconds", 1_795_831_200, "2026-11-28T02:00:00Z"],
    ["unix_seconds", "1795831200", "2026-11-28T02:00:00Z"],
    ["unix_milliseconds", 1_795_831_200_123, "2026-11-28T02:00:00Z"],
    ["iso_8601", "2026-11-28T02:00:00Z", "2026-11-28T02:00:00Z"],
    ["iso_8601", "2026-11-27T21:00:00-05:00", "2026-11-28T02:00:00Z"],
  ])("a time in %s: %s", (unit, value, expected) => {
    const members = { ...BASE, ...APY, as_of: { path: "$.at", unit } };
    expect(read(members, JSON.stringify({ apy: 1, at: value })).products).toMatchObject([{ as_of: expected }]);
  });
});

describe("what does not fit drops the row, and is named", () => {
  test.each<[string, object, unknown, string]>([
    ["no value at the rate's path", APY, { apr: 4 }, "apy has no value in the answer"],
    ["a rate of null", APY, { apy: null }, "apy has no value in the answer"],
    ["a rate in words", APY, { apy: "n/a" }, "apy is not a number from -100 to 1000000"],
    ["a rate with its sign", APY, { apy: "4.2%" }, "apy is not a number from -100 to 1000000"],
    [
      "no time where one is mapped",
      { ...APY, as_of: { path: "$.at", unit: "unix_seconds" } },
      { apy: 4 },
      "as_of has no value in the answer",
    ],
    [
      "milliseconds where seconds are stated",
      { ...APY, as_of: { path: "$.at", unit: "unix_seconds" } },
      { apy: 4, at: 1_795_831_200_000 },
      "as_of is not printable text of 1 to 200 characters",
    ],
    [
      "no value at the rate's path beside a mean",
      { ...APY, apy_mean_30d: { path: "$.mean", unit: "percent" } },
      { mean: 4 },
      "apy has no value in the answer",
    ],
    [
      "a day that does not exist",
      { ...APY, as_of: { path: "$.at", unit: "iso_8601" } },
      { apy: 4, at: "2026-02-31T00:00:00+00:00" },
      "as_of is not an instant in UTC",
    ],
    ["an id that is no slug", { ...APY, id: { path: "$.id" } }, { apy: 4, id: "a b" }, "id is not a slug"],
    ["a member of every object", { ...APY, name: { path: "$.constructor" } }, { apy: 4 }, "name is missing"],
  ])("%s", (_what, members, answer, reason) => {
    const found = read({ ...BASE, ...members }, JSON.stringify(answer));
    expect(found).toEqual({ products: "none of 1 rows is valid", dropped: { [reason]: 1 } });
  });

  test.each(["+275760-09-13T00:00:00.000Z", "9999-12-31T23:59:59Z", "2026-02-31T00:00:00Z"])(
    "a time of %s, from which another is counted, drops its row alone",
    (at) => {
      const members = {
        ...BASE,
        id: { path: "$[*].id" },
        apy: { path: "$[*].apy", unit: "percent" },
        as_of: { path: "$[*].at", unit: "iso_8601" },
      };
      const answer = JSON.stringify([
        { id: "good", apy: 4, at: "2026-11-28T01:00:00Z" },
        { id: "bad", apy: 4, at },
      ]);
      const { products, dropped } = read(members, answer, undefined, 86_400);
      expect(products).toMatchObject([{ id: "good", stale_after: "2026-11-29T01:00:00Z" }]);
      expect(Object.values(dropped)).toEqual([1]);
    },
  );

  test.each([
    ["no JSON", "<html>", "the answer is not JSON"],
    ["another shape", '{"error":"down"}', "the answer has no list at $['rows']"],
    ["no row", '{"rows":[]}', "none of 0 rows is valid"],
    ["too many rows", JSON.stringify({ rows: Array(5_001).fill({}) }), "the answer has more than 5000 rows"],
    ["too many bytes", JSON.stringify({ rows: ["x".repeat(1_048_576)] }), "the answer has more than 1048576 bytes"],
  ])("an answer with %s is refused", (_what, answer, reason) => {
    const members = { ...BASE, apy: { path: "$.rows[*].apy", unit: "percent" } };
    expect(read(members, answer).products).toBe(reason);
  });
});

describe("the file", () => {
  const errorsOf = (file: unknown) => {
    const result = parseMapping(typeof file === "string" ? file : JSON.stringify(file));
    return result.kind === "errors" ? result.errors.map(({ path, message }) => `${path}: ${message}`) : [];
  };
  const form = "$, then .name, ['name'] or [index], with [*] at most once, for the list of rows";

  test.each<[string, unknown, string]>([
    ["no JSON", "{", ": must be a JSON object with members"],
    ["no members", {}, "members: must be an object with a member for each of the product's"],
    [
      "an unknown member of the file",
      { members: { ...BASE, ...APY }, url: "x" },
      "url: is not a member here; allowed are $schema, current_seconds, members",
    ],
    ["no rate", { members: BASE }, "members: must have one of apy, apy_base, apy_reward, apr"],
    ["no unit", { members: { ...BASE, apy: { path: "$.apy" } } }, "members.apy.unit: must be one of percent, fraction"],
    [
      "a unit of another type",
      { members: { ...BASE, ...APY, tvl: { path: "$.tvl", unit: "percent" } } },
      "members.tvl.unit: is not a member here; allowed are path",
    ],
    [
      "a filter",
      { members: { ...BASE, apy: { path: "$.pools[?@.id==1].apy", unit: "percent" } } },
      `members.apy.path: is not understood from "[?@.id==1].apy" on; a path is ${form}`,
    ],
    [
      "a descendant",
      { members: { ...BASE, apy: { path: "$..apy", unit: "percent" } } },
      `members.apy.path: is not understood from "..apy" on; a path is ${form}`,
    ],
    [
      "two lists in one path",
      { members: { ...BASE, apy: { path: "$.a[*].b[*].apy", unit: "percent" } } },
      "members.apy.path: has more than one [*], and a mapping has one list of rows",
    ],
    [
      "two lists",
      { members: { ...BASE, apy: { path: "$.a[*].apy", unit: "percent" }, tvl: { path: "$.b[*]" } } },
      "members: must have [*] at one place, and has it at $['a'] and $['b']",
    ],
    ["a member twice", '{"members":{"id":{"value":"a"},"id":{"value":"b"}}}', "members.id: is given more than once"],
    [
      "no root",
      { members: { ...BASE, apy: { path: "apy", unit: "percent" } } },
      `members.apy.path: must be a text of the form ${form}`,
    ],
    [
      "a constant that is an object",
      { members: { ...BASE, ...APY, name: { value: {} } } },
      "members.name.value: must be a text, a number, true or false",
    ],
  ])("with %s is refused at its place", (_what, file, expected) => {
    expect(errorsOf(file)).toContain(expected);
  });

  test("an unknown member names those that are allowed", () => {
    expect(errorsOf({ members: { ...BASE, ...APY, yield: { value: 1 } } })[0]).toMatch(
      /^members\.yield: is not a member here; allowed are id, name, kind, /,
    );
  });
});

test("the manual's example is a mapping, and the manual names every member", () => {
  const manual = readFileSync("docs/configuration.md", "utf8");
  const section = manual.slice(manual.indexOf("## A yield endpoint with a format of its own"));
  const example = /```json\n(.*?)```/s.exec(section)?.[1] ?? "";
  expect(parseMapping(example)).toMatchObject({ kind: "mapping", mapping: { currentSeconds: 172_800 } });
  for (const name of Object.keys(MAPPED_MEMBERS)) expect(section).toContain(`\`${name}\``);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAddresses } from "../../../src/addresses/file/parse-addresses.ts";
import { entriesOf, refusals } from "./entries.ts";

const NUMBER = { path: "/supply", figure: "max_supply", form: "number" };
const MEMBER = { figure: "max_supply", as: "string", units: "exact" };
const OBJECT = { path: "/supply", form: "object", members: { max: MEMBER } };

test("entries are read as they stand, members in the file's order", () => {
  const text = `{"$schema": "./addresses.schema.json", "addresses": [
    {"path": "/a", "query": {"q[]": "b c"}, "figure": "total_supply", "form": "base_units"},
    {"path": "/a", "form": "object", "members": {"z": {"text": "Z"}, "a": {"figure": "max_supply", "as": "number", "units": "tokens"}}}]}`;
  expect(parseAddresses(text)).toEqual({
    kind: "addresses",
    entries: [
      {
        path: "/a",
        query: { name: "q[]", value: "b c" },
        body: { kind: "figure", figure: "total_supply", form: "base_units" },
      },
      {
        path: "/a",
        query: null,
        body: {
          kind: "object",
          members: [
            { name: "z", text: "Z" },
            { name: "a", figure: "max_supply", as: "number", units: "tokens" },
          ],
        },
      },
    ],
  });
  expect(entriesOf([])).toEqual([]);
});

describe("the grammar of a path", () => {
  test.each(["/", "/a", "/a/", "/api/v1/token/circulatingSupply", "/api.dws", "/a(b)@c", `/${"a".repeat(99)}`])(
    "allows %s",
    (path) => {
      expect(entriesOf([{ ...NUMBER, path }])[0]?.path).toBe(path);
    },
  );

  test.each(["", "a", "/ä", "/a%20b", "/a*", "/a:b", "/a?b", "/a#b", "/a b", '/"', "/a\\b", "/a\n", "/{a}", 7, null])(
    "refuses %j by its place",
    (path) => {
      expect(refusals(JSON.stringify({ addresses: [{ ...NUMBER, path }] }))).toEqual([
        expect.stringMatching(/^addresses\[0\]\.path: must (be|begin)/),
      ]);
    },
  );

  test.each(["//a", "/a//b", "/a/./b", "/..", "/a/.."])("refuses %s, which no client sends", (path) => {
    expect(refusals(JSON.stringify({ addresses: [{ ...NUMBER, path }] }))).toEqual([
      expect.stringContaining("addresses[0].path: must have no empty segment"),
    ]);
  });

  test("refuses 101 bytes", () => {
    expect(refusals(JSON.stringify({ addresses: [{ ...NUMBER, path: `/${"a".repeat(100)}` }] }))).toEqual([
      "addresses[0].path: must have at most 100 bytes, and has 101",
    ]);
  });

  test("of any text, what is allowed reaches the Worker as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 12 }), (text) => {
        const path = `/${text}`;
        if (refusals(JSON.stringify({ addresses: [{ ...NUMBER, path }] })).length > 0) return;
        expect(new URL(`https://edge.test${path}`).pathname).toBe(path);
      }),
    );
  });
});

describe("refusals", () => {
  const errorsOf = (...addresses: readonly unknown[]) => refusals(JSON.stringify({ addresses }));

  test.each<[string, unknown, string]>([
    ["no object", [], ": must be a JSON object with the member addresses"],
    ["no list", { addresses: {} }, "addresses: must be a list of entries"],
    [
      "an unknown member",
      { addresses: [], adresses: [] },
      "adresses: is not a member here; allowed are $schema, addresses",
    ],
    [
      "an entry that is none",
      { addresses: [7] },
      "addresses[0]: must be an object with path, form and figure or members",
    ],
  ])("%s", (_what, file, refusal) => {
    expect(refusals(JSON.stringify(file))).toEqual([refusal]);
  });

  test("what is no JSON, and what JSON readers drop", () => {
    expect(refusals("{")).toEqual([": must be a JSON object with the member addresses"]);
    const twice = `{"addresses": [{"path": "/a", "path": "/b", "figure": "max_supply", "form": "number"}]}`;
    expect(refusals(twice)).toEqual(["addresses[0].path: is given more than once"]);
  });

  test.each<[object, RegExp]>([
    [{ form: "text" }, /^addresses\[0\]\.form: must be one of number, plain, result, exact, base_units, object$/],
    [{ form: undefined }, /^addresses\[0\]\.form: must be one of/],
    [
      { figure: "locked" },
      /^addresses\[0\]\.figure: must be one of circulating_supply, circulating_supply_daily, max_supply, /,
    ],
    [{ figure: "non_circulating_supply" }, /^addresses\[0\]\.figure: must be one of/],
    [{ figure: "toString" }, /^addresses\[0\]\.figure: must be one of/],
    [{ members: {} }, /^addresses\[0\]\.members: is not a member here; allowed are path, query, form, figure$/],
    [{ query: {} }, /^addresses\[0\]\.query: must be an object with one parameter/],
    [{ query: { q: "a", r: "b" } }, /^addresses\[0\]\.query: must be an object with one parameter/],
    [{ query: { q: 1 } }, /^addresses\[0\]\.query: must be an object with one parameter/],
    [{ query: { "": "a" } }, /^addresses\[0\]\.query: must be an object with one parameter/],
    [
      { figure: "staked_percent", form: "base_units" },
      /^addresses\[0\]\.form: must not be base_units, because staked_percent/,
    ],
  ])("%j", (change, refusal) => {
    expect(errorsOf({ ...NUMBER, ...change })).toEqual([expect.stringMatching(refusal)]);
  });

  test.each<[unknown, RegExp]>([
    [undefined, /^addresses\[0\]\.members: must be an object/],
    [{}, /^addresses\[0\]\.members: must have a member with a figure$/],
    [{ symbol: { text: "XYZ" } }, /^addresses\[0\]\.members: must have a member with a figure$/],
    [{ max: MEMBER, 1: MEMBER }, /^addresses\[0\]\.members\.1: must not be named by a number/],
    [{ max: 7 }, /^addresses\[0\]\.members\.max: must be/],
    [{ max: { ...MEMBER, as: "text" } }, /^addresses\[0\]\.members\.max\.as: must be one of number, string$/],
    [
      { max: { ...MEMBER, units: "wei" } },
      /^addresses\[0\]\.members\.max\.units: must be one of tokens, exact, base_units$/,
    ],
    [{ max: { ...MEMBER, figure: "maximum" } }, /^addresses\[0\]\.members\.max\.figure: must be one of/],
    [{ max: { ...MEMBER, form: "number" } }, /^addresses\[0\]\.members\.max\.form: is not a member here/],
    [
      { max: MEMBER, symbol: { text: "XYZ", as: "string" } },
      /^addresses\[0\]\.members\.symbol\.as: is not a member here/,
    ],
    [{ max: MEMBER, symbol: { text: 7 } }, /^addresses\[0\]\.members\.symbol\.text: must be a text/],
  ])("members %j", (members, refusal) => {
    expect(errorsOf({ ...OBJECT, members })).toEqual([expect.stringMatching(refusal)]);
  });

  test("two parameter names on one path, and two entries that one request selects", () => {
    const q = { ...NUMBER, query: { q: "max" } };
    expect(errorsOf(q, { ...NUMBER, query: { r: "max" } })).toEqual([
      "addresses[1].query: must use the parameter q, as the other entries of /supply do",
    ]);
    const again = "addresses[1].query: selects what an entry of /supply before it selects";
    expect([errorsOf(q, q), errorsOf(NUMBER, OBJECT)]).toEqual([[again], [again]]);
    expect(
      errorsOf(q, NUMBER, { ...NUMBER, query: { q: "MAX" } }, { ...q, path: "/other", query: { r: "max" } }),
    ).toEqual([]);
  });

  test("all of a file are reported together", () => {
    expect(errorsOf({ ...NUMBER, path: "a" }, { ...NUMBER, form: "text" })).toHaveLength(2);
  });
});

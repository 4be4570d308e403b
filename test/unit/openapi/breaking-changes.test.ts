import { describe, expect, test } from "vitest";
import current from "../../../openapi/public.json" with { type: "json" };
import released from "../../../openapi/released.json" with { type: "json" };
import { breakingChanges } from "../../../tools/api/breaking-changes.ts";

test("the public document has no breaking change from the released version", () => {
  expect(breakingChanges(released, current)).toEqual([]);
});

const SUPPLY = "/paths/~1api~1circulating-supply/get";
const OK = `${SUPPLY}/responses/200`;
const SCHEMAS = "/components/schemas";
const NEW_PARAMETER = { name: "currency", in: "query", schema: { type: "string" } };

/** A copy of a document with one place set to a value, or removed (`undefined`); `-` appends to an array. */
function edited(document: unknown, pointer: string, value: unknown): unknown {
  const copy: unknown = structuredClone(document);
  const names = pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop() ?? "";
  const parent = names.reduce<unknown>((node, name) => Reflect.get(Object(node), name), copy);
  if (typeof parent !== "object" || parent === null) throw new Error(`nothing at ${pointer}`);
  expect(Reflect.get(parent, last)).not.toEqual(value);
  if (Array.isArray(parent) && last === "-") parent.push(value);
  else if (Array.isArray(parent) && value === undefined) parent.splice(Number(last), 1);
  else if (value === undefined) {
    if (!Reflect.deleteProperty(parent, last)) throw new Error(`nothing at ${pointer}`);
  } else Reflect.set(parent, last, value);
  return copy;
}

describe("additions and prose are allowed", () => {
  test.each<[change: string, pointer: string, value: unknown]>([
    ["a path", "/paths/~1api~1locked-supply", released.paths["/api/max-supply"]],
    ["an operation", "/paths/~1api~1rates/post", { operationId: "postRates", responses: {} }],
    ["an optional parameter", `${SUPPLY}/parameters/-`, NEW_PARAMETER],
    ["a parameter's value", "/components/parameters/Format/schema/enum/-", "csv"],
    ["a parameter without its pattern", "/components/parameters/Month/schema/pattern", undefined],
    ["a parameter of any type", "/components/parameters/Month/schema/type", undefined],
    ["a status", `${OK.replace("/200", "/206")}`, { description: "Partial." }],
    ["a response header", `${OK}/headers/X-New`, { schema: { type: "string" } }],
    ["a media type", `${OK}/content/text~1csv`, { schema: { type: "string" } }],
    ["a member of an object", `${SCHEMAS}/Supply/properties/minted`, { type: "string" }],
    ["a required member", `${SCHEMAS}/Health/required/-`, "message"],
    ["a value of an enumeration", `${SCHEMAS}/Health/properties/status/enum/-`, "starting"],
    ["a schema", `${SCHEMAS}/Bucket`, { type: "object" }],
    [
      "a variant for those who request it",
      `${OK}/content/application~1json/schema/oneOf/-`,
      { type: "null", "x-only-with": "decimals=exact" },
    ],
    [
      "a variant for those who request it, where there was no choice",
      "/paths/~1api~1supply/get/responses/200/content/application~1json/schema",
      { oneOf: [{ $ref: `#${SCHEMAS}/Supply` }, { type: "null", "x-only-with": "decimals=exact" }] },
    ],
    ["a description", `${SUPPLY}/description`, "What circulates."],
    ["an example", `${OK}/content/text~1plain/example`, "7"],
    ["an example removed", "/components/parameters/Month/example", undefined],
    ["an operation marked as deprecated", `${SUPPLY}/deprecated`, true],
    ["a second server", "/servers/-", { url: "https://api.example" }],
  ])("allowed: %s", (_change, pointer, value) => {
    expect(breakingChanges(released, edited(released, pointer, value))).toEqual([]);
  });
});

describe("a breaking change is reported with its place and a remedy", () => {
  test.each<[change: string, pointer: string, value: unknown, message: RegExp]>([
    ["the version", "/info/version", "2", /^info\.version: changed from "1" to "2"/],
    ["a key for all operations", "/security", [{ key: [] }], /^security: changed/],
    ["a server", "/servers/0", undefined, /^servers: \/: was removed/],
    ["a path", "/paths/~1api~1rates", undefined, /^paths: \/api\/rates: was removed or renamed/],
    ["an operation", SUPPLY, undefined, /^\/api\/circulating-supply: get: was removed/],
    ["an operation's name", `${SUPPLY}/operationId`, "circulating", /^GET .* operationId: changed/],
    [
      "a key for one operation",
      `${SUPPLY}/security`,
      [{ key: [] }],
      /^GET \/api\/circulating-supply security: changed/,
    ],
    ["a parameter", `${SUPPLY}/parameters/3`, undefined, /parameters: query month: was removed/],
    ["a parameter's name", "/components/parameters/Month/name", "for", /query month: was removed or renamed/],
    ["a required parameter", "/components/parameters/Month/required", true, /query month: became required/],
    [
      "a new required parameter",
      `${SUPPLY}/parameters/-`,
      { ...NEW_PARAMETER, required: true },
      /query currency: is new and required\..* make it optional/,
    ],
    ["a parameter's type", "/components/parameters/Month/schema/type", "integer", /query month: type changed/],
    ["a parameter's value", "/components/parameters/Format/schema/enum/1", undefined, /format: the value "plain" was/],
    ["a parameter's default", "/components/parameters/ApiVersion/schema/default", "2", /version: default changed/],
    ["a parameter's bound", "/components/parameters/Month/schema/maxLength", 4, /query month: maxLength changed/],
    ["a parameter's pattern", "/components/parameters/Month/schema/pattern", "^2", /query month: pattern changed/],
    ["a body that must be sent", `${SUPPLY}/requestBody`, { required: true }, /requestBody: became required/],
    ["a status", `${SUPPLY}/responses/304`, undefined, /responses: 304: was removed/],
    ["a response header", `${OK}/headers/ETag`, undefined, /response 200 headers: ETag: was removed/],
    ["a header's type", "/components/headers/Age/schema/type", "string", /header Age: type changed/],
    ["a media type", `${OK}/content/text~1plain`, undefined, /content: text\/plain: was removed/],
    ["a schema's name", `${SCHEMAS}/Rates`, undefined, /^components\.schemas: Rates: was removed or renamed/],
    ["a member", `${SCHEMAS}/Supply/properties/locked`, undefined, /application\/json\.locked: was removed/],
    ["a member's name", `${SCHEMAS}/Error/properties/error_code`, undefined, /\.error_code: was removed or renamed/],
    ["a promised member", `${SCHEMAS}/Health/required/0`, undefined, /\.status: is no longer always present/],
    ["a member's type", `${SCHEMAS}/Supply/properties/month/type`, "integer", /\.month: type changed/],
    ["null, which was not allowed", `${SCHEMAS}/Decimal/type`, ["string", "null"], /type changed from "string"/],
    ["a value", `${SCHEMAS}/Health/properties/status/enum/1`, undefined, /the value "degraded" was removed/],
    ["a list of values", `${SCHEMAS}/Health/properties/status/enum`, undefined, /\.status: is no longer one of/],
    ["a new list of values", `${SCHEMAS}/Error/properties/message/enum`, ["no"], /\.message: is limited to \["no"\]/],
    ["a pattern", `${SCHEMAS}/Digits/pattern`, ".*", /text\/plain oneOf\[0\]: pattern changed/],
    ["a bound", `${SCHEMAS}/WholeTokens/minimum`, 1, /oneOf\[0\]: minimum changed/],
    ["a unit", `${SCHEMAS}/Instant/format`, "date", /format changed from "date-time" to "date"/],
    ["a list's element", `${SCHEMAS}/Rates/properties/data/items/type`, "string", /\.data\[\]: type changed/],
    [
      "a map's values",
      `${SCHEMAS}/Health/properties/limiter/properties/policies/additionalProperties/type`,
      "integer",
      /\.policies\.\*: type changed/,
    ],
    ["a variant", `${OK}/content/application~1json/schema/oneOf/3`, undefined, /oneOf\[3\]: was removed/],
    [
      "a new variant",
      `${OK}/content/application~1json/schema/oneOf/-`,
      { type: "null" },
      /oneOf\[4\]: is a new variant/,
    ],
    ["an unknown keyword", `${SCHEMAS}/Digits/contentEncoding`, "base64", /contentEncoding changed from nothing/],
  ])("refused: %s", (_change, pointer, value, message) => {
    const found = breakingChanges(released, edited(released, pointer, value));
    expect(found).toContainEqual(expect.stringMatching(message));
    for (const sentence of found)
      expect(sentence).toMatch(/Version 1 is released: .+, or ship this under a new version number\.$/);
  });
});

test("a schema that contains itself is compared once", () => {
  const tree = (leaf: string) => ({
    info: { version: "1" },
    paths: {
      "/t": {
        get: {
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/T" } } } } },
        },
      },
    },
    components: {
      schemas: {
        T: { type: "object", properties: { leaf: { type: leaf }, next: { $ref: "#/components/schemas/T" } } },
      },
    },
  });
  expect(breakingChanges(tree("string"), tree("string"))).toEqual([]);
  expect(breakingChanges(tree("string"), tree("integer"))).toHaveLength(1);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { hexOf, parseHex } from "../../../src/chain/hex.ts";
import { parseTypeTag, type TypeTag } from "../../../src/chain/type-tag.ts";
import { tryRead } from "../../codec/json-request.ts";
import { jsonTypeName } from "../../codec/json-type-name.ts";
import type { LayoutLookup, StructLayout } from "../../codec/move-layout.ts";
import { type MoveJson, moveValueFromJson, moveValueToJson } from "../../codec/move-value.ts";
import { anyAddress } from "./arbitraries.ts";

const LAYOUTS: Readonly<Record<string, StructLayout>> = {
  Point: [
    { name: "x", type: "u64" },
    { name: "y", type: "u64" },
  ],
  Cell: [
    { name: "board", type: "0x1::string::String" },
    { name: "at", type: "0x7::m::Point" },
  ],
  Pair: [
    { name: "first", type: "T0" },
    { name: "rest", type: "vector<0x7::m::Pair<T1, T0>>" },
    { name: "second", type: "T1" },
  ],
  T0: [{ name: "is_no_parameter", type: "bool" }],
  Odd: [{ name: "named_like_one", type: "0x7::m::T0" }],
};
const lookup: LayoutLookup = ({ address, module, name }) =>
  address === "0x7" && module === "m" ? LAYOUTS[name] : undefined;

function typeOf(text: string): TypeTag {
  const tag = parseTypeTag(text);
  if (tag === undefined) throw new Error(text);
  return tag;
}

const bytesOf = (hex: string) => parseHex(hex) ?? new Uint8Array();

test.each<[string, string, MoveJson]>([
  ["bool", "0x01", true],
  ["u8", "0xff", 255],
  ["u16", "0xffff", 65_535],
  ["u32", "0xffffffff", 4_294_967_295],
  ["u64", "0xffffffffffffffff", "18446744073709551615"],
  ["u128", `0x${"ff".repeat(16)}`, "340282366920938463463374607431768211455"],
  ["u256", `0x01${"00".repeat(31)}`, "1"],
  ["address", `0x${"00".repeat(31)}0a`, "0xa"],
  ["vector<u8>", "0x0300ff10", "0x00ff10"],
  ["vector<u8>", "0x00", "0x"],
  ["vector<vector<u8>>", "0x0201aa00", ["0xaa", "0x"]],
  ["vector<bool>", "0x020100", [true, false]],
  ["0x1::string::String", "0x0568c3a96c6f", "hélo"],
  ["0x1::string::String", "0x02c328", "Unparsable utf-8 0xc328"],
  ["0x1::option::Option<u64>", "0x00", { vec: [] }],
  ["0x1::option::Option<u64>", "0x010700000000000000", { vec: ["7"] }],
  ["0x1::option::Option<u8>", "0x0107", { vec: "0x07" }],
  ["0x1::option::Option<vector<u8>>", "0x0102abcd", { vec: ["0xabcd"] }],
  ["0x1::object::Object<0x7::m::Point>", `0x${"00".repeat(31)}0a`, { inner: "0xa" }],
  ["0x7::m::Cell", `0x0161${"0100000000000000"}${"0200000000000000"}`, { board: "a", at: { x: "1", y: "2" } }],
  [
    "0x7::m::Pair<u8, bool>",
    "0x050101000701",
    { first: 5, rest: [{ first: true, rest: [], second: 7 }], second: true },
  ],
  ["0x7::m::Odd", "0x01", { named_like_one: { is_no_parameter: true } }],
])("%s %s is %j, both ways", (text, hex, json) => {
  const type = typeOf(text);
  const bytes = bytesOf(hex);
  expect(moveValueToJson(type, bytes, lookup)).toEqual({ kind: "decoded", value: json });
  if (typeof json === "string" && json.startsWith("Unparsable")) return;
  expect(tryRead(() => moveValueFromJson(type, json, lookup))).toEqual({ kind: "read", value: bytes });
});

test.each([
  ["bool", "0x02"],
  ["u64", "0x01000000"],
  ["u8", "0x0102"],
  ["0x1::option::Option<u8>", "0x020102"],
  ["0x7::m::Nothing", "0x00"],
  ["vector<0x7::m::Point>", "0xffffffff07"],
])("bytes of %s refused: %s", (text, hex) => {
  expect(moveValueToJson(typeOf(text), bytesOf(hex), lookup).kind).toBe("malformed");
});

test.each<[string, unknown, string]>([
  ["u64", 1, "invalid type: 1, expected a string"],
  ["u64", "18446744073709551616", 'Parsing u64 string "18446744073709551616" failed'],
  ["u64", "-1", 'Parsing u64 string "-1" failed'],
  ["u8", 256, "invalid value: 256, expected u8"],
  ["u8", 1.5, "invalid value: 1.5, expected u8"],
  ["u8", "1", 'invalid type: "1", expected u8'],
  ["bool", "true", 'invalid type: "true", expected a boolean'],
  ["address", "0xzz", 'Invalid account address "0xzz"'],
  ["vector<u8>", "0xabc", 'decode hex-encoded string("0xabc") failed'],
  ["vector<u64>", "0x00", 'expected vector<u64>, but got: "0x00"'],
  ["0x1::string::String", 5, "failed to parse string::String."],
  ["0x1::string::String", "\ud800", "failed to parse string::String."],
  ["0x7::m::Point", { x: "1" }, "field y not found."],
  ["0x7::m::Point", [], "Expecting a JSON Map for struct."],
  ["0x7::m::Nothing", {}, "unknown type 0x7::m::Nothing"],
  ["0x1::option::Option<u64>", { vec: ["1", "2"] }, "an option is a list of one value at most"],
  ["0x7::m::Point", Object.create({ x: "1", y: "2" }), "field x not found."],
])("JSON of %s refused: %j", (text, value, message) => {
  expect(tryRead(() => moveValueFromJson(typeOf(text), value, lookup))).toEqual({ kind: "invalid", message });
});

test("an object may be given as its bare address", () => {
  const type = typeOf("0x1::object::Object<0x7::m::Point>");
  expect(moveValueFromJson(type, "0xa", lookup)).toEqual(moveValueFromJson(type, { inner: "0xa" }, lookup));
});

test.each([
  ["u64", "string<u64>"],
  ["u8", "integer<u8>"],
  ["bool", "boolean"],
  ["signer", "string<address>"],
  ["vector<u8>", "string<hex>"],
  ["vector<vector<u64>>", "array<array<string<u64>>>"],
  ["0x1::string::String", "string<move_struct_tag_id>"],
])("messages name %s as %s", (text, name) => {
  expect(jsonTypeName(typeOf(text))).toBe(name);
});

/** A type and the JSON of a value of it. */
type Sample = readonly [type: string, json: MoveJson];
const unsigned = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n }).map(String);
const hex = fc.uint8Array({ maxLength: 8 }).map(hexOf);
const point = fc.record({ x: unsigned(64n), y: unsigned(64n) });

const sample: fc.Arbitrary<Sample> = fc.letrec<{ sample: Sample; scalar: Sample }>((tie) => ({
  scalar: fc.oneof(
    fc.boolean().map((value): Sample => ["bool", value]),
    fc.nat(255).map((value): Sample => ["u8", value]),
    fc.nat(65_535).map((value): Sample => ["u16", value]),
    unsigned(64n).map((value): Sample => ["u64", value]),
    unsigned(256n).map((value): Sample => ["u256", value]),
    anyAddress.map((value): Sample => ["address", value]),
    hex.map((value): Sample => ["vector<u8>", value]),
    fc.string({ unit: "grapheme" }).map((value): Sample => ["0x1::string::String", value]),
    point.map((value): Sample => ["0x7::m::Point", value]),
  ),
  sample: fc.oneof(
    { maxDepth: 3 },
    tie("scalar"),
    tie("sample").map(([type, json]): Sample => [`0x7::m::Pair<${type}, u16>`, { first: json, rest: [], second: 9 }]),
    tie("sample")
      .filter(([type]) => type !== "u8")
      .map(([type, json]): Sample => [`vector<${type}>`, [json, json]]),
    tie("sample")
      .filter(([type]) => type !== "u8")
      .map(([type, json]): Sample => [`0x1::option::Option<${type}>`, { vec: [json] }]),
  ),
})).sample;

test("encoded values decode to themselves; prefixes and extensions are refused", () => {
  fc.assert(
    fc.property(sample, fc.nat(), ([text, json], cut) => {
      const type = typeOf(text);
      const encoded = tryRead(() => moveValueFromJson(type, json, lookup));
      if (encoded.kind !== "read") throw new Error(encoded.message);
      const bytes = encoded.value;
      expect(moveValueToJson(type, bytes, lookup)).toEqual({ kind: "decoded", value: json });
      expect(moveValueToJson(type, bytes.slice(0, cut % bytes.length), lookup).kind).toBe("malformed");
      expect(moveValueToJson(type, Uint8Array.of(...bytes, 0), lookup).kind).toBe("malformed");
    }),
    { numRuns: 500 },
  );
});

test("random bytes are refused, or equal the encoding of their JSON", () => {
  fc.assert(
    fc.property(sample, fc.uint8Array({ maxLength: 40 }), ([text], bytes) => {
      const type = typeOf(text);
      const decoded = moveValueToJson(type, bytes, lookup);
      if (decoded.kind === "malformed" || JSON.stringify(decoded.value).includes("Unparsable")) return;
      expect(tryRead(() => moveValueFromJson(type, decoded.value, lookup))).toEqual({ kind: "read", value: bytes });
    }),
    { numRuns: 1000 },
  );
});

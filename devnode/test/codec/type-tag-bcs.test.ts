import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_TYPE_NESTING, type TypeTag } from "../../../src/chain/type-tag.ts";
import { decode, encode } from "../../codec/bcs.ts";
import { encodeBcs } from "../../codec/bcs-writer.ts";
import { structTag, typeTag } from "../../codec/type-tag-bcs.ts";
import { FRAMEWORK } from "../../framework/addresses.ts";
import { anyStructTag, anyTypeTag } from "./arbitraries.ts";

test("every type tag is the same after BCS", () => {
  fc.assert(
    fc.property(anyTypeTag, (tag) => {
      expect(decode(typeTag, encode(typeTag, tag))).toEqual({ kind: "decoded", value: tag });
    }),
  );
});

test("every struct tag is the same after BCS", () => {
  fc.assert(
    fc.property(anyStructTag, (tag) => {
      expect(decode(structTag, encode(structTag, tag))).toEqual({ kind: "decoded", value: tag });
    }),
  );
});

const vectorOf = (element: TypeTag): TypeTag => ({ kind: "vector", element });
const structOf = (argument: TypeTag): TypeTag => ({
  kind: "struct",
  struct: { address: FRAMEWORK, module: "m", name: "S", typeArguments: [argument] },
});

test.each([
  ["vectors", vectorOf],
  ["structs", structOf],
])("%s nest up to the limit", (_name, wrap) => {
  let deepest: TypeTag = { kind: "u8" };
  for (let level = 0; level < MAX_TYPE_NESTING; level += 1) deepest = wrap(deepest);
  expect(decode(typeTag, encode(typeTag, deepest))).toEqual({ kind: "decoded", value: deepest });
  expect(decode(typeTag, encode(typeTag, wrap(deepest)))).toEqual({
    kind: "malformed",
    message: "type tag nesting exceeded during deserialization",
  });
});

test("a struct whose name is not an identifier is refused", () => {
  const encoded = encodeBcs((writer) => {
    writer.u8(7).fixed(new Uint8Array(32)).string("m").string("S-").uleb(0);
  });
  expect(decode(typeTag, encoded)).toEqual({ kind: "malformed", message: "Invalid identifier 'S-'" });
});

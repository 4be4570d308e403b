import fc from "fast-check";
import { addressOfBytes } from "../../../src/chain/address.ts";
import { PRIMITIVES, type StructTag, type TypeTag } from "../../../src/chain/type-tag.ts";

export const anyBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** Any address, and often a short one. */
export const anyAddress = fc
  .oneof(
    anyBytes(32),
    fc.integer({ min: 0, max: 255 }).map((last) => new Uint8Array(32).fill(last, 31)),
  )
  .map(addressOfBytes);

export const anyIdentifier = fc.stringMatching(/^(?:[a-zA-Z]|_[a-zA-Z0-9_])[a-zA-Z0-9_]{0,12}$/);

const { typeTag, structTag } = fc.letrec<{ typeTag: TypeTag; structTag: StructTag }>((tie) => ({
  typeTag: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...PRIMITIVES).map((kind) => ({ kind })),
    fc.record({ kind: fc.constant("vector" as const), element: tie("typeTag") }),
    fc.record({ kind: fc.constant("struct" as const), struct: tie("structTag") }),
  ),
  structTag: fc.record({
    address: anyAddress,
    module: anyIdentifier,
    name: anyIdentifier,
    typeArguments: fc.array(tie("typeTag"), { maxLength: 3 }),
  }),
}));

export const anyTypeTag = typeTag;
export const anyStructTag = structTag;

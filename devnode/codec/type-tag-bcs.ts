import { isIdentifier } from "../../src/chain/identifier.ts";
import { MAX_TYPE_NESTING, type StructTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { address, type Codec, nested, string, struct, transform, union, unit, vector } from "./bcs.ts";
import { BcsError } from "./bcs-reader.ts";

/** A module, function, struct or field name: a string of the characters that Move allows in names. */
export const identifier: Codec<string> = transform(
  string,
  (name) => {
    if (!isIdentifier(name)) throw new BcsError(`Invalid identifier '${name}'`);
    return name;
  },
  (name) => name,
);

const TOO_DEEP = "type tag nesting exceeded during deserialization";

/** Move `StructTag` (move-core/types/src/language_storage.rs). */
export const structTag: Codec<StructTag> = nested(MAX_TYPE_NESTING, TOO_DEEP, () => structTagFields);

/** Move `TypeTag` (move-core/types/src/language_storage.rs). Newer integers were added at the end of the enum. */
export const typeTag: Codec<TypeTag> = union({
  bool: unit,
  u8: unit,
  u64: unit,
  u128: unit,
  address: unit,
  signer: unit,
  vector: nested(MAX_TYPE_NESTING, TOO_DEEP, () => vectorFields),
  struct: struct({ struct: structTag }),
  u16: unit,
  u32: unit,
  u256: unit,
});

const vectorFields = struct({ element: typeTag });
const structTagFields = struct({ address, module: identifier, name: identifier, typeArguments: vector(typeTag) });

/** A module by its address and name, Move `ModuleId`. */
export const moduleId = struct({ address, name: identifier });

import type { Address } from "../../src/chain/address.ts";
import { type EntryFunctionId, printEntryFunctionId } from "../../src/chain/entry-function.ts";
import { hexOf } from "../../src/chain/hex.ts";
import { instantiate, type LayoutLookup } from "../../src/chain/move-layout.ts";
import {
  type Encoded,
  jsonTypeName,
  type MoveJson,
  moveValueFromJson,
  moveValueToJson,
} from "../../src/chain/move-value.ts";
import { shown } from "../../src/chain/shown.ts";
import { printTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { moduleAbi, structDefinition } from "../framework/abi.ts";
import { findFunction } from "../framework/registry.ts";

/** Shapes of the published types. Modules are fixed at genesis, so no version of the state has others. */
export const layoutOf: LayoutLookup = (tag) => {
  const declaration = structDefinition(tag);
  return declaration === undefined ? undefined : { kind: "struct", fields: declaration.fields };
};

/** JSON of octets that the ledger holds. Throws where they are no value of the type, which the ledger never stores. */
export function toJson(type: TypeTag, bytes: Uint8Array): MoveJson {
  const decoded = moveValueToJson(type, bytes, layoutOf);
  if (decoded.kind === "malformed") throw new Error(`not a ${printTypeTag(type)}: ${decoded.message}`);
  return decoded.value;
}

export function fromJson(type: TypeTag, value: unknown): Encoded {
  return moveValueFromJson(type, value, layoutOf);
}

/** A published module: bytecode and interface. */
export function moduleJson(address: Address, name: string, bytecode: Uint8Array): unknown {
  return { bytecode: hexOf(bytecode), abi: moduleAbi(address, name) };
}

export type Arguments =
  | { readonly kind: "encoded"; readonly list: readonly Uint8Array[] }
  | { readonly kind: "unfit"; readonly message: string };

/** Octets of a call's arguments, each by its parameter's type; signers are not among them. */
export function argumentsFromJson(
  id: EntryFunctionId,
  typeArguments: readonly TypeTag[],
  values: readonly unknown[],
): Arguments {
  const printed = printEntryFunctionId(id);
  const definition = findFunction(printed);
  if (definition === undefined) return { kind: "unfit", message: `Could not find entry function by ${printed}` };
  const types = definition.parameters.slice(definition.signerCount).map((type) => instantiate(type, typeArguments));
  if (types.length !== values.length) {
    const wanted = types.map((type) => (type === undefined ? "unknown" : jsonTypeName(type))).join(", ");
    return {
      kind: "unfit",
      message: `expected ${types.length} arguments [${wanted}], but got ${values.length} (${shown(values, 200)})`,
    };
  }
  const list: Uint8Array[] = [];
  for (const [index, type] of types.entries()) {
    if (type === undefined) return { kind: "unfit", message: `${printed} has a parameter of an unknown type` };
    const encoded = fromJson(type, values[index]);
    if (encoded.kind === "unfit") {
      const message = `parse arguments[${index}] failed, expect ${jsonTypeName(type)}, caused by error: ${encoded.message}`;
      return { kind: "unfit", message };
    }
    list.push(encoded.bytes);
  }
  return { kind: "encoded", list };
}

/** JSON of a call's arguments; hex of the octets where they do not fit the function, which a failed call may carry. */
export function argumentsToJson(
  id: EntryFunctionId,
  typeArguments: readonly TypeTag[],
  list: readonly Uint8Array[],
): readonly MoveJson[] {
  const definition = findFunction(printEntryFunctionId(id));
  const types = definition?.parameters.slice(definition.signerCount) ?? [];
  return list.map((bytes, index) => {
    const type = types[index] === undefined ? undefined : instantiate(types[index], typeArguments);
    const decoded = type === undefined ? undefined : moveValueToJson(type, bytes, layoutOf);
    return decoded?.kind === "decoded" ? decoded.value : hexOf(bytes);
  });
}

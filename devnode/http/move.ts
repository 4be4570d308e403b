import type { Address } from "../../src/chain/address.ts";
import type { Published } from "../../src/chain/call-arguments.ts";
import { printEntryFunctionId } from "../../src/chain/entry-function.ts";
import { hexOf } from "../../src/chain/hex.ts";
import type { LayoutLookup } from "../../src/chain/move-layout.ts";
import { type Encoded, type MoveJson, moveValueFromJson, moveValueToJson } from "../../src/chain/move-value.ts";
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

/** What this chain's modules declare. */
export const published: Published = {
  parametersOf: (id) => {
    const definition = findFunction(printEntryFunctionId(id));
    return definition?.parameters.slice(definition.signerCount);
  },
  layoutOf,
};

import type { Address } from "../../src/chain/address.ts";
import type { StructTag } from "../../src/chain/type-tag.ts";
import type { ModuleInterfaces } from "../codec/call-arguments.ts";
import { printEntryFunctionId } from "../codec/entry-function-id.ts";
import type { StructLayout } from "../codec/move-layout.ts";
import type { FunctionDefinition, ModuleDefinition } from "./define.ts";
import { findFunction, findModule, findStruct } from "./registry.ts";
import type { StructDeclaration } from "./schema.ts";

/** A published interface, in the JSON form of the specification (Module, abi). */
export type ModuleAbi = ReturnType<typeof abiOf>;

export function moduleAbi(address: Address, name: string): ModuleAbi | undefined {
  const module = findModule(address, name);
  return module === undefined ? undefined : abiOf(module);
}

/** The layout of a struct type, for the codec of Move values. */
export function structLayout(tag: StructTag): StructLayout | undefined {
  const declaration = findStruct(tag);
  return declaration?.typeParameters.length === tag.typeArguments.length ? declaration.fields : undefined;
}

/** Declarations of this chain's modules. They are fixed at genesis, so every version of the state has the same. */
export const interfaces: ModuleInterfaces = {
  parametersOf: (id) => {
    const definition = findFunction(printEntryFunctionId(id));
    return definition?.parameters.slice(definition.signerCount);
  },
  layoutOf: structLayout,
};

export function abiOf({ address, name, friends, functions, structs }: ModuleDefinition) {
  return {
    address,
    name,
    friends,
    exposed_functions: functions.map(functionAbiOf),
    structs: structs.map(({ declaration }) => structAbiOf(declaration)),
  };
}

function functionAbiOf(definition: FunctionDefinition) {
  return {
    name: definition.name,
    visibility: definition.visibility,
    is_entry: definition.isEntry,
    is_view: definition.isView,
    generic_type_params: definition.typeParameters.map((constraints) => ({ constraints })),
    params: definition.parameters,
    return: definition.results,
  };
}

function structAbiOf(declaration: StructDeclaration) {
  return {
    name: declaration.id.slice(declaration.id.lastIndexOf(":") + 1),
    is_native: false,
    is_event: declaration.isEvent,
    abilities: declaration.abilities,
    generic_type_params: declaration.typeParameters.map(({ constraints }) => ({ constraints })),
    fields: declaration.fields,
  };
}

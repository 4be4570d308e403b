import type { Address } from "../../src/chain/address.ts";
import type { StructTag } from "../../src/chain/type-tag.ts";
import type { StructLayout } from "../codec/move-layout.ts";
import type { FunctionDefinition, ModuleDefinition } from "./define.ts";
import { findModule, findStruct } from "./registry.ts";
import type { Ability, StructDeclaration } from "./schema.ts";

/** A published interface, in the JSON form of the specification (Module, abi). */
export interface ModuleAbi {
  readonly address: Address;
  readonly name: string;
  readonly friends: readonly string[];
  readonly exposed_functions: readonly FunctionAbi[];
  readonly structs: readonly StructAbi[];
}

export interface FunctionAbi {
  readonly name: string;
  readonly visibility: "private" | "public" | "friend";
  readonly is_entry: boolean;
  readonly is_view: boolean;
  readonly generic_type_params: readonly GenericTypeParameter[];
  readonly params: readonly string[];
  readonly return: readonly string[];
}

export interface StructAbi {
  readonly name: string;
  readonly is_native: boolean;
  readonly is_event: boolean;
  readonly abilities: readonly Ability[];
  readonly generic_type_params: readonly GenericTypeParameter[];
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

interface GenericTypeParameter {
  readonly constraints: readonly Ability[];
}

export function moduleAbi(address: Address, name: string): ModuleAbi | undefined {
  const module = findModule(address, name);
  return module === undefined ? undefined : abiOf(module);
}

/** The declaration of a struct, its fields' types with T0, T1 for type parameters. */
function structDefinition({ address, module, name }: StructTag): StructDeclaration | undefined {
  return findStruct(`${address}::${module}::${name}`);
}

/** The layout of a struct type, for the codec of Move values. */
export function structLayout(tag: StructTag): StructLayout | undefined {
  const declaration = structDefinition(tag);
  return declaration?.typeParameters.length === tag.typeArguments.length
    ? { kind: "struct", fields: declaration.fields }
    : undefined;
}

export function abiOf({ address, name, friends, functions, structs }: ModuleDefinition): ModuleAbi {
  return {
    address,
    name,
    friends,
    exposed_functions: functions.map(functionAbiOf),
    structs: structs.map(({ declaration }) => structAbiOf(declaration)),
  };
}

function functionAbiOf(definition: FunctionDefinition): FunctionAbi {
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

function structAbiOf(declaration: StructDeclaration): StructAbi {
  return {
    name: declaration.id.slice(declaration.id.lastIndexOf(":") + 1),
    is_native: false,
    is_event: declaration.isEvent,
    abilities: declaration.abilities,
    generic_type_params: declaration.typeParameters.map(({ constraints }) => ({ constraints })),
    fields: declaration.fields,
  };
}

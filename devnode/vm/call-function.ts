import type { Address } from "../../src/chain/address.ts";
import type { TypeTag } from "../../src/chain/type-tag.ts";
import { printEntryFunctionId } from "../codec/entry-function-id.ts";
import type { EntryFunction } from "../codec/transaction.ts";
import type { FunctionDefinition } from "../framework/define.ts";
import { findFunction, findModule, findStruct } from "../framework/registry.ts";
import { named } from "./execution-error.ts";
import type { Meter } from "./gas-meter.ts";
import type { Session } from "./session.ts";

/** The context of an execution. */
export interface Machine {
  readonly session: Session;
  readonly meter: Meter;
}

/**
 * Runs an entry function for its signers. Throws VmError as the function does, or for a call that does not match it.
 */
export function runEntryFunction(machine: Machine, call: EntryFunction, signers: readonly Address[]): void {
  const definition = resolve(call);
  if (!definition.isEntry) throw named("EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION");
  if (definition.signerCount > 0 && definition.signerCount !== signers.length)
    throw named("NUMBER_OF_SIGNER_ARGUMENTS_MISMATCH");
  invoke(machine, definition, call, signers);
}

/** Runs a function that is known to be callable; returns the BCS of its results. */
export function invoke(
  { session, meter }: Machine,
  definition: FunctionDefinition,
  call: EntryFunction,
  signers: readonly Address[],
): readonly Uint8Array[] {
  checkTypeArguments(definition, call.typeArguments);
  if (call.arguments.length !== definition.parameters.length - definition.signerCount)
    throw named("NUMBER_OF_ARGUMENTS_MISMATCH");
  const argumentBytes = call.arguments.reduce((sum, argument) => sum + argument.length, 0);
  meter.chargeExecution(meter.schedule.call + meter.schedule.perArgumentByte * BigInt(argumentBytes));
  return definition.invoke({ session, typeArguments: call.typeArguments }, signers, call.arguments);
}

function resolve({ id }: EntryFunction): FunctionDefinition {
  if (findModule(id.address, id.module) === undefined)
    throw named("LINKER_ERROR", `This node runs its built-in modules only; ${id.address}::${id.module} is not one.`);
  const printed = printEntryFunctionId(id);
  const definition = findFunction(printed);
  if (definition === undefined) throw named("FUNCTION_RESOLUTION_FAILURE", `This node has no function ${printed}.`);
  return definition;
}

function checkTypeArguments({ typeParameters }: FunctionDefinition, given: readonly TypeTag[]): void {
  if (typeParameters.length !== given.length) throw named("NUMBER_OF_TYPE_ARGUMENTS_MISMATCH");
  given.forEach((tag, index) => {
    if (unknownStruct(tag) !== undefined) throw named("LINKER_ERROR");
    if (typeParameters[index]?.includes("key") && !hasKey(tag)) throw named("CONSTRAINT_NOT_SATISFIED");
  });
}

/** The first struct in a type that no module declares with as many parameters; undefined when all are declared. */
export function unknownStruct(tag: TypeTag): string | undefined {
  if (tag.kind === "vector") return unknownStruct(tag.element);
  if (tag.kind !== "struct") return undefined;
  const { address, module, name, typeArguments } = tag.struct;
  if (findStruct(tag.struct)?.typeParameters.length !== typeArguments.length) return `${address}::${module}::${name}`;
  return typeArguments.map(unknownStruct).find((unknown) => unknown !== undefined);
}

function hasKey(tag: TypeTag): boolean {
  return tag.kind === "struct" && findStruct(tag.struct)?.abilities.includes("key") === true;
}

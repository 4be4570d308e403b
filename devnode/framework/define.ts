import { type Address, addressOfBytes } from "../../src/chain/address.ts";
import { printTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { decode, encode } from "../codec/bcs.ts";
import { instantiate } from "../codec/move-layout.ts";
import { VmError } from "../vm/execution-error.ts";
import type { Session } from "../vm/session.ts";
import { assertObject } from "./object-state.ts";
import type { Ability, Schema, StructDeclaration } from "./schema.ts";

/** The context of a native function call. */
export interface Call {
  readonly session: Session;
  readonly typeArguments: readonly TypeTag[];
  /** The type arguments as text, for schemas. Missing ones are empty; the arity was checked before. */
  readonly types: readonly [string, ...string[]];
}

export interface FunctionDefinition {
  readonly name: string;
  readonly visibility: "public" | "private" | "friend";
  readonly isEntry: boolean;
  readonly isView: boolean;
  /** Constraints of each type parameter. */
  readonly typeParameters: readonly (readonly Ability[])[];
  /** As declared: `&signer`, `address`, `0x1::object::Object<T0>`. */
  readonly parameters: readonly string[];
  readonly results: readonly string[];
  /** Number of signers, which come before all other arguments. */
  readonly signerCount: number;
  /** Takes and returns BCS. Throws VmError as the function does, or for arguments that do not decode. */
  readonly invoke: (
    call: Call,
    signers: readonly Address[],
    argumentBytes: readonly Uint8Array[],
  ) => readonly Uint8Array[];
}

export interface ModuleDefinition {
  readonly address: Address;
  readonly name: string;
  /** `0x1::genesis` */
  readonly friends: readonly string[];
  readonly structs: readonly { readonly declaration: StructDeclaration }[];
  readonly functions: readonly FunctionDefinition[];
}

/** A parameter that is the address of a signer. */
export const signer: unique symbol = Symbol("signer");

type Parameter = Schema<unknown> | typeof signer;
type ValueOf<P> = P extends Schema<infer T> ? T : Address;
type Values<P extends readonly unknown[]> = { -readonly [K in keyof P]: ValueOf<P[K]> };

interface Options {
  readonly generics?: readonly (readonly Ability[])[];
  readonly visibility?: FunctionDefinition["visibility"];
}

/** An entry function; public by default. */
export function entry<const P extends readonly Parameter[]>(
  name: string,
  options: Options,
  parameters: P,
  run: (call: Call, ...values: Values<P>) => void,
): FunctionDefinition {
  return {
    ...signature(name, options, parameters, []),
    isEntry: true,
    isView: false,
    invoke: (call, signers, encoded) => {
      run(call, ...decodeValues(call, parameters, signers, encoded));
      return [];
    },
  };
}

/** A public view function. */
export function view<const P extends readonly Parameter[], const R extends readonly Schema<unknown>[]>(
  name: string,
  options: Options,
  parameters: P,
  results: R,
  run: (call: Call, ...values: Values<P>) => Values<R>,
): FunctionDefinition {
  return {
    ...signature(name, options, parameters, results),
    isEntry: false,
    isView: true,
    invoke: (call, signers, encoded) => {
      const values: readonly unknown[] = run(call, ...decodeValues(call, parameters, signers, encoded));
      return results.map((schema, index) => encode(schema, values[index]));
    },
  };
}

function signature(
  name: string,
  { generics = [], visibility = "public" }: Options,
  parameters: readonly Parameter[],
  results: readonly Schema<unknown>[],
): Omit<FunctionDefinition, "isEntry" | "isView" | "invoke"> {
  return {
    name,
    visibility,
    typeParameters: generics,
    parameters: parameters.map((parameter) => (parameter === signer ? "&signer" : parameter.type)),
    results: results.map(({ type }) => type),
    signerCount: parameters.filter((parameter) => parameter === signer).length,
  };
}

function decodeValues<P extends readonly Parameter[]>(
  call: Call,
  parameters: P,
  signers: readonly Address[],
  encoded: readonly Uint8Array[],
): Values<P> {
  const restOfSigners = [...signers];
  const restOfArguments = [...encoded];
  const values = parameters.map((parameter) =>
    parameter === signer ? restOfSigners.shift() : decodeArgument(call, parameter, restOfArguments.shift()),
  );
  // Cast: one value per parameter, each decoded by its own schema.
  return values as Values<P>;
}

function decodeArgument(call: Call, schema: Schema<unknown>, argument: Uint8Array | undefined): unknown {
  const decoded = decode(schema, argument ?? new Uint8Array());
  if (decoded.kind === "malformed")
    throw new VmError({ kind: "named", name: "FAILED_TO_DESERIALIZE_ARGUMENT", message: decoded.message });
  if (schema.objectOf !== undefined) checkObject(call, schema.objectOf, argument ?? new Uint8Array());
  return decoded.value;
}

/** An Object<T> argument must be the address of an object with a T. */
function checkObject({ session, typeArguments }: Call, type: string, argument: Uint8Array): void {
  const tag = instantiate(type, typeArguments);
  if (tag !== undefined) assertObject(session, addressOfBytes(argument), printTypeTag(tag));
}

/** The context of a call, with its type arguments as text. */
export function callOf(session: Session, typeArguments: readonly TypeTag[]): Call {
  const [first = "", ...rest] = typeArguments.map(printTypeTag);
  return { session, typeArguments, types: [first, ...rest] };
}

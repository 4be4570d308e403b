import { type Address, addressOfBytes } from "../../src/chain/address.ts";
import { printTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { type Codec, decode, encode } from "../codec/bcs.ts";
import { instantiate } from "../codec/move-layout.ts";
import { named } from "../vm/execution-error.ts";
import type { Session } from "../vm/session.ts";
import { fixedAddress } from "./addresses.ts";
import { assertObject } from "./object-state.ts";
import { type Ability, object, type Schema, type StructDeclaration } from "./schema.ts";

/** The context of a native function call. */
export interface Call {
  readonly session: Session;
  /** The arity was checked before. */
  readonly typeArguments: readonly TypeTag[];
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

/** A module, `0x1::stake`; its friends are named without the address, which is the same. */
export function defineModule(
  id: string,
  { friends = [], structs = [], functions = [] }: Partial<Omit<ModuleDefinition, "address" | "name">>,
): ModuleDefinition {
  const [address = "", name = ""] = id.split("::");
  return {
    address: fixedAddress(address),
    name,
    friends: friends.map((friend) => `${address}::${friend}`),
    structs,
    functions,
  };
}

/** A parameter that is the address of a signer. */
export const signer: unique symbol = Symbol("signer");
/** The function's type parameter, unconstrained: its value is the type as text, `0x1::aptos_coin::AptosCoin`. */
export const typeName: unique symbol = Symbol("type name");
/** An `Object<T>` for any T with the key ability, which makes T the function's type parameter. */
export const anyObject: Schema<Address> = object("T0");
/** An object of a second type parameter. */
export const otherObject: Schema<Address> = object("T1");

type Parameter = Schema<unknown> | typeof signer | typeof typeName;
type ValueOf<P> = P extends Codec<infer T> ? T : P extends typeof typeName ? string : Address;
type Values<P extends readonly unknown[]> = { -readonly [K in keyof P]: ValueOf<P[K]> };

/** An entry function; public by default. */
export function entry<const P extends readonly Parameter[]>(
  name: string,
  parameters: P,
  run: (session: Session, ...values: Values<P>) => void,
  visibility: FunctionDefinition["visibility"] = "public",
): FunctionDefinition {
  return {
    ...signature(name, parameters, []),
    visibility,
    isEntry: true,
    isView: false,
    invoke: (call, signers, encoded) => {
      run(call.session, ...decodeValues(call, parameters, signers, encoded));
      return [];
    },
  };
}

/** A public view function. */
export function view<const P extends readonly Parameter[], T>(
  name: string,
  parameters: P,
  result: Schema<T>,
  run: (session: Session, ...values: Values<P>) => T,
): FunctionDefinition {
  return tupleView(name, parameters, [result], (session, ...values) => [run(session, ...values)]);
}

/** A public view function with several results. */
export function tupleView<const P extends readonly Parameter[], const R extends readonly Schema<unknown>[]>(
  name: string,
  parameters: P,
  results: R,
  run: (session: Session, ...values: Values<P>) => Values<R>,
): FunctionDefinition {
  return {
    ...signature(name, parameters, results),
    visibility: "public",
    isEntry: false,
    isView: true,
    invoke: (call, signers, encoded) => {
      const values: readonly unknown[] = run(call.session, ...decodeValues(call, parameters, signers, encoded));
      return results.map((schema, index) => encode(schema, values[index]));
    },
  };
}

function signature(name: string, parameters: readonly Parameter[], results: readonly Schema<unknown>[]) {
  const objects = [anyObject, otherObject].filter((parameter) => parameters.includes(parameter));
  return {
    name,
    typeParameters: parameters.includes(typeName) ? [[]] : objects.map(() => ["key"] as const),
    parameters: parameters.flatMap((parameter) =>
      parameter === typeName ? [] : parameter === signer ? "&signer" : parameter.type,
    ),
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
  const restOfTypes = [...call.typeArguments];
  const values = parameters.map((parameter) => {
    if (parameter === signer) return restOfSigners.shift();
    if (parameter === typeName) return restOfTypes.splice(0, 1).map(printTypeTag)[0];
    return decodeArgument(call, parameter, restOfArguments.shift() ?? new Uint8Array());
  });
  // Cast: one value per parameter, each decoded by its own schema.
  return values as Values<P>;
}

function decodeArgument(call: Call, schema: Schema<unknown>, argument: Uint8Array): unknown {
  const decoded = decode(schema, argument);
  if (decoded.kind === "malformed") throw named("FAILED_TO_DESERIALIZE_ARGUMENT", decoded.message);
  if (schema.objectOf !== undefined) checkObject(call, schema.objectOf, argument);
  return decoded.value;
}

/** An Object<T> argument must be the address of an object with a T. */
function checkObject({ session, typeArguments }: Call, type: string, argument: Uint8Array): void {
  const tag = instantiate(type, typeArguments);
  if (tag !== undefined) assertObject(session, addressOfBytes(argument), printTypeTag(tag));
}

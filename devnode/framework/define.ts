import { type Address, addressOfBytes } from "../../src/chain/address.ts";
import { printTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { decode, encode } from "../codec/bcs.ts";
import { instantiate } from "../codec/move-layout.ts";
import { Stop } from "../vm/execution-error.ts";
import type { Session } from "../vm/session.ts";
import { assertObject } from "./object-state.ts";
import type { Ability, Schema, StructDeclaration } from "./schema.ts";

/** What a native function is given besides its arguments. */
export interface Call {
  readonly session: Session;
  readonly typeArguments: readonly TypeTag[];
  /** The same, printed: what schemas are made of. Missing ones are the empty text; the arity was checked before. */
  readonly types: readonly [string, ...string[]];
}

export interface FunctionDefinition {
  readonly name: string;
  readonly visibility: "public" | "private" | "friend";
  readonly isEntry: boolean;
  readonly isView: boolean;
  /** Constraints of each type parameter. */
  readonly typeParameters: readonly (readonly Ability[])[];
  /** As published: `&signer`, `address`, `0x1::object::Object<T0>`. */
  readonly parameters: readonly string[];
  readonly results: readonly string[];
  /** Signers that it takes, which come before all other arguments. */
  readonly signerCount: number;
  /** Runs on BCS arguments; answers BCS results. Stops as the function does, or for arguments that do not decode. */
  readonly invoke: (
    call: Call,
    signers: readonly Address[],
    argumentOctets: readonly Uint8Array[],
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

/** The parameter that the caller's signature fills. */
export const signer: unique symbol = Symbol("signer");

type Parameter = Schema<unknown> | typeof signer;
type ValueOf<P> = P extends Schema<infer T> ? T : Address;
type Values<P extends readonly unknown[]> = { -readonly [K in keyof P]: ValueOf<P[K]> };

interface Options {
  readonly generics?: readonly (readonly Ability[])[];
  readonly visibility?: FunctionDefinition["visibility"];
}

/** An entry function; public unless said otherwise. */
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
    invoke: (call, signers, octets) => {
      run(call, ...decodeValues(call, parameters, signers, octets));
      return [];
    },
  };
}

/** A public function that only reads and can be called from outside. */
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
    invoke: (call, signers, octets) => {
      const values: readonly unknown[] = run(call, ...decodeValues(call, parameters, signers, octets));
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
  octets: readonly Uint8Array[],
): Values<P> {
  const restOfSigners = [...signers];
  const restOfOctets = [...octets];
  const values = parameters.map((parameter) =>
    parameter === signer ? restOfSigners.shift() : decodeArgument(call, parameter, restOfOctets.shift()),
  );
  // Cast: one value per parameter, each made by that parameter's own schema.
  return values as Values<P>;
}

function decodeArgument(call: Call, schema: Schema<unknown>, octets: Uint8Array | undefined): unknown {
  const decoded = decode(schema, octets ?? new Uint8Array());
  if (decoded.kind === "malformed")
    throw new Stop({ kind: "named", name: "FAILED_TO_DESERIALIZE_ARGUMENT", message: decoded.message });
  if (schema.objectOf !== undefined) checkObject(call, schema.objectOf, octets ?? new Uint8Array());
  return decoded.value;
}

/** The machine makes an object of an address only where there is one. */
function checkObject({ session, typeArguments }: Call, type: string, octets: Uint8Array): void {
  const tag = instantiate(type, typeArguments);
  if (tag !== undefined) assertObject(session, addressOfBytes(octets), printTypeTag(tag));
}

/** The arguments of a call, printed as type texts. */
export function callOf(session: Session, typeArguments: readonly TypeTag[]): Call {
  const [first = "", ...rest] = typeArguments.map(printTypeTag);
  return { session, typeArguments, types: [first, ...rest] };
}

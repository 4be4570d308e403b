import { type Address, parseAddress } from "./address.ts";
import { isIdentifier } from "./identifier.ts";

export const PRIMITIVES = ["bool", "u8", "u16", "u32", "u64", "u128", "u256", "address", "signer"] as const;
export type Primitive = (typeof PRIMITIVES)[number];

/** A Move type without free parameters (specification, ChainType). */
export type TypeTag =
  | { readonly kind: Primitive }
  | { readonly kind: "vector"; readonly element: TypeTag }
  | { readonly kind: "struct"; readonly struct: StructTag };

/** A Move struct type (specification, StructTag). */
export interface StructTag {
  readonly address: Address;
  readonly module: string;
  readonly name: string;
  readonly typeArguments: readonly TypeTag[];
}

/** Maximum nesting of vectors and structs, including the outermost type. */
export const MAX_TYPE_NESTING = 16;

/** Parses a type; whitespace between tokens is ignored. Undefined when invalid or nested too deeply. */
export function parseTypeTag(text: string): TypeTag | undefined {
  return complete(text, typeTag);
}

/** Parses a struct type; whitespace between tokens is ignored. Undefined when invalid or nested too deeply. */
export function parseStructTag(text: string): StructTag | undefined {
  return complete(text, (cursor) => structTag(cursor, 1));
}

/** Writes a type in canonical form: short lower-case addresses, type arguments separated by a comma and a space. */
export function printTypeTag(tag: TypeTag): string {
  if (tag.kind === "vector") return `vector<${printTypeTag(tag.element)}>`;
  return tag.kind === "struct" ? printStructTag(tag.struct) : tag.kind;
}

export function printStructTag({ address, module, name, typeArguments }: StructTag): string {
  const generics = typeArguments.length === 0 ? "" : `<${typeArguments.map(printTypeTag).join(", ")}>`;
  return `${address}::${module}::${name}${generics}`;
}

function isPrimitive(text: string): text is Primitive {
  return PRIMITIVES.some((primitive) => primitive === text);
}

/** Remaining tokens in reverse order, so that the next one is popped. */
type Cursor = string[];
type Parse<T> = (cursor: Cursor, nesting: number) => T | undefined;

const TOKEN = /\s*(::|[<>,]|[A-Za-z0-9_]+)/gy;

function complete<T>(text: string, parse: Parse<T>): T | undefined {
  const cursor = tokens(text.trimEnd());
  if (cursor === undefined) return undefined;
  const parsed = parse(cursor, 1);
  return cursor.length === 0 ? parsed : undefined;
}

function tokens(text: string): Cursor | undefined {
  const found: string[] = [];
  let end = 0;
  for (const [match, token = ""] of text.matchAll(TOKEN)) {
    found.push(token);
    end += match.length;
  }
  return end === text.length ? found.reverse() : undefined;
}

function typeTag(cursor: Cursor, nesting: number): TypeTag | undefined {
  const next = cursor.at(-1);
  if (next === undefined) return undefined;
  if (isPrimitive(next)) {
    cursor.pop();
    return { kind: next };
  }
  if (nesting > MAX_TYPE_NESTING) return undefined;
  if (next === "vector") {
    cursor.pop();
    if (cursor.pop() !== "<") return undefined;
    const element = typeTag(cursor, nesting + 1);
    return element !== undefined && cursor.pop() === ">" ? { kind: "vector", element } : undefined;
  }
  const struct = structTag(cursor, nesting);
  return struct === undefined ? undefined : { kind: "struct", struct };
}

function structTag(cursor: Cursor, nesting: number): StructTag | undefined {
  const address = prefixedAddress(cursor.pop());
  if (address === undefined || cursor.pop() !== "::") return undefined;
  const module = cursor.pop();
  if (module === undefined || !isIdentifier(module) || cursor.pop() !== "::") return undefined;
  const name = cursor.pop();
  if (name === undefined || !isIdentifier(name)) return undefined;
  // The specification allows a second `::` before the list; other sources never write it.
  if (cursor.at(-1) === "::" && cursor.at(-2) === "<") cursor.pop();
  const typeArguments = cursor.at(-1) === "<" ? typeArgumentList(cursor, nesting) : [];
  return typeArguments === undefined ? undefined : { address, module, name, typeArguments };
}

function typeArgumentList(cursor: Cursor, nesting: number): TypeTag[] | undefined {
  const list: TypeTag[] = [];
  cursor.pop();
  for (;;) {
    // Like the node, this accepts an empty list and a trailing comma; the printer writes neither.
    if (cursor.at(-1) === ">") {
      cursor.pop();
      return list;
    }
    const argument = typeTag(cursor, nesting + 1);
    if (argument === undefined) return undefined;
    list.push(argument);
    if (cursor.at(-1) === ",") cursor.pop();
    else if (cursor.at(-1) !== ">") return undefined;
  }
}

/** Parses an address that begins with `0x`: inside a type only the prefix tells an address from a name. */
function prefixedAddress(token: string | undefined): Address | undefined {
  return token?.startsWith("0x") ? parseAddress(token) : undefined;
}

import { BoundedMap } from "../../src/base/memo.ts";
import { parseTypeTag, type StructTag, type TypeTag } from "../../src/chain/type-tag.ts";

/** A field as its module declares it; `type` writes the struct's type parameters as T0, T1. */
export interface FieldLayout {
  readonly name: string;
  readonly type: string;
}

/** The fields of a struct type, in the order of their bytes. */
export type StructLayout = readonly FieldLayout[];

/** Finds a declaration; the tag's type arguments are left to the caller. Undefined when no module declares it. */
export type LayoutLookup = (tag: StructTag) => StructLayout | undefined;

/** Types whose JSON is not that of an ordinary struct. */
export function standardType({ address, module, name }: StructTag): "string" | "option" | "object" | undefined {
  if (address !== "0x1") return undefined;
  if (module === "string" && name === "String") return "string";
  if (module === "option" && name === "Option") return "option";
  if (module === "object" && name === "Object") return "object";
  return undefined;
}

/**
 * A field's type with the struct's type arguments in place of its parameters. Undefined when the text is not a type.
 */
export function instantiate(type: string, typeArguments: readonly TypeTag[]): TypeTag | undefined {
  const template = templateOf(type);
  return template === undefined || typeArguments.length === 0 ? template : substitute(template, typeArguments);
}

/** Parsed field types. Declarations are few and fixed. */
const templates = new BoundedMap<string, TypeTag>(10_000);
/** A type parameter inside a template; no module can be published at 0x0. */
const PARAMETER = "0x0::type_parameter::";

function templateOf(type: string): TypeTag | undefined {
  const known = templates.get(type);
  if (known !== undefined) return known;
  const parsed = parseTypeTag(type.replace(/(?<![\w:])T\d+(?!\w)/g, (name) => PARAMETER + name));
  if (parsed !== undefined) templates.set(type, parsed);
  return parsed;
}

function substitute(template: TypeTag, typeArguments: readonly TypeTag[]): TypeTag {
  if (template.kind === "vector") return { kind: "vector", element: substitute(template.element, typeArguments) };
  if (template.kind !== "struct") return template;
  const { struct } = template;
  if (struct.address === "0x0" && struct.module === "type_parameter")
    return typeArguments[Number(struct.name.slice(1))] ?? template;
  const inner = struct.typeArguments.map((argument) => substitute(argument, typeArguments));
  return { kind: "struct", struct: { ...struct, typeArguments: inner } };
}

import { hexOf } from "../../src/chain/hex.ts";
import type { TypeTag } from "../../src/chain/type-tag.ts";
import { type EntryFunctionId, printEntryFunctionId } from "./entry-function-id.ts";
import { RequestError, tryRead } from "./json-request.ts";
import { jsonTypeName } from "./json-type-name.ts";
import { instantiate, type LayoutLookup } from "./move-layout.ts";
import { type MoveJson, moveValueFromJson, moveValueToJson } from "./move-value.ts";
import { preview } from "./preview.ts";

/** Interfaces of the chain's modules, as far as the JSON form of a call needs them. */
export interface ModuleInterfaces {
  /** Types of a function's parameters, signers left out. Undefined when no module has the function. */
  readonly parametersOf: (id: EntryFunctionId) => readonly string[] | undefined;
  readonly layoutOf: LayoutLookup;
}

/** BCS of a call's arguments, each by its parameter's type, without the signers. Throws {@link RequestError}. */
export function argumentsFromJson(
  id: EntryFunctionId,
  typeArguments: readonly TypeTag[],
  values: readonly unknown[],
  { parametersOf, layoutOf }: ModuleInterfaces,
  kind: "entry" | "view" = "entry",
): readonly Uint8Array[] {
  const printed = printEntryFunctionId(id);
  const parameters = parametersOf(id);
  if (parameters === undefined) throw new RequestError("invalid", `could not find ${kind} function by ${printed}`);
  const types = parameters.map((type) => instantiate(type, typeArguments));
  if (types.length !== values.length) {
    const expected = types.map((type) => (type === undefined ? "unknown" : jsonTypeName(type))).join(", ");
    const given = `${values.length} (${preview(values, 200)})`;
    throw new RequestError("invalid", `expected ${types.length} arguments [${expected}], but got ${given}`);
  }
  return types.map((type, index) => {
    if (type === undefined) throw new RequestError("invalid", `${printed} has a parameter of an unknown type`);
    const encoded = tryRead(() => moveValueFromJson(type, values[index], layoutOf));
    if (encoded.kind === "read") return encoded.value;
    const expected = `parse arguments[${index}] failed, expect ${jsonTypeName(type)}`;
    throw new RequestError("invalid", `${expected}, caused by error: ${encoded.message}`);
  });
}

/** JSON of a call's arguments; hex of the bytes where they do not match the function, as in a failed call. */
export function argumentsToJson(
  id: EntryFunctionId,
  typeArguments: readonly TypeTag[],
  list: readonly Uint8Array[],
  { parametersOf, layoutOf }: ModuleInterfaces,
): readonly MoveJson[] {
  const types = parametersOf(id) ?? [];
  return list.map((bytes, index) => {
    const type = types[index] === undefined ? undefined : instantiate(types[index], typeArguments);
    const decoded = type === undefined ? undefined : moveValueToJson(type, bytes, layoutOf);
    return decoded?.kind === "decoded" ? decoded.value : hexOf(bytes);
  });
}

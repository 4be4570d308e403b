import { hexOf } from "../../src/chain/hex.ts";
import type { TypeTag } from "../../src/chain/type-tag.ts";
import { type EntryFunctionId, printEntryFunctionId } from "./entry-function-id.ts";
import { instantiate, type LayoutLookup } from "./move-layout.ts";
import { jsonTypeName, type MoveJson, moveValueFromJson, moveValueToJson } from "./move-value.ts";
import { shown } from "./preview.ts";

/** What has to be known of a chain's modules to read and write calls in JSON. */
export interface Published {
  /** Types of a function's parameters, signers left out. Undefined when no module has the function. */
  readonly parametersOf: (id: EntryFunctionId) => readonly string[] | undefined;
  readonly layoutOf: LayoutLookup;
}

export type Arguments =
  | { readonly kind: "encoded"; readonly list: readonly Uint8Array[] }
  | { readonly kind: "unfit"; readonly message: string };

/** Octets of a call's arguments, each by its parameter's type; signers are not among them. */
export function argumentsFromJson(
  id: EntryFunctionId,
  typeArguments: readonly TypeTag[],
  values: readonly unknown[],
  { parametersOf, layoutOf }: Published,
): Arguments {
  const printed = printEntryFunctionId(id);
  const parameters = parametersOf(id);
  if (parameters === undefined) return { kind: "unfit", message: `Could not find entry function by ${printed}` };
  const types = parameters.map((type) => instantiate(type, typeArguments));
  if (types.length !== values.length) {
    const wanted = types.map((type) => (type === undefined ? "unknown" : jsonTypeName(type))).join(", ");
    return {
      kind: "unfit",
      message: `expected ${types.length} arguments [${wanted}], but got ${values.length} (${shown(values, 200)})`,
    };
  }
  const list: Uint8Array[] = [];
  for (const [index, type] of types.entries()) {
    if (type === undefined) return { kind: "unfit", message: `${printed} has a parameter of an unknown type` };
    const encoded = moveValueFromJson(type, values[index], layoutOf);
    if (encoded.kind === "unfit") {
      const message = `parse arguments[${index}] failed, expect ${jsonTypeName(type)}, caused by error: ${encoded.message}`;
      return { kind: "unfit", message };
    }
    list.push(encoded.bytes);
  }
  return { kind: "encoded", list };
}

/** JSON of a call's arguments; hex of the octets where they do not fit the function, which a failed call may carry. */
export function argumentsToJson(
  id: EntryFunctionId,
  typeArguments: readonly TypeTag[],
  list: readonly Uint8Array[],
  { parametersOf, layoutOf }: Published,
): readonly MoveJson[] {
  const types = parametersOf(id) ?? [];
  return list.map((bytes, index) => {
    const type = types[index] === undefined ? undefined : instantiate(types[index], typeArguments);
    const decoded = type === undefined ? undefined : moveValueToJson(type, bytes, layoutOf);
    return decoded?.kind === "decoded" ? decoded.value : hexOf(bytes);
  });
}

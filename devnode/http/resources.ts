import type { Address } from "../../src/chain/address.ts";
import { address, structTag } from "../../src/chain/parameters.ts";
import { printStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import { structTag as structTagBcs } from "../codec/type-tag-bcs.ts";
import { resourceKey } from "../vm/state-keys.ts";
import { either } from "./endpoint.ts";
import { toJson } from "./move-json.ts";
import { type NodeError, refuse } from "./node-error.ts";
import { lists } from "./pagination.ts";
import { readsState } from "./state-lookup.ts";

/** `GET /v1/accounts/{address}/resource/{resource_type}` */
export const resource = readsState({ address, resource_type: structTag }, ({ path, format }, at) => {
  const tag = path.resource_type;
  const value = at.state.get(resourceKey(path.address, tag));
  if (value === undefined) return noResource(path.address, tag, at.version);
  return either(format, { json: () => resourceOf(tag, value), bcs: () => value });
});

export function resourceOf(tag: StructTag, value: Uint8Array): { type: string; data: unknown } {
  return { type: printStructTag(tag), data: toJson({ kind: "struct", struct: tag }, value) };
}

export function noResource(of: Address, tag: StructTag, version: bigint): NodeError {
  return refuse(
    "resource_not_found",
    `Resource not found by Address(${of}), Struct tag(${printStructTag(tag)}) and Ledger version(${version})`,
  );
}

/** `GET /v1/accounts/{address}/resources` */
export const resources = lists({
  kind: "resource",
  keyOf: (place) => (place.kind === "resource" ? place.tag : undefined),
  json: resourceOf,
  bcsKey: structTagBcs,
});

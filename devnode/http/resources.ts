import type { Address } from "../../src/chain/address.ts";
import { address, structTag, text, uint16, uint64 } from "../../src/chain/parameters.ts";
import { parseStructTag, printStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import { bytes, encode, map } from "../codec/bcs.ts";
import { structTag as structTagBcs } from "../codec/type-tag-bcs.ts";
import { resourceKey } from "../vm/state-keys.ts";
import { either, type Outcome, reads } from "./endpoint.ts";
import { toJson } from "./move-json.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse } from "./node-error.ts";
import { absence, MAX_PAGE_ITEMS, pageError } from "./pagination.ts";
import { pageSize, stateAt } from "./state-lookup.ts";

/** `GET /v1/accounts/{address}/resource/{resource_type}` */
export const resource = reads({
  path: { address, resource_type: structTag },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const tag = path.resource_type;
    const value = at.state.get(resourceKey(path.address, tag));
    if (value === undefined) return noResource(path.address, tag, at.version);
    return either(format, { json: () => resourceOf(tag, value), bcs: () => value });
  },
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
export const resources = reads({
  path: { address },
  query: { ledger_version: uint64, start: text, limit: uint16 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const limit = pageSize(query.limit, MAX_PAGE_ITEMS, MAX_PAGE_ITEMS);
    if (isError(limit)) return limit;
    const page = node.ledger.resources(path.address, query.ledger_version ?? null, query.start ?? null, limit);
    if (page.kind !== "page") return pageError(page, query.start);
    const missing = page.items.length === 0 ? absence(node, path.address, query.ledger_version) : null;
    if (missing !== null) return missing;
    const items = page.items.map(({ type, value }) => ({ tag: knownTag(type), value }));
    const answer = either(format, {
      json: () => items.map(({ tag, value }) => resourceOf(tag, value)),
      bcs: () =>
        encode(
          map(structTagBcs, bytes),
          items.map(({ tag, value }) => ({ key: tag, value })),
        ),
    });
    return { ...answer, cursor: page.nextCursor };
  },
});

/** Parses a tag that the ledger stored. */
function knownTag(printed: string): StructTag {
  const tag = parseStructTag(printed);
  if (tag === undefined) throw new Error(`the ledger contains a resource of type ${printed}`);
  return tag;
}

import { address, identifier, text, uint16, uint64 } from "../../src/chain/parameters.ts";
import { bytes, encode, map } from "../codec/bcs.ts";
import { moduleId } from "../codec/type-tag-bcs.ts";
import { moduleKey } from "../vm/state-keys.ts";
import { either, type Outcome, reads } from "./endpoint.ts";
import { moduleJson } from "./move-json.ts";
import type { Node } from "./node-context.ts";
import { isError, refuse } from "./node-error.ts";
import { absence, MAX_PAGE_ITEMS, pageError } from "./pagination.ts";
import { pageSize, stateAt } from "./state-lookup.ts";

/** `GET /v1/accounts/{address}/module/{module_name}` */
export const module = reads({
  path: { address, module_name: identifier },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const bytecode = at.state.get(moduleKey(path.address, path.module_name));
    if (bytecode !== undefined) {
      return either(format, {
        json: () => moduleJson(path.address, path.module_name, bytecode),
        bcs: () => bytecode,
      });
    }
    return refuse(
      "module_not_found",
      `Module not found by Address(${path.address}), Module name(${path.module_name}) and Ledger version(${at.version})`,
    );
  },
});

/** `GET /v1/accounts/{address}/modules` */
export const modules = reads({
  path: { address },
  query: { ledger_version: uint64, start: text, limit: uint16 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const limit = pageSize(query.limit, MAX_PAGE_ITEMS, MAX_PAGE_ITEMS);
    if (isError(limit)) return limit;
    const page = node.ledger.modules(path.address, query.ledger_version ?? null, query.start ?? null, limit);
    if (page.kind !== "page") return pageError(page, query.start);
    const missing = page.items.length === 0 ? absence(node, path.address, query.ledger_version) : null;
    if (missing !== null) return missing;
    const answer = either(format, {
      json: () => page.items.map(({ name, bytecode }) => moduleJson(path.address, name, bytecode)),
      bcs: () =>
        encode(
          map(moduleId, bytes),
          page.items.map(({ name, bytecode }) => ({ key: { address: path.address, name }, value: bytecode })),
        ),
    });
    return { ...answer, cursor: page.nextCursor };
  },
});

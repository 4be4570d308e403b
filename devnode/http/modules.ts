import { address, identifier, uint64 } from "../../src/chain/parameters.ts";
import { moduleId } from "../codec/type-tag-bcs.ts";
import { moduleKey } from "../vm/state-keys.ts";
import { either, reads } from "./endpoint.ts";
import { moduleJson } from "./move-json.ts";
import { isError, refuse } from "./node-error.ts";
import { lists } from "./pagination.ts";
import { stateAt } from "./state-lookup.ts";

/** `GET /v1/accounts/{address}/module/{module_name}` */
export const module = reads({
  path: { address, module_name: identifier },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node) => {
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
export const modules = lists({
  kind: "module",
  keyOf: (place) => (place.kind === "module" ? place : undefined),
  json: ({ address: of, name }, bytecode) => moduleJson(of, name, bytecode),
  bcsKey: moduleId,
});

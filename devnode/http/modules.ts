import { address, identifier } from "../../src/chain/parameters.ts";
import { moduleId } from "../codec/type-tag-bcs.ts";
import { moduleKey } from "../vm/state-keys.ts";
import { either } from "./endpoint.ts";
import { moduleJson } from "./move-json.ts";
import { refuse } from "./node-error.ts";
import { lists } from "./pagination.ts";
import { readsState } from "./state-lookup.ts";

/** `GET /v1/accounts/{address}/module/{module_name}` */
export const module = readsState({ address, module_name: identifier }, ({ path, format }, at) => {
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
});

/** `GET /v1/accounts/{address}/modules` */
export const modules = lists({
  kind: "module",
  keyOf: (place) => (place.kind === "module" ? place : undefined),
  json: ({ address: of, name }, bytecode) => moduleJson(of, name, bytecode),
  bcsKey: moduleId,
});

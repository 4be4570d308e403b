import { table } from "./containers.ts";
import { defineModule, type ModuleDefinition } from "./define.ts";
import { eventHandle, guid, guidId } from "./event.ts";
import type { Ability } from "./schema.ts";
import { aggregator, integer, optionalAggregator } from "./supply-counter.ts";
import { typeInfo } from "./type-info.ts";

/** A type whose parameters are in its fields, unlike those of the structs that native functions read. */
export function generic(id: string, parameters: number, fields: Readonly<Record<string, string>>, isPhantom = false) {
  const abilities: readonly Ability[] = ["copy", "drop", "store"];
  return {
    declaration: {
      id,
      abilities,
      typeParameters: Array.from({ length: parameters }, () => ({ constraints: [], isPhantom })),
      isEvent: false,
      fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
    },
  };
}

const option = generic("0x1::option::Option", 1, { vec: "vector<T0>" });
const string = generic("0x1::string::String", 0, { bytes: "vector<u8>" });
const element = generic("0x1::simple_map::Element", 2, { key: "T0", value: "T1" });
const simpleMap = generic("0x1::simple_map::SimpleMap", 2, { data: "vector<0x1::simple_map::Element<T0, T1>>" });

/** The standard library's types that others are made of; none of its functions can be called from outside. */
export const stdModules: readonly ModuleDefinition[] = [
  defineModule("0x1::option", { structs: [option] }),
  defineModule("0x1::string", { structs: [string] }),
  defineModule("0x1::type_info", { structs: [typeInfo] }),
  defineModule("0x1::guid", { friends: ["account", "object"], structs: [guid, guidId] }),
  defineModule("0x1::event", { structs: [eventHandle] }),
  defineModule("0x1::aggregator", { structs: [aggregator] }),
  defineModule("0x1::optional_aggregator", {
    friends: ["coin", "fungible_asset"],
    structs: [integer, optionalAggregator],
  }),
  defineModule("0x1::table", { structs: [table] }),
  defineModule("0x1::simple_map", { structs: [element, simpleMap] }),
];

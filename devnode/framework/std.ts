import { FRAMEWORK } from "./addresses.ts";
import type { ModuleDefinition } from "./define.ts";
import type { StructDeclaration } from "./schema.ts";

const option: StructDeclaration = {
  id: "0x1::option::Option",
  abilities: ["copy", "drop", "store"],
  typeParameters: [{ constraints: [], isPhantom: false }],
  isEvent: false,
  fields: [{ name: "vec", type: "vector<T0>" }],
};

const string: StructDeclaration = {
  id: "0x1::string::String",
  abilities: ["copy", "drop", "store"],
  typeParameters: [],
  isEvent: false,
  fields: [{ name: "bytes", type: "vector<u8>" }],
};

/** The standard library's types that others are made of; none of its functions can be called from outside. */
export const stdModules: readonly ModuleDefinition[] = [
  { address: FRAMEWORK, name: "option", friends: [], structs: [{ declaration: option }], functions: [] },
  { address: FRAMEWORK, name: "string", friends: [], structs: [{ declaration: string }], functions: [] },
];

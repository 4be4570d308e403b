import { encode, map, string, struct, u8, vector } from "../codec/bcs.ts";
import { type BcsWriter, encodeBcs } from "../codec/bcs-writer.ts";
import { instantiate } from "../codec/move-layout.ts";
import { abilitySet, Pool, Pools } from "./bytecode-pools.ts";
import type { FunctionDefinition, ModuleDefinition } from "./define.ts";
import { findStruct } from "./registry.ts";
import type { StructDeclaration } from "./schema.ts";

/** Move module files, version 6: magic, version, table directory, tables, number of the module's own handle. */
const MAGIC = Uint8Array.of(0xa1, 0x1c, 0xeb, 0x0b);
const VERSION = 6;
const DECLARED_FIELDS = 2;
const VISIBILITY = { private: 0, public: 1, friend: 3 } as const;
const ENTRY_FLAG = 4;
const [LOAD_U64, ABORT] = [0x06, 0x27] as const;
const METADATA_KEY = "aptos::metadata_v1";
const [VIEW_ATTRIBUTE, EVENT_ATTRIBUTE] = [1, 4] as const;

/**
 * The module file of a definition: every declaration of its interface. The functions are native, so the bodies
 * in the file only abort. The attributes of views and events are in the metadata, where public tools expect them.
 */
export function moduleFile(module: ModuleDefinition): Uint8Array {
  const pools = new Pools(findStruct);
  const self = pools.moduleHandle(module.address, module.name);
  const structs = module.structs.map(({ declaration }) => structDefinition(pools, declaration));
  const functionHandles = new Pool();
  const functions = module.functions.map((definition) =>
    functionDefinition(pools, functionHandles.add(functionHandle(pools, self, definition)), definition),
  );
  // A friend is `ADDRESS::NAME`; `define.ts` has put the module's own address before each name.
  const friends = module.friends.map((friend) => {
    const [name = ""] = friend.split("::").slice(1);
    return encodeBcs(pools.moduleEntry(module.address, name));
  });
  // The number of each kind of table; module handles first.
  const tables: readonly (readonly [number, readonly Uint8Array[]])[] = [
    [0x1, pools.moduleHandles.entries],
    [0x2, pools.structHandles.entries],
    [0x3, functionHandles.entries],
    [0x5, pools.signatures.entries],
    [0x7, pools.identifiers.entries],
    [0x8, pools.addresses.entries],
    [0x10, metadata(module)],
    [0xa, structs],
    [0xc, functions],
    [0xf, friends],
  ];
  return encodeBcs((writer) => writeFile(writer, tables, self));
}

function writeFile(
  writer: BcsWriter,
  tables: readonly (readonly [number, readonly Uint8Array[]])[],
  self: number,
): void {
  const present = tables.filter(([, entries]) => entries.length > 0);
  writer.fixed(MAGIC).u32(VERSION).uleb(present.length);
  let offset = 0;
  for (const [kind, entries] of present) {
    const size = entries.reduce((sum, entry) => sum + entry.length, 0);
    writer.u8(kind).uleb(offset).uleb(size);
    offset += size;
  }
  for (const [, entries] of present) for (const entry of entries) writer.fixed(entry);
  writer.uleb(self);
}

function structDefinition(pools: Pools, { id, fields }: StructDeclaration): Uint8Array {
  const tag = instantiate(id, []);
  if (tag?.kind !== "struct") throw new RangeError(`${id} is no struct`);
  const handle = pools.structHandle(tag.struct);
  return encodeBcs((writer) => {
    writer.uleb(handle).u8(DECLARED_FIELDS);
    writer.vector(fields, (inner, { name, type }) => pools.token(inner.uleb(pools.identifier(name)), type));
  });
}

function functionHandle(pools: Pools, self: number, definition: FunctionDefinition) {
  const name = pools.identifier(definition.name);
  const parameters = pools.signature(definition.parameters);
  const results = pools.signature(definition.results);
  return (writer: BcsWriter) => {
    writer.uleb(self).uleb(name).uleb(parameters).uleb(results);
    writer.vector(definition.typeParameters, (inner, constraints) => inner.uleb(abilitySet(constraints)));
  };
}

function functionDefinition(pools: Pools, handle: number, { visibility, isEntry }: FunctionDefinition): Uint8Array {
  const noLocals = pools.signature([]);
  return encodeBcs((writer) => {
    writer.uleb(handle).u8(VISIBILITY[visibility]);
    writer.u8(isEntry ? ENTRY_FLAG : 0).uleb(0);
    writer.uleb(noLocals).uleb(2).u8(LOAD_U64).u64(0n).u8(ABORT);
  });
}

function metadata({ functions, structs }: ModuleDefinition): readonly Uint8Array[] {
  const views = functions.filter(({ isView }) => isView).map(({ name }) => name);
  const events = structs.flatMap(({ declaration: { id, isEvent } }) =>
    isEvent ? [id.slice(id.lastIndexOf(":") + 1)] : [],
  );
  if (views.length === 0 && events.length === 0) return [];
  const attributed = (names: readonly string[], kind: number) =>
    names.map((name) => ({ key: name, value: [{ kind, arguments: [] }] }));
  const value = encode(metadataV1, {
    // Abort statuses carry the descriptions.
    errors: [],
    structs: attributed(events, EVENT_ATTRIBUTE),
    functions: attributed(views, VIEW_ATTRIBUTE),
  });
  return [encodeBcs((writer) => writer.string(METADATA_KEY).bytes(value))];
}

const attributes = map(string, vector(struct({ kind: u8, arguments: vector(string) })));
/** `RuntimeModuleMetadataV1`, without a field type for the errors: there are none. */
const metadataV1 = struct({ errors: vector(string), structs: attributes, functions: attributes });

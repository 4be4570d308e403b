import { hexOf } from "../../src/chain/hex.ts";
import { type BcsWriter, encodeBcs } from "../codec/bcs-writer.ts";
import { parseEntryFunctionId } from "../codec/entry-function-id.ts";
import { instantiate } from "../codec/move-layout.ts";
import { abilitySet, Pool, Pools } from "./bytecode-pools.ts";
import type { FunctionDefinition, ModuleDefinition } from "./define.ts";
import { findStruct } from "./registry.ts";
import type { StructDeclaration } from "./schema.ts";

/** Move module files, version 6: magic, version, table directory, tables, number of the module's own handle. */
const MAGIC = Uint8Array.of(0xa1, 0x1c, 0xeb, 0x0b);
const VERSION = 6;
const TABLES = {
  moduleHandles: 0x1,
  structHandles: 0x2,
  functionHandles: 0x3,
  signatures: 0x5,
  identifiers: 0x7,
  addresses: 0x8,
  metadata: 0x10,
  structDefinitions: 0xa,
  functionDefinitions: 0xc,
  friends: 0xf,
} as const;
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
  const functions = module.functions.map((definition) => {
    const handle = functionHandles.add(functionHandle(pools, self, definition));
    return functionDefinition(pools, handle, definition);
  });
  const friends = module.friends.map((friend) => friendEntry(pools, friend));
  const tables: readonly (readonly [number, readonly Uint8Array[]])[] = [
    [TABLES.moduleHandles, pools.moduleHandles.entries],
    [TABLES.structHandles, pools.structHandles.entries],
    [TABLES.functionHandles, functionHandles.entries],
    [TABLES.signatures, pools.signatures.entries],
    [TABLES.identifiers, pools.identifiers.entries],
    [TABLES.addresses, pools.addresses.entries],
    [TABLES.metadata, metadata(module)],
    [TABLES.structDefinitions, structs],
    [TABLES.functionDefinitions, functions],
    [TABLES.friends, friends],
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

function functionHandle(pools: Pools, self: number, definition: FunctionDefinition): Uint8Array {
  const name = pools.identifier(definition.name);
  const parameters = pools.signature(definition.parameters);
  const results = pools.signature(definition.results);
  return encodeBcs((writer) => {
    writer.uleb(self).uleb(name).uleb(parameters).uleb(results);
    writer.vector(definition.typeParameters, (inner, constraints) => inner.uleb(abilitySet(constraints)));
  });
}

function functionDefinition(pools: Pools, handle: number, { visibility, isEntry }: FunctionDefinition): Uint8Array {
  const noLocals = pools.signature([]);
  return encodeBcs((writer) => {
    writer.uleb(handle).u8(VISIBILITY[visibility]);
    writer.u8(isEntry ? ENTRY_FLAG : 0).uleb(0);
    writer.uleb(noLocals).uleb(2).u8(LOAD_U64).u64(0n).u8(ABORT);
  });
}

function friendEntry(pools: Pools, friend: string): Uint8Array {
  // A module's id is read as a function's without its name.
  const id = parseEntryFunctionId(`${friend}::f`);
  if (id === undefined) throw new RangeError(`${friend} is no module`);
  return pools.moduleEntry(id.address, id.module);
}

function metadata({ functions, structs }: ModuleDefinition): readonly Uint8Array[] {
  const views = functions.filter(({ isView }) => isView).map(({ name }) => name);
  const events = structs.flatMap(({ declaration: { id, isEvent } }) =>
    isEvent ? [id.slice(id.lastIndexOf(":") + 1)] : [],
  );
  if (views.length === 0 && events.length === 0) return [];
  const value = encodeBcs((writer) => {
    // No error descriptions: abort statuses carry them.
    writer.uleb(0);
    writeAttributes(writer, events, EVENT_ATTRIBUTE);
    writeAttributes(writer, views, VIEW_ATTRIBUTE);
  });
  return [encodeBcs((writer) => writer.string(METADATA_KEY).bytes(value))];
}

/** A BCS map: its keys in the order of their own bytes. */
function writeAttributes(writer: BcsWriter, names: readonly string[], kind: number): void {
  const bytesOf = (name: string) => encodeBcs((inner) => inner.string(name));
  const keys = names.map(bytesOf).sort((left, right) => (hexOf(left) < hexOf(right) ? -1 : 1));
  writer.vector(keys, (inner, key) => inner.fixed(key).uleb(1).u8(kind).uleb(0));
}

import { expect, test } from "vitest";
import { parseTypeTag, type StructTag, type TypeTag } from "../../../src/chain/type-tag.ts";
import { parseEntryFunctionId } from "../../codec/entry-function-id.ts";
import { instantiate } from "../../codec/move-layout.ts";
import { moveValueFromJson, moveValueToJson } from "../../codec/move-value.ts";
import { decodeSignedTransaction } from "../../codec/transaction.ts";
import { abiOf, type ModuleAbi, moduleAbi, structLayout } from "../../framework/abi.ts";
import { fixedAddress } from "../../framework/addresses.ts";
import { moduleFile } from "../../framework/bytecode.ts";
import { findFunction, findModule, findStruct, MODULES } from "../../framework/registry.ts";
import { executeGenesis } from "../../genesis.ts";
import { genesisHistory } from "../../genesis-history.ts";
import { GAS_SCHEDULE } from "../../vm/gas-schedule.ts";
import { executeUserTransaction } from "../../vm/run-user-transaction.ts";
import { parseStateKey } from "../../vm/state-keys.ts";
import { userTransactionOf } from "../../vm/user-transaction.ts";
import { MemoryState } from "../support/memory-state.ts";
import { readModuleFile } from "./module-file-reader.ts";

const idOf = (module: { readonly address: string; readonly name: string }) => `${module.address}::${module.name}`;

/** The functions that clients call, by module. */
const PUBLISHED = {
  entry: {
    "0x1::account": "create_account",
    "0x1::aptos_account":
      "create_account transfer transfer_coins batch_transfer transfer_fungible_assets batch_transfer_fungible_assets",
    "0x1::aptos_coin": "mint",
    "0x1::coin": "transfer register migrate_to_fungible_store",
    "0x1::managed_coin": "register",
    "0x1::dispatchable_fungible_asset": "transfer",
    "0x1::object": "transfer_to_object",
    "0x1::primary_fungible_store": "transfer",
    "0x1::multisig_account":
      "create_with_owners create_transaction approve_transaction reject_transaction execute_rejected_transaction",
    "0xde5::table_demo": "put put_nested remove",
  },
  view: {
    "0x1::coin": "balance supply name symbol decimals is_account_registered paired_coin paired_metadata",
    "0x1::dispatchable_fungible_asset": "derived_balance",
    "0x1::fungible_asset": "is_store_dispatchable is_untransferable supply decimals symbol",
    "0x1::object": "root_owner is_untransferable",
    "0x1::chain_status": "is_operating is_genesis",
    "0x1::primary_fungible_store": "balance",
    "0x1::staking_config": "reward_rate",
  },
};
const published = Object.entries(PUBLISHED).flatMap(([kind, modules]) =>
  Object.entries(modules).flatMap(([module, names]) => names.split(" ").map((name) => [`${module}::${name}`, kind])),
);

test.each(published)("%s is published as %s", (id = "", kind) => {
  const parsed = parseEntryFunctionId(id);
  const module = parsed === undefined ? undefined : moduleAbi(parsed.address, parsed.module);
  const abi = module?.exposed_functions.find(({ name }) => name === parsed?.name);
  expect(abi).toMatchObject({ is_entry: kind === "entry", is_view: kind === "view", visibility: "public" });
});

test("an interface has the form that SDKs parse", () => {
  const abi = moduleAbi(fixedAddress("0x1"), "aptos_account");
  expect(abi?.exposed_functions.find(({ name }) => name === "transfer_coins")).toEqual({
    name: "transfer_coins",
    visibility: "public",
    is_entry: true,
    is_view: false,
    generic_type_params: [{ constraints: [] }],
    params: ["&signer", "address", "u64"],
    return: [],
  });
  expect(moduleAbi(fixedAddress("0x1"), "coin")?.structs.find(({ name }) => name === "CoinStore")).toEqual({
    name: "CoinStore",
    is_native: false,
    is_event: false,
    abilities: ["key"],
    generic_type_params: [{ constraints: [] }],
    fields: [
      { name: "coin", type: "0x1::coin::Coin<T0>" },
      { name: "frozen", type: "bool" },
      { name: "deposit_events", type: "0x1::event::EventHandle<0x1::coin::DepositEvent>" },
      { name: "withdraw_events", type: "0x1::event::EventHandle<0x1::coin::WithdrawEvent>" },
    ],
  });
});

test.each(["0x1::coin::Transfer", "0x1::Coin::transfer", "0x2::coin::transfer"])(
  "names are exact: %s does not exist",
  (id) => {
    expect(findFunction(id)).toBeUndefined();
  },
);

test("no two modules, functions or structs share a name", () => {
  const names = MODULES.flatMap((module) => [
    idOf(module),
    ...module.functions.map(({ name }) => `${idOf(module)}::${name}()`),
    ...module.structs.map(({ declaration }) => declaration.id),
  ]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

/** Every struct that a type contains. */
function structsIn(tag: TypeTag): readonly StructTag[] {
  if (tag.kind === "vector") return structsIn(tag.element);
  if (tag.kind !== "struct" || tag.struct.module === "type_parameter") return [];
  return [tag.struct, ...tag.struct.typeArguments.flatMap(structsIn)];
}

test("every type of every interface is declared by a published module", () => {
  const types = MODULES.flatMap(({ functions, structs }) => [
    ...functions.flatMap(({ parameters, results }) => [...parameters, ...results]),
    ...structs.flatMap(({ declaration }) => declaration.fields.map(({ type }) => type)),
  ]);
  const tags = types.map((type) => instantiate(type.replace(/^&/, ""), []));
  expect(tags).not.toContain(undefined);
  const named = tags.flatMap((tag) => (tag === undefined ? [] : structsIn(tag)));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((tag) => findStruct(tag) === undefined)).toEqual([]);
});

test("a struct is declared by the module in its name", () => {
  const strangers = MODULES.flatMap((module) =>
    module.structs.filter(({ declaration }) => !declaration.id.startsWith(`${idOf(module)}::`)),
  );
  expect(strangers).toEqual([]);
});

/** A file keeps abilities as a set, so their order is not compared. */
function sorted(abi: ModuleAbi): ModuleAbi {
  return {
    ...abi,
    structs: abi.structs.map((struct) => ({ ...struct, abilities: [...struct.abilities].sort() })),
    exposed_functions: abi.exposed_functions,
  };
}

test.each(MODULES.map((module) => [idOf(module), module] as const))(
  "the module file of %s parses to its interface",
  (_id, module) => {
    expect(sorted(readModuleFile(moduleFile(module)))).toEqual(sorted(abiOf(module)));
  },
);

test("a damaged module file does not parse", () => {
  const module = findModule(fixedAddress("0x1"), "coin");
  if (module === undefined) throw new Error("no coin");
  const file = moduleFile(module);
  expect(() => readModuleFile(file.slice(0, -1))).toThrow();
  expect(() => readModuleFile(Uint8Array.of(...file, 0))).toThrow();
});

test("all resources and events of genesis and its history match the interfaces", () => {
  const state = new MemoryState();
  const genesis = executeGenesis({ chainId: 4, epochSeconds: 7200 });
  state.apply(genesis);
  const events = [...genesis.events];
  for (const bytes of genesisHistory(4).flat()) {
    const decoded = decodeSignedTransaction(bytes);
    if (decoded.kind === "malformed") throw new Error(decoded.message);
    const outcome = executeUserTransaction(userTransactionOf(decoded.value, bytes.length), state, GAS_SCHEDULE);
    if (outcome.kind === "discarded") throw new Error(outcome.failure.status);
    state.apply(outcome.effects);
    events.push(...outcome.effects.events);
  }
  const values: [TypeTag | undefined, Uint8Array][] = events.map(({ type, data }) => [parseTypeTag(type), data]);
  for (const [key, bytes] of state.entries) {
    const place = parseStateKey(key)?.place;
    if (place?.kind === "resource") values.push([{ kind: "struct", struct: place.tag }, bytes]);
  }
  expect(values.length).toBeGreaterThan(140);
  for (const [type, bytes] of values) {
    if (type === undefined) throw new Error("a type that does not read");
    const json = moveValueToJson(type, bytes, structLayout);
    if (json.kind === "malformed") throw new Error(json.message);
    expect(moveValueFromJson(type, json.value, structLayout)).toEqual(bytes);
  }
});

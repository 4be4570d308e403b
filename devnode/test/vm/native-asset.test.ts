import { beforeEach, describe, expect, test } from "vitest";
import type { Address } from "../../../src/chain/address.ts";
import { decode } from "../../codec/bcs.ts";
import { ALICE, BOB, CAROL, ISSUER } from "../../development-keys.ts";
import { account } from "../../framework/account.ts";
import { fixedAddress, NATIVE_ASSET, NATIVE_COIN } from "../../framework/addresses.ts";
import { coinStore } from "../../framework/coin-state.ts";
import { DEMO_COIN } from "../../framework/demo-coin.ts";
import { fungibleStore, metadata } from "../../framework/fungible-asset-state.ts";
import { derivedObjectAddress } from "../../framework/object-state.ts";
import { address, bool, object, option, type Schema, string, u8, u64, u128, vector } from "../../framework/schema.ts";
import { typeInfo, typeInfoOf } from "../../framework/type-info.ts";
import { GENESIS_SUPPLY, STABLE_TOKEN } from "../../genesis.ts";
import { callTo, effectsOf, given, type Who, World } from "./world.ts";

const METADATA = "0x1::fungible_asset::Metadata";
const STORE = "0x1::fungible_asset::FungibleStore";
const NEWCOMER = fixedAddress("0xfee1");
const OK = "Executed successfully";
const asset = given(address, NATIVE_ASSET);

let world: World;
beforeEach(() => {
  world = new World();
});

function view<T>(result: Schema<T>, id: string, values: readonly Uint8Array[], types: readonly string[] = []): T {
  const outcome = world.view(id, values, types);
  if (outcome.kind !== "returned") throw new Error(`${id}: ${JSON.stringify(outcome, (_, v) => String(v))}`);
  const decoded = decode(result, outcome.values[0]?.bytes ?? new Uint8Array());
  if (decoded.kind === "malformed") throw new Error(decoded.message);
  return decoded.value;
}

const send = (from: Who, to: Address, amount: bigint) =>
  world.run(from, "0x1::primary_fungible_store::transfer", [asset, given(address, to), given(u64, amount)], [METADATA]);
const migrate = (who: Who) => world.run(who, "0x1::coin::migrate_to_fungible_store", [], [NATIVE_COIN]);
const primary = (owner: Address) => derivedObjectAddress(owner, NATIVE_ASSET);

/** Answers of all functions that return the owner's balance. */
const balances = (owner: Address) => [
  view(u64, "0x1::coin::balance", [given(address, owner)], [NATIVE_COIN]),
  view(u64, "0x1::primary_fungible_store::balance", [given(address, owner), asset], [METADATA]),
];

describe("the native token as the fungible asset 0xa", () => {
  test("has the coin's name, symbol, decimals and supply, and is paired with it", () => {
    for (const [name, schema] of [
      ["name", string],
      ["symbol", string],
      ["decimals", u8],
    ] as const)
      expect(view<unknown>(schema, `0x1::fungible_asset::${name}`, [asset], [METADATA])).toBe(
        view<unknown>(schema, `0x1::coin::${name}`, [], [NATIVE_COIN]),
      );
    expect(view(option(u128), "0x1::fungible_asset::supply", [asset], [METADATA])).toBe(world.supply());
    expect(view(option(u128), "0x1::fungible_asset::maximum", [asset], [METADATA])).toBe(GENESIS_SUPPLY);
    const paired = option(object(metadata.type));
    expect(view(paired, "0x1::coin::paired_metadata", [], [NATIVE_COIN])).toBe(NATIVE_ASSET);
    expect(view(paired, "0x1::coin::paired_metadata", [], [DEMO_COIN])).toBeNull();
    expect(view(option(typeInfo), "0x1::coin::paired_coin", [asset])).toEqual(typeInfoOf(NATIVE_COIN));
    expect(view(option(typeInfo), "0x1::coin::paired_coin", [given(address, STABLE_TOKEN)])).toBeNull();
  });

  test("is the same balance in both forms, and moves without a conversion before", () => {
    const [before] = balances(ALICE.address);
    expect(balances(ALICE.address)).toEqual([before, before]);
    expect(send(ALICE, NEWCOMER, 700n)).toBe(OK);
    expect(balances(NEWCOMER)).toEqual([700n, 700n]);
    expect(world.session.has(account, NEWCOMER)).toBe(false);
    expect(send(ALICE, BOB.address, 5n)).toBe(OK);
    const at = [given(address, primary(BOB.address))];
    const whole = world.balance(BOB.address);
    expect(view(u64, "0x1::fungible_asset::balance", at, [STORE])).toBe(whole);
    expect(view(u64, "0x1::dispatchable_fungible_asset::derived_balance", at, [STORE])).toBe(whole);
  });

  test("changes form without changing the supply", () => {
    const supplies = () => [
      view(option(u128), "0x1::coin::supply", [], [NATIVE_COIN]),
      view(option(u128), "0x1::fungible_asset::supply", [asset], [METADATA]),
      world.supply(),
    ];
    let burned = 0n;
    for (const call of [
      callTo("0x1::coin::migrate_to_fungible_store", [], [NATIVE_COIN]),
      callTo("0x1::coin::migrate_to_fungible_store", [], [NATIVE_COIN]),
      callTo("0x1::aptos_account::transfer", [given(address, BOB.address), given(u64, 9n)]),
    ]) {
      const effects = effectsOf(world.execute(world.transaction(ALICE, call)));
      expect(effects.status.kind).toBe("executed");
      burned += effects.gasUsed * 100n;
    }
    const left = GENESIS_SUPPLY - burned;
    expect(supplies()).toEqual([left, left, left]);
  });

  test("after a migration is in the store alone: coins are received there, sent and paid as fees from there", () => {
    const before = world.balance(ALICE.address);
    expect(migrate(ALICE)).toBe(OK);
    expect(world.session.has(coinStore.of(NATIVE_COIN), ALICE.address)).toBe(false);
    const fee = before - world.balance(ALICE.address);
    expect(fee).toBeGreaterThan(0n);
    expect(world.session.get(fungibleStore, primary(ALICE.address)).balance).toBe(before - fee);
    const pay = (from: Who, to: Address, n: bigint) =>
      world.run(from, "0x1::aptos_account::transfer", [given(address, to), given(u64, n)]);
    expect(pay(BOB, ALICE.address, 50n)).toBe(OK);
    expect(world.balance(ALICE.address)).toBe(before - fee + 50n);
    expect(pay(ALICE, CAROL.address, 60n)).toBe(OK);
    expect(balances(CAROL.address)[0]).toBeGreaterThan(60n);
    const registered = view(bool, "0x1::coin::is_account_registered", [given(address, ALICE.address)], [NATIVE_COIN]);
    expect(registered).toBe(true);
    expect(pay(ALICE, CAROL.address, before)).toContain("EINSUFFICIENT_BALANCE");
  });

  test("pays a fee with the last coin, and with the store for the rest", () => {
    const coins = () => world.session.find(coinStore.of(NATIVE_COIN), ALICE.address)?.coin.value ?? 0n;
    const toOwnStore = (amount: bigint) => expect(send(ALICE, ALICE.address, amount)).toBe(OK);
    toOwnStore(1n);
    const before = coins();
    toOwnStore(1n);
    const fee = before - 1n - coins();
    toOwnStore(coins() - fee - 1n);
    expect(coins(), "control").toBe(1n);
    const [whole, supply] = [world.balance(ALICE.address), world.supply()];
    expect(send(ALICE, BOB.address, whole + 1n)).toContain("EINSUFFICIENT_BALANCE");
    const paid = supply - world.supply();
    expect(paid).toBeGreaterThan(1n);
    expect([coins(), world.balance(ALICE.address)]).toEqual([0n, whole - paid]);
  });

  test("cannot be sent by who has too little of it in both forms together", () => {
    const whole = () => world.balance(ALICE.address);
    expect(send(ALICE, NEWCOMER, whole() + 1n)).toContain("0x1::fungible_asset: EINSUFFICIENT_BALANCE");
    expect(send(ALICE, NEWCOMER, whole())).toContain("PROLOGUE_ECANT_PAY_GAS_DEPOSIT");
    expect(balances(NEWCOMER)).toEqual([0n, 0n]);
  });

  test("is sent from store to store, and by the account module to a new account", () => {
    for (const who of [ALICE, BOB]) expect(send(who, who.address, 1n)).toBe(OK);
    const before = world.balance(BOB.address);
    const stores = [given(address, primary(ALICE.address)), given(address, primary(BOB.address)), given(u64, 1_000n)];
    expect(world.run(ALICE, "0x1::dispatchable_fungible_asset::transfer", stores, [STORE])).toBe(OK);
    expect(world.balance(BOB.address)).toBe(before + 1_000n);
    expect(world.run(CAROL, "0x1::fungible_asset::transfer", stores, [STORE])).toContain("ENOT_STORE_OWNER");
    const one = [asset, given(address, NEWCOMER), given(u64, 4n)];
    expect(world.run(ALICE, "0x1::aptos_account::transfer_fungible_assets", one)).toBe(OK);
    const both = [asset, given(vector(address), [NEWCOMER, BOB.address]), given(vector(u64), [2n, 3n])];
    expect(world.run(ALICE, "0x1::aptos_account::batch_transfer_fungible_assets", both)).toBe(OK);
    expect([world.session.has(account, NEWCOMER), balances(NEWCOMER)]).toEqual([true, [6n, 6n]]);
  });

  test("is the only coin with a second form", () => {
    expect(world.run(ALICE, "0x1::coin::migrate_to_fungible_store", [], [DEMO_COIN])).toContain(
      "ECOIN_TO_FUNGIBLE_ASSET_FEATURE_NOT_ENABLED(0xd0012)",
    );
    expect(world.run(ALICE, "0x1::managed_coin::register", [], [DEMO_COIN])).toBe(OK);
    const owner = [given(address, ALICE.address)];
    expect(view(bool, "0x1::coin::is_account_registered", owner, [DEMO_COIN])).toBe(true);
  });
});

describe("an object", () => {
  const token = given(address, STABLE_TOKEN);
  const rootOwner = () => world.view("0x1::object::root_owner", [token], [METADATA]);

  test("has the owner of its owner as its root", () => {
    expect(view(address, "0x1::object::root_owner", [token], [METADATA])).toBe(ISSUER.address);
    expect(send(ALICE, BOB.address, 1n)).toBe(OK);
    const store = given(address, primary(BOB.address));
    expect(world.run(ISSUER, "0x1::object::transfer_to_object", [token, store], [METADATA, STORE])).toBe(OK);
    expect(view(address, "0x1::object::root_owner", [token], [METADATA])).toBe(BOB.address);
    expect(view(bool, "0x1::object::is_untransferable", [token], [METADATA])).toBe(false);
  });

  test("that was given to itself has no root, and asking for it ends", () => {
    expect(world.run(ISSUER, "0x1::object::transfer_to_object", [token, token], [METADATA, METADATA])).toBe(OK);
    expect(rootOwner()).toMatchObject({ kind: "failed", status: { reason: { name: "EMAXIMUM_NESTING" } } });
  });
});

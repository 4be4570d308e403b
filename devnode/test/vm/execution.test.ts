import { beforeEach, describe, expect, test } from "vitest";
import { type Address, addressBytes } from "../../../src/chain/address.ts";
import { decodeBcs } from "../../codec/bcs-reader.ts";
import { ALICE, BOB, CAROL, FAUCET, ISSUER } from "../../development-keys.ts";
import { CORE_RESOURCES, fixedAddress, NATIVE_ASSET, NATIVE_COIN } from "../../framework/addresses.ts";
import { DEMO_COIN } from "../../framework/demo-coin.ts";
import { address, bool, bytes, string, u64, vector } from "../../framework/schema.ts";
import { feeStatement } from "../../framework/transaction-fee.ts";
import { GENESIS_SUPPLY, STABLE_TOKEN } from "../../genesis.ts";
import type { Effects } from "../../vm/effects.ts";
import { callTo, effectsOf, given, statusOf, type Who, World } from "./world.ts";

const RECIPIENT = fixedAddress("0xbeef");
const METADATA = "0x1::fungible_asset::Metadata";
const FAUCET_ACCOUNT = { address: CORE_RESOURCES, authenticationKey: FAUCET.authenticationKey };
const transfer = (to = BOB.address, amount = 1_000n) =>
  callTo("0x1::aptos_account::transfer", [given(address, to), given(u64, amount)]);

let world: World;
beforeEach(() => {
  world = new World();
});

function feeOf({ events }: Effects) {
  const last = events.at(-1);
  const decoded = decodeBcs(last?.data ?? new Uint8Array(), (reader) => feeStatement.read(reader));
  if (last?.type !== "0x1::transaction_fee::FeeStatement" || decoded.kind === "malformed") throw new Error("no fee");
  return decoded.value;
}

test("a transfer moves the amount, burns the fee and increments the sequence number", () => {
  const before = { alice: world.balance(ALICE.address), bob: world.balance(BOB.address), supply: world.supply() };
  const effects = effectsOf(world.execute(world.transaction(ALICE, transfer())));
  const fee = effects.gasUsed * 100n;
  expect(world.balance(ALICE.address)).toBe(before.alice - 1_000n - fee);
  expect(world.balance(BOB.address)).toBe(before.bob + 1_000n);
  expect(world.supply()).toBe(before.supply - fee);
  expect(world.sequenceNumber(ALICE.address)).toBe(1n);
  expect(effects.events.map(({ type, sequenceNumber }) => [type, sequenceNumber])).toEqual([
    ["0x1::coin::WithdrawEvent", 0n],
    ["0x1::coin::DepositEvent", 1n],
    ["0x1::transaction_fee::FeeStatement", 0n],
  ]);
});

test("the fee statement has the charges by category", () => {
  const existing = feeOf(effectsOf(world.execute(world.transaction(ALICE, transfer()))));
  const created = feeOf(effectsOf(world.execute(world.transaction(ALICE, transfer(RECIPIENT)))));
  expect(existing.storage_fee_octas).toBe(0n);
  expect(created.storage_fee_octas).toBeGreaterThan(80_000n);
  expect(created.total_charge_gas_units).toBeGreaterThan(created.storage_fee_octas / 100n);
});

test("a first transfer creates the account, and its streams begin at 0", () => {
  const effects = effectsOf(world.execute(world.transaction(ALICE, transfer(RECIPIENT, 5n))));
  expect(world.balance(RECIPIENT)).toBe(5n);
  const own = effects.events.filter(({ guid }) => guid.address === RECIPIENT);
  expect(own.map(({ type, guid, sequenceNumber }) => [type, guid.creationNumber, sequenceNumber])).toEqual([
    ["0x1::account::CoinRegisterEvent", 0n, 0n],
    ["0x1::coin::DepositEvent", 2n, 0n],
  ]);
});

test("metering is deterministic", () => {
  const runs = [1, 2].map(() => effectsOf(new World().execute(world.transaction(ALICE, transfer(RECIPIENT)))));
  expect(runs[0]).toEqual(runs[1]);
});

test("a run out of gas has no effect and pays its maximum", () => {
  const before = world.balance(ALICE.address);
  const outcome = world.execute(world.transaction(ALICE, transfer(RECIPIENT), { maxGasAmount: 500n }));
  expect(statusOf(outcome)).toBe("Out of gas");
  expect(world.balance(RECIPIENT)).toBe(0n);
  expect(world.balance(ALICE.address)).toBe(before - 50_000n);
  expect(feeOf(effectsOf(outcome))).toMatchObject({ total_charge_gas_units: 500n, storage_fee_octas: 0n });
});

test("an abort rolls back everything but the fee and the sequence number", () => {
  const call = callTo("0x1::aptos_account::batch_transfer", [
    given(vector(address), [RECIPIENT, BOB.address]),
    given(vector(u64), [10n, 2n ** 62n]),
  ]);
  const outcome = world.execute(world.transaction(ALICE, call));
  expect(statusOf(outcome)).toMatch(/EINSUFFICIENT_BALANCE\(0x10006\)/);
  expect(world.balance(RECIPIENT)).toBe(0n);
  expect(world.sequenceNumber(ALICE.address)).toBe(1n);
  expect(effectsOf(outcome).events.map(({ type }) => type)).toEqual(["0x1::transaction_fee::FeeStatement"]);
});

test("a payload that spends the fee is rolled back, and the fee is paid", () => {
  const call = transfer(BOB.address, world.balance(ALICE.address) - 100n);
  const supply = world.supply();
  const outcome = world.execute(world.transaction(ALICE, call));
  expect(statusOf(outcome)).toMatch(
    /^Move abort in 0x1::transaction_validation: PROLOGUE_ECANT_PAY_GAS_DEPOSIT\(0x203ed\)/,
  );
  expect(world.supply()).toBe(supply - effectsOf(outcome).gasUsed * 100n);
});

const asset = given(address, STABLE_TOKEN);
test.each<[string, typeof ALICE | typeof FAUCET_ACCOUNT, string, readonly Uint8Array[], readonly string[]]>([
  [
    "0x1::account: EACCOUNT_ALREADY_EXISTS(0x80001): Account already exists",
    ALICE,
    "0x1::aptos_account::create_account",
    [given(address, BOB.address)],
    [],
  ],
  [
    "0x1::coin: ECOIN_STORE_NOT_PUBLISHED(0x60005): Account hasn't registered `CoinStore` for `CoinType`",
    ALICE,
    "0x1::coin::transfer",
    [given(address, RECIPIENT), given(u64, 1n)],
    [NATIVE_COIN],
  ],
  [
    "0x1::aptos_account: EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH(0x10005): The lengths of the recipients and amounts lists don't match.",
    ALICE,
    "0x1::aptos_account::batch_transfer",
    [given(vector(address), [BOB.address]), given(vector(u64), [])],
    [],
  ],
  [
    "0x1::aptos_coin: ENO_CAPABILITIES(0x60001): Account does not have mint capability",
    ALICE,
    "0x1::aptos_coin::mint",
    [given(address, BOB.address), given(u64, 1n)],
    [],
  ],
  [
    "0x1::fungible_asset: EINSUFFICIENT_BALANCE(0x10004): Insufficient balance to withdraw or transfer.",
    ALICE,
    "0x1::primary_fungible_store::transfer",
    [asset, given(address, BOB.address), given(u64, 1n)],
    [METADATA],
  ],
  [
    "0x1::object: ENOT_OBJECT_OWNER(0x50004): The caller does not have ownership permissions",
    ALICE,
    "0x1::object::transfer",
    [asset, given(address, BOB.address)],
    [METADATA],
  ],
  [
    "0xde5::stable_token: ENOT_ISSUER(0x50001): Only the issuer may mint, burn or freeze.",
    ALICE,
    "0xde5::stable_token::mint",
    [given(address, ALICE.address), given(u64, 1n)],
    [],
  ],
  [
    "0xde5::table_demo: ENO_NOTEBOOK(0x60001): The account has put nothing yet.",
    ALICE,
    "0xde5::table_demo::remove",
    [given(u64, 1n)],
    [],
  ],
])("aborts in %s", (text, who, id, values, types) => {
  expect(world.run(who, id, values, types)).toBe(`Move abort in ${text}`);
});

test.each<[string, string, readonly Uint8Array[], readonly string[]]>([
  ["LINKER_ERROR", "0x1::nowhere::transfer", [], []],
  ["FUNCTION_RESOLUTION_FAILURE", "0x1::coin::steal", [], []],
  ["EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION", "0x1::coin::name", [], [NATIVE_COIN]],
  ["NUMBER_OF_TYPE_ARGUMENTS_MISMATCH", "0x1::coin::register", [], []],
  ["LINKER_ERROR", "0x1::coin::register", [], ["0x1::coin::NoSuchCoin"]],
  ["LINKER_ERROR", "0x1::coin::register", [], ["0x1::coin::Coin"]],
  ["CONSTRAINT_NOT_SATISFIED", "0x1::object::transfer", [asset, given(address, BOB.address)], ["u64"]],
  ["NUMBER_OF_ARGUMENTS_MISMATCH", "0x1::aptos_account::transfer", [given(address, BOB.address)], []],
  ["FAILED_TO_DESERIALIZE_ARGUMENT", "0x1::aptos_account::create_account", [Uint8Array.of(1)], []],
  ["FAILED_TO_DESERIALIZE_ARGUMENT", "0xde5::table_demo::put", [given(u64, 1n), Uint8Array.of(1, 0xff)], []],
])("a call that matches no function ends as %s: %s", (status, id, values, types) => {
  const supply = world.supply();
  expect(world.run(ALICE, id, values, types)).toBe(status);
  expect(world.supply()).toBeLessThan(supply);
});

describe("signers", () => {
  const key = (who: typeof ALICE) => ({ address: who.address, authenticationKey: who.authenticationKey });

  test("a function of one signer refuses two", () => {
    const outcome = world.execute(world.transaction(ALICE, transfer(), { secondary: [key(BOB)] }));
    expect(statusOf(outcome)).toBe("NUMBER_OF_SIGNER_ARGUMENTS_MISMATCH");
  });

  test("a function without signers accepts any number", () => {
    const call = callTo("0x1::aptos_account::create_account", [given(address, RECIPIENT)]);
    expect(statusOf(world.execute(world.transaction(ALICE, call, { secondary: [key(BOB)] })))).toBe(
      "Executed successfully",
    );
  });

  test("a sponsor pays the fee", () => {
    const before = { alice: world.balance(ALICE.address), carol: world.balance(CAROL.address) };
    const effects = effectsOf(world.execute(world.transaction(ALICE, transfer(), { feePayer: key(CAROL) })));
    expect(world.balance(ALICE.address)).toBe(before.alice - 1_000n);
    expect(world.balance(CAROL.address)).toBe(before.carol - effects.gasUsed * 100n);
  });

  test("a sponsored first transaction creates its sender's account, even when it fails", () => {
    const stranger = { address: RECIPIENT, authenticationKey: given(address, RECIPIENT) };
    const outcome = world.execute(world.transaction(stranger, transfer(), { feePayer: key(CAROL) }));
    expect(statusOf(outcome)).toMatch(/EINSUFFICIENT_BALANCE/);
    expect(world.sequenceNumber(RECIPIENT)).toBe(1n);
  });

  test("only the key of an address acts for it before it has an account, whoever pays", () => {
    const asset = given(address, NATIVE_ASSET);
    const send = (to: Address, amount: bigint) =>
      callTo(
        "0x1::primary_fungible_store::transfer",
        [asset, given(address, to), given(u64, amount)],
        ["0x1::fungible_asset::Metadata"],
      );
    expect(statusOf(world.execute(world.transaction(ALICE, send(RECIPIENT, 90_000_000n))))).toBe(
      "Executed successfully",
    );
    const first = (authenticationKey: Uint8Array, feePayer: Who | null, sequenceNumber = 0n) =>
      world.execute(
        world.transaction({ address: RECIPIENT, authenticationKey }, send(BOB.address, 1n), {
          feePayer,
          sequenceNumber,
        }),
      );
    for (const payer of [key(BOB), null])
      expect(statusOf(first(BOB.authenticationKey, payer))).toBe("INVALID_AUTH_KEY");
    expect(statusOf(first(addressBytes(RECIPIENT), null, 1n))).toBe("SENDING_ACCOUNT_DOES_NOT_EXIST");
    expect(statusOf(first(addressBytes(RECIPIENT), null))).toBe("Executed successfully");
    expect(world.sequenceNumber(RECIPIENT)).toBe(1n);
  });

  test("a sponsored first transaction that succeeds leaves its sender with an account", () => {
    const stranger = { address: RECIPIENT, authenticationKey: given(address, RECIPIENT) };
    const call = callTo("0x1::aptos_account::create_account", [given(address, fixedAddress("0xfee"))]);
    const outcome = world.execute(world.transaction(stranger, call, { feePayer: key(CAROL) }));
    expect(statusOf(outcome)).toBe("Executed successfully");
    expect(world.sequenceNumber(RECIPIENT)).toBe(1n);
  });

  test("a simulation without keys and with an unknown sponsor runs and charges no account", () => {
    const unknown = { address: fixedAddress("0x0"), authenticationKey: null };
    const sender = { address: ALICE.address, authenticationKey: null };
    const transaction = world.transaction(ALICE, transfer(), { sender, feePayer: unknown });
    expect(statusOf(world.simulate(transaction))).toBe("Executed successfully");
    expect(statusOf(world.execute(transaction))).toBe("INVALID_AUTH_KEY");
  });

  test("a simulation for the virtual machine's own address, which can have no account, is refused", () => {
    const sender = { address: fixedAddress("0x0"), authenticationKey: null };
    const transaction = world.transaction(ALICE, transfer(), { sender, feePayer: key(CAROL), sequenceNumber: 0n });
    expect(statusOf(world.simulate(transaction))).toBe("SENDING_ACCOUNT_DOES_NOT_EXIST");
  });

  test("a simulation has the same outcome as the execution", () => {
    const transaction = world.transaction(ALICE, transfer(RECIPIENT));
    expect(world.simulate(transaction)).toEqual(world.execute(transaction));
  });

  test("a simulation may replace the gas parameters", () => {
    const transaction = world.transaction(ALICE, transfer(), { maxGasAmount: 3n });
    expect(statusOf(world.simulate(transaction))).toBe("Out of gas");
    expect(statusOf(world.simulate(transaction, { maxGasAmount: 2_000n }))).toBe("Executed successfully");
  });
});

describe("fungible asset", () => {
  const send = (who: typeof ALICE, to: typeof ALICE, amount: bigint) =>
    world.run(
      who,
      "0x1::primary_fungible_store::transfer",
      [asset, given(address, to.address), given(u64, amount)],
      [METADATA],
    );
  const holding = (who: typeof ALICE) => {
    const outcome = world.view(
      "0x1::primary_fungible_store::balance",
      [given(address, who.address), asset],
      [METADATA],
    );
    return outcome.kind === "returned" ? outcome.values[0]?.bytes : outcome;
  };

  test("moves between primary stores, which are created as needed", () => {
    expect(send(ISSUER, ALICE, 500n)).toBe("Executed successfully");
    expect(send(ALICE, BOB, 200n)).toBe("Executed successfully");
    expect([holding(ALICE), holding(BOB), holding(CAROL)]).toEqual([
      given(u64, 300n),
      given(u64, 200n),
      given(u64, 0n),
    ]);
  });

  test("a frozen store can neither withdraw nor deposit", () => {
    send(ISSUER, ALICE, 500n);
    world.run(ISSUER, "0xde5::stable_token::set_frozen", [given(address, ALICE.address), given(bool, true)]);
    const frozen = /ESTORE_IS_FROZEN\(0x50003\)/;
    expect(send(ALICE, BOB, 1n)).toMatch(frozen);
    expect(send(ISSUER, ALICE, 1n)).toMatch(frozen);
    world.run(ISSUER, "0xde5::stable_token::set_frozen", [given(address, ALICE.address), given(bool, false)]);
    expect(send(ALICE, BOB, 1n)).toBe("Executed successfully");
  });
});

test("an account may refuse coins for which it is not registered", () => {
  const demo = (to: typeof BOB) =>
    world.run(ISSUER, "0x1::aptos_account::transfer_coins", [given(address, to.address), given(u64, 5n)], [DEMO_COIN]);
  expect(world.run(ISSUER, "0x1::coin::register", [], [DEMO_COIN])).toBe("Executed successfully");
  world.run(ISSUER, "0xde5::demo_coin::mint", [given(address, ISSUER.address), given(u64, 100n)]);
  expect(demo(CAROL)).toBe("Executed successfully");
  world.run(BOB, "0x1::aptos_account::set_allow_direct_coin_transfers", [given(bool, false)]);
  expect(demo(BOB)).toMatch(/EACCOUNT_DOES_NOT_ACCEPT_DIRECT_COIN_TRANSFERS\(0x50003\)/);
  expect(world.run(BOB, "0x1::coin::register", [], [DEMO_COIN])).toBe("Executed successfully");
  expect(demo(BOB)).toBe("Executed successfully");
  const accepts = world.view("0x1::aptos_account::can_receive_direct_coin_transfers", [given(address, BOB.address)]);
  expect(accepts).toMatchObject({ kind: "returned", values: [{ bytes: Uint8Array.of(0) }] });
});

test("tables have simple and nested keys, and emit events", () => {
  const nested = [
    given(string, "go"),
    given(u64, 3n),
    given(u64, 4n),
    given(string, "hello"),
    given(vector(string), []),
  ];
  expect(world.run(ALICE, "0xde5::table_demo::put_nested", nested)).toBe("Executed successfully");
  const cell = Uint8Array.of(...given(string, "go"), ...given(u64, 3n), ...given(u64, 4n));
  const found = world.view("0xde5::table_demo::get_nested", [given(address, ALICE.address), cell]);
  const expected = Uint8Array.of(1, ...given(address, ALICE.address), ...given(string, "hello"), 0, 0);
  expect(found).toMatchObject({ kind: "returned", values: [{ bytes: expected }] });
});

describe("views", () => {
  test("return values with instantiated types and the gas used", () => {
    const outcome = world.view("0x1::coin::supply", [], [NATIVE_COIN]);
    expect(outcome).toMatchObject({ kind: "returned", values: [{ type: { kind: "struct" } }] });
    expect(outcome.kind === "returned" && outcome.gasUsed > 0n).toBe(true);
  });

  test.each([
    ["0x1::coin::balance", [], "NUMBER_OF_TYPE_ARGUMENTS_MISMATCH"],
    ["0x1::coin::balance", [NATIVE_COIN], "NUMBER_OF_ARGUMENTS_MISMATCH"],
  ])("%s<%s> without arguments fails: %s", (id, types, name) => {
    expect(world.view(id, [], types)).toMatchObject({ kind: "failed", status: { kind: "named", name } });
  });

  test.each([
    [
      "0x1::coin::supply",
      ["0x1::coin::CoinStore<0x1::a::B>"],
      "TYPE_RESOLUTION_FAILURE",
      "Struct 0x1::a::B does not exist",
    ],
    ["0x1::coin::supply", ["vector<0x1::a::B>"], "TYPE_RESOLUTION_FAILURE", "Struct 0x1::a::B does not exist"],
    [
      "0x1::coin::supply",
      ["0x1::coin::CoinStore"],
      "TYPE_RESOLUTION_FAILURE",
      "Struct 0x1::coin::CoinStore does not exist",
    ],
  ])("%s<%s> is refused: %s", (id, types, status, message) => {
    expect(world.view(id, [], types)).toEqual({ kind: "refused", status, message });
  });

  test("fail when the function aborts", () => {
    const outcome = world.view("0x1::account::get_sequence_number", [given(address, RECIPIENT)]);
    expect(outcome).toMatchObject({ kind: "failed", status: { kind: "move_abort", code: 0x60002n } });
  });
});

test("nothing is minted beyond the maximum supply; burned fees can be minted again", () => {
  const mint = (amount: bigint) =>
    world.run(FAUCET_ACCOUNT, "0x1::aptos_coin::mint", [given(address, BOB.address), given(u64, amount)]);
  expect(mint(1n)).toMatch(/^Move abort in 0x1::optional_aggregator: EAGGREGATOR_OVERFLOW/);
  const burned = GENESIS_SUPPLY - world.supply();
  expect(burned).toBeGreaterThan(0n);
  expect(mint(burned)).toBe("Executed successfully");
  expect(mint(2n ** 64n - 1n)).toMatch(/EAGGREGATOR_OVERFLOW/);
});

test("a string argument must be UTF-8, a list must have its declared length", () => {
  expect(
    world.run(ALICE, "0x1::multisig_account::create", [
      given(u64, 1n),
      given(vector(string), ["a"]),
      given(vector(bytes), []),
    ]),
  ).toMatch(/ENUMBER_OF_METADATA_KEYS_AND_VALUES_DONT_MATCH\(0x1000f\)/);
});

import { beforeEach, describe, expect, test } from "vitest";
import type { Address } from "../../../src/chain/address.ts";
import { decode } from "../../codec/bcs.ts";
import type { EntryFunction } from "../../codec/transaction.ts";
import { ALICE, BOB, CAROL, type DevelopmentAccount, ISSUER } from "../../development-keys.ts";
import { fixedAddress } from "../../framework/addresses.ts";
import { coinStore } from "../../framework/coin-state.ts";
import { DEMO_COIN } from "../../framework/demo-coin.ts";
import { multisigAddress } from "../../framework/multisig-operations.ts";
import { streams } from "../../framework/multisig-state.ts";
import { address, bytes, string, u64, vector } from "../../framework/schema.ts";
import { GAS_SCHEDULE } from "../../vm/gas-schedule.ts";
import { encodePayload } from "../../vm/multisig.ts";
import { executeUserTransaction } from "../../vm/run-user-transaction.ts";
import { callTo, effectsOf, given, statusOf, World } from "./world.ts";

const RECIPIENT = fixedAddress("0xbeef");
const DONE = "Executed successfully";
const send = (amount: bigint) =>
  callTo("0x1::aptos_account::transfer", [given(address, RECIPIENT), given(u64, amount)]);

let world: World;
let at: Address;

/** Two of Alice, Bob and Carol. */
beforeEach(() => {
  world = new World();
  at = multisigAddress(ALICE.address, 0n);
  const owners = [given(vector(address), [BOB.address, CAROL.address]), given(u64, 2n)];
  const noAttributes = [given(vector(string), []), given(vector(bytes), [])];
  expect(world.run(ALICE, "0x1::multisig_account::create_with_owners", [...owners, ...noAttributes])).toBe(DONE);
  expect(world.run(ALICE, "0x1::aptos_account::transfer", [given(address, at), given(u64, 1_000n)])).toBe(DONE);
});

const propose = (who: DevelopmentAccount, call: EntryFunction) =>
  world.run(who, "0x1::multisig_account::create_transaction", [given(address, at), given(bytes, encodePayload(call))]);
const vote = (who: DevelopmentAccount, name: "approve" | "reject", number: bigint) =>
  world.run(who, `0x1::multisig_account::${name}_transaction`, [given(address, at), given(u64, number)]);

function execute(who: DevelopmentAccount, call: EntryFunction | null = null) {
  const transaction = world.transaction(who, send(0n), {
    payload: { kind: "multisig", multisigAddress: at, entryFunction: call },
  });
  return world.execute(transaction);
}

const number = (view: string) => {
  const outcome = world.view(`0x1::multisig_account::${view}`, [given(address, at)]);
  return outcome.kind === "returned" ? outcome.values[0]?.bytes : outcome;
};

test("the account's address follows from its creator's sequence number", () => {
  const next = world.view("0x1::multisig_account::get_next_multisig_account_address", [given(address, BOB.address)]);
  expect(next).toMatchObject({ values: [{ bytes: given(address, multisigAddress(BOB.address, 0n)) }] });
  expect(world.balance(at)).toBe(1_000n);
});

test("executes an approved transaction; the executor approves implicitly", () => {
  expect(propose(ALICE, send(300n))).toBe(DONE);
  const fees = world.balance(BOB.address);
  const outcome = execute(BOB);
  expect(statusOf(outcome)).toBe(DONE);
  expect(world.balance(RECIPIENT)).toBe(300n);
  expect(world.balance(at)).toBe(700n);
  expect(world.balance(BOB.address)).toBe(fees - effectsOf(outcome).gasUsed * 100n);
  expect(effectsOf(outcome).events.map(({ type }) => type)).toEqual([
    "0x1::account::CoinRegisterEvent",
    "0x1::coin::WithdrawEvent",
    "0x1::coin::DepositEvent",
    "0x1::multisig_account::VoteEvent",
    "0x1::multisig_account::TransactionExecutionSucceededEvent",
    "0x1::transaction_fee::FeeStatement",
  ]);
  expect(number("last_resolved_sequence_number")).toEqual(given(u64, 1n));
});

test("an inner failure is recorded and rolled back, and its transaction leaves the queue", () => {
  expect(propose(ALICE, send(5_000n))).toBe(DONE);
  const outcome = execute(BOB);
  expect(statusOf(outcome)).toBe(DONE);
  expect(world.balance(at)).toBe(1_000n);
  expect(effectsOf(outcome).events.map(({ type }) => type)).toEqual([
    "0x1::multisig_account::VoteEvent",
    "0x1::multisig_account::TransactionExecutionFailedEvent",
    "0x1::transaction_fee::FeeStatement",
  ]);
  expect(number("last_resolved_sequence_number")).toEqual(given(u64, 1n));
});

test("an execution that runs out of gas at any point fails as a whole, and its transaction stays in the queue", () => {
  expect(propose(ALICE, send(300n))).toBe(DONE);
  const withGas = (maxGasAmount: bigint) =>
    executeUserTransaction(
      world.transaction(BOB, send(0n), {
        payload: { kind: "multisig", multisigAddress: at, entryFunction: null },
        maxGasAmount,
      }),
      world.state,
      GAS_SCHEDULE,
    );
  const { gasUsed } = effectsOf(withGas(20_000n));
  expect(effectsOf(withGas(gasUsed)).status.kind).toBe("executed");
  for (let gas = 3n; gas < gasUsed; gas += 1n) {
    const { status, events } = effectsOf(withGas(gas));
    expect([gas, status.kind, events.length]).toEqual([gas, "out_of_gas", 1]);
  }
});

test("a malformed payload fails only when it is executed", () => {
  const garbage = [given(address, at), given(bytes, Uint8Array.of(7, 7))];
  expect(world.run(ALICE, "0x1::multisig_account::create_transaction", garbage)).toBe(DONE);
  const outcome = execute(BOB);
  expect(statusOf(outcome)).toBe(DONE);
  expect(effectsOf(outcome).events.at(-2)?.type).toBe("0x1::multisig_account::TransactionExecutionFailedEvent");
});

/** The largest balance that a store can have, which the coin's supply does not allow otherwise. */
function fill(owner: Address): void {
  const { session } = world;
  const store = session.get(coinStore.of(DEMO_COIN), owner);
  session.put(coinStore.of(DEMO_COIN), owner, { ...store, coin: { value: 2n ** 64n - 1n } });
  world.state.apply({ status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: [] });
}

test.each<[string, EntryFunction, object]>([
  [
    "an abort, by its module and code",
    send(5_000n),
    { abort_location: "0x1::coin", error_type: "MoveAbort", error_code: 0x10006n },
  ],
  [
    "an error inside a function, by its module",
    callTo("0x1::coin::transfer", [given(address, BOB.address), given(u64, 1n)], [DEMO_COIN]),
    { abort_location: "0x1::coin", error_type: "MoveExecutionFailure", error_code: 4017n },
  ],
  [
    "a call of a missing function, by the status's number",
    callTo("0x1::coin::nothing", []),
    { abort_location: "", error_type: "VMError", error_code: 1091n },
  ],
])("the failure's event has %s", (_what, call, error) => {
  expect(world.run(ISSUER, "0x1::coin::register", [], [DEMO_COIN])).toBe(DONE);
  expect(world.run(ISSUER, "0xde5::demo_coin::mint", [given(address, ISSUER.address), given(u64, 9n)])).toBe(DONE);
  for (const owner of [BOB.address, at]) {
    const values = [given(address, owner), given(u64, 1n)];
    expect(world.run(ISSUER, "0x1::aptos_account::transfer_coins", values, [DEMO_COIN])).toBe(DONE);
  }
  fill(BOB.address);
  propose(ALICE, call);
  const event = effectsOf(execute(BOB)).events.at(-2);
  const decoded = decode(streams.transaction_execution_failed_events, event?.data ?? new Uint8Array());
  expect(decoded).toMatchObject({ value: { executor: BOB.address, sequence_number: 1n, num_approvals: 2n } });
  expect(decoded).toMatchObject({ value: { execution_error: error } });
});

describe("failures before execution", () => {
  test.each([
    ["NOT_MULTISIG_OWNER", ISSUER],
    ["MULTISIG_TRANSACTION_NOT_FOUND", BOB],
  ])("a multisig transaction fails with %s", (status, who) => {
    expect(statusOf(execute(who))).toBe(status);
  });

  test("ACCOUNT_NOT_MULTISIG", () => {
    const payload = { kind: "multisig", multisigAddress: CAROL.address, entryFunction: null } as const;
    expect(statusOf(world.execute(world.transaction(BOB, send(0n), { payload })))).toBe("ACCOUNT_NOT_MULTISIG");
  });

  test("MULTISIG_TRANSACTION_INSUFFICIENT_APPROVALS", () => {
    propose(ALICE, send(1n));
    expect(statusOf(execute(ALICE))).toBe("MULTISIG_TRANSACTION_INSUFFICIENT_APPROVALS");
  });

  test("MULTISIG_TRANSACTION_INSUFFICIENT_APPROVALS, as an executor counts once", () => {
    const three = multisigAddress(CAROL.address, 0n);
    const owners = [given(vector(address), [ALICE.address, BOB.address]), given(u64, 3n)];
    const noAttributes = [given(vector(string), []), given(vector(bytes), [])];
    expect(world.run(CAROL, "0x1::multisig_account::create_with_owners", [...owners, ...noAttributes])).toBe(DONE);
    at = three;
    expect(propose(ALICE, send(0n))).toBe(DONE);
    expect(statusOf(execute(BOB))).toBe("MULTISIG_TRANSACTION_INSUFFICIENT_APPROVALS");
    expect(vote(CAROL, "approve", 1n)).toBe(DONE);
    expect(statusOf(execute(BOB))).toBe(DONE);
  });

  test("MULTISIG_TRANSACTION_PAYLOAD_DOES_NOT_MATCH_HASH, of a queued payload", () => {
    expect(propose(ALICE, send(1n))).toBe(DONE);
    expect(statusOf(execute(BOB, send(2n)))).toBe("MULTISIG_TRANSACTION_PAYLOAD_DOES_NOT_MATCH_HASH");
    expect(statusOf(execute(BOB, send(1n)))).toBe(DONE);
  });
});

test("enough rejections clear the queue; the executor rejects implicitly", () => {
  propose(ALICE, send(1n));
  const clear = (who: DevelopmentAccount) =>
    world.run(who, "0x1::multisig_account::execute_rejected_transaction", [given(address, at)]);
  expect(clear(BOB)).toMatch(/ENOT_ENOUGH_REJECTIONS\(0x3000a\)/);
  expect(vote(BOB, "reject", 1n)).toBe(DONE);
  expect(clear(CAROL)).toBe(DONE);
  expect(statusOf(execute(BOB))).toBe("MULTISIG_TRANSACTION_NOT_FOUND");
});

test.each<[RegExp, () => string]>([
  [/ENOT_OWNER\(0x507d3\)/, () => propose(ISSUER, send(1n))],
  [/ETRANSACTION_NOT_FOUND\(0x607d6\)/, () => vote(BOB, "approve", 9n)],
  [
    /EACCOUNT_NOT_MULTISIG\(0x307d2\)/,
    () => world.run(BOB, "0x1::multisig_account::approve_transaction", [given(address, BOB.address), given(u64, 1n)]),
  ],
  [
    /EPAYLOAD_CANNOT_BE_EMPTY\(0x10004\)/,
    () =>
      world.run(ALICE, "0x1::multisig_account::create_transaction", [
        given(address, at),
        given(bytes, new Uint8Array()),
      ]),
  ],
  [
    /EINVALID_SIGNATURES_REQUIRED\(0x1000b\)/,
    () =>
      world.run(ALICE, "0x1::multisig_account::create", [
        given(u64, 2n),
        given(vector(string), []),
        given(vector(bytes), []),
      ]),
  ],
])("aborts with %s", (reason, run) => {
  expect(run()).toMatch(reason);
});

test("at most twenty proposals are pending", () => {
  for (let count = 0; count < 20; count += 1) expect(propose(ALICE, send(1n))).toBe(DONE);
  expect(propose(ALICE, send(1n))).toMatch(/EMAX_PENDING_TRANSACTIONS_EXCEEDED\(0x30013\)/);
});

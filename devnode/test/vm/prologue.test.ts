import { describe, expect, test } from "vitest";
import { ALICE, BOB, CAROL } from "../../development-keys.ts";
import { fixedAddress, NATIVE_COIN } from "../../framework/addresses.ts";
import { coinStore } from "../../framework/coin-state.ts";
import { address, u64 } from "../../framework/schema.ts";
import { GAS_SCHEDULE } from "../../vm/gas-schedule.ts";
import { validatePrologue } from "../../vm/prologue.ts";
import type { UserTransaction } from "../../vm/user-transaction.ts";
import { callTo, given, NOW_SECONDS, statusOf, type Who, World } from "./world.ts";

const world = new World();
const MISSING: Who = { address: fixedAddress("0x404"), authenticationKey: new Uint8Array(32) };
const TRANSFER = callTo("0x1::aptos_account::transfer", [given(address, BOB.address), given(u64, 1n)]);
const key = (who: Who) => ({ address: who.address, authenticationKey: who.authenticationKey });
const of = (changes: Partial<UserTransaction>, who: Who = ALICE) => world.transaction(who, TRANSFER, changes);
const check = (transaction: UserTransaction) => validatePrologue(transaction, world.state, GAS_SCHEDULE);

test("a valid transaction passes", () => {
  expect(check(of({}))).toBeUndefined();
});

test.each<[string, number, UserTransaction]>([
  ["UNKNOWN_SCRIPT", 11, of({ payload: { kind: "script" } })],
  [
    "UNKNOWN_MODULE",
    12,
    of({ payload: { kind: "entry_function", entryFunction: callTo("0x1::code::publish_package_txn", []) } }),
  ],
  ["SIGNERS_CONTAIN_DUPLICATES", 28, of({ secondary: [key(BOB), key(BOB)] })],
  ["SIGNERS_CONTAIN_DUPLICATES", 28, of({ secondary: [key(ALICE)] })],
  ["SIGNERS_CONTAIN_DUPLICATES", 28, of({ secondary: [key(BOB)], feePayer: key(BOB) })],
  ["EXCEEDED_MAX_TRANSACTION_SIZE", 10, of({ sizeBytes: 65_537 })],
  ["MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND", 13, of({ maxGasAmount: 2_000_001n })],
  ["MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS", 14, of({ maxGasAmount: 2n })],
  ["GAS_UNIT_PRICE_BELOW_MIN_BOUND", 15, of({ gasUnitPrice: 99n })],
  ["GAS_UNIT_PRICE_ABOVE_MAX_BOUND", 16, of({ gasUnitPrice: 10_000_000_001n })],
  ["TRANSACTION_EXPIRED", 6, of({ expirationSeconds: NOW_SECONDS })],
  ["BAD_CHAIN_ID", 23, of({ chainId: 5 })],
  ["INVALID_AUTH_KEY", 2, of({ sender: { ...key(ALICE), authenticationKey: BOB.authenticationKey } })],
  ["INVALID_AUTH_KEY", 2, of({ sender: { ...key(ALICE), authenticationKey: null } })],
  ["SENDING_ACCOUNT_DOES_NOT_EXIST", 7, of({}, MISSING)],
  ["SEQUENCE_NUMBER_TOO_BIG", 24, of({ sequenceNumber: 2n ** 63n })],
  ["INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE", 5, of({ maxGasAmount: 2_000_000n, gasUnitPrice: 100_000_000n })],
  ["SENDING_ACCOUNT_DOES_NOT_EXIST", 7, of({ secondary: [key(MISSING)] })],
  ["INVALID_AUTH_KEY", 2, of({ secondary: [{ ...key(BOB), authenticationKey: CAROL.authenticationKey }] })],
  ["GAS_PAYER_ACCOUNT_MISSING", 36, of({ feePayer: key(MISSING), maxGasAmount: 3n, gasUnitPrice: 100n })],
  ["INVALID_AUTH_KEY", 2, of({ feePayer: { ...key(BOB), authenticationKey: CAROL.authenticationKey } })],
])("%s (%i)", (status, code, transaction) => {
  const failure = check(transaction);
  // A payer without an account has no balance, which is checked first.
  const expected = status === "GAS_PAYER_ACCOUNT_MISSING" ? "INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE" : status;
  expect(failure).toMatchObject({ status: expected, code: status === expected ? code : 5 });
});

test("a transaction of exactly the largest size passes", () => {
  expect(check(of({ sizeBytes: 65_536, maxGasAmount: 2_000n }))).toBeUndefined();
});

test.each([
  ["exactly its largest fee", 300_000n, undefined],
  ["one unit less", 299_999n, "INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE"],
])("a payer with %s", (_what, value, status) => {
  const own = new World();
  const { session } = own;
  const store = coinStore.of(NATIVE_COIN);
  session.put(store, ALICE.address, { ...session.get(store, ALICE.address), coin: { value } });
  own.state.apply({ status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: [] });
  const transaction = of({ maxGasAmount: 3_000n, gasUnitPrice: 100n });
  expect(validatePrologue(transaction, own.state, GAS_SCHEDULE)?.status).toBe(status);
});

describe("the order of checks", () => {
  /** Each row adds a failure to those before it; the last one added is reported first. */
  const failures: readonly (readonly [string, Partial<UserTransaction>])[] = [
    ["INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE", { gasUnitPrice: 10_000_000_000n, maxGasAmount: 2_000_000n }],
    ["SEQUENCE_NUMBER_TOO_BIG", { sequenceNumber: 2n ** 63n }],
    ["INVALID_AUTH_KEY", { sender: { ...key(ALICE), authenticationKey: BOB.authenticationKey } }],
    ["BAD_CHAIN_ID", { chainId: 5 }],
    ["TRANSACTION_EXPIRED", { expirationSeconds: 1n }],
    ["GAS_UNIT_PRICE_BELOW_MIN_BOUND", { gasUnitPrice: 1n }],
    ["MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND", { maxGasAmount: 2_000_001n }],
    ["EXCEEDED_MAX_TRANSACTION_SIZE", { sizeBytes: 70_000 }],
    ["SIGNERS_CONTAIN_DUPLICATES", { secondary: [key(BOB), key(BOB)] }],
    ["UNKNOWN_SCRIPT", { payload: { kind: "script" } }],
  ];
  test.each(failures.map(([status], index) => [status, index] as const))(
    "%s is reported before all above",
    (status, index) => {
      const changes: Partial<UserTransaction> = Object.assign(
        {},
        ...failures.slice(0, index + 1).map(([, change]) => change),
      );
      expect(check(of(changes))?.status).toBe(status);
    },
  );
});

test("a future sequence number is parked in the mempool and refused in a block", () => {
  const ahead = of({ sequenceNumber: 5n });
  expect(check(ahead)).toBeUndefined();
  expect(statusOf(world.execute(ahead))).toBe("SEQUENCE_NUMBER_TOO_NEW");
});

test("a used sequence number is refused in both", () => {
  const used = new World();
  const first = used.transaction(ALICE, TRANSFER);
  expect(statusOf(used.execute(first))).toBe("Executed successfully");
  expect(statusOf(used.execute(first))).toBe("SEQUENCE_NUMBER_TOO_OLD");
  expect(validatePrologue(first, used.state, GAS_SCHEDULE)?.code).toBe(3);
});

test("a refused transaction writes nothing", () => {
  const before = [...world.state.entries];
  world.execute(of({ chainId: 9 }));
  expect([...world.state.entries]).toEqual(before);
});

test("unsupported payloads are refused with an explanation", () => {
  expect(check(of({ payload: { kind: "script" } }))?.message).toMatch(/no scripts/);
});

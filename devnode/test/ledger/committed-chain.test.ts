import { beforeEach, expect, test } from "vitest";
import { hashOfBytes } from "../../../src/chain/hash-value.ts";
import { ALICE } from "../../development-keys.ts";
import { CommittedChain } from "../../ledger/committed-chain.ts";
import { MempoolStore } from "../../ledger/mempool-store.ts";
import type { DecodedTransaction, Machine } from "../../ledger/ports.ts";
import { Stores } from "../../ledger/stores.ts";
import { nativeMachine } from "../../native-machine.ts";
import type { Outcome } from "../../vm/run-user-transaction.ts";
import { validationFailure } from "../../vm/validation-failure.ts";
import { CHAIN_ID, SETTINGS, START_MS } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

const NO_EFFECTS = { status: { kind: "executed" }, gasUsed: 0n, changes: [], events: [] } as const;
const COMMITTED: Outcome = { kind: "committed", effects: NO_EFFECTS };

function transactionOf(sequence: number): DecodedTransaction {
  const signedBytes = Uint8Array.of(sequence >> 8, sequence & 255);
  const hash = new Uint8Array(32);
  hash.set(signedBytes);
  return {
    transaction: {
      sender: { address: ALICE.address, authenticationKey: null },
      secondary: [],
      feePayer: null,
      sequenceNumber: BigInt(sequence),
      payload: { kind: "script" },
      maxGasAmount: 2_000n,
      gasUnitPrice: 100n,
      expirationSeconds: BigInt(START_MS / 1_000 + 60),
      chainId: CHAIN_ID,
      sizeBytes: 2,
    },
    signedBytes,
    hash: hashOfBytes(hash),
    payload: new Uint8Array(),
  };
}

let chain: CommittedChain;
let mempool: MempoolStore;
let executed: number[];
let errors: unknown[];
/** The machine's outcome by sequence number. */
let outcomeOf: (sequence: number) => Outcome;

beforeEach(() => {
  const storage = sqliteStorage();
  [executed, errors, outcomeOf] = [[], [], () => COMMITTED];
  const machine: Machine = {
    ...nativeMachine({ chainId: CHAIN_ID, epochSeconds: 7_200 }),
    execute: ({ sequenceNumber }) => {
      executed.push(Number(sequenceNumber));
      return outcomeOf(Number(sequenceNumber));
    },
  };
  chain = new CommittedChain(storage, new Stores(storage), machine, 1_000, (cause) => errors.push(cause));
  mempool = new MempoolStore(storage, { ...SETTINGS.mempool, perAccount: 1_000 });
});

const offer = (count: number): void => {
  for (let sequence = 0; sequence < count; sequence += 1) mempool.offer(transactionOf(sequence), 0n, START_MS);
};
const block = (nowMs = START_MS): unknown => {
  const { committed, dropped } = chain.makeBlock(mempool, nowMs);
  return [committed.length, dropped.length, mempool.pool.size];
};

test("a block has at most 500 user transactions; the others enter the next one", () => {
  offer(501);
  expect([block(), block(), block()]).toEqual([
    [500, 0, 1],
    [1, 0, 0],
    [0, 0, 0],
  ]);
  expect(executed).toEqual(Array.from({ length: 501 }, (_none, sequence) => sequence));
});

test("a transaction at which the machine throws is dropped and logged, and stops no block", () => {
  offer(3);
  outcomeOf = (sequence) => {
    if (sequence === 1) throw new Error("defect");
    return COMMITTED;
  };
  expect(block()).toEqual([2, 1, 0]);
  expect(errors).toEqual([new Error("defect")]);
});

test.each([
  ["is dropped when it is no longer valid", validationFailure("BAD_CHAIN_ID"), [0, 1, 0]],
  ["is kept when an earlier one is missing", validationFailure("SEQUENCE_NUMBER_TOO_NEW"), [0, 0, 1]],
])("a transaction that is discarded %s", (_what, failure, expected) => {
  offer(1);
  outcomeOf = () => ({ kind: "discarded", failure });
  expect(block()).toEqual(expected);
});

test("what a block dropped is not loaded after a restart, what it kept is", () => {
  offer(2);
  outcomeOf = (sequence) =>
    sequence === 0 ? COMMITTED : { kind: "discarded", failure: validationFailure("SEQUENCE_NUMBER_TOO_NEW") };
  expect(block()).toEqual([1, 0, 1]);
  outcomeOf = () => COMMITTED;
  expect(block()).toEqual([1, 0, 0]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Address, parseAddress } from "../../../src/chain/address.ts";
import { hashOfBytes } from "../../../src/chain/hash-value.ts";
import { Mempool } from "../../ledger/mempool.ts";
import type { PooledTransaction } from "../../ledger/mempool-admission.ts";
import type { DecodedTransaction } from "../../ledger/ports.ts";

const LIMITS = { capacity: 6, capacityBytes: 1_000, perAccount: 4, timeToLiveMs: 600_000 };

function account(number: number): Address {
  const address = parseAddress(`0x${(number + 0xa0).toString(16)}`);
  if (address === undefined) throw new Error("unreachable");
  return address;
}

interface PoolRequest {
  readonly from?: number;
  readonly sequence?: number;
  readonly price?: number;
  readonly maxGas?: number;
  readonly expires?: number;
  readonly payload?: number;
}

function candidate({
  from = 0,
  sequence = 0,
  price = 100,
  maxGas = 2_000,
  expires = 900,
  payload = 0,
}: PoolRequest): DecodedTransaction {
  const signedBytes = Uint8Array.of(from, sequence, price & 255, price >> 8, maxGas & 255, expires & 255, payload);
  const hash = new Uint8Array(32);
  hash.set(signedBytes);
  return {
    transaction: {
      sender: { address: account(from), authenticationKey: null },
      secondary: [],
      feePayer: null,
      sequenceNumber: BigInt(sequence),
      payload: { kind: "script" },
      maxGasAmount: BigInt(maxGas),
      gasUnitPrice: BigInt(price),
      expirationSeconds: BigInt(expires),
      chainId: 4,
      sizeBytes: signedBytes.length,
    },
    signedBytes,
    hash: hashOfBytes(hash),
    payload: Uint8Array.of(payload),
  };
}

function filled(requests: readonly PoolRequest[], limits = LIMITS): { pool: Mempool; taken: PooledTransaction[] } {
  const pool = new Mempool(limits);
  const taken = requests.map((request, arrival) => ({ ...candidate(request), arrival, arrivedMs: 1_000 }));
  for (const waiting of taken) pool.add(waiting, 0n);
  return { pool, taken };
}

const order = (pool: Mempool, max = 100) =>
  pool.ready(max).map(({ transaction }) => `${transaction.sender.address}/${transaction.sequenceNumber}`);

test.each([
  ["one account in sequence, for any order of arrival", [{ sequence: 1 }, { sequence: 0 }], ["0xa0/0", "0xa0/1"]],
  ["transactions after a gap are parked", [{ sequence: 0 }, { sequence: 2 }], ["0xa0/0"]],
  ["the better price first", [{ from: 0 }, { from: 1, price: 150 }], ["0xa1/0", "0xa0/0"]],
  ["at the same price the earlier first", [{ from: 1 }, { from: 0 }], ["0xa1/0", "0xa0/0"]],
  [
    "a high price after a low one of the same account",
    [{ from: 0 }, { from: 0, sequence: 1, price: 900 }, { from: 1, price: 150 }],
    ["0xa1/0", "0xa0/0", "0xa0/1"],
  ],
] as const)("a block takes %s", (_, requests, expected) => {
  expect(order(filled(requests).pool)).toEqual(expected);
});

test.each([
  ["arrival, for any order of the accounts", [7, 3, 5], [0, 0, 0], ["0xa1/0", "0xa2/0", "0xa0/0"]],
  ["arrival before sequence number", [1, 0, 2], [0, 9, 4], ["0xa1/9", "0xa0/0", "0xa2/4"]],
] as const)("at the same price a block takes accounts by %s", (_, arrivals, sequences, expected) => {
  const pool = new Mempool(LIMITS);
  for (const [from, arrival] of arrivals.entries()) {
    const sequence = sequences[from] ?? 0;
    pool.add({ ...candidate({ from, sequence }), arrival, arrivedMs: 1_000 }, BigInt(sequence));
  }
  expect(order(pool)).toEqual(expected);
});

test("when the committed number advances, the next transaction is ready", () => {
  const { pool, taken } = filled([{ sequence: 0 }, { sequence: 1 }]);
  const [first] = pool.ready(1);
  if (first === undefined) throw new Error("nothing was ready");
  pool.remove(first);
  expect(pool.hasReady()).toBe(false);
  pool.advance(first.transaction);
  expect(pool.ready(9)).toEqual([taken[1]]);
});

test("an account without pending transactions starts again at its committed number", () => {
  const { pool, taken } = filled([{ sequence: 0 }]);
  for (const waiting of taken) pool.remove(waiting);
  pool.add({ ...candidate({ sequence: 5 }), arrival: 9, arrivedMs: 1_000 }, 5n);
  expect(order(pool)).toEqual(["0xa0/5"]);
});

test.each([
  ["the same transaction again", {}, { kind: "already" }],
  ["a better price", { price: 101 }, { kind: "admit" }],
  ["a worse price", { price: 99 }, "Transaction already in mempool with a higher gas price"],
  ["another payload", { price: 101, payload: 1 }, "Transaction already in mempool with a different payload"],
  [
    "another expiry",
    { price: 101, expires: 901 },
    "Transaction already in mempool with a different expiration timestamp",
  ],
  [
    "another gas limit",
    { price: 101, maxGas: 2_001 },
    "Transaction already in mempool with a different max gas amount",
  ],
] as const)("for a taken sequence number, %s", (_, request, expected) => {
  const { pool, taken } = filled([{}]);
  const admission = pool.checkAdmission(candidate(request), 0n);
  if (typeof expected === "string")
    expect(admission).toEqual({ kind: "invalid_transaction_update", message: expected });
  else expect(admission).toMatchObject(expected);
  if (admission.kind === "admit") expect(admission.drops).toBe(taken[0]);
});

test("an account may have four pending transactions and replace one of them", () => {
  const { pool } = filled([0, 1, 2, 3].map((sequence) => ({ sequence })));
  expect(pool.checkAdmission(candidate({ sequence: 4 }), 0n)).toMatchObject({ kind: "mempool_is_full" });
  expect(pool.checkAdmission(candidate({ sequence: 3, price: 101 }), 0n)).toMatchObject({ kind: "admit" });
  expect(pool.checkAdmission(candidate({ from: 1 }), 0n)).toMatchObject({ kind: "admit", drops: null });
});

test.each([
  [17, "admit"],
  [16, "mempool_is_full"],
])("a pool of two transactions of seven bytes has room for three more bytes of %i: %s", (capacityBytes, kind) => {
  const { pool } = filled([{ from: 1 }, { from: 2 }], { ...LIMITS, capacityBytes });
  const small = { ...candidate({ from: 3 }), signedBytes: new Uint8Array(3) };
  expect(pool.checkAdmission(small, 0n).kind).toBe(kind);
});

test("a pool makes room by dropping one of several parked transactions of one account: the latest", () => {
  const { pool, taken } = filled([
    { from: 0 },
    { from: 1, sequence: 7 },
    { from: 1, sequence: 6 },
    { from: 1, sequence: 0 },
    { from: 2 },
    { from: 3 },
  ]);
  expect(pool.checkAdmission(candidate({ from: 4 }), 0n)).toEqual({ kind: "admit", drops: taken[2] });
  expect(pool.nextFree(account(1), 0n)).toBe(1n);
  expect(pool.nextFree(account(9), 4n)).toBe(4n);
});

test("a full pool drops its latest parked transaction for a ready one, not for a parked one", () => {
  const requests = [
    { from: 0 },
    { from: 1, sequence: 5 },
    { from: 2, sequence: 5 },
    { from: 3 },
    { from: 4 },
    { from: 5 },
  ];
  const { pool, taken } = filled(requests);
  expect(pool.checkAdmission(candidate({ from: 6 }), 0n)).toEqual({ kind: "admit", drops: taken[2] });
  expect(pool.checkAdmission(candidate({ from: 6, sequence: 1 }), 0n)).toEqual({
    kind: "mempool_is_full",
    message: "Mempool is full. Mempool size: 6, Capacity: 6",
  });
  const busy = filled(Array.from({ length: 6 }, (_, from) => ({ from })));
  expect(busy.pool.checkAdmission(candidate({ from: 6 }), 0n)).toMatchObject({ kind: "mempool_is_full" });
});

test.each([
  ["before its expiry", 899_999_999n, 2_000, 0],
  ["at its expiry", 900_000_000n, 2_000, 1],
  ["before its time to live ends", 1n, 600_999, 0],
  ["when its time to live ends", 1n, 601_000, 1],
])("a transaction %s", (_, nowMicros, nowMs, expired) => {
  expect(filled([{}]).pool.expired(nowMicros, nowMs)).toHaveLength(expired);
});

test("under any sequence of operations a block is in sequence, ranked and within bounds", () => {
  const request = fc.record({ from: fc.nat(4), sequence: fc.nat(5), price: fc.integer({ min: 100, max: 104 }) });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 60 }), fc.nat(6), (requests, max) => {
      const pool = new Mempool({ capacity: 12, capacityBytes: 1_000, perAccount: 4, timeToLiveMs: 1 });
      for (const [arrival, each] of requests.entries()) {
        const admission = pool.checkAdmission(candidate(each), 0n);
        if (admission.kind !== "admit") continue;
        if (admission.drops !== null) pool.remove(admission.drops);
        pool.add({ ...candidate(each), arrival, arrivedMs: 0 }, 0n);
        expect(pool.size).toBeLessThanOrEqual(12);
      }
      const ready = pool.ready(max);
      expect(ready.length).toBeLessThanOrEqual(max);
      const next = new Map<Address, bigint>();
      let ceiling = 1_000n;
      for (const { transaction } of ready) {
        const { sender, sequenceNumber, gasUnitPrice } = transaction;
        expect(sequenceNumber).toBe(next.get(sender.address) ?? 0n);
        next.set(sender.address, sequenceNumber + 1n);
        if (sequenceNumber === 0n) {
          expect(gasUnitPrice <= ceiling).toBe(true);
          ceiling = gasUnitPrice;
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a pool at its byte limit is full, and makes room only by dropping enough bytes", () => {
  const long = (from: number) => ({ ...candidate({ from }), signedBytes: new Uint8Array(12) });
  const limits = { ...LIMITS, capacityBytes: 21 };
  const parked = filled([{ from: 1 }, { from: 2, sequence: 5 }], limits);
  expect(parked.pool.checkAdmission(candidate({ from: 3 }), 0n)).toEqual({ kind: "admit", drops: null });
  expect(parked.pool.checkAdmission(long(3), 0n)).toEqual({ kind: "admit", drops: parked.taken[1] });
  const ready = filled([{ from: 1 }, { from: 2 }], limits);
  expect(ready.pool.checkAdmission(long(3), 0n)).toMatchObject({ kind: "mempool_is_full" });
  const [first] = ready.taken;
  if (first !== undefined) ready.pool.remove(first);
  expect(ready.pool.checkAdmission(long(3), 0n)).toEqual({ kind: "admit", drops: null });
  const tight = filled([{ from: 1 }, { from: 2, sequence: 5 }], { ...limits, capacityBytes: 18 });
  expect(tight.pool.checkAdmission(long(3), 0n)).toMatchObject({ kind: "mempool_is_full" });
});

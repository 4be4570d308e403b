import { expect, test } from "vitest";
import { hashOfBytes } from "../../../src/chain/hash-value.ts";
import { fixedAddress } from "../../framework/addresses.ts";
import type { CommittedTransaction, FundResult, HashLookup } from "../../ledger/api.ts";
import { type FaucetOrder, funding } from "../../ledger/funding.ts";

const [FAUCET, NEWCOMER] = [fixedAddress("0xfa"), fixedAddress("0xbeef")];
const HASH = hashOfBytes(new Uint8Array(32).fill(1));
const NOW_MS = 1_800_000_000_999;

const BYTES = new Uint8Array(32);
const BLOCK = { height: 1, hash: HASH, epoch: 1, round: 1, proposer: FAUCET, timestampMicros: 1 };
const COMMITTED: CommittedTransaction = {
  kind: "user",
  version: 1,
  height: 1,
  hash: HASH,
  body: new Uint8Array(),
  gasUsed: 1,
  status: { kind: "executed" },
  stateChange: BYTES,
  eventRoot: BYTES,
  checkpoint: null,
  root: BYTES,
  block: { ...BLOCK, first: 1, last: 3, users: 1, lowestPrice: 100 },
  events: [],
  changes: [],
};

/** A chain on which each payment is committed by the given number of blocks, or dropped by the next one. */
function faucetOver(blocksUntilCommit: number, { isDropped = false, balance = 1_100n } = {}) {
  const orders: FaucetOrder[] = [];
  let blocks = 0;
  const find = (): HashLookup => {
    if (isDropped) return { kind: "not_found" };
    if (blocks < blocksUntilCommit)
      return { kind: "found", value: { kind: "pending", hash: HASH, signedBytes: new Uint8Array() } };
    return { kind: "found", value: COMMITTED };
  };
  const fund = funding(
    {
      address: FAUCET,
      maxFee: 100n,
      sign: (order) => {
        orders.push(order);
        return new Uint8Array();
      },
    },
    {
      nextSequenceNumber: () => BigInt(orders.length),
      submit: async () => ({
        kind: "accepted",
        pending: { kind: "pending", hash: HASH, signedBytes: new Uint8Array() },
      }),
      find,
      makeBlock: () => {
        blocks += 1;
      },
      balance: () => balance,
      nowMs: () => NOW_MS,
    },
  );
  return { orders, fund: (amount: bigint): Promise<FundResult> => fund(NEWCOMER, amount) };
}

test.each([
  [1, "funded"],
  [64, "funded"],
  [65, "refused"],
])("a payment that is committed by block %i is %s", async (blocks, kind) => {
  expect((await faucetOver(blocks).fund(5n)).kind).toBe(kind);
});

test("a payment that is dropped is refused with that reason", async () => {
  const dropped = faucetOver(1, { isDropped: true });
  expect(await dropped.fund(5n)).toEqual({ kind: "refused", message: "The faucet's transaction was dropped." });
});

test.each([
  [1_000n, "funded"],
  [1_001n, "refused"],
])("of a balance of 1,100 with fees up to 100, %d is %s", async (amount, kind) => {
  expect((await faucetOver(1).fund(amount)).kind).toBe(kind);
});

test("payments are made one at a time, in order, and expire after a minute", async () => {
  const { fund, orders } = faucetOver(1);
  await Promise.all([fund(1n), fund(2n)]);
  const expirationSeconds = 1_800_000_060n;
  expect(orders).toEqual([
    { recipient: NEWCOMER, amount: 1n, sequenceNumber: 0n, expirationSeconds },
    { recipient: NEWCOMER, amount: 2n, sequenceNumber: 1n, expirationSeconds },
  ]);
});

test.each([
  [102n, 2n],
  [101n, 1n],
  [100n, 0n],
  [99n, 0n],
])("with a balance of %d and fees up to 100 it reports that it can pay %d", async (balance, available) => {
  expect(await faucetOver(1, { balance }).fund(5n)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining(`can pay ${available} base units, fewer than the requested 5;`),
  });
});

import { expect, test } from "vitest";
import { type Address, parseAddress } from "../../../src/chain/address.ts";
import { hashOfBytes } from "../../../src/chain/hash-value.ts";
import { decodeSignedTransaction, encodeSignedTransaction } from "../../codec/transaction.ts";
import { ALICE, BOB, CAROL, FAUCET } from "../../development-keys.ts";
import { CORE_RESOURCES, FRAMEWORK, NATIVE_COIN } from "../../framework/addresses.ts";
import { coinSupply } from "../../framework/coin.ts";
import { coinBalance } from "../../framework/coin-state.ts";
import type { CommittedTransaction, PendingTransaction, SubmitResult } from "../../ledger/api.ts";
import { Session } from "../../vm/session.ts";
import { openWorld, SETTINGS, START_MS, signed, type TransactionRequest, type World } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

const fresh = (settings = {}) => openWorld(sqliteStorage(), settings);

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`not an address: ${text}`);
  return parsed;
}

const NEWCOMER = address("0xabcdef");

async function accept(world: World, request: TransactionRequest): Promise<PendingTransaction> {
  const result = await world.ledger.submit(signed(request));
  if (result.kind !== "accepted") throw new Error(`${result.kind}: ${JSON.stringify(result, (_, v) => String(v))}`);
  return result.pending;
}

function at(world: World, version: bigint): CommittedTransaction {
  const found = world.ledger.transactionByVersion(version);
  if (found.kind !== "found") throw new Error(`version ${version}: ${found.kind}`);
  return found.value;
}

function balance(world: World, owner: Address, version: bigint | null = null): bigint {
  const lookup = world.ledger.stateAt(version);
  if (lookup.kind !== "found") throw new Error(lookup.kind);
  return coinBalance(new Session(lookup.state, null), NATIVE_COIN, owner);
}

function supplyOf(world: World): bigint {
  const lookup = world.ledger.stateAt(null);
  if (lookup.kind !== "found") throw new Error(lookup.kind);
  return coinSupply(new Session(lookup.state, null), NATIVE_COIN) ?? 0n;
}

test("a new ledger contains genesis: version 0 in block 0 at time 0", () => {
  const { ledger } = fresh();
  expect(ledger.info()).toEqual({
    chainId: 4,
    version: 0n,
    oldestVersion: 0n,
    timestampMicros: 0n,
    epoch: 0n,
    blockHeight: 0n,
    oldestBlockHeight: 0n,
  });
  const block = ledger.blockByHeight(0n, true);
  expect(block).toMatchObject({
    kind: "found",
    value: { first: 0, last: 0, timestampMicros: 0, transactions: [{ kind: "genesis", version: 0 }] },
  });
});

test("a block is metadata, user transactions and a checkpoint, which alone has its hash", async () => {
  const world = fresh();
  await accept(world, { from: ALICE, sequence: 0n, to: BOB.address });
  await accept(world, { from: BOB, sequence: 0n, to: ALICE.address });
  world.block();
  const found = world.ledger.blockByHeight(1n, true);
  if (found.kind !== "found") throw new Error(found.kind);
  const { transactions, first, last, timestampMicros } = found.value;
  expect([first, last, timestampMicros]).toEqual([1, 4, (START_MS + 1_000) * 1_000]);
  expect(transactions?.map(({ kind }) => kind)).toEqual(["block_metadata", "user", "user", "state_checkpoint"]);
  expect(transactions?.map(({ checkpoint }) => checkpoint !== null)).toEqual([false, false, false, true]);
  expect(world.ledger.blockByVersion(3n, false)).toEqual({
    kind: "found",
    value: { ...found.value, transactions: null },
  });
  for (const record of transactions ?? []) {
    expect(record.block.timestampMicros).toBe(timestampMicros);
    expect(world.ledger.transactionByHash(record.hash)).toEqual({ kind: "found", value: record });
  }
});

test("a block that others follow has its own transactions only, and the one validator as proposer", async () => {
  const world = fresh();
  await accept(world, { from: ALICE, sequence: 0n, to: BOB.address });
  world.block();
  world.block();
  const found = world.ledger.blockByHeight(1n, true);
  if (found.kind !== "found") throw new Error(found.kind);
  expect(found.value.transactions?.map(({ version, kind }) => [version, kind])).toEqual([
    [1, "block_metadata"],
    [2, "user"],
    [3, "state_checkpoint"],
  ]);
  expect(found.value.proposer).toBe(address("0x1"));
});

test("timestamps increase even if the clock does not", () => {
  const world = fresh();
  world.block();
  world.block(0);
  world.block(-3_600);
  const times = [1n, 2n, 3n].map((height) => {
    const block = world.ledger.blockByHeight(height, false);
    return block.kind === "found" ? block.value.timestampMicros : null;
  });
  const first = (START_MS + 1_000) * 1_000;
  expect(times).toEqual([first, first + 1, first + 2]);
});

test("an epoch ends with the first block past its interval, and rounds restart", () => {
  const world = fresh();
  for (let block = 0; block < 3; block += 1) world.block();
  world.block(7_200);
  world.block();
  const heads = [];
  for (let version = 1n; version <= world.ledger.info().version; version += 2n) {
    const record = at(world, version);
    if (record.kind === "block_metadata") heads.push([record.block.epoch, record.block.round]);
  }
  const [first] = heads;
  expect(heads.map(([epoch]) => (epoch ?? 0) - (first?.[0] ?? 0))).toEqual([0, 1, 1, 1, 2]);
  expect(heads.map(([, round]) => round)).toEqual([1, 1, 2, 3, 1]);
});

const nowSeconds = BigInt(START_MS) / 1_000n;
const REFUSED: readonly (readonly [string, TransactionRequest, Partial<SubmitResult> | object])[] = [
  [
    "a stale sequence number",
    { from: ALICE, sequence: 0n },
    { kind: "sequence_number_too_old", given: 0n, current: 1n },
  ],
  [
    "a stale one with an invalid signature: the number is checked first",
    { from: ALICE, sequence: 0n, forged: true },
    { kind: "sequence_number_too_old" },
  ],
  ["a signature of another transaction", { from: ALICE, sequence: 1n, forged: true }, { failure: { code: 1 } }],
  [
    "that and too much gas: the signature is checked first",
    { from: ALICE, sequence: 1n, forged: true, maxGas: 2_000_001n },
    { failure: { code: 1 } },
  ],
  ["too much gas", { from: ALICE, sequence: 1n, maxGas: 2_000_001n }, { failure: { code: 13 } }],
];

test.each(REFUSED)("%s is refused", async (_, request, expected) => {
  const world = fresh();
  await accept(world, { from: ALICE, sequence: 0n });
  world.block();
  expect(await world.ledger.submit(signed(request))).toMatchObject(expected);
  world.block();
  expect(world.ledger.info().version).toBe(5n);
});

test.each([
  [65_536, false],
  [65_537, true],
])("a transaction of %i bytes is too large: %s", async (bytes, isTooLarge) => {
  const { ledger } = fresh();
  const sized = (padding: number): Uint8Array =>
    signed({
      from: ALICE,
      sequence: 0n,
      forged: true,
      maxGas: 2_000_000n,
      call: { module: "coin", name: "transfer", arguments: [new Uint8Array(padding)] },
    });
  const signedBytes = sized(60_000 + bytes - sized(60_000).length);
  expect(signedBytes).toHaveLength(bytes);
  const message = `The signed transaction has ${bytes} bytes; the maximum is 65536.`;
  const options = { estimateMaxGasAmount: false, estimateGasUnitPrice: false, estimatePrioritizedGasUnitPrice: false };
  const [submitted, simulated] = [await ledger.submit(signedBytes), await ledger.simulate(signedBytes, options)];
  if (isTooLarge) {
    expect(submitted).toMatchObject({ kind: "rejected", failure: { code: 10, message } });
    expect(simulated).toEqual({ kind: "invalid_input", message });
  } else {
    expect(submitted).toMatchObject({ kind: "rejected", failure: { status: "INVALID_SIGNATURE" } });
    expect(simulated.kind).toBe("simulated");
  }
});

test("an idle chain's time lags, so expiration is checked by the clock too", async () => {
  const world = fresh();
  world.nowMs += 3_600_000;
  const late = signed({ from: ALICE, sequence: 0n, expires: nowSeconds + 3_600n });
  expect(await world.ledger.submit(late)).toMatchObject({ kind: "rejected", failure: { code: 6 } });
});

test("transactions after a gap are parked until it closes, then commit in sequence", async () => {
  const world = fresh();
  const parked = await accept(world, { from: ALICE, sequence: 1n, to: NEWCOMER, amount: 10n });
  world.block();
  expect(world.ledger.transactionByHash(parked.hash)).toEqual({ kind: "found", value: parked });
  await accept(world, { from: ALICE, sequence: 0n, to: NEWCOMER, amount: 1n });
  world.block();
  expect(balance(world, NEWCOMER)).toBe(11n);
  const sent = world.ledger.accountTransactions(ALICE.address, null, 25);
  expect(sent.kind === "found" && sent.value.map(({ version }) => version)).toEqual([4, 5]);
});

test("the same transaction is accepted again and commits once", async () => {
  const world = fresh();
  const first = await accept(world, { from: ALICE, sequence: 0n, to: NEWCOMER, amount: 7n });
  expect(await accept(world, { from: ALICE, sequence: 0n, to: NEWCOMER, amount: 7n })).toEqual(first);
  world.block();
  expect(balance(world, NEWCOMER)).toBe(7n);
  expect(world.ledger.info().version).toBe(3n);
});

test("a higher price replaces a pending transaction, which is then not found", async () => {
  const world = fresh();
  const cheap = await accept(world, { from: ALICE, sequence: 0n, price: 100n });
  const waiting = world.ledger.waitByHash(cheap.hash);
  const dear = await accept(world, { from: ALICE, sequence: 0n, price: 200n });
  expect(await waiting).toEqual({ kind: "not_found" });
  expect(world.reopened().ledger.transactionByHash(cheap.hash), "after a restart too").toEqual({ kind: "not_found" });
  world.block();
  expect(world.ledger.transactionByHash(cheap.hash)).toEqual({ kind: "not_found" });
  expect(world.ledger.transactionByHash(dear.hash)).toMatchObject({ value: { kind: "user" } });
});

test("an expired transaction is dropped, and its waiters are notified", async () => {
  const world = fresh();
  const parked = await accept(world, { from: ALICE, sequence: 5n, expires: nowSeconds + 2n });
  const waiting = world.ledger.waitByHash(parked.hash);
  world.block(1);
  expect(world.ledger.transactionByHash(parked.hash).kind).toBe("found");
  world.block(1);
  expect(await waiting).toEqual({ kind: "not_found" });
  expect(world.reopened().ledger.transactionByHash(parked.hash)).toEqual({ kind: "not_found" });
});

test("a block resolves a waiter before its timeout", async () => {
  const world = fresh();
  const { hash } = await accept(world, { from: ALICE, sequence: 0n });
  const waiting = world.ledger.waitByHash(hash);
  world.block();
  expect(await waiting).toMatchObject({ kind: "found", value: { kind: "user", version: 2 } });
  expect(await world.ledger.waitByHash(hash)).toMatchObject({ value: { version: 2 } });
  expect(await world.ledger.waitByHash(hashOfBytes(new Uint8Array(32)))).toEqual({ kind: "not_found" });
});

test("a batch is submitted in order: consecutive sequence numbers are accepted together", async () => {
  const world = fresh();
  const batch = [0n, 1n, 1n, 2n].map((sequence, index) => signed({ from: ALICE, sequence, amount: BigInt(index + 1) }));
  const results = await world.ledger.submitBatch(batch);
  expect(results.map(({ kind }) => kind)).toEqual(["accepted", "accepted", "invalid_transaction_update", "accepted"]);
  world.block();
  expect(world.ledger.info().version).toBe(5n);
});

test("a failed transaction commits: fee charged, sequence number used, nothing else changed", async () => {
  const world = fresh();
  const before = balance(world, ALICE.address);
  const { hash } = await accept(world, { from: ALICE, sequence: 0n, to: NEWCOMER, amount: before * 2n });
  world.block();
  const found = world.ledger.transactionByHash(hash);
  if (found.kind !== "found" || found.value.kind !== "user") throw new Error("not committed");
  const { gasUsed, status } = found.value;
  expect(status).toMatchObject({ kind: "move_abort", module: "0x1::coin" });
  expect(balance(world, ALICE.address)).toBe(before - BigInt(gasUsed) * 100n);
  expect(balance(world, NEWCOMER)).toBe(0n);
  expect(await world.ledger.submit(signed({ from: ALICE, sequence: 0n }))).toMatchObject({
    kind: "sequence_number_too_old",
  });
});

test("a simulation reports the outcome and changes nothing", async () => {
  const world = fresh();
  const options = { estimateMaxGasAmount: false, estimateGasUnitPrice: false, estimatePrioritizedGasUnitPrice: false };
  const run = (request: TransactionRequest, more = {}) =>
    world.ledger.simulate(signed({ forged: true, ...request }), { ...options, ...more });
  const before = balance(world, ALICE.address);
  const listed = await run({ from: ALICE, sequence: 0n, to: NEWCOMER, amount: 5n });
  expect(listed).toMatchObject({
    kind: "simulated",
    transaction: { kind: "user", version: 0, status: { kind: "executed" } },
  });
  expect(await run({ from: ALICE, sequence: 0n, amount: before })).toMatchObject({
    transaction: { status: { kind: "move_abort" } },
  });
  expect(await run({ from: ALICE, sequence: 3n })).toMatchObject({
    transaction: { gasUsed: 0, status: { kind: "named", name: "SEQUENCE_NUMBER_TOO_NEW" } },
  });
  expect(await run({ from: ALICE, sequence: 0n, forged: false })).toEqual({ kind: "valid_signature" });
  expect(
    await run(
      { from: ALICE, sequence: 0n, maxGas: 0n, price: 1n },
      { estimateMaxGasAmount: true, estimateGasUnitPrice: true },
    ),
  ).toMatchObject({
    transaction: { status: { kind: "executed" } },
  });
  expect([world.ledger.info().version, balance(world, ALICE.address)]).toEqual([0n, before]);
});

test.each([
  ["without further detail", { sequence: 3n }, { name: "SEQUENCE_NUMBER_TOO_NEW" }],
  [
    "with the unsupported feature",
    { sequence: 0n, call: { module: "code", name: "publish_package_txn", arguments: [] } },
    { name: "UNKNOWN_MODULE", message: expect.stringContaining("publishes no others") },
  ],
])("a simulation that is not valid for a block reports the reason, %s", async (_what, request, status) => {
  const options = { estimateMaxGasAmount: false, estimateGasUnitPrice: false, estimatePrioritizedGasUnitPrice: false };
  const simulated = await fresh().ledger.simulate(signed({ forged: true, from: ALICE, ...request }), options);
  if (simulated.kind !== "simulated") throw new Error(simulated.kind);
  expect(simulated.transaction.status).toEqual({ kind: "named", message: null, ...status });
});

test.each([
  [0n, "GAS_UNIT_PRICE_BELOW_MIN_BOUND"],
  [99n, "GAS_UNIT_PRICE_BELOW_MIN_BOUND"],
])("a simulation at the price %d that estimates gas reports %s", async (price, name) => {
  const options = { estimateMaxGasAmount: true, estimateGasUnitPrice: false, estimatePrioritizedGasUnitPrice: false };
  const simulated = await fresh().ledger.simulate(signed({ forged: true, from: ALICE, sequence: 0n, price }), options);
  expect(simulated).toMatchObject({ transaction: { gasUsed: 0, status: { kind: "named", name } } });
});

test("a simulation of a payer without funds reports the balance, even if it estimates gas", async () => {
  const world = fresh();
  await accept(world, { from: CAROL, sequence: 0n, to: NEWCOMER, amount: balance(world, CAROL.address) - 300_000n });
  world.block();
  const simulated = await world.ledger.simulate(
    signed({ forged: true, from: CAROL, sequence: 1n, price: 1_000_000n }),
    {
      estimateMaxGasAmount: true,
      estimateGasUnitPrice: false,
      estimatePrioritizedGasUnitPrice: false,
    },
  );
  expect(simulated).toMatchObject({
    transaction: { status: { kind: "named", name: "INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE" } },
  });
});

test("a sponsored simulation that estimates gas runs before its sponsor is known", async () => {
  const world = fresh();
  const decoded = decodeSignedTransaction(signed({ forged: true, from: ALICE, sequence: 0n }));
  if (decoded.kind === "malformed") throw new Error(decoded.message);
  const unsigned = { kind: "no_account" } as const;
  const simulate = (feePayerAddress: Address) =>
    world.ledger.simulate(
      encodeSignedTransaction({
        raw: decoded.value.raw,
        authenticator: {
          kind: "fee_payer",
          sender: unsigned,
          secondaryAddresses: [],
          secondarySigners: [],
          feePayerAddress,
          feePayerSigner: unsigned,
        },
      }),
      { estimateMaxGasAmount: true, estimateGasUnitPrice: true, estimatePrioritizedGasUnitPrice: false },
    );
  expect(await simulate(address("0x0"))).toMatchObject({ transaction: { status: { kind: "executed" } } });
  expect(await simulate(NEWCOMER)).toMatchObject({
    transaction: { status: { kind: "named", name: "INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE" } },
  });
});

test("the faucet responds after its commit, with many callers and higher gas prices ahead", async () => {
  const world = fresh();
  for (let sequence = 0n; sequence < 20n; sequence += 1n) await accept(world, { from: ALICE, sequence, price: 500n });
  const requested = [address("0xf1"), address("0xf2"), NEWCOMER];
  const funded = await Promise.all(requested.map((owner) => world.ledger.fund(owner, 1_000n)));
  expect(funded.map(({ kind }) => kind)).toEqual(["funded", "funded", "funded"]);
  for (const owner of requested) expect(balance(world, owner)).toBe(1_000n);
  expect(await world.ledger.fund(NEWCOMER, 2n ** 64n - 1n)).toMatchObject({ kind: "refused" });
  expect(world.ledger.accountTransactions(CORE_RESOURCES, 0n, 25)).toMatchObject({ kind: "found" });
});

test("the faucet pays from its reserve and reports the rest when it is not enough", async () => {
  const world = fresh();
  const reserve = balance(world, CORE_RESOURCES);
  const supply = supplyOf(world);
  expect(await world.ledger.fund(NEWCOMER, 1_000n)).toMatchObject({ kind: "funded" });
  expect(balance(world, NEWCOMER)).toBe(1_000n);
  expect(balance(world, CORE_RESOURCES)).toBeLessThan(reserve - 1_000n);
  expect(supplyOf(world)).toBeLessThan(supply);
  const left = balance(world, CORE_RESOURCES) - 2_000_000n;
  expect(await world.ledger.fund(NEWCOMER, left + 1n)).toEqual({
    kind: "refused",
    message: `The faucet's reserve can pay ${left} base units, fewer than the requested ${left + 1n}; request less, or start a fresh chain.`,
  });
  expect(await world.ledger.fund(NEWCOMER, left)).toMatchObject({ kind: "funded" });
  expect(await world.ledger.fund(NEWCOMER, 1n)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("can pay 0 base units"),
  });
});

test("the faucet pays despite a full mempool, unless it is full of its own transactions", async () => {
  const mempool = { ...SETTINGS.mempool, capacity: 10, perAccount: 10 };
  const world = openWorld(sqliteStorage(), { mempool });
  for (let sequence = 0n; sequence < 10n; sequence += 1n) await accept(world, { from: ALICE, sequence });
  expect(await world.ledger.submit(signed({ from: BOB, sequence: 0n }))).toMatchObject({ kind: "mempool_is_full" });
  expect(await world.ledger.fund(NEWCOMER, 5n)).toMatchObject({ kind: "funded" });
  expect(balance(world, NEWCOMER)).toBe(5n);
  for (let sequence = 2n; sequence < 12n; sequence += 1n)
    await accept(world, { from: FAUCET, sender: CORE_RESOURCES, sequence });
  expect(await world.ledger.fund(NEWCOMER, 5n)).toMatchObject({ kind: "mempool_is_full" });
});

test("a new instance over the same storage returns the same data at any time", async () => {
  const world = fresh();
  const pending = [];
  for (let sequence = 0n; sequence < 4n; sequence += 1n) {
    pending.push(await accept(world, { from: ALICE, sequence, to: NEWCOMER }));
    pending.push(await accept(world, { from: BOB, sequence: sequence + 1n, to: NEWCOMER }));
    const again = world.reopened();
    expect(again.ledger.info()).toEqual(world.ledger.info());
    for (const each of pending)
      expect(again.ledger.transactionByHash(each.hash)).toEqual(world.ledger.transactionByHash(each.hash));
    world.block();
  }
  const again = world.reopened();
  await accept(again, { from: BOB, sequence: 0n, to: NEWCOMER });
  again.block();
  for (const { hash } of pending)
    expect(again.ledger.transactionByHash(hash)).toMatchObject({ kind: "found", value: { kind: "user" } });
  expect(balance(again, NEWCOMER)).toBe(9n);
});

test("a failed block write has no effect; the next block has the same transactions", async () => {
  const storage = sqliteStorage();
  let writesLeft = Number.POSITIVE_INFINITY;
  const world = openWorld({
    ...storage,
    run: (statement, ...values) => {
      if (!statement.startsWith("SELECT")) writesLeft -= 1;
      if (writesLeft < 0) throw new Error("disk full");
      return storage.run(statement, ...values);
    },
  });
  const { hash } = await accept(world, { from: ALICE, sequence: 0n, to: NEWCOMER, amount: 3n });
  const rows = () =>
    ["transactions", "event", "block", "state_value", "state_key", "mempool", "stream"].map((table) =>
      Object.values(storage.run(`SELECT COUNT(*) AS n FROM ${table}`)[0] ?? {}),
    );
  const before = rows();
  let failures = 0;
  for (let allowed = 0; ; allowed += 1) {
    writesLeft = allowed;
    try {
      world.block();
      break;
    } catch {
      failures += 1;
      writesLeft = Number.POSITIVE_INFINITY;
      expect(rows()).toEqual(before);
      expect(world.ledger.info().version).toBe(0n);
      expect(world.ledger.transactionByHash(hash)).toMatchObject({ value: { kind: "pending" } });
      expect(balance(world, NEWCOMER)).toBe(0n);
    }
  }
  expect(failures).toBeGreaterThan(20);
  expect(world.ledger.transactionByHash(hash)).toMatchObject({ value: { kind: "user" } });
  expect(balance(world, NEWCOMER)).toBe(3n);
});

test("ranges: the latest by default, ascending; each bound has its own error", async () => {
  const world = fresh();
  for (let sequence = 0n; sequence < 6n; sequence += 1n)
    await accept(world, { from: ALICE, sequence, to: CAROL.address });
  world.block();
  const { ledger } = world;
  const versions = (found: ReturnType<typeof ledger.transactions>) =>
    found.kind === "found" ? found.value.map(({ version }) => version) : found;
  expect(versions(ledger.transactions(null, 3))).toEqual([6, 7, 8]);
  expect(versions(ledger.transactions(null, 100))).toHaveLength(9);
  expect(versions(ledger.transactions(7n, 100))).toEqual([7, 8]);
  expect(versions(ledger.transactions(9n, 1))).toEqual({ kind: "start_beyond_tip", start: 9n });
  const sent = (start: bigint | null, limit: number) => {
    const found = ledger.accountTransactions(ALICE.address, start, limit);
    return found.kind === "found" ? found.value.map(({ version }) => version) : found;
  };
  expect(sent(null, 2)).toEqual([6, 7]);
  expect(sent(1n, 2)).toEqual([3, 4]);
  expect(sent(6n, 2)).toEqual([]);
  expect(sent(2n ** 64n - 1n, 2)).toEqual([]);
  expect(ledger.accountTransactions(NEWCOMER, null, 2)).toEqual({ kind: "account_not_found" });
  expect(ledger.transactionByVersion(9n)).toEqual({ kind: "version_not_found", version: 9n });
  expect(ledger.blockByHeight(2n, false)).toEqual({ kind: "block_not_found", height: 2n });
  expect(ledger.blockByVersion(9n, false)).toEqual({ kind: "version_not_found", version: 9n });
  expect(ledger.stateAt(9n)).toEqual({ kind: "version_not_found", version: 9n });
  expect(ledger.list("resource", ALICE.address, 9n, null, 5)).toEqual({ kind: "version_not_found", version: 9n });
});

test("cursors that are malformed, or of another account, are refused", () => {
  const { ledger } = fresh();
  const page = ledger.list("resource", FRAMEWORK, null, null, 1);
  const cursor = page.kind === "page" ? page.nextCursor : null;
  expect(cursor).not.toBeNull();
  for (const bad of ["", "zz", "00", "0x00"])
    expect(ledger.list("resource", FRAMEWORK, null, bad, 5)).toEqual({ kind: "bad_cursor" });
  expect(ledger.list("resource", ALICE.address, null, cursor, 5)).toEqual({ kind: "bad_cursor" });
});

test("a block's row has the number and the lowest price of its user transactions, if any", async () => {
  const storage = sqliteStorage();
  const world = openWorld(storage);
  for (const [sequence, price] of [150n, 120n, 130n].entries())
    await accept(world, { from: ALICE, sequence: BigInt(sequence), to: BOB.address, price });
  world.block();
  world.block();
  const rows = storage.run("SELECT users, lowest_price FROM block ORDER BY height DESC LIMIT 2");
  expect(rows.map((row) => Object.values(row))).toEqual([
    [0, null],
    [3, 120],
  ]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Address, parseAddress } from "../../../src/chain/address.ts";
import { ALICE, BOB, CAROL, DEVELOPMENT_ACCOUNTS, type DevelopmentAccount } from "../../development-keys.ts";
import { account } from "../../framework/account.ts";
import { NATIVE_COIN } from "../../framework/addresses.ts";
import { coinSupply } from "../../framework/coin.ts";
import { coinBalance, coinStore } from "../../framework/coin-state.ts";
import type { CommittedTransaction } from "../../ledger/api.ts";
import { Session } from "../../vm/session.ts";
import { audit } from "../support/audit-ledger.ts";
import { hashOfSigned, openWorld, signed, type TransactionRequest, type World } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

const SENDERS: readonly DevelopmentAccount[] = [ALICE, BOB, CAROL];
const STRANGERS: readonly Address[] = Array.from({ length: 12 }, (_, n) => parseAddress(`0xabc${n + 10}`)).filter(
  (address) => address !== undefined,
);
const RECIPIENTS = [...SENDERS.map(({ address }) => address), ...STRANGERS];

/** The expected state, computed by arithmetic alone. */
interface Model {
  readonly balances: Map<Address, bigint>;
  readonly sequences: Map<Address, bigint>;
  supply: bigint;
  /** Deposits and withdrawals of each account, in order. */
  readonly deposits: Map<Address, bigint[]>;
  readonly withdrawals: Map<Address, bigint[]>;
}

type Step =
  | {
      readonly kind: "send";
      readonly who: number;
      readonly to: number;
      readonly share: number;
      readonly ahead: number;
      readonly price: number;
    }
  | { readonly kind: "bad"; readonly who: number; readonly failure: keyof typeof FAILURES }
  | { readonly kind: "block" }
  | { readonly kind: "restart" };

const FAILURES = {
  stale: (next: bigint): Partial<TransactionRequest> => ({ sequence: (next + 2n ** 64n - 1n) % 2n ** 64n }),
  forged: (): Partial<TransactionRequest> => ({ forged: true }),
  foreign: (): Partial<TransactionRequest> => ({ chainId: 9 }),
  expired: (): Partial<TransactionRequest> => ({ expires: 1n }),
  cheap: (): Partial<TransactionRequest> => ({ price: 1n }),
  starved: (): Partial<TransactionRequest> => ({ maxGas: 1n }),
} as const;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      who: fc.nat(2),
      to: fc.nat(14),
      share: fc.nat(110),
      ahead: fc.constantFrom(0, 0, 0, 0, 1, 2),
      price: fc.integer({ min: 100, max: 103 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("bad" as const),
      who: fc.nat(2),
      failure: fc.constantFrom(...(Object.keys(FAILURES) as (keyof typeof FAILURES)[])),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "block" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

function sessionAt(world: World, version: bigint | null): Session {
  const lookup = world.ledger.stateAt(version);
  if (lookup.kind !== "found") throw new Error(lookup.kind);
  return new Session(lookup.state, null);
}

function modelOf(world: World): Model {
  const session = sessionAt(world, null);
  const everyone = [...DEVELOPMENT_ACCOUNTS.map(({ address }) => address), ...STRANGERS];
  const minted = new Map(SENDERS.map(({ address }) => [address, [coinBalance(session, NATIVE_COIN, address)]]));
  return {
    balances: new Map(everyone.map((address) => [address, coinBalance(session, NATIVE_COIN, address)])),
    sequences: new Map(SENDERS.map(({ address }) => [address, 0n])),
    supply: coinSupply(session, NATIVE_COIN) ?? 0n,
    deposits: minted,
    withdrawals: new Map(),
  };
}

/** Applies one committed transaction to the model, and compares the record with the expected outcome. */
function apply(model: Model, record: CommittedTransaction, request: TransactionRequest): void {
  const { from, to = from.address, amount = 0n, price = 100n, sequence } = request;
  const sender = from.address;
  expect(sequence).toBe(model.sequences.get(sender));
  model.sequences.set(sender, sequence + 1n);
  const fee = BigInt(record.gasUsed) * price;
  const owned = model.balances.get(sender) ?? 0n;
  const succeeds = record.status.kind === "executed";
  const leaves = to === sender ? owned : owned - amount;
  if (succeeds) expect(owned >= amount && leaves >= fee).toBe(true);
  else {
    expect(record.status.kind).toBe("move_abort");
    expect(owned < amount || leaves < 2_000n * price).toBe(true);
  }
  if (succeeds) {
    model.balances.set(sender, owned - amount);
    model.balances.set(to, (model.balances.get(to) ?? 0n) + amount);
    // A withdrawal of 0 emits no event; a deposit of 0 does.
    if (amount > 0n) model.withdrawals.set(sender, [...(model.withdrawals.get(sender) ?? []), amount]);
    model.deposits.set(to, [...(model.deposits.get(to) ?? []), amount]);
  }
  model.balances.set(sender, (model.balances.get(sender) ?? 0n) - fee);
  model.supply -= fee;
}

/** Compares one version of the ledger with the model at that version. */
function compare(world: World, version: bigint | null, { balances, sequences, supply }: Model): void {
  const session = sessionAt(world, version);
  for (const [address, balance] of balances) expect(coinBalance(session, NATIVE_COIN, address)).toBe(balance);
  for (const [address, sequence] of sequences) expect(session.get(account, address).sequence_number).toBe(sequence);
  expect(coinSupply(session, NATIVE_COIN)).toBe(supply);
}

function compareEvents(world: World, model: Model): void {
  const session = sessionAt(world, null);
  for (const address of RECIPIENTS) {
    const store = session.find(coinStore.of(NATIVE_COIN), address);
    if (store === undefined) continue;
    for (const [handle, amounts] of [
      [store.deposit_events, model.deposits.get(address) ?? []],
      [store.withdraw_events, model.withdrawals.get(address) ?? []],
    ] as const) {
      const found = world.ledger.events(address, handle.guid.id.creation_num, 0n, 10_000);
      if (found.kind !== "found") throw new Error(found.kind);
      expect(handle.counter).toBe(BigInt(amounts.length));
      expect(found.value.map(({ event }) => event.sequenceNumber)).toEqual(amounts.map((_, n) => BigInt(n)));
      expect(
        found.value.map(({ event }) => new DataView(event.data.buffer, event.data.byteOffset).getBigUint64(0, true)),
      ).toEqual(amounts);
    }
  }
}

/** All committed transactions, genesis first. */
function historyOf(world: World): readonly CommittedTransaction[] {
  const found = world.ledger.transactions(0n, 1_000_000);
  if (found.kind !== "found") throw new Error(found.kind);
  return found.value;
}

async function play(steps: readonly Step[]): Promise<{ world: World; committed: number }> {
  let world = openWorld(sqliteStorage());
  const model = modelOf(world);
  const requests = new Map<string, TransactionRequest>();
  const snapshots: { version: bigint; model: Model }[] = [];
  let seen = 0n;
  const settle = () => {
    world.block();
    const info = world.ledger.info();
    for (let version = seen + 1n; version <= info.version; version += 1n) {
      const found = world.ledger.transactionByVersion(version);
      if (found.kind !== "found") throw new Error(found.kind);
      const request = requests.get(found.value.hash);
      if (found.value.kind === "user" && request !== undefined) apply(model, found.value, request);
      snapshots.push({
        version,
        model: { ...model, balances: new Map(model.balances), sequences: new Map(model.sequences) },
      });
    }
    seen = info.version;
  };
  for (const each of steps) {
    if (each.kind === "block") settle();
    else if (each.kind === "restart") world = world.reopened();
    else {
      const from = SENDERS[each.who] ?? ALICE;
      const next = model.sequences.get(from.address) ?? 0n;
      if (each.kind === "bad") {
        const result = await world.ledger.submit(signed({ from, sequence: next, ...FAILURES[each.failure](next) }));
        expect(result.kind).not.toBe("accepted");
        continue;
      }
      const balance = model.balances.get(from.address) ?? 0n;
      const request: TransactionRequest = {
        from,
        sequence: next + BigInt(each.ahead),
        to: RECIPIENTS[each.to] ?? from.address,
        amount: (balance * BigInt(each.share)) / 100n,
        price: BigInt(each.price),
      };
      const result = await world.ledger.submit(signed(request));
      if (result.kind === "accepted") requests.set(result.pending.hash, request);
      else expect(["invalid_transaction_update", "rejected"]).toContain(result.kind);
    }
  }
  settle();
  compareEvents(world, model);
  for (const { version, model: then } of snapshots) compare(world, version, then);
  expect(world.errors).toEqual([]);
  return { world, committed: requests.size };
}

test("thousands of valid and invalid transactions, blocks and restarts match a model", async () => {
  let committed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 150, maxLength: 350 }), async (steps) => {
      const played = await play(steps);
      committed += played.committed;
      const history = historyOf(played.world);
      expect(history.length).toBe(Number(played.world.ledger.info().version) + 1);
      expect(audit(history, hashOfSigned)).toEqual([]);
    }),
    { numRuns: 12, seed: 20_261_121, endOnFailure: true },
  );
  expect(committed).toBeGreaterThan(1_000);
}, 300_000);

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Address } from "../../../src/chain/address.ts";
import type { EntryFunction } from "../../codec/transaction.ts";
import { ALICE, BOB, CAROL, FAUCET, ISSUER, TREASURY, WALLET_OWNERS } from "../../development-keys.ts";
import { account } from "../../framework/account.ts";
import { CORE_RESOURCES, fixedAddress, NATIVE_ASSET, NATIVE_COIN } from "../../framework/addresses.ts";
import { coinStore } from "../../framework/coin-state.ts";
import { supply as assetSupply, fungibleStore } from "../../framework/fungible-asset-state.ts";
import { derivedObjectAddress } from "../../framework/object-state.ts";
import { address, u64, vector } from "../../framework/schema.ts";
import { stakePool } from "../../framework/stake-state.ts";
import { GENESIS_SUPPLY, NATIVE_TOKEN, STABLE_TOKEN } from "../../genesis.ts";
import { mintedFor } from "../../genesis-wallets.ts";
import type { MoveEvent } from "../../vm/effects.ts";
import { callTo, given, WALLETS, type Who, World } from "./world.ts";

const [COMMUNITY, , FOUNDATION] = WALLET_OWNERS;
const MINTER: Who = { address: CORE_RESOURCES, authenticationKey: FAUCET.authenticationKey };
const SENDERS: readonly Who[] = [ALICE, BOB, CAROL, ISSUER, TREASURY, MINTER, COMMUNITY, FOUNDATION];
const ELSEWHERE = WALLETS.filter(({ holds }) => !["account", "stake_pool"].includes(holds)).reduce(
  (sum, wallet) => sum + mintedFor(wallet),
  0n,
);
const STRANGERS = [fixedAddress("0xb1"), fixedAddress("0xb2"), fixedAddress("0x1"), fixedAddress("0x3")];
const EVERYBODY: readonly Address[] = [...SENDERS.map(({ address: at }) => at), ...STRANGERS];

const who = fc.constantFrom(...SENDERS);
const to = fc.constantFrom(...EVERYBODY);
const amount = fc.oneof(
  fc.bigInt(0n, 10n * NATIVE_TOKEN),
  fc.bigInt(0n, 2_000_000n * NATIVE_TOKEN),
  fc.bigInt(0n, 2n ** 64n - 1n),
);

/** Calls that move money, many of which fail: too much, to a missing account, by the wrong account. */
const call: fc.Arbitrary<EntryFunction> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(to, amount).map(([at, n]) => payment("0x1::aptos_account::transfer", at, n)) },
  fc.tuple(to, amount).map(([at, n]) => payment("0x1::coin::transfer", at, n, [NATIVE_COIN])),
  fc.tuple(to, amount).map(([at, n]) => payment("0x1::aptos_account::transfer_coins", at, n, [NATIVE_COIN])),
  fc.tuple(to, amount).map(([at, n]) => payment("0x1::aptos_coin::mint", at, n)),
  fc.tuple(to, amount).map(([at, n]) => payment("0xde5::faucet::fund", at, n)),
  fc.tuple(to, amount).map(([at, n]) => payment("0xde5::stable_token::mint", at, n)),
  fc.tuple(to, amount).map(([at, n]) => payment("0xde5::stable_token::burn", at, n)),
  fc
    .tuple(fc.constantFrom(STABLE_TOKEN, NATIVE_ASSET), to, amount)
    .map(([asset, at, n]) =>
      callTo(
        "0x1::primary_fungible_store::transfer",
        [given(address, asset), given(address, at), given(u64, n)],
        ["0x1::fungible_asset::Metadata"],
      ),
    ),
  fc.constant(callTo("0x1::coin::migrate_to_fungible_store", [], [NATIVE_COIN])),
  fc.array(fc.tuple(to, amount), { maxLength: 4 }).map((list) =>
    callTo("0x1::aptos_account::batch_transfer", [
      given(
        vector(address),
        list.map(([at]) => at),
      ),
      given(
        vector(u64),
        list.map(([, n]) => n),
      ),
    ]),
  ),
);

function payment(id: string, at: Address, n: bigint, types: readonly string[] = []): EntryFunction {
  return callTo(id, [given(address, at), given(u64, n)], types);
}

const step = fc.record({
  who,
  call,
  sponsor: fc.option(who, { freq: 4 }),
  maxGasAmount: fc.constantFrom(4n, 300n, 2_000n, 20_000n),
});

test("over thousands of transactions, coins are conserved and event streams are complete", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 140 }), (steps) => {
      const world = new World();
      let [minted, burned, committed] = [0n, 0n, 0];
      const expected = new Map<Address, bigint>();
      const events: MoveEvent[] = [];
      for (const { who: sender, call: chosen, sponsor, maxGasAmount } of steps) {
        const transaction = world.transaction(sender, chosen, { feePayer: sponsor, maxGasAmount });
        const outcome = world.execute(transaction);
        if (outcome.kind === "discarded") continue;
        committed += 1;
        const { status, gasUsed, events: emitted } = outcome.effects;
        expect(gasUsed).toBeLessThanOrEqual(maxGasAmount);
        burned += gasUsed * transaction.gasUnitPrice;
        if (status.kind === "executed" && isMint(chosen)) minted += lastU64(chosen);
        expected.set(sender.address, (expected.get(sender.address) ?? 0n) + 1n);
        events.push(...emitted);
      }
      expect(committed).toBeGreaterThan(20);
      expect(world.supply()).toBe(GENESIS_SUPPLY + minted - burned);
      expect(world.supply()).toBeLessThanOrEqual(GENESIS_SUPPLY);
      expect(EVERYBODY.reduce((sum, at) => sum + world.balance(at) + staked(world, at), ELSEWHERE)).toBe(
        world.supply(),
      );
      expectStableSum(world);
      for (const [at, count] of expected) expect(world.session.get(account, at).sequence_number).toBe(count);
      expectStreams(world, events);
    }),
    { numRuns: 25 },
  );
}, 60_000);

function isMint({ id: { module, name } }: EntryFunction): boolean {
  return module === "aptos_coin" && name === "mint";
}

function staked(world: World, at: Address): bigint {
  const pool = world.session.find(stakePool, at);
  if (pool === undefined) return 0n;
  return [pool.active, pool.inactive, pool.pending_active, pool.pending_inactive].reduce(
    (sum, { value }) => sum + value,
    0n,
  );
}

function lastU64({ arguments: values }: EntryFunction): bigint {
  const bytes = values.at(-1) ?? new Uint8Array(8);
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}

function expectStableSum(world: World): void {
  const total = EVERYBODY.map(
    (at) => world.session.find(fungibleStore, derivedObjectAddress(at, STABLE_TOKEN))?.balance ?? 0n,
  );
  const { current } = world.session.get(assetSupply, STABLE_TOKEN);
  expect(total.reduce((sum, balance) => sum + balance, 0n)).toBe(current);
}

/** Each account's deposits and withdrawals are numbered without a gap, up to the counter in its store. */
function expectStreams(world: World, events: readonly MoveEvent[]): void {
  for (const at of EVERYBODY) {
    const store = world.session.find(coinStore.of(NATIVE_COIN), at);
    for (const handle of [store?.deposit_events, store?.withdraw_events]) {
      if (handle === undefined) continue;
      const { addr, creation_num } = handle.guid.id;
      const numbers = events
        .filter(({ guid }) => guid.address === addr && guid.creationNumber === creation_num)
        .map(({ sequenceNumber }) => sequenceNumber);
      const first = handle.counter - BigInt(numbers.length);
      expect(numbers).toEqual(numbers.map((_, index) => first + BigInt(index)));
      // Genesis made one deposit.
      expect(first).toBeLessThanOrEqual(1n);
    }
  }
}

test("two sessions on the same state produce the same bytes", () => {
  fc.assert(
    fc.property(step, ({ who: sender, call: chosen }) => {
      const [left, right] = [new World(), new World()];
      const transaction = left.transaction(sender, chosen);
      expect(left.execute(transaction)).toEqual(right.execute(transaction));
    }),
    { numRuns: 20 },
  );
});

import { describe, expect, test } from "vitest";
import { decodeBcs } from "../../codec/bcs-reader.ts";
import { ALICE, BOB } from "../../development-keys.ts";
import { account } from "../../framework/account.ts";
import { fixedAddress } from "../../framework/addresses.ts";
import { chainId } from "../../framework/chain.ts";
import { address, u64 } from "../../framework/schema.ts";
import { feeStatement } from "../../framework/transaction-fee.ts";
import type { Effects } from "../../vm/effects.ts";
import { Meter } from "../../vm/gas-meter.ts";
import { GAS_SCHEDULE } from "../../vm/gas-schedule.ts";
import { executeUserTransaction } from "../../vm/run-user-transaction.ts";
import { Session } from "../../vm/session.ts";
import { MemoryState } from "../support/memory-state.ts";
import { callTo, effectsOf, given, statusOf, World } from "./world.ts";

const HERE = fixedAddress("0xabc");
const THERE = fixedAddress("0xdef");
/** One gas unit is one internal unit, so that prices are exact. */
const FINE = { ...GAS_SCHEDULE, scaling: 1n, maximumUnits: 2n ** 40n };

function stateWith(id: number): MemoryState {
  const session = new Session({ get: () => undefined }, null);
  session.put(chainId, HERE, { id });
  const state = new MemoryState();
  state.apply({ status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: [] });
  return state;
}

/** The cost of `work` on a state with one resource of one byte. */
function useOf(work: (session: Session) => void) {
  const meter = new Meter(FINE, 2n ** 40n, 1n);
  work(new Session(stateWith(7), meter));
  const { executionUnits, ioUnits, storageFee } = meter.use();
  return { executionUnits, ioUnits, storageFee };
}

/** The key's bytes: 1 + 32 for the account, then the length of the path and the path. */
const KEY_BYTES = 33n + 1n + BigInt(1 + 32 + 1 + "chain_id".length + 1 + "ChainId".length + 1);

describe("charges of state access", () => {
  test.each<[string, bigint, bigint, (session: Session) => void]>([
    ["a first read, by its bytes", 302_151n, 0n, (session) => session.find(chainId, HERE)],
    [
      "the same value read twice, once",
      302_151n,
      0n,
      (session) => {
        session.find(chainId, HERE);
        session.find(chainId, HERE);
      },
    ],
    ["a read of an absent value", 302_000n, 0n, (session) => session.find(account, HERE)],
    ["an event, by its bytes", 20_090n, 0n, (session) => session.emit(chainId, { id: 1 })],
    ["an event of a stream too", 20_090n, 0n, (session) => session.emitAt(HERE, 1n, 0n, chainId, { id: 1 })],
    [
      "a changed value, by the bytes of its key and value",
      90_000n + 90n * (KEY_BYTES + 1n),
      0n,
      (session) => {
        session.put(chainId, HERE, { id: 8 });
        session.chargeChanges();
      },
    ],
    [
      "a new value, with its storage",
      90_000n + 90n * (KEY_BYTES + 1n),
      40_000n + 40n * (KEY_BYTES + 1n),
      (session) => {
        session.put(chainId, THERE, { id: 8 });
        session.chargeChanges();
      },
    ],
    [
      "a deletion, flat",
      90_000n,
      0n,
      (session) => {
        session.remove(chainId, HERE);
        session.chargeChanges();
      },
    ],
    [
      "no charge once charging has stopped",
      0n,
      0n,
      (session) => {
        session.stopCharging();
        session.find(chainId, HERE);
        session.emit(chainId, { id: 1 });
        session.put(chainId, THERE, { id: 8 });
        session.chargeChanges();
      },
    ],
  ])("the gas for %s", (_what, ioUnits, storageFee, work) => {
    expect(useOf(work)).toEqual({ executionUnits: 0n, ioUnits, storageFee });
  });
});

describe("the meter", () => {
  const meter = (limit: bigint, unitPrice = 100n) => new Meter({ ...GAS_SCHEDULE, scaling: 10n }, limit, unitPrice);

  test("rounds each category up, and the total once", () => {
    const used = meter(100n);
    used.chargeExecution(11n);
    used.chargeIo(21n);
    used.chargeStorage(101n);
    expect(used.use()).toEqual({
      executionUnits: 2n,
      ioUnits: 3n,
      storageFee: 101n,
      storageUnits: 2n,
      totalUnits: 4n + 2n,
    });
  });

  test("counts a million internal units as one", () => {
    const used = new Meter(GAS_SCHEDULE, 2_000_000n, 100n);
    used.chargeExecution(2_000_000n * 1_000_000n);
    expect(used.use().executionUnits).toBe(2_000_000n);
  });

  test.each<[string, (used: Meter, more: bigint) => void]>([
    ["execution", (used, more) => used.chargeExecution(100n + more)],
    ["reads and writes", (used, more) => used.chargeIo(100n + more)],
    ["storage", (used, more) => used.chargeStorage(1_000n + more)],
  ])("%s may use the limit, but not more", (_category, charge) => {
    expect(() => charge(meter(10n), 0n)).not.toThrow();
    expect(() => charge(meter(10n), 1n)).toThrow("out_of_gas");
  });

  test("storage is free when gas is", () => {
    const used = meter(0n, 0n);
    used.chargeStorage(1_000n);
    expect(used.use()).toMatchObject({ storageFee: 1_000n, storageUnits: 0n, totalUnits: 0n });
  });
});

describe("a transaction's execution", () => {
  function feeOf({ events }: Effects) {
    const decoded = decodeBcs(events.at(-1)?.data ?? new Uint8Array(), (reader) => feeStatement.read(reader));
    if (decoded.kind === "malformed") throw new Error("no fee statement");
    return decoded.value;
  }

  test.each([
    [264, 0n],
    [600, 0n],
    [601, 1_158n],
    [700, 115_800n],
  ])("of %i bytes costs the base, the call and its arguments, and %d more", (sizeBytes, more) => {
    const world = new World();
    const call = callTo("0x1::aptos_account::transfer", [given(address, BOB.address), given(u64, 1n)]);
    const transaction = world.transaction(ALICE, call, { sizeBytes, maxGasAmount: 2n ** 30n });
    const fee = feeOf(effectsOf(executeUserTransaction(transaction, world.state, FINE)));
    expect(fee.execution_gas_units).toBe(2_760_000n + 40_000n + 50n * 40n + more);
    expect(fee.total_charge_gas_units).toBe(fee.execution_gas_units + fee.io_gas_units);
    expect(fee.storage_fee_refund_octas, "nothing is refunded").toBe(0n);
  });

  test("that aborts pays for its execution, without storage", () => {
    const world = new World();
    const call = callTo("0x1::aptos_account::transfer", [given(address, THERE), given(u64, 2n ** 63n)]);
    const outcome = world.execute(world.transaction(ALICE, call));
    expect(statusOf(outcome)).toMatch(/^Move abort/);
    const fee = feeOf(effectsOf(outcome));
    expect(fee).toMatchObject({ storage_fee_octas: 0n, storage_fee_refund_octas: 0n, execution_gas_units: 3n });
    expect(fee.total_charge_gas_units).toBeLessThan(20_000n);
    expect(fee.io_gas_units).toBeLessThanOrEqual(fee.total_charge_gas_units);
  });

  test.each([3n, 4n])(
    "that runs out of gas pays all of its %d units, for execution and access together",
    (maxGasAmount) => {
      const world = new World();
      const call = callTo("0x1::aptos_account::transfer", [given(address, BOB.address), given(u64, 1n)]);
      const outcome = world.execute(world.transaction(ALICE, call, { maxGasAmount }));
      expect(effectsOf(outcome).status).toEqual({ kind: "out_of_gas" });
      const fee = feeOf(effectsOf(outcome));
      expect(fee.total_charge_gas_units).toBe(maxGasAmount);
      expect(fee.io_gas_units).toBeGreaterThan(0n);
      expect(fee.execution_gas_units + fee.io_gas_units).toBe(maxGasAmount);
      expect(fee).toMatchObject({ storage_fee_octas: 0n, storage_fee_refund_octas: 0n });
    },
  );
});

import { expect, test } from "vitest";
import { decodeSignedTransaction } from "../codec/transaction.ts";
import { verifySignatures } from "../codec/verify-signatures.ts";
import { economyOf } from "../economy.ts";
import { FRAMEWORK, NATIVE_COIN } from "../framework/addresses.ts";
import { coinSupply } from "../framework/coin.ts";
import { coinInfo } from "../framework/coin-state.ts";
import { executeGenesis, GENESIS_SUPPLY, STABLE_TOKEN } from "../genesis.ts";
import { genesisHistory } from "../genesis-history.ts";
import { printVmStatus } from "../vm/effects.ts";
import { GAS_SCHEDULE } from "../vm/gas-schedule.ts";
import { validatePrologue } from "../vm/prologue.ts";
import { executeUserTransaction } from "../vm/run-user-transaction.ts";
import { Session } from "../vm/session.ts";
import { userTransactionOf } from "../vm/user-transaction.ts";
import { MemoryState } from "./support/memory-state.ts";

const CHAIN = 4;

function signed(bytes: Uint8Array) {
  const decoded = decodeSignedTransaction(bytes);
  if (decoded.kind === "malformed") throw new Error(decoded.message);
  return decoded.value;
}

test("genesis is deterministic and mints the stated supply", () => {
  const first = executeGenesis({ chainId: CHAIN, epochSeconds: 7200 });
  expect(executeGenesis({ chainId: CHAIN, epochSeconds: 7200 })).toEqual(first);
  const state = new MemoryState();
  state.apply(first);
  expect(coinSupply(new Session(state, null), NATIVE_COIN)).toBe(GENESIS_SUPPLY);
});

const exponents = [4, 6, 9, 12, 14, 15, 18, 19, 20, 28, 34];

test.each(exponents)("a chain of 2 x 10^%d base units begins with the same history", (exponent) => {
  const genesisSupply = 2n * 10n ** BigInt(exponent);
  const { gasSchedule } = economyOf(genesisSupply);
  const state = new MemoryState();
  const decimals = Math.min(exponent, 22);
  state.apply(executeGenesis({ chainId: CHAIN, epochSeconds: 7200, genesisSupply, genesisDecimals: decimals }));
  expect(new Session(state, null).get(coinInfo.of(NATIVE_COIN), FRAMEWORK).decimals).toBe(decimals);
  let fees = 0n;
  const statuses = genesisHistory(CHAIN, genesisSupply)
    .flat()
    .map((bytes) => {
      const transaction = signed(bytes);
      const seen = userTransactionOf(transaction, bytes.length);
      expect(validatePrologue(seen, state, gasSchedule)).toBeUndefined();
      const outcome = executeUserTransaction(seen, state, gasSchedule);
      if (outcome.kind === "discarded") throw new Error(outcome.failure.status);
      state.apply(outcome.effects);
      fees += outcome.effects.gasUsed * seen.gasUnitPrice;
      return outcome.effects.status.kind;
    });
  expect(statuses.filter((kind) => kind !== "executed").length).toBeLessThanOrEqual(3);
  // A refund of storage may lower a fee; none is above it. Of a small supply nothing is charged.
  const supply = coinSupply(new Session(state, null), NATIVE_COIN) ?? 0n;
  expect(genesisSupply - supply).toBe(fees);
  expect(fees === 0n).toBe(exponent < 15);
});

test("the stable token has the published address", () => {
  expect(STABLE_TOKEN).toBe("0x739e8e65915e27e4288fe548a5aa33ebfe29e313cc921f81f65b50923eaeb451");
});

test("every transaction of the history is signed and valid, and ends as expected", async () => {
  const state = new MemoryState();
  state.apply(executeGenesis({ chainId: CHAIN, epochSeconds: 7200 }));
  const statuses: string[] = [];
  const events = new Set<string>();
  for (const bytes of genesisHistory(CHAIN).flat()) {
    const transaction = signed(bytes);
    expect(await verifySignatures(transaction)).toBeUndefined();
    const seen = userTransactionOf(transaction, bytes.length);
    expect(validatePrologue(seen, state, GAS_SCHEDULE)).toBeUndefined();
    const outcome = executeUserTransaction(seen, state, GAS_SCHEDULE);
    if (outcome.kind === "discarded") throw new Error(outcome.failure.status);
    state.apply(outcome.effects);
    statuses.push(printVmStatus(outcome.effects.status));
    for (const { type } of outcome.effects.events) events.add(type);
  }
  expect(statuses.filter((status) => status !== "Executed successfully")).toEqual([
    "Move abort in 0x1::coin: EINSUFFICIENT_BALANCE(0x10006): Not enough coins to complete transaction",
    "Move abort in 0xde5::table_demo: ENOT_FOUND(0x60002): The table holds nothing under this key.",
    "Out of gas",
  ]);
  expect([...events]).toEqual(
    expect.arrayContaining([
      "0x1::coin::WithdrawEvent",
      "0x1::fungible_asset::Deposit",
      "0xde5::table_demo::PutEvent",
      "0x1::multisig_account::TransactionExecutionSucceededEvent",
      "0x1::multisig_account::ExecuteRejectedTransactionEvent",
      "0x1::transaction_fee::FeeStatement",
    ]),
  );
  expect(statuses).toHaveLength(genesisHistory(CHAIN).flat().length);
  // With at most three records per block besides its transactions, the history stays below version 100.
  expect(statuses.length + 2 * genesisHistory(CHAIN).length).toBeLessThan(100);
});

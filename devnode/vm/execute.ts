import type { Address } from "../../src/chain/address.ts";
import { account } from "../framework/account.ts";
import { NATIVE_COIN } from "../framework/addresses.ts";
import { coinBalance } from "../framework/coin-state.ts";
import type { GasSchedule } from "./gas-schedule.ts";
import { prologue } from "./prologue.ts";
import { type Outcome, runUserTransaction } from "./run-user-transaction.ts";
import { Session } from "./session.ts";
import type { StateReader } from "./state-keys.ts";
import type { UserTransaction } from "./user-transaction.ts";
import type { ValidationFailure } from "./validation-failure.ts";

/**
 * Everything that is checked before a transaction runs, signatures aside, in a real node's order. A sequence number
 * that is ahead of the account passes: a mempool parks it.
 */
export function validatePrologue(
  transaction: UserTransaction,
  state: StateReader,
  gas: GasSchedule,
): ValidationFailure | undefined {
  return prologue(transaction, new Session(state, null), gas, { sequenceNumber: "may_be_ahead", simulation: false });
}

/** Runs a transaction in a block. The state below is only read; the effects say what to write. */
export function executeUserTransaction(transaction: UserTransaction, state: StateReader, gas: GasSchedule): Outcome {
  return runUserTransaction(transaction, state, gas, { simulation: false });
}

/** As a real run, but a fee payer of 0x0 stands for one not yet known, and keys that were not given are not asked for. */
export function simulateUserTransaction(transaction: UserTransaction, state: StateReader, gas: GasSchedule): Outcome {
  return runUserTransaction(transaction, state, gas, { simulation: true });
}

/** The account's next sequence number; undefined when there is no account. */
export function sequenceNumberOf(state: StateReader, address: Address): bigint | undefined {
  return new Session(state, null).find(account, address)?.sequence_number;
}

/** Native coin that can pay for gas, base units. */
export function gasBalanceOf(state: StateReader, address: Address): bigint {
  return coinBalance(new Session(state, null), NATIVE_COIN, address);
}

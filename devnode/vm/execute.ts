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
 * All checks before a transaction runs, except signatures, in the order of the public nodes. A sequence number ahead of
 * the account's is valid: the mempool parks the transaction.
 */
export function validatePrologue(
  transaction: UserTransaction,
  state: StateReader,
  gas: GasSchedule,
): ValidationFailure | undefined {
  return prologue(transaction, new Session(state, null), gas, { sequenceNumber: "may_be_ahead", simulation: false });
}

/** Runs a transaction in a block. The state is only read; the effects contain the writes. */
export function executeUserTransaction(transaction: UserTransaction, state: StateReader, gas: GasSchedule): Outcome {
  return runUserTransaction(transaction, state, gas, { simulation: false });
}

/** As a real run, but fee payer 0x0 means "not known yet", and missing authentication keys are not checked. */
export function simulateUserTransaction(transaction: UserTransaction, state: StateReader, gas: GasSchedule): Outcome {
  return runUserTransaction(transaction, state, gas, { simulation: true });
}

/** The account's next sequence number; undefined when there is no account. */
export function sequenceNumberOf(state: StateReader, address: Address): bigint | undefined {
  return new Session(state, null).find(account, address)?.sequence_number;
}

/** Native coin available for gas, base units. */
export function gasBalanceOf(state: StateReader, address: Address): bigint {
  return coinBalance(new Session(state, null), NATIVE_COIN, address);
}

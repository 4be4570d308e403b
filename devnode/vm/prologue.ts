import type { Address } from "../../src/chain/address.ts";
import { account } from "../framework/account.ts";
import { FRAMEWORK, NATIVE_COIN, VM } from "../framework/addresses.ts";
import { chainId, nowMicros } from "../framework/chain.ts";
import { coinBalance } from "../framework/coin-state.ts";
import { ceilDivide } from "./gas-meter.ts";
import type { GasSchedule } from "./gas-schedule.ts";
import { payloadFault, refusal } from "./run-payload.ts";
import type { Session } from "./session.ts";
import type { Signer, UserTransaction } from "./user-transaction.ts";
import { type ValidationFailure, validationFailure } from "./validation-failure.ts";

export interface PrologueOptions {
  /** A number too new is a fault in a block; in a mempool it waits. */
  readonly sequenceNumber: "exact" | "may_be_ahead";
  /** A simulation may name 0x0 as a fee payer not yet known: nobody pays then. */
  readonly simulation: boolean;
}

const MICROS_PER_SECOND = 1_000_000n;
const SEQUENCE_NUMBER_LIMIT = 2n ** 63n;

/** Everything that is checked before a transaction runs, in a real node's order; the first fault is the answer. */
export function prologue(
  transaction: UserTransaction,
  session: Session,
  gas: GasSchedule,
  options: PrologueOptions,
): ValidationFailure | undefined {
  return (
    refusal(transaction) ??
    signersFault(transaction) ??
    boundsFault(transaction, gas) ??
    validityFault(transaction, session) ??
    keysFault(transaction, session, options) ??
    sequenceFault(transaction, session, options) ??
    paymentFault(transaction, session, options) ??
    secondaryFault(transaction, session, options) ??
    payloadFault(transaction, session)
  );
}

/** Gas units that every transaction of this size costs before it does anything. */
export function intrinsicUnits(sizeBytes: number, gas: GasSchedule): bigint {
  return ceilDivide(intrinsicGas(sizeBytes, gas), gas.scaling);
}

/** The same in internal units. */
export function intrinsicGas(sizeBytes: number, gas: GasSchedule): bigint {
  const excess = Math.max(0, sizeBytes - gas.intrinsicFreeBytes);
  return gas.intrinsic + gas.intrinsicPerByte * BigInt(excess);
}

export function payerOf({ feePayer, sender }: UserTransaction): Address {
  return (feePayer ?? sender).address;
}

/** A sponsored first transaction may come from an address that has no account yet; it gets one. */
export function createsSender({ sender, sequenceNumber, feePayer }: UserTransaction, session: Session): boolean {
  return (
    feePayer !== null &&
    feePayer.address !== sender.address &&
    sequenceNumber === 0n &&
    !session.has(account, sender.address)
  );
}

/** Whether fees go unpaid: a simulation whose fee payer is left open. */
export function nobodyPays(payer: Address, { simulation }: Pick<PrologueOptions, "simulation">): boolean {
  return simulation && payer === VM;
}

function signersFault({ sender, secondary, feePayer }: UserTransaction): ValidationFailure | undefined {
  const addresses = [sender, ...secondary].map(({ address }) => address);
  const all = feePayer === null ? addresses : [...addresses, feePayer.address];
  // The sender may sponsor itself; nobody else may stand twice.
  const distinct = feePayer?.address === sender.address ? addresses : all;
  return new Set(distinct).size === distinct.length ? undefined : validationFailure("SIGNERS_CONTAIN_DUPLICATES");
}

function boundsFault(transaction: UserTransaction, gas: GasSchedule): ValidationFailure | undefined {
  const { sizeBytes, maxGasAmount, gasUnitPrice } = transaction;
  if (sizeBytes > gas.maximumTransactionBytes) return validationFailure("EXCEEDED_MAX_TRANSACTION_SIZE");
  if (maxGasAmount > gas.maximumUnits) return validationFailure("MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND");
  if (maxGasAmount < intrinsicUnits(sizeBytes, gas))
    return validationFailure("MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS");
  if (gasUnitPrice < gas.minimumPrice) return validationFailure("GAS_UNIT_PRICE_BELOW_MIN_BOUND");
  if (gasUnitPrice > gas.maximumPrice) return validationFailure("GAS_UNIT_PRICE_ABOVE_MAX_BOUND");
  return undefined;
}

function validityFault(transaction: UserTransaction, session: Session): ValidationFailure | undefined {
  if (nowMicros(session) / MICROS_PER_SECOND >= transaction.expirationSeconds)
    return validationFailure("TRANSACTION_EXPIRED");
  if (session.get(chainId, FRAMEWORK).id !== transaction.chainId) return validationFailure("BAD_CHAIN_ID");
  return undefined;
}

function keysFault(
  transaction: UserTransaction,
  session: Session,
  options: PrologueOptions,
): ValidationFailure | undefined {
  if (createsSender(transaction, session)) return undefined;
  return keyFault(transaction.sender, session, options, "SENDING_ACCOUNT_DOES_NOT_EXIST");
}

function keyFault(
  { address, authenticationKey }: Signer,
  session: Session,
  { simulation }: PrologueOptions,
  whenMissing: "SENDING_ACCOUNT_DOES_NOT_EXIST" | "GAS_PAYER_ACCOUNT_MISSING",
): ValidationFailure | undefined {
  const found = session.find(account, address);
  if (found === undefined) return validationFailure(whenMissing);
  if (authenticationKey === null) return simulation ? undefined : validationFailure("INVALID_AUTH_KEY");
  const recorded = found.authentication_key;
  const same =
    recorded.length === authenticationKey.length && recorded.every((octet, i) => octet === authenticationKey[i]);
  return same ? undefined : validationFailure("INVALID_AUTH_KEY");
}

function sequenceFault(
  { sender, sequenceNumber }: UserTransaction,
  session: Session,
  options: PrologueOptions,
): ValidationFailure | undefined {
  const expected = session.find(account, sender.address)?.sequence_number ?? 0n;
  if (sequenceNumber >= SEQUENCE_NUMBER_LIMIT) return validationFailure("SEQUENCE_NUMBER_TOO_BIG");
  if (sequenceNumber < expected) return validationFailure("SEQUENCE_NUMBER_TOO_OLD");
  if (sequenceNumber > expected && options.sequenceNumber === "exact")
    return validationFailure("SEQUENCE_NUMBER_TOO_NEW");
  return undefined;
}

function secondaryFault(
  { secondary, feePayer }: UserTransaction,
  session: Session,
  options: PrologueOptions,
): ValidationFailure | undefined {
  for (const signer of secondary) {
    const fault = keyFault(signer, session, options, "SENDING_ACCOUNT_DOES_NOT_EXIST");
    if (fault !== undefined) return fault;
  }
  return feePayer === null || nobodyPays(feePayer.address, options)
    ? undefined
    : keyFault(feePayer, session, options, "GAS_PAYER_ACCOUNT_MISSING");
}

function paymentFault(
  transaction: UserTransaction,
  session: Session,
  options: PrologueOptions,
): ValidationFailure | undefined {
  if (nobodyPays(payerOf(transaction), options)) return undefined;
  const most = transaction.maxGasAmount * transaction.gasUnitPrice;
  return coinBalance(session, NATIVE_COIN, payerOf(transaction)) >= most
    ? undefined
    : validationFailure("INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE");
}

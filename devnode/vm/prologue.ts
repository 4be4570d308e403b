import { type Address, addressBytes } from "../../src/chain/address.ts";
import { equalBytes } from "../../src/chain/bytes.ts";
import { account } from "../framework/account.ts";
import { FRAMEWORK, NATIVE_COIN, VM } from "../framework/addresses.ts";
import { chainId, nowSeconds } from "../framework/chain.ts";
import { coinBalance } from "../framework/coin-state.ts";
import { ceilDivide } from "./gas-meter.ts";
import type { GasSchedule } from "./gas-schedule.ts";
import { checkPayload, refusal } from "./run-payload.ts";
import { Session } from "./session.ts";
import type { StateReader } from "./state-keys.ts";
import type { Signer, UserTransaction } from "./user-transaction.ts";
import { type ValidationFailure, validationFailure } from "./validation-failure.ts";

export interface PrologueOptions {
  /** In a block, a sequence number that is too new is an error; in the mempool the transaction waits. */
  readonly sequenceNumber: "exact" | "may_be_ahead";
  /** A simulation may name 0x0 as a fee payer that is not known yet; then no fee is paid. */
  readonly simulation: boolean;
}

const SEQUENCE_NUMBER_LIMIT = 2n ** 63n;

/**
 * All checks before a transaction enters the mempool, except signatures. A sequence number ahead of the account's is
 * valid: the mempool parks the transaction.
 */
export function validatePrologue(
  transaction: UserTransaction,
  state: StateReader,
  gas: GasSchedule,
): ValidationFailure | undefined {
  return prologue(transaction, new Session(state, null), gas, { sequenceNumber: "may_be_ahead", simulation: false });
}

/** All checks before a transaction runs, in the order of the public nodes; returns the first failure. */
export function prologue(
  transaction: UserTransaction,
  session: Session,
  gas: GasSchedule,
  options: PrologueOptions,
): ValidationFailure | undefined {
  const context = { ...options, transaction, session, gas };
  return (
    refusal(transaction) ??
    checkSigners(context) ??
    checkGasBounds(context) ??
    checkValidity(context) ??
    checkSender(context) ??
    checkSequenceNumber(context) ??
    checkPayment(context) ??
    checkOtherSigners(context) ??
    checkPayload(transaction, session)
  );
}

/** Inputs of the checks. */
interface Context extends PrologueOptions {
  readonly transaction: UserTransaction;
  readonly session: Session;
  readonly gas: GasSchedule;
}

/** The intrinsic cost of a transaction of this size, gas units. */
export function intrinsicUnits(sizeBytes: number, gas: GasSchedule): bigint {
  return ceilDivide(intrinsicGas(sizeBytes, gas), gas.scaling);
}

/** Intrinsic gas in internal units. */
export function intrinsicGas(sizeBytes: number, gas: GasSchedule): bigint {
  const excess = Math.max(0, sizeBytes - gas.intrinsicFreeBytes);
  return gas.intrinsic + gas.intrinsicPerByte * BigInt(excess);
}

export function payerOf({ feePayer, sender }: UserTransaction): Address {
  return (feePayer ?? sender).address;
}

/**
 * A first transaction creates the account of its sender, if somebody else pays, or the sender can: an address may have
 * received the native asset before it had an account.
 */
export function createsSender({ sender, sequenceNumber, feePayer }: UserTransaction, session: Session): boolean {
  if (sequenceNumber !== 0n || sender.address === VM || session.has(account, sender.address)) return false;
  const isSponsored = feePayer !== null && feePayer.address !== sender.address;
  return isSponsored || coinBalance(session, NATIVE_COIN, sender.address) > 0n;
}

/** Whether no fee is charged: a simulation with an unknown fee payer. */
export function isFeeWaived(payer: Address, { simulation }: Pick<PrologueOptions, "simulation">): boolean {
  return simulation && payer === VM;
}

function checkSigners({ transaction: { sender, secondary, feePayer } }: Context): ValidationFailure | undefined {
  const addresses = [sender, ...secondary].map(({ address }) => address);
  const all = feePayer === null ? addresses : [...addresses, feePayer.address];
  // The sender may sponsor itself; no other account may sign twice.
  const distinct = feePayer?.address === sender.address ? addresses : all;
  return new Set(distinct).size === distinct.length ? undefined : validationFailure("SIGNERS_CONTAIN_DUPLICATES");
}

function checkGasBounds({ transaction, gas }: Context): ValidationFailure | undefined {
  const { sizeBytes, maxGasAmount, gasUnitPrice } = transaction;
  if (sizeBytes > gas.maximumTransactionBytes) return validationFailure("EXCEEDED_MAX_TRANSACTION_SIZE");
  if (maxGasAmount > gas.maximumUnits) return validationFailure("MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND");
  if (maxGasAmount < intrinsicUnits(sizeBytes, gas))
    return validationFailure("MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS");
  if (gasUnitPrice < gas.minimumPrice) return validationFailure("GAS_UNIT_PRICE_BELOW_MIN_BOUND");
  return gasUnitPrice > gas.maximumPrice ? validationFailure("GAS_UNIT_PRICE_ABOVE_MAX_BOUND") : undefined;
}

function checkValidity({ transaction, session }: Context): ValidationFailure | undefined {
  if (nowSeconds(session) >= transaction.expirationSeconds) return validationFailure("TRANSACTION_EXPIRED");
  const { id } = session.get(chainId, FRAMEWORK);
  return id === transaction.chainId ? undefined : validationFailure("BAD_CHAIN_ID");
}

function checkSender(context: Context): ValidationFailure | undefined {
  const { transaction, session } = context;
  if (!createsSender(transaction, session))
    return checkKey(context, transaction.sender, "SENDING_ACCOUNT_DOES_NOT_EXIST");
  // Before an address has an account, only the key that it is the hash of may act for it.
  return checkAuthenticationKey(context, transaction.sender, addressBytes(transaction.sender.address));
}

/** Compares with the authentication key, which a simulation may leave out. */
function checkAuthenticationKey(
  { simulation }: Context,
  { authenticationKey }: Signer,
  expected: Uint8Array,
): ValidationFailure | undefined {
  const isRight = authenticationKey === null ? simulation : equalBytes(expected, authenticationKey);
  return isRight ? undefined : validationFailure("INVALID_AUTH_KEY");
}

function checkKey(
  context: Context,
  signer: Signer,
  whenMissing: "SENDING_ACCOUNT_DOES_NOT_EXIST" | "GAS_PAYER_ACCOUNT_MISSING",
): ValidationFailure | undefined {
  const found = context.session.find(account, signer.address);
  return found === undefined
    ? validationFailure(whenMissing)
    : checkAuthenticationKey(context, signer, found.authentication_key);
}

function checkSequenceNumber(context: Context): ValidationFailure | undefined {
  const { sender, sequenceNumber } = context.transaction;
  const expected = context.session.find(account, sender.address)?.sequence_number ?? 0n;
  if (sequenceNumber >= SEQUENCE_NUMBER_LIMIT) return validationFailure("SEQUENCE_NUMBER_TOO_BIG");
  if (sequenceNumber < expected) return validationFailure("SEQUENCE_NUMBER_TOO_OLD");
  return sequenceNumber > expected && context.sequenceNumber === "exact"
    ? validationFailure("SEQUENCE_NUMBER_TOO_NEW")
    : undefined;
}

function checkOtherSigners(context: Context): ValidationFailure | undefined {
  const { secondary, feePayer } = context.transaction;
  for (const signer of secondary) {
    const failure = checkKey(context, signer, "SENDING_ACCOUNT_DOES_NOT_EXIST");
    if (failure !== undefined) return failure;
  }
  return feePayer === null || isFeeWaived(feePayer.address, context)
    ? undefined
    : checkKey(context, feePayer, "GAS_PAYER_ACCOUNT_MISSING");
}

function checkPayment(context: Context): ValidationFailure | undefined {
  const { transaction, session } = context;
  const payer = payerOf(transaction);
  if (isFeeWaived(payer, context)) return undefined;
  const maxFee = transaction.maxGasAmount * transaction.gasUnitPrice;
  return coinBalance(session, NATIVE_COIN, payer) >= maxFee
    ? undefined
    : validationFailure("INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE");
}

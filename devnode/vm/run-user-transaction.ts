import { aborts } from "../framework/abort.ts";
import { createAccount, incrementSequenceNumber } from "../framework/account.ts";
import { NATIVE_COIN } from "../framework/addresses.ts";
import { burnForGas } from "../framework/coin.ts";
import { type FeeStatement, feeStatement } from "../framework/transaction-fee.ts";
import type { Effects, VmStatus } from "./effects.ts";
import { attempt } from "./execution-error.ts";
import { type GasUse, Meter } from "./gas-meter.ts";
import type { GasSchedule } from "./gas-schedule.ts";
import { createsSender, intrinsicGas, isFeeWaived, payerOf, prologue } from "./prologue.ts";
import { runPayload } from "./run-payload.ts";
import { Session } from "./session.ts";
import type { StateReader } from "./state-keys.ts";
import type { UserTransaction } from "./user-transaction.ts";
import type { ValidationFailure } from "./validation-failure.ts";

export type Outcome =
  /** Committed in the block, whatever its status: the fee is charged and the sequence number used. */
  | { readonly kind: "committed"; readonly effects: Effects }
  /** May not enter a block; the state is unchanged. */
  | { readonly kind: "discarded"; readonly failure: ValidationFailure };

const abort = aborts("0x1::transaction_validation", { PROLOGUE_ECANT_PAY_GAS_DEPOSIT: [1005, ""] });

/**
 * Checks, runs and charges one transaction. The state is only read; the effects contain the writes. In a simulation,
 * fee payer 0x0 means "not known yet", and missing authentication keys are not checked.
 */
export function executeUserTransaction(
  transaction: UserTransaction,
  state: StateReader,
  gas: GasSchedule,
  simulation = false,
): Outcome {
  const failure = prologue(transaction, new Session(state, null), gas, { sequenceNumber: "exact", simulation });
  if (failure !== undefined) return { kind: "discarded", failure };
  const meter = new Meter(gas, transaction.maxGasAmount, transaction.gasUnitPrice);
  const session = new Session(state, meter);
  const body = attempt(() => {
    meter.chargeExecution(intrinsicGas(transaction.sizeBytes, gas));
    if (createsSender(transaction, session)) createAccount(session, transaction.sender.address);
    runPayload({ session, meter }, transaction);
    session.chargeChanges();
  });
  const status: VmStatus = body.kind === "done" ? { kind: "executed" } : body.status;
  session.stopCharging();
  return { kind: "committed", effects: settle({ transaction, session, simulation, use: meter.use() }, status) };
}

/** A run whose fee is still to be charged. */
interface Run {
  readonly transaction: UserTransaction;
  readonly session: Session;
  readonly simulation: boolean;
  readonly use: GasUse;
}

/** Charges the fee. The effects of the payload are retained only if it succeeded and the payer can pay. */
function settle(run: Run, status: VmStatus): Effects {
  const { transaction, session, use } = run;
  if (status.kind === "executed")
    return pay(run, use.totalUnits)
      ? finish(run, status, statementOf(use))
      : settle(run, abort("out_of_range", "PROLOGUE_ECANT_PAY_GAS_DEPOSIT").status);
  session.reset();
  if (createsSender(transaction, session)) createAccount(session, transaction.sender.address);
  const statement = failedStatementOf(use, status, transaction.maxGasAmount);
  pay(run, statement.total_charge_gas_units);
  return finish(run, status, statement);
}

function pay({ transaction, session, simulation }: Run, units: bigint): boolean {
  const payer = payerOf(transaction);
  return (
    isFeeWaived(payer, { simulation }) || burnForGas(session, NATIVE_COIN, payer, units * transaction.gasUnitPrice)
  );
}

function finish({ transaction, session }: Run, status: VmStatus, statement: FeeStatement): Effects {
  incrementSequenceNumber(session, transaction.sender.address);
  session.emit(feeStatement, statement);
  const gasUsed = statement.total_charge_gas_units;
  return { status, gasUsed, changes: session.changes(), events: session.events() };
}

function statementOf(use: GasUse): FeeStatement {
  return {
    total_charge_gas_units: use.totalUnits,
    execution_gas_units: use.executionUnits,
    io_gas_units: use.ioUnits,
    storage_fee_octas: use.storageFee,
    storage_fee_refund_octas: 0n,
  };
}

/** A failed run stores nothing and pays for no storage; one that ran out of gas pays max_gas_amount. */
function failedStatementOf(use: GasUse, status: VmStatus, maxGasAmount: bigint): FeeStatement {
  const units = use.totalUnits - use.storageUnits;
  const total = status.kind === "out_of_gas" || units > maxGasAmount ? maxGasAmount : units;
  const io = use.ioUnits < total ? use.ioUnits : total;
  return {
    total_charge_gas_units: total,
    execution_gas_units: total === maxGasAmount ? total - io : use.executionUnits,
    io_gas_units: io,
    storage_fee_octas: 0n,
    storage_fee_refund_octas: 0n,
  };
}

import { defineModule } from "./define.ts";
import { struct, u64, type ValueOf } from "./schema.ts";

/** The fee of a transaction: the last event of every user transaction. Octas are base units of the native coin. */
export const feeStatement = struct(
  "0x1::transaction_fee::FeeStatement",
  ["drop", "store"],
  {
    total_charge_gas_units: u64,
    execution_gas_units: u64,
    io_gas_units: u64,
    storage_fee_octas: u64,
    storage_fee_refund_octas: u64,
  },
  { event: true },
);

export type FeeStatement = ValueOf<typeof feeStatement>;

export const transactionFeeModule = defineModule("0x1::transaction_fee", {
  friends: ["block", "genesis", "reconfiguration", "transaction_validation"],
  structs: [feeStatement],
});

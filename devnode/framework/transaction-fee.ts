import { FRAMEWORK } from "./addresses.ts";
import type { ModuleDefinition } from "./define.ts";
import { struct, u64 } from "./schema.ts";

/** The fee of a transaction: the last event of every user transaction. */
export interface FeeStatement {
  readonly total_charge_gas_units: bigint;
  readonly execution_gas_units: bigint;
  readonly io_gas_units: bigint;
  /** Base units of the native coin. */
  readonly storage_fee_octas: bigint;
  readonly storage_fee_refund_octas: bigint;
}

export const feeStatement = struct<FeeStatement>(
  "0x1::transaction_fee::FeeStatement",
  { abilities: ["drop", "store"], event: true },
  {
    total_charge_gas_units: u64,
    execution_gas_units: u64,
    io_gas_units: u64,
    storage_fee_octas: u64,
    storage_fee_refund_octas: u64,
  },
);

export const transactionFeeModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "transaction_fee",
  friends: ["block", "genesis", "reconfiguration", "transaction_validation"].map((name) => `0x1::${name}`),
  structs: [feeStatement],
  functions: [],
};

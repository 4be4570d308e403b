/**
 * Prices and bounds of execution. Gas units are internal units / `scaling`, rounded up, so that whole-number prices are
 * precise enough. Metering depends on the transaction and the state only: the same run costs the same.
 */
export interface GasSchedule {
  readonly minimumPrice: bigint;
  readonly maximumPrice: bigint;
  /** Bounds of a transaction's max_gas_amount, gas units. */
  readonly maximumUnits: bigint;
  readonly maximumTransactionBytes: number;
  readonly maximumViewUnits: bigint;
  /** Internal units in a gas unit. */
  readonly scaling: bigint;
  /** Internal units. */
  readonly intrinsic: bigint;
  readonly intrinsicPerByte: bigint;
  /** Transactions up to this size pay `intrinsic` only. */
  readonly intrinsicFreeBytes: number;
  readonly call: bigint;
  readonly perArgumentByte: bigint;
  readonly load: bigint;
  readonly loadPerByte: bigint;
  readonly write: bigint;
  readonly writePerByte: bigint;
  readonly event: bigint;
  readonly eventPerByte: bigint;
  /** Base units of the native coin, charged once per new state slot and per byte of it. */
  readonly storageFeePerSlot: bigint;
  readonly storageFeePerByte: bigint;
}

/** The public networks' bounds (minimum price 100, two million units, 64 KiB) with our own prices. */
export const GAS_SCHEDULE: GasSchedule = {
  minimumPrice: 100n,
  maximumPrice: 10_000_000_000n,
  maximumUnits: 2_000_000n,
  maximumTransactionBytes: 65_536,
  maximumViewUnits: 2_000_000n,
  scaling: 1_000_000n,
  intrinsic: 2_760_000n,
  intrinsicPerByte: 1_158n,
  intrinsicFreeBytes: 600,
  call: 40_000n,
  perArgumentByte: 50n,
  load: 302_000n,
  loadPerByte: 151n,
  write: 90_000n,
  writePerByte: 90n,
  event: 20_000n,
  eventPerByte: 90n,
  storageFeePerSlot: 40_000n,
  storageFeePerByte: 40n,
};

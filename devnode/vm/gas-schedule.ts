/**
 * Prices and bounds of execution: the public networks' bounds (minimum price 100, two million units, 64 KiB) with our
 * own prices. Gas units are internal units / `scaling`, rounded up, so that whole-number prices are precise enough.
 * Metering depends on the transaction and the state only: the same run costs the same.
 */
export const GAS_SCHEDULE = {
  minimumPrice: 100n,
  maximumPrice: 10_000_000_000n,
  /** Maximum of a transaction's max_gas_amount, gas units. */
  maximumUnits: 2_000_000n,
  maximumTransactionBytes: 65_536,
  maximumViewUnits: 2_000_000n,
  /** Internal units in a gas unit; the prices from here on are in internal units. */
  scaling: 1_000_000n,
  intrinsic: 2_760_000n,
  intrinsicPerByte: 1_158n,
  /** Transactions up to this size pay `intrinsic` only. */
  intrinsicFreeBytes: 600,
  call: 40_000n,
  perArgumentByte: 50n,
  load: 302_000n,
  loadPerByte: 151n,
  write: 90_000n,
  writePerByte: 90n,
  event: 20_000n,
  eventPerByte: 90n,
  /** Base units of the native coin, charged once per new state slot and per byte of it. */
  storageFeePerSlot: 40_000n,
  storageFeePerByte: 40n,
};

export type GasSchedule = Readonly<typeof GAS_SCHEDULE>;

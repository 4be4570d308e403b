import { VmError } from "./execution-error.ts";
import type { GasSchedule } from "./gas-schedule.ts";

/** Counts gas and ends the execution with `out_of_gas` at the limit. */
export class Meter {
  readonly schedule: GasSchedule;
  readonly #limitUnits: bigint;
  readonly #unitPrice: bigint;
  #execution = 0n;
  #io = 0n;
  #storageFee = 0n;

  /** `unitPrice` turns the storage fee into gas units. */
  constructor(schedule: GasSchedule, limitUnits: bigint, unitPrice: bigint) {
    this.schedule = schedule;
    this.#limitUnits = limitUnits;
    this.#unitPrice = unitPrice;
  }

  chargeExecution(internalUnits: bigint): void {
    this.#execution += internalUnits;
    this.#check();
  }

  chargeIo(internalUnits: bigint): void {
    this.#io += internalUnits;
    this.#check();
  }

  chargeStorage(baseUnits: bigint): void {
    this.#storageFee += baseUnits;
    this.#check();
  }

  /** Gas used so far, by the categories of the fee statement. Gas units are rounded up; the total is charged. */
  use() {
    const { scaling } = this.schedule;
    const storageUnits = this.#unitPrice === 0n ? 0n : ceilDivide(this.#storageFee, this.#unitPrice);
    return {
      executionUnits: ceilDivide(this.#execution, scaling),
      ioUnits: ceilDivide(this.#io, scaling),
      /** Base units of the native coin. */
      storageFee: this.#storageFee,
      storageUnits,
      totalUnits: ceilDivide(this.#execution + this.#io, scaling) + storageUnits,
    };
  }

  #check(): void {
    if (this.use().totalUnits > this.#limitUnits) throw new VmError({ kind: "out_of_gas" });
  }
}

export type GasUse = ReturnType<Meter["use"]>;

export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

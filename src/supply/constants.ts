import type { BaseUnits } from "../chain/amount.ts";
import type { Constant, Schedule } from "./schedule.ts";
import { isBurned } from "./wallets.ts";

/** Lists the constants that count at an instant: each from its day on. */
export function constantsAt({ constants = [] }: Pick<Schedule, "constants">, atMs: number): readonly Constant[] {
  return constants.filter(({ fromMs }) => fromMs <= atMs);
}

/** Sums of the constants at an instant, in base units with so many more decimals than the token has. */
export interface ConstantSums {
  readonly burned: BaseUnits;
  readonly held: BaseUnits;
}

export function constantSums(schedule: Pick<Schedule, "constants">, atMs: number, extraDecimals = 0): ConstantSums {
  const counted = constantsAt(schedule, atMs);
  const sum = (constants: readonly Constant[]): BaseUnits =>
    constants.reduce((total, { amount }) => total + amount, 0n) * 10n ** BigInt(extraDecimals);
  return { burned: sum(counted.filter(isBurned)), held: sum(counted.filter((each) => !isBurned(each))) };
}

import { GAS_SCHEDULE, type GasSchedule } from "./vm/gas-schedule.ts";

/** Gas that the development accounts offer for a transaction. */
export interface GasOffer {
  readonly maxGasAmount: bigint;
  readonly gasUnitPrice: bigint;
}

/** Amounts that follow from the chain's total number of base units. */
export interface Economy {
  /** The amount that the first transactions count in, base units: one token of eight decimals, or less. */
  readonly unit: bigint;
  readonly gasSchedule: GasSchedule;
  readonly gas: GasOffer;
  /** Base units that must stay unlocked, for the development accounts, the first history and the faucet. */
  readonly minUnlocked: bigint;
}

const MAX_UNIT = 100_000_000n;
/** A billion units of eight decimals are the default supply. */
const UNITS = 1_000_000_000n;
/** Fees are some 100,000 base units each: with fewer than this in all they would be a notable part of the supply. */
const MIN_PAYING_SUPPLY = 1_000_000_000_000_000n;

/**
 * A token of few decimals has so few base units that transactions are free: their minimum price is 0. A larger price is
 * still charged.
 */
export function economyOf(supply: bigint): Economy {
  const unit = bounded(supply / UNITS, 1n, MAX_UNIT);
  const isFree = supply < MIN_PAYING_SUPPLY;
  const gasUnitPrice = isFree ? 0n : GAS_SCHEDULE.minimumPrice;
  return {
    unit,
    gasSchedule: { ...GAS_SCHEDULE, minimumPrice: gasUnitPrice },
    gas: { maxGasAmount: 20_000n, gasUnitPrice },
    minUnlocked: isFree ? 20_000n * unit : 100_000_000_000_000n,
  };
}

function bounded(value: bigint, min: bigint, max: bigint): bigint {
  return value < min ? min : value > max ? max : value;
}

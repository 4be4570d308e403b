import type { Address } from "../../src/chain/address.ts";
import { aborts } from "./abort.ts";
import { FRAMEWORK } from "./addresses.ts";
import type { ModuleDefinition } from "./define.ts";
import { address, option, struct, u128 } from "./schema.ts";

interface Aggregator {
  readonly handle: Address;
  readonly key: Address;
  readonly limit: bigint;
}

interface Integer {
  readonly value: bigint;
  readonly limit: bigint;
}

/** How a coin tracks its supply. Always the integer variant here, because nothing runs in parallel. */
export interface OptionalAggregator {
  readonly aggregator: Aggregator | null;
  readonly integer: Integer | null;
}

const aggregator = struct<Aggregator>(
  "0x1::aggregator::Aggregator",
  { abilities: ["store"] },
  { handle: address, key: address, limit: u128 },
);
const integer = struct<Integer>(
  "0x1::optional_aggregator::Integer",
  { abilities: ["store"] },
  { value: u128, limit: u128 },
);
export const optionalAggregator = struct<OptionalAggregator>(
  "0x1::optional_aggregator::OptionalAggregator",
  { abilities: ["store"] },
  { aggregator: option(aggregator), integer: option(integer) },
);

const abort = aborts("0x1::optional_aggregator", {
  EAGGREGATOR_OVERFLOW: [1, "The value of aggregator underflows (goes below zero). Raised by native code."],
  EAGGREGATOR_UNDERFLOW: [2, "Aggregator feature is not supported. Raised by native code."],
});

export function newCounter(limit: bigint): OptionalAggregator {
  return { aggregator: null, integer: { value: 0n, limit } };
}

export function counted({ integer }: OptionalAggregator): bigint {
  return integer?.value ?? 0n;
}

/** Adds a signed amount within zero and the counter's limit. */
export function count(counter: OptionalAggregator, amount: bigint): OptionalAggregator {
  if (counter.integer === null) return counter;
  const value = counter.integer.value + amount;
  if (value > counter.integer.limit) throw abort("out_of_range", "EAGGREGATOR_OVERFLOW");
  if (value < 0n) throw abort("out_of_range", "EAGGREGATOR_UNDERFLOW");
  return { ...counter, integer: { ...counter.integer, value } };
}

export const aggregatorModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "aggregator",
  friends: [],
  structs: [aggregator],
  functions: [],
};

export const optionalAggregatorModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "optional_aggregator",
  friends: ["0x1::coin", "0x1::fungible_asset"],
  structs: [integer, optionalAggregator],
  functions: [],
};

import { aborts } from "./abort.ts";
import { address, option, struct, u128, type ValueOf } from "./schema.ts";

export const aggregator = struct("0x1::aggregator::Aggregator", ["store"], {
  handle: address,
  key: address,
  limit: u128,
});
export const integer = struct("0x1::optional_aggregator::Integer", ["store"], { value: u128, limit: u128 });

/** How a coin tracks its supply. Always the integer variant here, because nothing runs in parallel. */
export const optionalAggregator = struct("0x1::optional_aggregator::OptionalAggregator", ["store"], {
  aggregator: option(aggregator),
  integer: option(integer),
});

type OptionalAggregator = ValueOf<typeof optionalAggregator>;

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

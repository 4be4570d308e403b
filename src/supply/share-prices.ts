import type { SharePrice } from "../chain/share-price.ts";
import type { Capabilities } from "../figures.ts";
import type { Schedule } from "./schedule.ts";

/** Lists the share prices on a chain of the token. */
export function pricesOn({ sharePrices = [] }: Pick<Schedule, "sharePrices">, chain: string): readonly SharePrice[] {
  return sharePrices.filter((price) => price.chain === chain);
}

/** Lists the share prices that a deployment reads: those of the schedule, unless it has no chain. */
export function sharePricesRead(
  { sharePrices = [] }: Pick<Schedule, "sharePrices">,
  { chain }: Pick<Capabilities, "chain">,
): readonly SharePrice[] {
  return chain ? sharePrices : [];
}

import { tokenText } from "./amount.ts";
import { stepAt } from "./circulating.ts";
import { exceeds, type Supply } from "./onchain.ts";
import type { Schedule } from "./schedule.ts";

/** A disagreement between what is published and what the chain says, for the operator. */
export interface Contradiction {
  readonly code: "circulating_above_total" | "decimals_differ";
  readonly subject: string;
  readonly message: string;
}

/** Holds the schedule against the chain: no more can circulate than exists, and both must count in the same unit. */
export function contradictions(schedule: Schedule, nowMs: number, total: Supply): Contradiction[] {
  const { decimals } = schedule.token;
  const circulating = stepAt(schedule, nowMs)?.circulating;
  const found: Contradiction[] = [];
  if (total.decimals !== decimals)
    found.push({
      code: "decimals_differ",
      subject: "total_supply",
      message: `The schedule counts ${decimals} decimals of the token, the chain ${total.decimals}.`,
    });
  if (circulating !== undefined && exceeds({ baseUnits: circulating, decimals }, total))
    found.push({
      code: "circulating_above_total",
      subject: "circulating_supply",
      message:
        `The schedule says that ${tokenText(circulating, decimals)} tokens circulate; ` +
        `${tokenText(total.baseUnits, total.decimals)} exist on chain.`,
    });
  return found;
}

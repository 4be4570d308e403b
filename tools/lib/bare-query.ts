import { wholeTokens } from "../../src/chain/amount.ts";
import { isRounded } from "../../src/supply/figure-format.ts";
import type { Schedule } from "../../src/supply/schedule.ts";

/**
 * Query with which a token's bare figures are requested. Where JSON readers would round the maximum, the figures are
 * served as text only. A token without a maximum may grow as large, so its figures are requested as text too.
 */
export function bareQuery({ maxSupply, token }: Pick<Schedule, "maxSupply" | "token">): "" | "?format=plain" {
  const isLarge = maxSupply === null || isRounded(wholeTokens(maxSupply, token.decimals));
  return isLarge ? "?format=plain" : "";
}

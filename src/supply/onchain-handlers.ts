import { wholeTokens } from "../chain/amount.ts";
import { CURRENT_VERSION } from "../http/api-version.ts";
import type { Handler } from "../http/handler.ts";
import { cacheHeaders, type FreshnessPolicy, unavailable } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { bareFigure, bareReply } from "./figure-format.ts";
import type { Supply } from "./onchain.ts";

/** On-chain figures are never served while revalidating: a value older than a few seconds is read again. */
export const SUPPLY_FRESHNESS: FreshnessPolicy = {
  freshSeconds: 5,
  revalidateSeconds: 0,
  maxStaleSeconds: 3_600,
  sharedSeconds: 30,
};

/** A bare number from the chain, in the same formats as the scheduled ones; 503 when it is older than its bound. */
export function onChainSupply(figure: SwrValue<Supply>, title: string): Handler {
  return bareFigure([], async (format, context) => {
    const current = await figure.read(context);
    if (current.kind === "unavailable") return unavailable(`${title} is`, current);
    const { baseUnits, decimals } = current.value;
    const digits = wholeTokens(baseUnits, decimals);
    const ETag = `"${digits}-v${CURRENT_VERSION}-${format}"`;
    return bareReply(digits, format, { ...cacheHeaders(current), ETag });
  });
}

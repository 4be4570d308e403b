import { CURRENT_VERSION } from "../http/api-version.ts";
import type { Handler } from "../http/handler.ts";
import { cacheHeaders, type FreshnessPolicy, unavailable } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { bareDigits, bareFigure, bareReply } from "./figure-format.ts";
import type { Supply } from "./onchain.ts";

/** On-chain figures are never served while revalidating: a value older than a few seconds is read again. */
export const SUPPLY_FRESHNESS: FreshnessPolicy = {
  freshSeconds: 5,
  revalidateSeconds: 0,
  maxStaleSeconds: 3_600,
  sharedSeconds: 30,
};

/** A figure read from the chain. */
export type ChainFigure = Pick<SwrValue<Supply>, "name" | "policy" | "read" | "readWithin">;

/** A bare number from the chain, in the same forms as the scheduled ones; 503 when it is older than its bound. */
export function onChainSupply(figure: Pick<ChainFigure, "read">, title: string): Handler {
  return bareFigure([], async (form, context) => {
    const current = await figure.read(context);
    if (current.kind === "unavailable") return unavailable(`${title} is`, current);
    const ETag = `"${bareDigits(current.value, form)}-v${CURRENT_VERSION}-${form}"`;
    return bareReply(current.value, form, { ...cacheHeaders(current), ETag });
  });
}

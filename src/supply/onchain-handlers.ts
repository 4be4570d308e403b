import { CURRENT_VERSION } from "../http/api-version.ts";
import { applyConditional } from "../http/conditional.ts";
import type { Failure } from "../http/failure.ts";
import type { Handler } from "../http/handler.ts";
import { parseQuery, type QueryParams } from "../http/query-params.ts";
import { cacheHeaders, type FreshnessPolicy } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { wholeTokens } from "./amount.ts";
import { bareFigure, bareFormat } from "./figure-format.ts";
import type { Supply } from "./onchain.ts";

/** The chain's state is never answered while it is renewed: what is older than a few seconds is asked for again. */
export const SUPPLY_FRESHNESS: FreshnessPolicy = {
  freshSeconds: 5,
  revalidateSeconds: 0,
  maxStaleSeconds: 3_600,
  sharedSeconds: 30,
};

/** A bare number from the chain: the same forms as the scheduled ones; 503 when it is older than its bound. */
export function onChainSupply(figure: SwrValue<Supply>, title: string): Handler {
  return async (ask) => {
    const values = parseQuery(ask.query, ["format"]);
    if (isFailure(values)) return values;
    const format = bareFormat(ask.request, values["format"]);
    if (typeof format !== "string") return format;
    const reading = await figure.read(ask);
    if (reading.kind === "missing") {
      const message = `${title} is not available: ${reading.reason}.`;
      return { kind: "unavailable", message, retryAfterSeconds: reading.retryAfterSeconds };
    }
    const { baseUnits, decimals } = reading.value;
    const digits = wholeTokens(baseUnits, decimals);
    const { body, headers } = bareFigure(digits, format);
    const own = { ...headers, ...cacheHeaders(reading), ETag: `"${digits}-v${CURRENT_VERSION}-${format}"` };
    return applyConditional({ kind: "reply", status: 200, headers: own, body }, ask.request);
  };
}

function isFailure(value: QueryParams | Failure): value is Failure {
  return "kind" in value;
}

import { CURRENT_VERSION } from "../http/api-version.ts";
import type { Handler } from "../http/handler.ts";
import { bareDigits, bareFigure, bareReply } from "../supply/figure-format.ts";
import { cacheHeaders, unavailable } from "../swr/cached-value.ts";
import type { ChainFigure } from "./figures.ts";

/** Names the ledger version of all chain figures in a body. */
export function ledgerVersionHeader({ ledgerVersion }: { readonly ledgerVersion: bigint }): Record<string, string> {
  return { "X-Ledger-Version": String(ledgerVersion) };
}

/** A bare number from the chain, in the same forms as the scheduled ones; 503 when it is older than its bound. */
export function chainFigureHandler(figure: Pick<ChainFigure, "read">, title: string): Handler {
  return bareFigure([], async (form, context) => {
    const current = await figure.read(context);
    if (current.kind === "unavailable") return unavailable(`${title} is`, current);
    const { value } = current;
    const ETag = `"${bareDigits(value, form)}-v${CURRENT_VERSION}-${form}"`;
    return bareReply(value, form, { ...cacheHeaders(current), ...ledgerVersionHeader(value), ETag });
  });
}

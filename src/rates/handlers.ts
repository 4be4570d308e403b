import { JSON_TYPE } from "../chain/media-types.ts";
import type { Handler } from "../http/handler.ts";
import { ok, type Reply, tagged } from "../http/reply.ts";
import { cacheHeaders, unavailable } from "../swr/cached-value.ts";
import type { SwrValue } from "../swr/swr-value.ts";
import { instantText } from "../utc.ts";
import type { Product } from "./product.ts";

/** `/api/rates`: the products with the time of their reading; 503 when they are older than their bound. */
export function ratesHandler(rates: SwrValue<readonly Product[]>): Handler {
  let known: { readonly products: readonly Product[]; readonly observedAtMs: number; readonly page: Reply } | undefined;
  return async (context) => {
    const current = await rates.read(context);
    if (current.kind === "unavailable") return unavailable("Yield rates are", current);
    const { value: products, observedAtMs } = current;
    if (known?.products !== products || known.observedAtMs !== observedAtMs)
      known = { products, observedAtMs, page: pageOf(products, observedAtMs) };
    const { body, headers } = known.page;
    return ok(body, { ...headers, ...cacheHeaders(current) });
  };
}

/** Serialized once per reading, not per request. */
function pageOf(products: readonly Product[], observedAtMs: number): Reply {
  const body = JSON.stringify({ as_of: instantText(observedAtMs), count: products.length, data: products });
  const name = `rates-${observedAtMs.toString(36)}`;
  return tagged(name, body, JSON_TYPE, { "Last-Modified": new Date(observedAtMs).toUTCString() });
}

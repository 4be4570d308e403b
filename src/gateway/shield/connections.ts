import { type Exchange, type UpstreamResult, upstreamError } from "../upstream/client.ts";

/** Returns the result, or undefined when the work fails or takes too long. */
type Within = (milliseconds: number, work: Promise<UpstreamResult>) => Promise<UpstreamResult | undefined>;

/**
 * Connections of the object for reads. The platform allows six that wait for headers; tip checks use the remaining one.
 */
const OBJECT_CONNECTIONS = 5;
/** Time added to an exchange's deadline for the round trip to the isolate. */
const ROUND_TRIP_MS = 1_000;

/**
 * Sends over the first available connection. A Durable Object has six connections that wait for headers, however many
 * requests it serves, and each request in an isolate has six more. So the object uses its own first, then those of the
 * callers that wait for the response anyway.
 * The deadline starts when a connection is found. There is no queue: every request that waits for the response lends a
 * connection. When the last lender has disconnected no caller waits any more, and nothing is sent again. A lender whose
 * connection failed is removed from `lent`.
 */
export function senderOverConnections(sendItself: Exchange, within: Within) {
  let free = OBJECT_CONNECTIONS;
  return async (lent: Set<Exchange>, ...sent: Parameters<Exchange>): Promise<UpstreamResult> => {
    for (const lender of lent) {
      if (free > 0) break;
      const result = await within(sent[3] + ROUND_TRIP_MS, lender(...sent));
      if (result !== undefined) return result;
      lent.delete(lender);
    }
    if (free === 0 || lent.size === 0)
      return upstreamError("no_connection", "no connection is free, and no caller lends one");
    free -= 1;
    try {
      return await sendItself(...sent);
    } finally {
      free += 1;
    }
  };
}

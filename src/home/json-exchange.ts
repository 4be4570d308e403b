import { concatBytes } from "../chain/bytes.ts";
import { parseJsonBytes } from "../chain/utf8.ts";
import { type JsonExchange, noAnswer } from "../families/node-exchange.ts";
import type { Transport } from "../gateway/upstream/client.ts";
import { collect } from "../http/body.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { isTransient, meaningOfStatus } from "../http/status-meaning.ts";

export interface ExchangePorts {
  /** Calls `then` after a delay unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
  readonly now: () => number;
  readonly userAgent: string;
}

/** Deadline of a call with all its tries. */
const DEADLINE_MS = 3_000;
/** Tries of a call while the node answers with a transient status. */
const TRIES = 2;
/** Enough for a block with the hashes of more than ten thousand transactions. */
const MAX_RESPONSE_BYTES = 2 * 1_048_576;

/** Sends requests to one node, bounded in time and size. */
export function jsonExchangeOver(transport: Transport, { after, now, userAgent }: ExchangePorts): JsonExchange {
  return async (path, body) => {
    const abort = new AbortController();
    let failure = "cannot be connected";
    const cancel = after(DEADLINE_MS, () => {
      failure = `did not answer in ${DEADLINE_MS / 1_000} s`;
      abort.abort();
    });
    try {
      const accept = { Accept: "application/json", "User-Agent": userAgent };
      // Redirects are not followed: the target is not a node that the operator configured.
      const common = { signal: abort.signal, redirect: "manual" } as const;
      const init: RequestInit =
        body === undefined
          ? { ...common, headers: accept }
          : {
              ...common,
              method: "POST",
              headers: { ...accept, "Content-Type": "application/json" },
              body: JSON.stringify(body),
            };
      let message = await transport(path, init);
      for (let tries = 1; message.status !== 200; tries += 1) {
        await message.body?.cancel();
        const { status } = message;
        const restMs = retryAfterMs(message.headers, now());
        const meaning = meaningOfStatus(status, restMs);
        if (tries === TRIES || !isTransient(meaning))
          return noAnswer(`answers with status ${status}`, status, meaning === "throttled" ? restMs : null);
        message = await transport(path, init);
      }
      if (!abort.signal.aborted) failure = "breaks off its answers";
      const chunks = await collect(message, MAX_RESPONSE_BYTES, abort.signal, () => undefined);
      if (chunks === undefined) return noAnswer("answers too much", message.status);
      return { kind: "json", value: parseJsonBytes(concatBytes(chunks)) };
    } catch {
      return noAnswer(failure);
    } finally {
      cancel();
    }
  };
}

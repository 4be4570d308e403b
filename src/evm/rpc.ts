import { concatBytes } from "../chain/bytes.ts";
import { parseJsonBytes } from "../chain/utf8.ts";
import type { Transport } from "../gateway/upstream/client.ts";
import { collect } from "../http/body.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { isTransient, meaningOfStatus } from "../http/status-meaning.ts";
import { answerIn, errorTextIn, none, type Rpc } from "./json-rpc.ts";

export interface RpcPorts {
  /** Calls `then` after a delay unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
  readonly now: () => number;
  readonly userAgent: string;
  /** Called with every error that the node answers; its text may hold what the node was sent. */
  readonly onError?: ((method: string, code: number, text: string) => void) | undefined;
}

/** For all tries of one call. */
const DEADLINE_MS = 3_000;
/** How often a node is asked, as long as its status may pass. */
const TRIES = 2;
/** Of a block with the hashes of ten thousand transactions, and some. */
const MAX_RESPONSE_BYTES = 2 * 1_048_576;

/** Calls over JSON-RPC, one in a request: one in a batch costs as much, and nodes answer a batch in several ways. */
export function rpcOver(transport: Transport, { after, now, userAgent, onError }: RpcPorts): Rpc {
  return async (method, params) => {
    const abort = new AbortController();
    let failure = "cannot be connected";
    const cancel = after(DEADLINE_MS, () => {
      failure = `did not answer in ${DEADLINE_MS / 1_000} s`;
      abort.abort();
    });
    try {
      const headers = { Accept: "application/json", "Content-Type": "application/json", "User-Agent": userAgent };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      // A redirect is not followed: its target is no configured node.
      const init: RequestInit = { method: "POST", headers, body, signal: abort.signal, redirect: "manual" };
      let message = await transport("", init);
      for (let tries = 1; message.status !== 200; tries += 1) {
        await message.body?.cancel();
        const { status } = message;
        const restMs = retryAfterMs(message.headers, now());
        const reading = meaningOfStatus(status, restMs);
        if (tries === TRIES || !isTransient(reading))
          return none(`answers with status ${status}`, status, reading === "throttled" ? restMs : null);
        message = await transport("", init);
      }
      if (!abort.signal.aborted) failure = "breaks off its answers";
      const chunks = await collect(message, MAX_RESPONSE_BYTES, abort.signal, () => undefined);
      if (chunks === undefined) return none("answers too much", message.status);
      const sent = parseJsonBytes(concatBytes(chunks));
      const answer = answerIn(sent);
      if (answer.kind === "error") onError?.(method, answer.code, errorTextIn(sent));
      return answer;
    } catch {
      return none(failure);
    } finally {
      cancel();
    }
  };
}

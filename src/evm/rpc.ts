import { concatBytes } from "../chain/bytes.ts";
import { parseJsonBytes } from "../chain/utf8.ts";
import type { Transport } from "../gateway/upstream/client.ts";
import { collect } from "../http/body.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { answerIn, none, type Rpc } from "./json-rpc.ts";

export interface RpcPorts {
  /** Calls `then` after a delay unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
  readonly now: () => number;
  readonly userAgent: string;
}

const DEADLINE_MS = 3_000;
/** Of a block with the hashes of ten thousand transactions, and some. */
const MAX_RESPONSE_BYTES = 2 * 1_048_576;

/** Calls over JSON-RPC, one in a request: one in a batch costs as much, and nodes answer a batch in several ways. */
export function rpcOver(transport: Transport, { after, now, userAgent }: RpcPorts): Rpc {
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
      const message = await transport("", { method: "POST", headers, body, signal: abort.signal, redirect: "manual" });
      const { status } = message;
      if (status !== 200) {
        await message.body?.cancel();
        return none(`answers with status ${status}`, status, retryAfterMs(message.headers, now()));
      }
      if (!abort.signal.aborted) failure = "breaks off its answers";
      const chunks = await collect(message, MAX_RESPONSE_BYTES, abort.signal, () => undefined);
      return chunks === undefined ? none("answers too much", status) : answerIn(parseJsonBytes(concatBytes(chunks)));
    } catch {
      return none(failure);
    } finally {
      cancel();
    }
  };
}

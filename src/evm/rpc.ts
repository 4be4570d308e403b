import { isRecord } from "../base/json.ts";
import { concatBytes } from "../chain/bytes.ts";
import { parseJsonBytes } from "../chain/utf8.ts";
import type { Transport } from "../gateway/upstream/client.ts";
import { collect } from "../http/body.ts";
import { retryAfterMs } from "../http/retry-after.ts";

/** What came of one call. Texts of a node's errors are not read, and of their codes only that of a revert: they differ. */
export type RpcAnswer =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly code: number }
  | NoAnswer;

/** Nothing of the protocol came back. */
export interface NoAnswer {
  readonly kind: "none";
  /** What the node does instead, as in "cannot be connected". */
  readonly does: string;
  /** The HTTP status; null when there was none. */
  readonly status: number | null;
  /** For how long it is not to be called; null: it does not say. */
  readonly retryAfterMs: number | null;
}

/** One call of one node. Never rejects. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<RpcAnswer>;

export interface RpcPorts {
  /** Calls `then` after a delay unless the returned function is called first. */
  readonly after: (milliseconds: number, then: () => void) => () => void;
  readonly now: () => number;
  readonly userAgent: string;
}

/** The error code of a call that the contract reverted, in every client. */
export const REVERTED = 3;
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

function none(does: string, status: number | null = null, restMs: number | null = null): NoAnswer {
  return { kind: "none", does, status, retryAfterMs: restMs };
}

/** An error may be about a request whose id the node has not read; a result is the one that was asked for. */
function answerIn(body: unknown): RpcAnswer {
  const { id, result, error } = isRecord(body) ? body : {};
  if (isRecord(error) && typeof error["code"] === "number") return { kind: "error", code: error["code"] };
  if (id === 1 && result !== undefined) return { kind: "result", value: result };
  return none("answers something else than JSON-RPC", 200);
}

import { isRecord } from "../../base/json.ts";
import type { NodeCalls } from "../definition.ts";
import { type NoAnswer, none } from "../node-exchange.ts";

/** Result of one call. Texts of a node's errors decide nothing, and of their codes only that of a revert: they differ. */
export type RpcAnswer =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly code: number }
  | NoAnswer;

/** One call of one node. Never rejects. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<RpcAnswer>;

/** The error code of a call that the contract reverted, in every client. */
export const REVERTED = 3;

/** Calls over JSON-RPC, one in a request: one in a batch costs as much, and nodes answer a batch in several ways. */
export function rpcOver({ exchange, onRefusal }: NodeCalls): Rpc {
  return async (method, params) => {
    const sent = await exchange("", { jsonrpc: "2.0", id: 1, method, params });
    if (sent.kind === "none") return sent;
    const answer = answerIn(sent.value);
    if (answer.kind === "error") onRefusal?.(method, answer.code, errorTextIn(sent.value));
    return answer;
  };
}

/** An error may be about a request whose id the node has not read; a result is the one that was asked for. */
export function answerIn(body: unknown): RpcAnswer {
  const { id, result, error } = isRecord(body) ? body : {};
  if (isRecord(error) && typeof error["code"] === "number") return { kind: "error", code: error["code"] };
  if (id === 1 && result !== undefined) return { kind: "result", value: result };
  return none("answers something else than JSON-RPC", 200);
}

/** The text of a node's error, for the log; empty where there is none. */
function errorTextIn(body: unknown): string {
  const error = isRecord(body) ? body["error"] : undefined;
  return isRecord(error) && typeof error["message"] === "string" ? error["message"] : "";
}

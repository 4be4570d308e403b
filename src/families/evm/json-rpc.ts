import { isRecord } from "../../base/json.ts";
import type { NodeConnection } from "../definition.ts";
import { type NoAnswer, noAnswer } from "../node-exchange.ts";

/** Result of one call. Clients differ in error texts and codes, so only the code of a revert decides anything. */
export type RpcAnswer =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly code: number }
  | NoAnswer;

/** Calls a method of one node. Never rejects. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<RpcAnswer>;

/** Error code of a reverted call, the same in every client. */
export const REVERTED = 3;

/** Makes JSON-RPC calls, one in a request: a batch costs as much, and nodes answer it in different ways. */
export function rpcOver({ exchange, onRefusal }: NodeConnection): Rpc {
  return async (method, params) => {
    const sent = await exchange("", { jsonrpc: "2.0", id: 1, method, params });
    if (sent.kind === "none") return sent;
    const answer = parseAnswer(sent.value);
    if (answer.kind === "error") onRefusal?.(method, answer.code, parseErrorText(sent.value));
    return answer;
  };
}

/**
 * Parses an answer. An error may lack the request's id, because the node could not parse the request; a result must
 * have it.
 */
export function parseAnswer(body: unknown): RpcAnswer {
  const { id, result, error } = isRecord(body) ? body : {};
  if (isRecord(error) && typeof error["code"] === "number") return { kind: "error", code: error["code"] };
  if (id === 1 && result !== undefined) return { kind: "result", value: result };
  return noAnswer("answers something else than JSON-RPC", 200);
}

/** Returns the text of a node's error for the log; empty when there is none. */
function parseErrorText(body: unknown): string {
  const error = isRecord(body) ? body["error"] : undefined;
  return isRecord(error) && typeof error["message"] === "string" ? error["message"] : "";
}

import { isRecord } from "../base/json.ts";

/** What came of one call. Texts of a node's errors decide nothing, and of their codes only that of a revert: they differ. */
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

/** The error code of a call that the contract reverted, in every client. */
export const REVERTED = 3;

export function none(does: string, status: number | null = null, restMs: number | null = null): NoAnswer {
  return { kind: "none", does, status, retryAfterMs: restMs };
}

/** An error may be about a request whose id the node has not read; a result is the one that was asked for. */
export function answerIn(body: unknown): RpcAnswer {
  const { id, result, error } = isRecord(body) ? body : {};
  if (isRecord(error) && typeof error["code"] === "number") return { kind: "error", code: error["code"] };
  if (id === 1 && result !== undefined) return { kind: "result", value: result };
  return none("answers something else than JSON-RPC", 200);
}

/** The text of a node's error, for the log; empty where there is none. */
export function errorTextIn(body: unknown): string {
  const error = isRecord(body) ? body["error"] : undefined;
  return isRecord(error) && typeof error["message"] === "string" ? error["message"] : "";
}

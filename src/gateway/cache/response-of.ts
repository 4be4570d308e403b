import { sha256 } from "../../hash/sha256.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import type { FailoverResult } from "../upstream/failover.ts";
import { cacheRuleFor } from "./policy.ts";

/** An upstream's response with its cache rule, ETag, time and epoch. */
export async function responseOf(
  request: NodeRequest,
  { response, classification }: Extract<FailoverResult, { kind: "response" }>,
  epoch: number,
  nowMs: number,
): Promise<CachedResponse> {
  const isFound = request.endpoint === "wait_by_hash" && classification.answer === "committed";
  const { retention, seconds } = cacheRuleFor(
    isFound ? "transaction_by_hash" : request.endpoint,
    classification.answer,
  );
  const hasNone = retention === "no-store" || response.large !== undefined;
  const etag = hasNone ? "" : `"${(await sha256(response.body)).slice(0, 32)}"`;
  return { ...response, retention, seconds, etag, storedAtMs: nowMs, epoch };
}

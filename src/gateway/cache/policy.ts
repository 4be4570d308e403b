import { sha256 } from "../../hash/sha256.ts";
import type { CachedResponse, NodeRequest, NodeResponse, Retention } from "../node-types.ts";
import type { EndpointId } from "../request/endpoints.ts";

/** The kind of a response, determined from its status and body. */
export type ResponseKind =
  /** Fixed for good by an explicit version, height or hash at or below the node's tip. */
  | "committed"
  /** A full page from an explicit start. */
  | "full_page"
  /** True at the node's tip: no explicit version, or a page that may still grow. */
  | "current"
  | "pending"
  /** 404 for state at an explicit version that exists. */
  | "absent_at_version"
  /** 404 for state at the tip. */
  | "absent"
  /** 404 for a version or height above the tip. */
  | "not_yet"
  | "unknown_hash"
  | "pruned"
  /** Pruned at the upstreams that responded; another one did not respond. */
  | "pruned_so_far"
  /** Too large to parse: nothing about its content is verified. */
  | "unchecked"
  /** Any other status below 500. */
  | "refused";

export interface CacheRule {
  readonly endpoints: readonly EndpointId[] | "any";
  readonly answer: ResponseKind | "any";
  readonly retention: Retention;
  /** Maximum age. An `until-tip` response also ends when the published tip passes it. */
  readonly seconds: number;
}

const DAY = 86_400;
/** Longer than any quiet chain goes without a block; an upper bound, not a freshness lifetime. */
const UNTIL_THE_TIP_MOVES = 3_600;

/** First match wins; the last row catches everything. */
export const CACHE_POLICY: readonly CacheRule[] = [
  // Sends a transaction.
  { endpoints: ["submit", "submit_batch"], answer: "any", retention: "no-store", seconds: 0 },
  // Is about one caller's own transaction, at the tip.
  { endpoints: ["simulate", "encode_submission"], answer: "any", retention: "no-store", seconds: 0 },
  // Reports the current health of a node.
  { endpoints: ["healthy"], answer: "any", retention: "no-store", seconds: 0 },
  // The wait itself cannot be cached; its result is stored as by_hash.
  { endpoints: ["wait_by_hash"], answer: "any", retention: "no-store", seconds: 0 },
  // An estimate over many blocks, which the node itself caches for half a second.
  { endpoints: ["estimate_gas_price"], answer: "current", retention: "ttl", seconds: 2 },
  // An error of a view may be about its execution.
  { endpoints: ["view"], answer: "absent", retention: "no-store", seconds: 0 },
  // An error of a view may be about its execution.
  { endpoints: ["view"], answer: "absent_at_version", retention: "no-store", seconds: 0 },
  // Committed is final; a day, because its rendering may change with the node's software.
  { endpoints: "any", answer: "committed", retention: "immutable", seconds: DAY },
  // A full page from an explicit start has only committed items.
  { endpoints: "any", answer: "full_page", retention: "immutable", seconds: DAY },
  // A committed version never changes.
  { endpoints: "any", answer: "absent_at_version", retention: "immutable", seconds: DAY },
  // Valid until the next commit.
  { endpoints: "any", answer: "current", retention: "until-tip", seconds: UNTIL_THE_TIP_MOVES },
  // The next commit may create it.
  { endpoints: "any", answer: "absent", retention: "until-tip", seconds: UNTIL_THE_TIP_MOVES },
  // May exist before the known tip advances.
  { endpoints: "any", answer: "not_yet", retention: "until-tip", seconds: 0.5 },
  // May be committed at any moment.
  { endpoints: "any", answer: "pending", retention: "no-store", seconds: 0 },
  // A submit makes it pending without a commit.
  { endpoints: "any", answer: "unknown_hash", retention: "no-store", seconds: 0 },
  // Its content was not verified.
  { endpoints: "any", answer: "unchecked", retention: "no-store", seconds: 0 },
  // Pruned history does not return, but an archive upstream may be added.
  { endpoints: "any", answer: "pruned", retention: "ttl", seconds: 60 },
  // The upstream that may have it did not respond.
  { endpoints: "any", answer: "pruned_so_far", retention: "ttl", seconds: 1 },
  // Errors are not cached.
  { endpoints: "any", answer: "any", retention: "no-store", seconds: 0 },
];

export function cacheRuleFor(endpoint: EndpointId, answer: ResponseKind): CacheRule {
  const found = CACHE_POLICY.find(
    (rule) =>
      (rule.endpoints === "any" || rule.endpoints.includes(endpoint)) &&
      (rule.answer === "any" || rule.answer === answer),
  );
  if (found === undefined) throw new Error(`no cache rule for ${endpoint} ${answer}`);
  return found;
}

/** An upstream's response with its cache rule, ETag, time and epoch. */
export async function responseOf(
  { endpoint }: NodeRequest,
  { response, classification: { answer } }: { response: NodeResponse; classification: { answer: ResponseKind } },
  epoch: number,
  nowMs: number,
): Promise<CachedResponse> {
  const isFound = endpoint === "wait_by_hash" && answer === "committed";
  const { retention, seconds } = cacheRuleFor(isFound ? "transaction_by_hash" : endpoint, answer);
  const hasNone = retention === "no-store" || response.large !== undefined;
  const etag = hasNone ? "" : `"${(await sha256(response.body)).slice(0, 32)}"`;
  return { ...response, retention, seconds, etag, storedAtMs: nowMs, epoch };
}

import { isAtLeast, type LedgerPoint } from "../../chain/ledger-point.ts";
import type { CachedResponse, NodeRequest, NodeResponse } from "../node-types.ts";
import type { KnownTip } from "../tip/known-tip.ts";

/** How long an upstream's report of the tip counts as current. */
const TIP_FRESH_MS = 1_000;
/** How long an expired response may be served while the call that refreshes it is in progress. */
const RENEWAL_MS = 200;

/** Whether a cached response may be served as current. A response of another epoch never may. */
export function isFresh(value: CachedResponse, tip: KnownTip | null, nowMs: number): boolean {
  if (tip !== null && value.epoch !== tip.epoch) return false;
  const ageMs = nowMs - value.storedAtMs;
  const isWithinSeconds = ageMs < value.seconds * 1_000;
  switch (value.retention) {
    case "immutable":
      return isWithinSeconds;
    case "ttl":
      // After a backward clock step the age is unknown.
      return isWithinSeconds && ageMs >= 0;
    case "until-tip":
      // Without a ledger it cannot be compared with what a caller has seen.
      return value.ledger !== null && isWithinSeconds && isCurrent(value, tip, nowMs);
    case "no-store":
      return false;
  }
}

/** Whether it expired so recently that it may be served while another isolate refreshes it. */
export function isBeingRenewed(value: CachedResponse, tip: KnownTip | null, nowMs: number): boolean {
  return value.retention !== "immutable" && isFresh(value, tip, nowMs - RENEWAL_MS);
}

/** Reported by an upstream within the last second, directly or by a tip check that found the same version. */
function isCurrent(value: CachedResponse, tip: KnownTip | null, nowMs: number): boolean {
  const isRecent = (atMs: number): boolean => nowMs >= atMs && nowMs - atMs < TIP_FRESH_MS;
  return isRecent(value.storedAtMs) || (tip !== null && isAtTip(value, tip) && isRecent(tip.confirmedAtMs));
}

/** Whether the response is at the newest known version. */
export function isAtTip(value: CachedResponse, tip: KnownTip | null): boolean {
  return tip !== null && value.epoch === tip.epoch && value.ledger?.version === tip.ledger.version;
}

/** Milliseconds since a response was last confirmed as current. */
export function ageMs(value: CachedResponse, tip: KnownTip | null, nowMs: number): number {
  const reportedMs = Math.max(0, nowMs - value.storedAtMs);
  if (value.retention !== "until-tip" || tip === null || !isAtTip(value, tip)) return reportedMs;
  return Math.min(reportedMs, Math.max(0, nowMs - tip.confirmedAtMs));
}

/**
 * Valid at any point of the chain: its headers have the newest point its caller may see, not the one it was read at.
 */
export function isTimeless(value: CachedResponse, request: NodeRequest): boolean {
  if (value.retention === "immutable" || value.retention === "ttl") return true;
  return value.retention === "no-store" && isTimelessRequest(request) && !isRefusedSubmit(request, value);
}

/** Whether a caller that has seen this point may be sent the response. */
export function isNotBelow(value: CachedResponse, request: NodeRequest, floor: LedgerPoint | null): boolean {
  const { epoch, ledger } = value;
  return ledger === null || isTimeless(value, request) || isAtLeast({ epoch, version: ledger.version }, floor);
}

/** A refusal shows the state that it is due to (206: of some transactions), so later reads must not be below it. */
export function isRefusedSubmit({ mode }: NodeRequest, { status }: Pick<NodeResponse, "status">): boolean {
  return mode === "submit" && (status >= 400 || status === 206);
}

/** Responses of these do not describe the chain's state, unless they are a refused submit's. */
export function isTimelessRequest({ mode, endpoint }: Pick<NodeRequest, "mode" | "endpoint">): boolean {
  return mode === "submit" || endpoint === "healthy" || endpoint === "encode_submission";
}

/** Whether it may be cached at all. */
export function isStorable({ retention, large }: CachedResponse): boolean {
  return retention !== "no-store" && large === undefined;
}

/** Whether it may be served stale while no upstream responds: not a "not found yet", which is outdated by then. */
export function canServeStale(value: CachedResponse): boolean {
  return value.status === 200 || (value.retention === "until-tip" && value.seconds >= 1);
}

/** How long the data centre's cache stores a response, in seconds. */
export function sharedSeconds({ retention, seconds }: CachedResponse): number {
  return Math.ceil(retention === "until-tip" ? Math.min(seconds, (TIP_FRESH_MS + RENEWAL_MS) / 1_000) : seconds);
}

/** The cache key of a request. A wait shares the key of `by_hash`, whose committed response ends the wait. */
export function cacheKeyOf(target: NodeRequest): string {
  return target.endpoint === "wait_by_hash" ? target.key.replace("/wait_by_hash/", "/by_hash/") : target.key;
}

/** Whether the response may be valid at any point of the chain. */
export function mayBeTimeless(request: NodeRequest): boolean {
  return request.endpoint === "estimate_gas_price" || mayBeImmutable(request);
}

/** A read that names a version, height or hash may be immutable. */
export function mayBeImmutable({ params }: NodeRequest): boolean {
  const { ledger_version, start, txn_hash, txn_version, version, block_height } = params;
  return [ledger_version, start, txn_hash, txn_version, version, block_height].some((value) => value !== undefined);
}

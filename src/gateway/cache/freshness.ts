import { isFuture, isWithin } from "../../base/utc.ts";
import type { EndpointId } from "../../chain/endpoints.ts";
import { isAtLeast, type LedgerPoint } from "../../chain/ledger-point.ts";
import type { Tip } from "../model/ledger.ts";
import type { Attempt, CachedResponse, LocatedResponse, NodeRequest, ResponseSource } from "../model/node-types.ts";

/** Time for which an upstream's report of the tip counts as current. */
const TIP_FRESH_MS = 1_000;

/** Whether a cached response may be served as current. A response of another era never may. */
export function isFresh(value: CachedResponse, tip: Tip | null, nowMs: number): boolean {
  if (tip !== null && value.era !== tip.era) return false;
  const isYoung = isWithin(value.storedAtMs, value.seconds * 1_000, nowMs);
  switch (value.retention) {
    case "immutable":
      // A timestamp in the future is accepted too, because an immutable response cannot be outdated.
      return isYoung || isFuture(value.storedAtMs, nowMs);
    case "ttl":
      return isYoung;
    case "until-tip":
      // A response without a ledger cannot be compared with what a caller has seen.
      return value.point !== null && isYoung && isCurrent(value, tip, nowMs);
    case "no-store":
      return false;
  }
}

/** Whether an upstream reported the response's version within the last second, directly or by a tip check. */
function isCurrent(value: CachedResponse, tip: Tip | null, nowMs: number): boolean {
  if (isWithin(value.storedAtMs, TIP_FRESH_MS, nowMs)) return true;
  return tip !== null && isAtTip(value, tip) && isWithin(tip.confirmedAtMs, TIP_FRESH_MS, nowMs);
}

/** Whether the response is at the newest known version. */
export function isAtTip({ point }: CachedResponse, tip: Tip | null): boolean {
  return tip !== null && point !== null && point.era === tip.era && point.version === tip.ledger.version;
}

/** Wraps a response. Its age is set when it leaves. */
export function foundIn(value: CachedResponse, source: ResponseSource, attempts: readonly Attempt[]): LocatedResponse {
  return { kind: "found", value, source, ageMs: 0, recorded: null, attempts };
}

/** Milliseconds since a response was last confirmed as current. */
export function ageMs(value: CachedResponse, tip: Tip | null, nowMs: number): number {
  const reportedMs = Math.max(0, nowMs - value.storedAtMs);
  if (value.retention !== "until-tip" || tip === null || !isAtTip(value, tip)) return reportedMs;
  return Math.min(reportedMs, Math.max(0, nowMs - tip.confirmedAtMs));
}

/**
 * Whether a caller that has seen `floor` may be sent the response. A timeless one may be sent if its era is not older.
 */
export function isNotBelow({ point, timeless, era }: CachedResponse, floor: LedgerPoint | null): boolean {
  if (point === null || floor === null) return true;
  return timeless ? era >= floor.era : isAtLeast(point, floor);
}

const STATELESS: readonly EndpointId[] = ["healthy", "node_info", "encode_submission"];

/** Whether a request's response does not describe the chain's state. A refused submit's response does all the same. */
export function isTimelessRequest({ mode, endpoint }: Pick<NodeRequest, "mode" | "endpoint">): boolean {
  return mode === "submit" || STATELESS.includes(endpoint);
}

/** Whether the response may be cached at all. */
export function isStorable({ retention, large }: CachedResponse): boolean {
  return retention !== "no-store" && large === undefined;
}

/** Whether a response may be served while no upstream responds: young enough, and not below the floor. */
export function isLastGood(value: CachedResponse, floor: LedgerPoint | null, age: number, maxSeconds: number): boolean {
  // A "not found yet" is excluded, because it is outdated by then.
  const isOfUse = value.status === 200 || (value.retention === "until-tip" && value.seconds >= 1);
  return isOfUse && age <= maxSeconds * 1_000 && isNotBelow(value, floor);
}

/** Cache key of a request. A wait shares the key of `by_hash`, whose committed response ends the wait. */
export function cacheKeyOf({ endpoint, key }: NodeRequest): string {
  return endpoint === "wait_by_hash" ? key.replace("/wait_by_hash/", "/by_hash/") : key;
}

/** Whether the response may be valid at any point of the chain. */
export function mayBeTimeless(request: Pick<NodeRequest, "endpoint" | "params">): boolean {
  return request.endpoint === "estimate_gas_price" || mayBeImmutable(request);
}

/** Whether a read names a version, height or hash, so that its response may be immutable. */
export function mayBeImmutable({ params }: Pick<NodeRequest, "params">): boolean {
  const { ledger_version, start, txn_hash, txn_version, version, block_height } = params;
  return [ledger_version, start, txn_hash, txn_version, version, block_height].some((value) => value !== undefined);
}

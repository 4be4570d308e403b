import { isFuture, isWithin } from "../../base/utc.ts";
import type { EndpointId } from "../../chain/endpoints.ts";
import { isAtLeast, type LedgerPoint } from "../../chain/ledger-point.ts";
import type { Tip } from "../model/ledger.ts";
import type { Attempt, CachedResponse, LocatedResponse, NodeRequest, ResponseSource } from "../model/node-types.ts";

/** How long an upstream's report of the tip counts as current. */
const TIP_FRESH_MS = 1_000;

/** Whether a cached response may be served as current. A response of another era never may. */
export function isFresh(value: CachedResponse, tip: Tip | null, nowMs: number): boolean {
  if (tip !== null && value.era !== tip.era) return false;
  const isYoung = isWithin(value.storedAtMs, value.seconds * 1_000, nowMs);
  switch (value.retention) {
    case "immutable":
      // Its age does not matter.
      return isYoung || isFuture(value.storedAtMs, nowMs);
    case "ttl":
      return isYoung;
    case "until-tip":
      // Without a ledger it cannot be compared with what a caller has seen.
      return value.point !== null && isYoung && isCurrent(value, tip, nowMs);
    case "no-store":
      return false;
  }
}

/** Reported by an upstream within the last second, directly or by a tip check that found the same version. */
function isCurrent(value: CachedResponse, tip: Tip | null, nowMs: number): boolean {
  if (isWithin(value.storedAtMs, TIP_FRESH_MS, nowMs)) return true;
  return tip !== null && isAtTip(value, tip) && isWithin(tip.confirmedAtMs, TIP_FRESH_MS, nowMs);
}

/** Whether the response is at the newest known version. */
export function isAtTip({ point }: CachedResponse, tip: Tip | null): boolean {
  return tip !== null && point !== null && point.era === tip.era && point.version === tip.ledger.version;
}

/** Its age is that of the moment when it leaves. */
export function foundIn(value: CachedResponse, source: ResponseSource, attempts: readonly Attempt[]): LocatedResponse {
  return { kind: "found", value, source, ageMs: 0, recorded: null, attempts };
}

/** Milliseconds since a response was last confirmed as current. */
export function ageMs(value: CachedResponse, tip: Tip | null, nowMs: number): number {
  const reportedMs = Math.max(0, nowMs - value.storedAtMs);
  if (value.retention !== "until-tip" || tip === null || !isAtTip(value, tip)) return reportedMs;
  return Math.min(reportedMs, Math.max(0, nowMs - tip.confirmedAtMs));
}

/** Whether a caller that has seen this point may be sent the response. A timeless one is, if it is of that era. */
export function isNotBelow({ point, timeless, era }: CachedResponse, floor: LedgerPoint | null): boolean {
  if (point === null || floor === null) return true;
  return timeless ? era >= floor.era : isAtLeast(point, floor);
}

const STATELESS: readonly EndpointId[] = ["healthy", "node_info", "encode_submission"];

/** Responses of these do not describe the chain's state, unless they are a refused submit's. */
export function isTimelessRequest({ mode, endpoint }: Pick<NodeRequest, "mode" | "endpoint">): boolean {
  return mode === "submit" || STATELESS.includes(endpoint);
}

/** Whether it may be cached at all. */
export function isStorable({ retention, large }: CachedResponse): boolean {
  return retention !== "no-store" && large === undefined;
}

/** The last good response: young enough to be served while no upstream responds, and not below the floor. */
export function isLastGood(value: CachedResponse, floor: LedgerPoint | null, age: number, maxSeconds: number): boolean {
  // Not a "not found yet", which is outdated by then.
  const isOfUse = value.status === 200 || (value.retention === "until-tip" && value.seconds >= 1);
  return isOfUse && age <= maxSeconds * 1_000 && isNotBelow(value, floor);
}

/** The cache key of a request. A wait shares the key of `by_hash`, whose committed response ends the wait. */
export function cacheKeyOf({ endpoint, key }: NodeRequest): string {
  return endpoint === "wait_by_hash" ? key.replace("/wait_by_hash/", "/by_hash/") : key;
}

/** Whether the response may be valid at any point of the chain. */
export function mayBeTimeless(request: Pick<NodeRequest, "endpoint" | "params">): boolean {
  return request.endpoint === "estimate_gas_price" || mayBeImmutable(request);
}

/** A read that names a version, height or hash may be immutable. */
export function mayBeImmutable({ params }: Pick<NodeRequest, "params">): boolean {
  const { ledger_version, start, txn_hash, txn_version, version, block_height } = params;
  return [ledger_version, start, txn_hash, txn_version, version, block_height].some((value) => value !== undefined);
}

import type { CachedResponse, NodeRequest } from "../node-types.ts";
import type { KnownTip } from "../tip/ledger-mark.ts";

/** How long an upstream's report of the tip counts as current. */
const TIP_FRESH_MS = 1_000;

/** Whether a kept response may be given out as current. A response of another epoch never is. */
export function isFresh(value: CachedResponse, tip: KnownTip | null, nowMs: number): boolean {
  if (tip !== null && value.epoch !== tip.epoch) return false;
  const ageMs = nowMs - value.storedAtMs;
  const isWithinSeconds = ageMs < value.seconds * 1_000;
  switch (value.retention) {
    case "immutable":
      return isWithinSeconds;
    case "ttl":
      // Below zero the clock was set back: how old the response is cannot be told.
      return isWithinSeconds && ageMs >= 0;
    case "until-tip":
      return isWithinSeconds && isCurrent(value, tip, nowMs);
    case "no-store":
      return false;
  }
}

/** Reported by an upstream within the last second, as itself or by a look-up that found the same version. */
function isCurrent(value: CachedResponse, tip: KnownTip | null, nowMs: number): boolean {
  const reportedMs = nowMs - value.storedAtMs;
  if (reportedMs >= 0 && reportedMs < TIP_FRESH_MS) return true;
  return isAtTip(value, tip) && isConfirmed(tip, nowMs);
}

function isConfirmed(tip: KnownTip | null, nowMs: number): boolean {
  if (tip === null) return false;
  const confirmedMs = nowMs - tip.confirmedAtMs;
  return confirmedMs >= 0 && confirmedMs < TIP_FRESH_MS;
}

/** Whether nothing newer than the response's own version is known. Lower ones are never at the tip, nor are higher. */
function isAtTip(value: CachedResponse, tip: KnownTip | null): boolean {
  return tip !== null && value.epoch === tip.epoch && value.ledger?.version === tip.ledger.version;
}

/** Milliseconds since a response was last reported as current. */
export function ageMs(value: CachedResponse, tip: KnownTip | null, nowMs: number): number {
  const reportedMs = Math.max(0, nowMs - value.storedAtMs);
  if (value.retention !== "until-tip" || tip === null || !isAtTip(value, tip)) return reportedMs;
  return Math.min(reportedMs, Math.max(0, nowMs - tip.confirmedAtMs));
}

/** True at any point of the chain: its head names the newest point that its caller may see, not the one it was made at. */
export function isTimeless(value: CachedResponse, request: NodeRequest): boolean {
  if (value.retention === "immutable" || value.retention === "ttl") return true;
  return value.retention === "no-store" && isTimelessRequest(request);
}

/** Answers of these say nothing about the chain's state. */
export function isTimelessRequest({ mode, endpoint }: Pick<NodeRequest, "mode" | "endpoint">): boolean {
  return mode === "submit" || endpoint === "healthy" || endpoint === "encode_submission";
}

/** Whether it may be given out, labelled, while no upstream answers: "not there yet" says too little by then. */
export function canServeStale(value: CachedResponse): boolean {
  return value.status === 200 || (value.retention === "until-tip" && value.seconds >= 1);
}

/** The key under which a target's committed answer may already be kept: a wait is over when by_hash has it. */
export function cacheKeyOf(target: NodeRequest): string {
  return target.endpoint === "wait_by_hash" ? target.key.replace("/wait_by_hash/", "/by_hash/") : target.key;
}

/** Whether its answer may be one that is true at any point. */
export function mayBeTimeless(request: NodeRequest): boolean {
  return request.endpoint === "estimate_gas_price" || mayBeImmutable(request);
}

/** What names a version, height or hash may be immutable; only that is laid into the data centre's cache. */
export function mayBeImmutable({ params }: NodeRequest): boolean {
  const { ledger_version, start, txn_hash, txn_version, version, block_height } = params;
  return [ledger_version, start, txn_hash, txn_version, version, block_height].some((value) => value !== undefined);
}

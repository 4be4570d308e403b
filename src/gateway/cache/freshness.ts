import type { CachedResponse, NodeRequest } from "../node-types.ts";

/** Whether a kept value may be given out as current. `tipVersion` is the published tip, known and confirmed. */
export function isFresh(value: CachedResponse, tipVersion: bigint, nowMs: number): boolean {
  const withinSeconds = nowMs - value.storedAtMs < value.seconds * 1_000;
  switch (value.retention) {
    case "immutable":
    case "ttl":
      return withinSeconds;
    case "until-tip":
      return withinSeconds && value.ledger !== null && value.ledger.version >= tipVersion;
    case "no-store":
      return false;
  }
}

/**
 * Milliseconds since a value was last known to be current. A tip body that the published tip has not passed was as
 * good as new when that tip was last confirmed.
 */
export function ageMs(
  value: CachedResponse,
  tipVersion: bigint | null,
  unconfirmedMs: number | null,
  nowMs: number,
): number {
  const stored = Math.max(0, nowMs - value.storedAtMs);
  if (value.retention !== "until-tip" || tipVersion === null || unconfirmedMs === null || value.ledger === null)
    return stored;
  return value.ledger.version >= tipVersion ? Math.min(stored, unconfirmedMs) : stored;
}

/** Whether it may be given out, labelled, while no upstream answers: "not there yet" says too little by then. */
export function canServeStale(value: CachedResponse): boolean {
  return value.status === 200 || (value.retention === "until-tip" && value.seconds >= 1);
}

/** The key under which a target's committed answer may already be kept: a wait is over when by_hash has it. */
export function cacheKeyOf(target: NodeRequest): string {
  return target.endpoint === "wait_by_hash" ? target.key.replace("/wait_by_hash/", "/by_hash/") : target.key;
}

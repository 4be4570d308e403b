/**
 * A point in the history of the chain behind the upstreams. Points are totally ordered, first by era, then by ledger
 * version: an era begins when the chain is replaced, so no point of an old era is at or above one of a new era.
 */
export interface LedgerPoint {
  /** Milliseconds since 1970 at which the replacement was detected; 0 before the first. Not the chain's own epoch. */
  readonly era: number;
  readonly version: bigint;
}

export function isAtLeast(point: LedgerPoint, floor: LedgerPoint | null): boolean {
  if (floor === null) return true;
  return point.era === floor.era ? point.version >= floor.version : point.era > floor.era;
}

/** The version that a floor requires in an era: one of another era binds nothing. */
export function versionIn(era: number, floor: LedgerPoint | null): bigint {
  return floor !== null && floor.era === era ? floor.version : 0n;
}

/** The later of two points; `left` when they are equal. */
export function laterOf(left: LedgerPoint | null, right: LedgerPoint | null): LedgerPoint | null {
  if (left === null || right === null) return left ?? right;
  return isAtLeast(left, right) ? left : right;
}

/**
 * A point in the history of the chain behind the upstreams. Points are ordered first by era, then by version. An era
 * begins when the chain is replaced, so every point of a new era is above those of older eras.
 */
export interface LedgerPoint {
  /**
   * Time at which the replacement was detected, in milliseconds since 1970; 0 for the first era. Not the chain's own
   * epoch.
   */
  readonly era: number;
  readonly version: bigint;
}

export function isAtLeast(point: LedgerPoint, floor: LedgerPoint | null): boolean {
  if (floor === null) return true;
  return point.era === floor.era ? point.version >= floor.version : point.era > floor.era;
}

/** Returns the version that a floor requires in an era. A floor from another era requires nothing. */
export function requiredVersion(era: number, floor: LedgerPoint | null): bigint {
  return floor !== null && floor.era === era ? floor.version : 0n;
}

/** Returns the later of two points; `left` when they are equal. */
export function laterPoint(left: LedgerPoint | null, right: LedgerPoint | null): LedgerPoint | null {
  if (left === null || right === null) return left ?? right;
  return isAtLeast(left, right) ? left : right;
}

/**
 * A point in a chain's history. Points are totally ordered, first by epoch, which increases when the chain is reset,
 * then by ledger version. So no point of an old epoch is at or above one of a new epoch.
 */
export interface LedgerPoint {
  /** Milliseconds since 1970 at which a reset was detected; 0 before the first. */
  readonly epoch: number;
  readonly version: bigint;
}

/**
 * A point with the node's ledger headers as text that only the gateway reads. Plain data: it is sent to Durable
 * Objects.
 */
export interface LedgerMark extends LedgerPoint {
  readonly fields: string;
}

export function isAtLeast(point: LedgerPoint, floor: LedgerPoint | null): boolean {
  if (floor === null) return true;
  return point.epoch === floor.epoch ? point.version >= floor.version : point.epoch > floor.epoch;
}

/** The later of two points; `left` when they are equal. */
export function laterOf<Left extends LedgerPoint, Right extends LedgerPoint>(
  left: Left | null,
  right: Right | null,
): Left | Right | null {
  if (left === null || right === null) return left ?? right;
  return isAtLeast(left, right) ? left : right;
}

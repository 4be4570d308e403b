/** How often blocks are made. */
export interface BlockTiming {
  /** Minimum time between two blocks, hence the longest wait of a ready transaction. */
  readonly blockMs: number;
  /** Maximum time between two blocks when no transaction is ready. */
  readonly heartbeatMs: number;
}

/** An idle chain makes a block this long after a transaction arrives, so that simultaneous ones share it. */
const GATHER_MS = 10;

/** When the next block is due. A last block in the future (the clock was set back) causes no delay. */
export function dueAt(
  { blockMs, heartbeatMs }: BlockTiming,
  lastBlockMs: number,
  ready: boolean,
  nowMs: number,
): number {
  const last = Math.min(lastBlockMs, nowMs);
  return ready ? Math.max(last + blockMs, nowMs + GATHER_MS) : last + heartbeatMs;
}

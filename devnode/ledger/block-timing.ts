/** How often blocks are made. */
export interface Pace {
  /** Least time between two blocks, so the longest that a ready transaction waits. */
  readonly blockMs: number;
  /** Longest time between two blocks when nothing waits. */
  readonly heartbeatMs: number;
}

/** On a chain that has been idle a block is made this soon: what arrives together goes together. */
const GATHER_MS = 10;

/** When the next block is due. A last block that lies in the future (a clock set back) delays nothing. */
export function dueAt({ blockMs, heartbeatMs }: Pace, lastBlockMs: number, ready: boolean, nowMs: number): number {
  const last = Math.min(lastBlockMs, nowMs);
  return ready ? Math.max(last + blockMs, nowMs + GATHER_MS) : last + heartbeatMs;
}

/** Newest version that a node reports, with its time by the chain's clock. */
export interface Head {
  readonly version: bigint;
  readonly atMs: number;
}

/** Whether a head is so far behind a newer one that its node must have stopped. A future time proves nothing. */
export function isBehind(head: Head, newer: Head, mostBehindMs: number, nowMs: number): boolean {
  return newer.version > head.version && Math.min(nowMs, newer.atMs) - head.atMs > mostBehindMs;
}

/**
 * Chooses the head at which a chain is read, so that no single node moves it or excludes another node. Of three or more
 * heads it is the second newest. Of two it is the older one, unless that one is behind. Without heads it is undefined.
 */
export function headToRead<T extends Head>(heads: readonly T[], mostBehindMs: number, nowMs: number): T | undefined {
  const newestFirst = [...heads].sort((left, right) => (left.version > right.version ? -1 : 1));
  const [newest, second, third] = newestFirst;
  if (newest === undefined || second === undefined) return newest;
  return third === undefined && isBehind(second, newest, mostBehindMs, nowMs) ? newest : second;
}

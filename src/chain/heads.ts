/** The newest version that a node reports, with its time by the chain's own clock. */
export interface Head {
  readonly version: bigint;
  readonly atMs: number;
}

/** Whether a head is so far behind a newer one that its node has stopped. A time in the future proves nothing. */
export function isBehind(head: Head, newer: Head, mostBehindMs: number, nowMs: number): boolean {
  return newer.version > head.version && Math.min(nowMs, newer.atMs) - head.atMs > mostBehindMs;
}

/**
 * The head at which a chain is read, so that no node alone moves it or excludes another one. Of three or more it is the
 * second newest; of two the older one, unless that one is behind. undefined when there is no head.
 */
export function headToRead<T extends Head>(heads: readonly T[], mostBehindMs: number, nowMs: number): T | undefined {
  const newestFirst = [...heads].sort((left, right) => (left.version > right.version ? -1 : 1));
  const [newest, second, third] = newestFirst;
  if (newest === undefined || second === undefined) return newest;
  return third === undefined && isBehind(second, newest, mostBehindMs, nowMs) ? newest : second;
}

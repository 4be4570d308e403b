import type { ChainFamily } from "./asset.ts";

/** The newest version that a node reports, with its time by the chain's own clock. */
export interface Head {
  readonly version: bigint;
  readonly atMs: number;
}

/** How far heads of healthy nodes differ at most: a second or two on a Move chain, a few blocks on an EVM chain. */
export const MOST_BEHIND_MS: Readonly<Record<ChainFamily, number>> = { move: 10_000, evm: 60_000 };

/** Whether a head is so far behind a newer one that its node has stopped. A time in the future proves nothing. */
export function isBehind(head: Head, newer: Head, family: ChainFamily, nowMs: number): boolean {
  return newer.version > head.version && Math.min(nowMs, newer.atMs) - head.atMs > MOST_BEHIND_MS[family];
}

/**
 * The head at which a chain is read, so that no node alone moves it or excludes another one. Of three or more it is the
 * second newest; of two the older one, unless that one is behind. undefined when there is no head.
 */
export function headToRead<T extends Head>(heads: readonly T[], family: ChainFamily, nowMs: number): T | undefined {
  const newestFirst = [...heads].sort((left, right) => (left.version > right.version ? -1 : 1));
  const [newest, second, third] = newestFirst;
  if (newest === undefined || second === undefined) return newest;
  return third === undefined && isBehind(second, newest, family, nowMs) ? newest : second;
}

import type { PooledTransaction } from "./mempool-admission.ts";

/** Pending transactions of one sender. */
export interface Account {
  /** The sequence number that the committed state expects next. */
  committed: bigint;
  readonly bySequence: Map<bigint, PooledTransaction>;
}

export interface Ranked {
  readonly waiting: PooledTransaction;
  readonly price: bigint;
  readonly arrival: number;
}

/** The consecutive transactions of one account from its committed number on; none ranks above the one before it. */
export function rankedRun({ committed, bySequence }: Account): readonly Ranked[] {
  const run: Ranked[] = [];
  for (let next = committed; ; next += 1n) {
    const waiting = bySequence.get(next);
    if (waiting === undefined) return run;
    const before = run.at(-1);
    const price = waiting.transaction.gasUnitPrice;
    run.push({
      waiting,
      price: before === undefined || price < before.price ? price : before.price,
      arrival: Math.max(waiting.arrival, before?.arrival ?? 0),
    });
  }
}

/** Highest price first, then the earliest. */
export function byRank(left: Ranked, right: Ranked): number {
  if (left.price !== right.price) return left.price > right.price ? -1 : 1;
  if (left.arrival !== right.arrival) return left.arrival - right.arrival;
  return left.waiting.transaction.sequenceNumber < right.waiting.transaction.sequenceNumber ? -1 : 1;
}

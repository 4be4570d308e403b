import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { type Admission, judgeUpdate, type Waiting } from "./mempool-admission.ts";
import type { Candidate } from "./ports.ts";
import { type Account, byRank, type Ranked, rankedRun } from "./price-ranking.ts";

export interface MempoolLimits {
  readonly capacity: number;
  /** Octets of signed transactions in all: the pool is memory, whatever their number. */
  readonly capacityBytes: number;
  readonly perAccount: number;
  /** A transaction that no block took by then is forgotten, whatever its own expiry. */
  readonly timeToLiveMs: number;
}

/** Pending transactions. Memory only: whoever owns it writes the rows, and loads them again after a restart. */
export class Mempool {
  readonly #limits: MempoolLimits;
  readonly #accounts = new Map<Address, Account>();
  readonly #byHash = new Map<HashValue, Waiting>();
  #bytes = 0;

  constructor(limits: MempoolLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byHash.size;
  }

  find(hash: HashValue): Waiting | undefined {
    return this.#byHash.get(hash);
  }

  /** What taking `candidate` would mean. Changes nothing: `add` and `remove` do, once the rows are written. */
  judge(candidate: Candidate, committed: bigint): Admission {
    const account = this.#accounts.get(candidate.transaction.sender.address);
    const existing = account?.bySequence.get(candidate.transaction.sequenceNumber);
    if (existing !== undefined) return judgeUpdate(existing, candidate);
    const held = account?.bySequence.size ?? 0;
    if (held >= this.#limits.perAccount)
      return {
        kind: "mempool_is_full",
        message: `Mempool over capacity for account. Number of transactions from account: ${held} Capacity per account: ${this.#limits.perAccount}`,
      };
    if (this.#hasRoom(candidate, null)) return { kind: "admit", drops: null };
    const { sender, sequenceNumber } = candidate.transaction;
    const parked = this.nextFree(sender.address, committed) === sequenceNumber ? this.#latestParked() : undefined;
    if (parked !== undefined && this.#hasRoom(candidate, parked)) return { kind: "admit", drops: parked };
    return {
      kind: "mempool_is_full",
      message: `Mempool is full. Mempool size: ${this.size}, Capacity: ${this.#limits.capacity}`,
    };
  }

  add(waiting: Waiting, committed: bigint): void {
    const { sender, sequenceNumber } = waiting.transaction;
    const account = this.#accounts.get(sender.address) ?? { committed, bySequence: new Map<bigint, Waiting>() };
    account.bySequence.set(sequenceNumber, waiting);
    this.#accounts.set(sender.address, account);
    this.#byHash.set(waiting.hash, waiting);
    this.#bytes += waiting.signedBytes.length;
  }

  remove(waiting: Waiting): void {
    if (!this.#byHash.delete(waiting.hash)) return;
    this.#bytes -= waiting.signedBytes.length;
    const { sender, sequenceNumber } = waiting.transaction;
    const account = this.#accounts.get(sender.address);
    account?.bySequence.delete(sequenceNumber);
    if (account?.bySequence.size === 0) this.#accounts.delete(sender.address);
  }

  /** The state moved on: `sender` now expects `next`. */
  advance(sender: Address, next: bigint): void {
    const account = this.#accounts.get(sender);
    if (account !== undefined) account.committed = next;
  }

  /** The first sequence number from `committed` on that nothing waits with. */
  nextFree(sender: Address, committed: bigint): bigint {
    const held = this.#accounts.get(sender)?.bySequence;
    let next = committed;
    while (held?.has(next)) next += 1n;
    return next;
  }

  /** True when a block would have something to take. */
  hasReady(): boolean {
    for (const account of this.#accounts.values()) if (account.bySequence.has(account.committed)) return true;
    return false;
  }

  /**
   * What the next block takes, at most `most`: the best price first, then the earliest. Of one account always in
   * sequence, so a high price behind a low one waits with it.
   */
  ready(most: number): readonly Waiting[] {
    const ranked: Ranked[] = [];
    for (const account of this.#accounts.values()) ranked.push(...rankedRun(account));
    return ranked
      .sort(byRank)
      .slice(0, most)
      .map(({ waiting }) => waiting);
  }

  /** What is past its expiry in a block at `nowMicros`, or has waited too long at `nowMs`. */
  expired(nowMicros: bigint, nowMs: number): readonly Waiting[] {
    const nowSeconds = nowMicros / 1_000_000n;
    return [...this.#byHash.values()].filter(
      ({ transaction, arrivedMs }) =>
        transaction.expirationSeconds <= nowSeconds || arrivedMs + this.#limits.timeToLiveMs <= nowMs,
    );
  }

  #hasRoom(candidate: Candidate, without: Waiting | null): boolean {
    const { capacity, capacityBytes } = this.#limits;
    const bytes = this.#bytes - (without?.signedBytes.length ?? 0) + candidate.signedBytes.length;
    return this.size - (without === null ? 0 : 1) < capacity && bytes <= capacityBytes;
  }

  #latestParked(): Waiting | undefined {
    let latest: Waiting | undefined;
    for (const account of this.#accounts.values()) {
      const end = account.committed + BigInt(rankedRun(account).length);
      for (const waiting of account.bySequence.values())
        if (waiting.transaction.sequenceNumber >= end && (latest === undefined || waiting.arrival > latest.arrival))
          latest = waiting;
    }
    return latest;
  }
}

import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import type { UserTransaction } from "../vm/user-transaction.ts";
import { type Admission, checkUpdate, type PooledTransaction } from "./mempool-admission.ts";
import type { DecodedTransaction } from "./ports.ts";
import { type Account, byRank, type Ranked, rankedRun } from "./price-ranking.ts";

export interface MempoolLimits {
  readonly capacity: number;
  /** Total size of the signed transactions: the pool is in memory. */
  readonly capacityBytes: number;
  readonly perAccount: number;
  /** A pending transaction is dropped after this time, whatever its own expiration. */
  readonly timeToLiveMs: number;
}

/** Pending transactions in memory. The owner writes the rows and loads them after a restart. */
export class Mempool {
  readonly #limits: MempoolLimits;
  readonly #accounts = new Map<Address, Account>();
  readonly #byHash = new Map<HashValue, PooledTransaction>();
  #bytes = 0;

  constructor(limits: MempoolLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byHash.size;
  }

  find(hash: HashValue): PooledTransaction | undefined {
    return this.#byHash.get(hash);
  }

  /** Whether `candidate` can be added. Changes nothing: `add` and `remove` do, once the rows are written. */
  checkAdmission(candidate: DecodedTransaction, committed: bigint): Admission {
    const account = this.#accounts.get(candidate.transaction.sender.address);
    const existing = account?.bySequence.get(candidate.transaction.sequenceNumber);
    if (existing !== undefined) return checkUpdate(existing, candidate);
    const count = account?.bySequence.size ?? 0;
    const { capacity, perAccount } = this.#limits;
    if (count >= perAccount) {
      const numbers = `Number of transactions from account: ${count} Capacity per account: ${perAccount}`;
      return { kind: "mempool_is_full", message: `Mempool over capacity for account. ${numbers}` };
    }
    if (this.#hasRoom(candidate, null)) return { kind: "admit", drops: null };
    const { sender, sequenceNumber } = candidate.transaction;
    const parked = this.nextFree(sender.address, committed) === sequenceNumber ? this.#latestParked() : undefined;
    if (parked !== undefined && this.#hasRoom(candidate, parked)) return { kind: "admit", drops: parked };
    const message = `Mempool is full. Mempool size: ${this.size}, Capacity: ${capacity}`;
    return { kind: "mempool_is_full", message };
  }

  add(waiting: PooledTransaction, committed: bigint): void {
    const { sender, sequenceNumber } = waiting.transaction;
    const account = this.#accounts.get(sender.address) ?? {
      committed,
      bySequence: new Map<bigint, PooledTransaction>(),
    };
    account.bySequence.set(sequenceNumber, waiting);
    this.#accounts.set(sender.address, account);
    this.#byHash.set(waiting.hash, waiting);
    this.#bytes += waiting.signedBytes.length;
  }

  remove(waiting: PooledTransaction): void {
    if (!this.#byHash.delete(waiting.hash)) return;
    this.#bytes -= waiting.signedBytes.length;
    const { sender, sequenceNumber } = waiting.transaction;
    const account = this.#accounts.get(sender.address);
    account?.bySequence.delete(sequenceNumber);
    if (account?.bySequence.size === 0) this.#accounts.delete(sender.address);
  }

  /** The transaction committed. */
  advance({ sender, sequenceNumber }: UserTransaction): void {
    const account = this.#accounts.get(sender.address);
    if (account !== undefined) account.committed = sequenceNumber + 1n;
  }

  /** The first sequence number from `committed` on without a pending transaction. */
  nextFree(sender: Address, committed: bigint): bigint {
    const pending = this.#accounts.get(sender)?.bySequence;
    let next = committed;
    while (pending?.has(next)) next += 1n;
    return next;
  }

  /** Whether a block would have a transaction to execute. */
  hasReady(): boolean {
    for (const account of this.#accounts.values()) if (account.bySequence.has(account.committed)) return true;
    return false;
  }

  /**
   * The transactions of the next block, at most `max`: highest price first, then the earliest. One account's are always
   * in sequence, so a high price behind a low one ranks with it.
   */
  ready(max: number): readonly PooledTransaction[] {
    const ranked: Ranked[] = [];
    for (const account of this.#accounts.values()) ranked.push(...rankedRun(account));
    return ranked
      .sort(byRank)
      .slice(0, max)
      .map(({ waiting }) => waiting);
  }

  /** Transactions expired in a block at `nowMicros`, or older than the time to live at `nowMs`. */
  expired(nowMicros: bigint, nowMs: number): readonly PooledTransaction[] {
    const nowSeconds = nowMicros / 1_000_000n;
    return [...this.#byHash.values()].filter(
      ({ transaction, arrivedMs }) =>
        transaction.expirationSeconds <= nowSeconds || arrivedMs + this.#limits.timeToLiveMs <= nowMs,
    );
  }

  #hasRoom(candidate: DecodedTransaction, without: PooledTransaction | null): boolean {
    const { capacity, capacityBytes } = this.#limits;
    const bytes = this.#bytes - (without?.signedBytes.length ?? 0) + candidate.signedBytes.length;
    return this.size - (without === null ? 0 : 1) < capacity && bytes <= capacityBytes;
  }

  #latestParked(): PooledTransaction | undefined {
    let latest: PooledTransaction | undefined;
    for (const account of this.#accounts.values()) {
      const end = account.committed + BigInt(rankedRun(account).length);
      for (const waiting of account.bySequence.values())
        if (waiting.transaction.sequenceNumber >= end && (latest === undefined || waiting.arrival > latest.arrival))
          latest = waiting;
    }
    return latest;
  }
}

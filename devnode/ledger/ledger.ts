import type { HashValue } from "../../src/chain/hash-value.ts";
import type { LedgerInfo } from "../../src/chain/ledger-headers.ts";
import type { HashLookup, Ledger } from "./api.ts";
import { type BlockTiming, dueAt } from "./block-timing.ts";
import { CommittedChain, type LogUnexpected } from "./committed-chain.ts";
import { type Faucet, funding } from "./funding.ts";
import { estimateGas, HISTORY } from "./gas-estimate.ts";
import type { MempoolLimits } from "./mempool.ts";
import { MempoolStore } from "./mempool-store.ts";
import type { Machine, TransactionCodec } from "./ports.ts";
import { committedWithHash, readSent, readsOf } from "./reads.ts";
import { simulate } from "./simulate.ts";
import type { Storage } from "./storage.ts";
import { Stores } from "./stores.ts";
import { expectedBy, submit } from "./submit.ts";
import { type Timer, TransactionWaiters } from "./transaction-waiters.ts";

export interface LedgerSettings extends BlockTiming {
  readonly chainId: number;
  /** How many versions stay readable, the tip included. */
  readonly pruneWindow: number;
  readonly mempool: MempoolLimits;
}

/** Ports of a ledger. */
export interface Ports {
  readonly storage: Storage;
  readonly machine: Machine;
  readonly codec: TransactionCodec;
  readonly faucet: Faucet;
  readonly nowMs: () => number;
  readonly timer: Timer;
  readonly logUnexpected: LogUnexpected;
  /** Called after every change that may make the next block due earlier. */
  readonly onChange: () => void;
}

/** A ledger with the block production that its owner drives. */
export interface RunningLedger extends Ledger {
  /** When the next block is due, milliseconds since the epoch. */
  readonly dueAtMs: () => number;
  /** Makes a block of the ready transactions now. */
  readonly makeBlock: () => void;
  /** Makes a block if a transaction is ready or the heartbeat is due. */
  readonly tick: () => void;
}

/** Opens the ledger in `storage`, or creates one there. */
export function openLedger(settings: LedgerSettings, ports: Ports): RunningLedger {
  const { storage, machine, codec, nowMs } = ports;
  const chain = new CommittedChain(storage, new Stores(storage), machine, settings.pruneWindow, ports.logUnexpected);
  const mempool = new MempoolStore(storage, settings.mempool);
  const waiters = new TransactionWaiters(ports.timer);
  mempool.load(codec, (sender) => expectedBy({ chain, machine }, sender));
  const estimate = () => estimateGas(chain.stores.blocks.prices(HISTORY.aggressive), machine.minGasUnitPrice);
  const intake = { chain, mempool, waiters, machine, codec, nowMs };

  const makeBlock = () => {
    const { committed, dropped } = chain.makeBlock(mempool, nowMs());
    for (const { hash } of [...committed, ...dropped]) waiters.settled(hash);
    ports.onChange();
  };
  const due = () => dueAt(settings, chain.tip.timestampMicros / 1_000, mempool.pool.hasReady(), nowMs());
  const take = async (signedBytes: Uint8Array) => {
    const result = await submit(intake, signedBytes);
    if (result.kind === "accepted") ports.onChange();
    return result;
  };
  const find = (hash: HashValue): HashLookup => {
    const committed = committedWithHash(chain, hash);
    if (committed !== null) return committed;
    const waiting = mempool.pool.find(hash);
    if (waiting === undefined) return { kind: "not_found" };
    return { kind: "found", value: { kind: "pending", hash, signedBytes: waiting.signedBytes } };
  };

  return {
    ...readsOf(chain),
    info: () => infoOf(chain, settings.chainId),
    accountTransactions: (address, start, limit) => {
      const next = machine.sequenceNumber(chain.stores.state.newest, address);
      return next === undefined ? { kind: "account_not_found" } : readSent(chain, address, next, start, limit);
    },
    transactionByHash: find,
    waitByHash: async (hash) => {
      const found = find(hash);
      if (found.kind !== "found" || found.value.kind !== "pending") return found;
      await waiters.wait(hash);
      return find(hash);
    },
    gasEstimate: estimate,
    submit: take,
    submitBatch: async (signed) => {
      const results = [];
      for (const signedBytes of signed) results.push(await take(signedBytes));
      return results;
    },
    simulate: (signedBytes, options) =>
      simulate({ chain, machine, codec, gasEstimate: estimate }, signedBytes, options),
    fund: funding(ports.faucet, {
      nextSequenceNumber: (address) => mempool.pool.nextFree(address, expectedBy(intake, address)),
      submit: take,
      find,
      makeBlock,
      balance: (owner) => machine.gasBalance(chain.stores.state.newest, owner),
      nowMs,
    }),
    dueAtMs: due,
    makeBlock,
    tick: () => {
      if (mempool.pool.hasReady() || due() <= nowMs()) makeBlock();
      else ports.onChange();
    },
  };
}

function infoOf({ tip, oldest }: CommittedChain, chainId: number): LedgerInfo {
  return {
    chainId,
    version: BigInt(tip.last),
    oldestVersion: BigInt(oldest.version),
    timestampMicros: BigInt(tip.timestampMicros),
    epoch: BigInt(tip.epoch),
    blockHeight: BigInt(tip.height),
    oldestBlockHeight: BigInt(oldest.height),
  };
}

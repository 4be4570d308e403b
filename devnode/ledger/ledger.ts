import type { HashValue } from "../../src/chain/hash-value.ts";
import { printStructTag } from "../../src/chain/type-tag.ts";
import type { HashLookup, Ledger, LedgerInfo } from "./api.ts";
import { dueAt, type Pace } from "./block-timing.ts";
import { Chain, type Complain } from "./committed-chain.ts";
import { type Faucet, funding } from "./funding.ts";
import { estimateOf } from "./gas-estimate-cache.ts";
import type { MempoolLimits } from "./mempool.ts";
import { Queue } from "./mempool-store.ts";
import type { Codecs, Machine } from "./ports.ts";
import { committedWithHash, readPage, readSent, readsOf } from "./reads.ts";
import { simulate } from "./simulate.ts";
import type { Storage } from "./storage.ts";
import { Stores } from "./stores.ts";
import { expectedBy, submit } from "./submit.ts";
import { type Timer, Waiters } from "./transaction-waiters.ts";

export interface LedgerSettings extends Pace {
  readonly chainId: number;
  /** How many versions stay readable, the tip counted. */
  readonly pruneWindow: number;
  readonly mempool: MempoolLimits;
}

/** What a ledger needs of the world. */
export interface Ports {
  readonly storage: Storage;
  readonly machine: Machine;
  readonly codecs: Codecs;
  readonly faucet: Faucet;
  readonly nowMs: () => number;
  readonly timer: Timer;
  readonly complain: Complain;
  /** Told after every change that may bring the next block nearer. */
  readonly onChange: () => void;
}

/** A ledger with what its keeper needs to drive it. */
export interface RunningLedger extends Ledger {
  /** When the next block should be made: milliseconds since the epoch. */
  readonly dueAtMs: () => number;
  /** Makes a block now, of what is ready. */
  readonly makeBlock: () => void;
  /** Makes a block if something is ready or the heartbeat is due. */
  readonly tick: () => void;
}

/** Opens the ledger that lies in `storage`, or starts one there. */
export function openLedger(settings: LedgerSettings, ports: Ports): RunningLedger {
  const { storage, machine, codecs, nowMs } = ports;
  const chain = new Chain(storage, new Stores(storage), machine, settings.pruneWindow, ports.complain);
  const queue = new Queue(storage, settings.mempool);
  const waiters = new Waiters(ports.timer);
  queue.load(codecs, (sender) => expectedBy({ chain, machine }, sender));
  const estimate = estimateOf(chain, machine.minimumPrice);
  const intake = { chain, queue, waiters, machine, codecs, nowMs };

  const makeBlock = () => {
    const { committed, dropped } = chain.makeBlock(queue, nowMs());
    for (const { hash } of [...committed, ...dropped]) waiters.settled(hash);
    ports.onChange();
  };
  const due = () => dueAt(settings, chain.tip.timestampMicros / 1_000, queue.hasReady(), nowMs());
  const take = async (signedBytes: Uint8Array) => {
    const result = await submit(intake, signedBytes);
    if (result.kind === "accepted") ports.onChange();
    return result;
  };
  const find = (hash: HashValue): HashLookup => {
    const committed = committedWithHash(chain, hash);
    if (committed !== null) return committed;
    const waiting = queue.find(hash);
    if (waiting === undefined) return { kind: "not_found" };
    return { kind: "found", value: { kind: "pending", hash, signedBytes: waiting.signedBytes } };
  };

  return {
    ...readsOf(chain),
    info: () => infoOf(chain, settings.chainId),
    resources: (address, version, cursor, limit) =>
      readPage(chain, "resource", { address, version, cursor }, limit, (place, { value }) => ({
        type: place.kind === "resource" ? printStructTag(place.tag) : "",
        value,
      })),
    modules: (address, version, cursor, limit) =>
      readPage(chain, "module", { address, version, cursor }, limit, (place, { value }) => ({
        name: place.kind === "module" ? place.name : "",
        bytecode: value,
      })),
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
      simulate({ chain, machine, codecs, gasEstimate: estimate }, signedBytes, options),
    fund: funding(ports.faucet, {
      nextSequenceNumber: (address) => queue.nextFree(address, expectedBy(intake, address)),
      submit: take,
      find,
      makeBlock,
      balance: (owner) => machine.gasBalance(chain.stores.state.newest, owner),
      nowMs,
    }),
    dueAtMs: due,
    makeBlock,
    tick: () => {
      if (queue.hasReady() || due() <= nowMs()) makeBlock();
      else ports.onChange();
    },
  };
}

function infoOf({ tip, oldest }: Chain, chainId: number): LedgerInfo {
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

import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { printStructTag } from "../../src/chain/type-tag.ts";
import { printVmStatus } from "../vm/effects.ts";
import type { FundResult, GasEstimate, HashLookup, Ledger, LedgerInfo } from "./api.ts";
import { Chain, type Complain } from "./chain.ts";
import { estimateGas, HISTORY } from "./gas-estimate.ts";
import type { Codecs, Machine } from "./machine.ts";
import type { MempoolLimits } from "./mempool.ts";
import { dueAt, type Pace } from "./pace.ts";
import { Queue } from "./queue.ts";
import { committedWithHash, readPage, readSent, readsOf } from "./reads.ts";
import { simulate } from "./simulate.ts";
import type { Storage } from "./storage.ts";
import { Stores } from "./stores.ts";
import { expectedBy, submit } from "./submit.ts";
import { type Timer, Waiters } from "./waiters.ts";

export interface LedgerSettings extends Pace {
  readonly chainId: number;
  /** How many versions stay readable, the tip counted. */
  readonly pruneWindow: number;
  readonly mempool: MempoolLimits;
}

/** Signs as the account that hands out funds. */
export interface Faucet {
  readonly address: Address;
  /** BCS of the signed transaction. */
  readonly sign: (order: FaucetOrder) => Uint8Array;
}

export interface FaucetOrder {
  readonly recipient: Address;
  readonly amount: bigint;
  readonly sequenceNumber: bigint;
  readonly expirationSeconds: bigint;
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

const FAUCET_LIFE_SECONDS = 60n;
/** Blocks that a faucet's transaction may have to wait for, behind others that pay more. */
const MOST_FAUCET_BLOCKS = 64;

/** Opens the ledger that lies in `storage`, or starts one there. */
export function openLedger(settings: LedgerSettings, ports: Ports): RunningLedger {
  const { storage, machine, codecs, nowMs } = ports;
  const chain = new Chain(storage, new Stores(storage), machine, settings.pruneWindow, ports.complain);
  const queue = new Queue(storage, settings.mempool);
  const waiters = new Waiters(ports.timer);
  queue.load(codecs, (sender) => expectedBy({ chain, machine }, sender));
  const estimate = cachedEstimate(chain, machine.minimumPrice);
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
    fund: inTurn((address, amount) => fund(address, amount)),
    dueAtMs: due,
    makeBlock,
    tick: () => {
      if (queue.hasReady() || due() <= nowMs()) makeBlock();
      else ports.onChange();
    },
  };

  async function fund(recipient: Address, amount: bigint): Promise<FundResult> {
    const { address, sign } = ports.faucet;
    const sequenceNumber = queue.nextFree(address, expectedBy(intake, address));
    const expirationSeconds = BigInt(Math.floor(nowMs() / 1_000)) + FAUCET_LIFE_SECONDS;
    const taken = await take(sign({ recipient, amount, sequenceNumber, expirationSeconds }));
    if (taken.kind !== "accepted")
      return { kind: "refused", message: `The faucet's transaction was not taken: ${taken.kind}.` };
    const { hash } = taken.pending;
    for (let block = 0; queue.find(hash) !== undefined && block < MOST_FAUCET_BLOCKS; block += 1) makeBlock();
    const status = committedWithHash(chain, hash)?.value;
    if (status === undefined || status.kind === "pending")
      return { kind: "refused", message: "The faucet's transaction did not commit." };
    if (status.info.status.kind !== "executed") return { kind: "refused", message: printVmStatus(status.info.status) };
    return { kind: "funded", hash };
  }
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

/** Computed once per block, however many ask. */
function cachedEstimate(chain: Chain, minimumPrice: bigint): () => GasEstimate {
  let height = -1;
  let estimate = estimateGas([], minimumPrice);
  return () => {
    if (height !== chain.tip.height) {
      estimate = estimateGas(chain.stores.blocks.prices(HISTORY.aggressive), minimumPrice);
      height = chain.tip.height;
    }
    return estimate;
  };
}

/** One call at a time, in order of arrival: each takes the next sequence number. */
function inTurn<Arguments extends unknown[], Result>(
  work: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...given) => {
    const mine = last.then(() => work(...given));
    last = mine.catch(() => undefined);
    return mine;
  };
}

import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { printVmStatus } from "../vm/effects.ts";
import type { FundResult, HashLookup, SubmitResult } from "./api.ts";

/** Signs as the account that hands out funds. */
export interface Faucet {
  readonly address: Address;
  /** The most that paying out can cost it, base units. */
  readonly maxFee: bigint;
  /** BCS of the signed transaction. */
  readonly sign: (order: FaucetOrder) => Uint8Array;
}

export interface FaucetOrder {
  readonly recipient: Address;
  readonly amount: bigint;
  readonly sequenceNumber: bigint;
  readonly expirationSeconds: bigint;
}

export interface FundingPorts {
  readonly nextSequenceNumber: (sender: Address) => bigint;
  readonly submit: (signedBytes: Uint8Array) => Promise<SubmitResult>;
  readonly find: (hash: HashValue) => HashLookup;
  readonly makeBlock: () => void;
  /** Base units that the account can pay with. */
  readonly balance: (owner: Address) => bigint;
  readonly nowMs: () => number;
}

const LIFE_SECONDS = 60n;
/** Blocks that a faucet's transaction may have to wait for, behind others that pay more. */
const MOST_BLOCKS = 64;

/** Pays out with ordinary transactions, one at a time, each committed before its answer. */
export function funding(
  faucet: Faucet,
  ports: FundingPorts,
): (recipient: Address, amount: bigint) => Promise<FundResult> {
  let last: Promise<unknown> = Promise.resolve();
  return (recipient, amount) => {
    const mine = last.then(() => fund(faucet, ports, recipient, amount));
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function fund(faucet: Faucet, ports: FundingPorts, recipient: Address, amount: bigint): Promise<FundResult> {
  const available = ports.balance(faucet.address) - faucet.maxFee;
  if (amount > available)
    return refused(
      `The faucet's reserve can pay ${available > 0n ? available : 0n} base units, fewer than the ${amount} asked for; ask for less, or start a fresh chain.`,
    );
  const sequenceNumber = ports.nextSequenceNumber(faucet.address);
  const expirationSeconds = BigInt(Math.floor(ports.nowMs() / 1_000)) + LIFE_SECONDS;
  const signedBytes = faucet.sign({ recipient, amount, sequenceNumber, expirationSeconds });
  const taken = await submitWithRoom(ports, signedBytes);
  if (taken.kind === "mempool_is_full") return taken;
  if (taken.kind !== "accepted") return refused(`The faucet's transaction was not taken: ${taken.kind}.`);
  const { hash } = taken.pending;
  for (let block = 0; block < MOST_BLOCKS; block += 1) {
    ports.makeBlock();
    const found = ports.find(hash);
    if (found.kind === "not_found") return refused("The faucet's transaction was dropped.");
    if (found.value.kind === "pending") continue;
    const { status } = found.value.info;
    return status.kind === "executed" ? { kind: "funded", hash } : refused(printVmStatus(status));
  }
  return refused("The faucet's transaction waits for one before it.");
}

/** A full mempool is emptied by a block: what stays parked after it gives way. */
async function submitWithRoom(ports: FundingPorts, signedBytes: Uint8Array): Promise<SubmitResult> {
  const taken = await ports.submit(signedBytes);
  if (taken.kind !== "mempool_is_full") return taken;
  ports.makeBlock();
  return ports.submit(signedBytes);
}

function refused(message: string): FundResult {
  return { kind: "refused", message };
}

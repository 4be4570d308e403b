import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import { printVmStatus } from "../vm/effects.ts";
import type { FundResult, HashLookup, SubmitResult } from "./api.ts";

/** Signs as the account that pays out funds. */
export interface Faucet {
  readonly address: Address;
  /** Maximum fee of one payment, base units. */
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

const TIME_TO_LIVE_SECONDS = 60n;
/** How many blocks a faucet transaction may wait behind others with a higher gas price. */
const MAX_BLOCKS = 64;

/** Pays out with ordinary transactions, one at a time; each result waits for the commit. */
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
      `The faucet's reserve can pay ${available > 0n ? available : 0n} base units, fewer than the requested ${amount}; request less, or start a fresh chain.`,
    );
  const sequenceNumber = ports.nextSequenceNumber(faucet.address);
  const expirationSeconds = BigInt(Math.floor(ports.nowMs() / 1_000)) + TIME_TO_LIVE_SECONDS;
  const signedBytes = faucet.sign({ recipient, amount, sequenceNumber, expirationSeconds });
  const submitted = await submitWithRoom(ports, signedBytes);
  if (submitted.kind === "mempool_is_full") return submitted;
  if (submitted.kind !== "accepted") return refused(`The faucet's transaction was refused: ${submitted.kind}.`);
  const { hash } = submitted.pending;
  for (let block = 0; block < MAX_BLOCKS; block += 1) {
    ports.makeBlock();
    const found = ports.find(hash);
    if (found.kind === "not_found") return refused("The faucet's transaction was dropped.");
    if (found.value.kind === "pending") continue;
    const { status } = found.value;
    return status.kind === "executed" ? { kind: "funded", hash, signedBytes } : refused(printVmStatus(status));
  }
  return refused("The faucet's transaction waits for an earlier one.");
}

/** A block makes room in a full mempool; transactions that are still parked after it are dropped for this one. */
async function submitWithRoom(ports: FundingPorts, signedBytes: Uint8Array): Promise<SubmitResult> {
  const submitted = await ports.submit(signedBytes);
  if (submitted.kind !== "mempool_is_full") return submitted;
  ports.makeBlock();
  return ports.submit(signedBytes);
}

function refused(message: string): FundResult {
  return { kind: "refused", message };
}

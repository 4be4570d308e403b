import type { Address } from "../../src/chain/address.ts";
import { type ValidationFailure, validationFailure } from "../vm/validation-failure.ts";
import type { SubmitResult } from "./api.ts";
import type { CommittedChain } from "./committed-chain.ts";
import type { MempoolStore } from "./mempool-store.ts";
import type { DecodedTransaction, Machine, TransactionCodec } from "./ports.ts";
import type { TransactionWaiters } from "./transaction-waiters.ts";

export interface SubmitPorts {
  readonly chain: CommittedChain;
  readonly mempool: MempoolStore;
  readonly waiters: TransactionWaiters;
  readonly machine: Machine;
  readonly codec: TransactionCodec;
  readonly nowMs: () => number;
}

/**
 * Runs all checks of a transaction in the node's order: size (before anything is decoded or hashed), stale sequence
 * number, signature, prologue, expiry, mempool. Expiry is by the wall clock, because an idle chain's own time lags.
 */
export async function submit(ports: SubmitPorts, signedBytes: Uint8Array): Promise<SubmitResult> {
  if (signedBytes.length > ports.machine.maxTransactionBytes)
    return rejected(validationFailure("EXCEEDED_MAX_TRANSACTION_SIZE", tooLarge(ports.machine, signedBytes)));
  const intake = ports.codec.decode(signedBytes);
  if (intake.kind === "invalid_input") return intake;
  const { candidate } = intake;
  const stale = staleness(ports, candidate);
  if (stale !== null) return stale;
  const failure = await intake.verifySignatures();
  if (failure !== undefined) return rejected(failure);
  // Blocks may have been made while the signature was verified. There is no await from here on.
  return staleness(ports, candidate) ?? admit(ports, candidate);
}

/** The next sequence number in the committed state; 0 for an account that does not exist. */
export function expectedBy({ chain, machine }: Pick<SubmitPorts, "chain" | "machine">, sender: Address) {
  return machine.sequenceNumber(chain.stores.state.newest, sender) ?? 0n;
}

function staleness(ports: SubmitPorts, { transaction }: DecodedTransaction): SubmitResult | null {
  const { sender, sequenceNumber } = transaction;
  const current = expectedBy(ports, sender.address);
  return sequenceNumber < current ? { kind: "sequence_number_too_old", given: sequenceNumber, current } : null;
}

function admit(ports: SubmitPorts, candidate: DecodedTransaction): SubmitResult {
  const nowMs = ports.nowMs();
  const failure = ports.machine.validate(candidate.transaction, ports.chain.stores.state.newest);
  if (failure !== undefined) return rejected(failure);
  if (candidate.transaction.expirationSeconds <= BigInt(Math.floor(nowMs / 1_000))) return rejected(EXPIRED);
  const admission = ports.mempool.offer(candidate, expectedBy(ports, candidate.transaction.sender.address), nowMs);
  switch (admission.kind) {
    case "admit":
      if (admission.drops !== null) ports.waiters.settled(admission.drops.hash);
      return accepted(candidate);
    case "already":
      return accepted(admission.existing);
    case "invalid_transaction_update":
    case "mempool_is_full":
      return admission;
  }
}

const EXPIRED = validationFailure("TRANSACTION_EXPIRED");

/** Why a transaction of this size can never enter a block. */
export function tooLarge({ maxTransactionBytes }: Machine, { length }: Uint8Array): string {
  return `The signed transaction has ${length} bytes; the maximum is ${maxTransactionBytes}.`;
}

function rejected(failure: ValidationFailure): SubmitResult {
  return { kind: "rejected", failure };
}

function accepted({ hash, signedBytes }: DecodedTransaction): SubmitResult {
  return { kind: "accepted", pending: { kind: "pending", hash, signedBytes } };
}

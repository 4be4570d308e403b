import type { Address } from "../../src/chain/address.ts";
import { VALIDATION_CODES, type ValidationFailure } from "../vm/validation-failure.ts";
import type { SubmitResult } from "./api.ts";
import type { Chain } from "./committed-chain.ts";
import type { Queue } from "./mempool-store.ts";
import type { Candidate, Codecs, Machine } from "./ports.ts";
import type { Waiters } from "./transaction-waiters.ts";

export interface SubmitPorts {
  readonly chain: Chain;
  readonly queue: Queue;
  readonly waiters: Waiters;
  readonly machine: Machine;
  readonly codecs: Codecs;
  readonly nowMs: () => number;
}

/**
 * All checks of one transaction, in the node's order: stale sequence number, signature, prologue, expiry by the wall
 * clock (an idle chain's own time lags), mempool. When it answers `accepted`, the row is written; the object's output
 * gate holds the answer until the disk has it.
 */
export async function submit(ports: SubmitPorts, signedBytes: Uint8Array): Promise<SubmitResult> {
  const intake = ports.codecs.decode(signedBytes);
  if (intake.kind === "invalid_input") return intake;
  const { candidate } = intake;
  const stale = staleness(ports, candidate);
  if (stale !== null) return stale;
  const fault = await intake.signatureFault();
  if (fault !== undefined) return rejected(fault);
  // Blocks may have been made while the signature was checked: from here on nothing waits.
  return staleness(ports, candidate) ?? admit(ports, candidate);
}

/** Where the committed state stands with this sender; an account that does not exist expects 0. */
export function expectedBy({ chain, machine }: Pick<SubmitPorts, "chain" | "machine">, sender: Address) {
  return machine.sequenceNumber(chain.stores.state.newest, sender) ?? 0n;
}

function staleness(ports: SubmitPorts, { transaction }: Candidate): SubmitResult | null {
  const { sender, sequenceNumber } = transaction;
  const current = expectedBy(ports, sender.address);
  return sequenceNumber < current ? { kind: "sequence_number_too_old", given: sequenceNumber, current } : null;
}

function admit(ports: SubmitPorts, candidate: Candidate): SubmitResult {
  const nowMs = ports.nowMs();
  const failure = ports.machine.validate(candidate.transaction, ports.chain.stores.state.newest);
  if (failure !== undefined) return rejected(failure);
  if (candidate.transaction.expirationSeconds <= BigInt(Math.floor(nowMs / 1_000))) return rejected(EXPIRED);
  const admission = ports.queue.offer(candidate, expectedBy(ports, candidate.transaction.sender.address), nowMs);
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

const EXPIRED: ValidationFailure = { status: "TRANSACTION_EXPIRED", code: VALIDATION_CODES.TRANSACTION_EXPIRED };

function rejected(failure: ValidationFailure): SubmitResult {
  return { kind: "rejected", failure };
}

function accepted({ hash, signedBytes }: Candidate): SubmitResult {
  return { kind: "accepted", pending: { kind: "pending", hash, signedBytes } };
}

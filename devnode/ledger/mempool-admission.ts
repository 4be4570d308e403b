import type { Candidate } from "./ports.ts";

/** A valid transaction that waits for its block. */
export interface Waiting extends Candidate {
  /** Order of admission, and the name of its row on disk. */
  readonly arrival: number;
  readonly arrivedMs: number;
}

export type Admission =
  /** Room is made by dropping `drops`: the transaction replaced, or a parked one. */
  | { readonly kind: "admit"; readonly drops: Waiting | null }
  | { readonly kind: "already"; readonly existing: Waiting }
  | { readonly kind: "invalid_transaction_update"; readonly message: string }
  | { readonly kind: "mempool_is_full"; readonly message: string };

/** A second transaction for a sequence number that is taken: only a better price may differ. */
export function judgeUpdate(existing: Waiting, candidate: Candidate): Admission {
  const differs = differenceOf(existing, candidate);
  if (differs !== null)
    return {
      kind: "invalid_transaction_update",
      message: `Transaction already in mempool with a different ${differs}`,
    };
  const [offered, held] = [candidate.transaction.gasUnitPrice, existing.transaction.gasUnitPrice];
  if (offered > held) return { kind: "admit", drops: existing };
  if (offered === held) return { kind: "already", existing };
  return {
    kind: "invalid_transaction_update",
    message: "Transaction already in mempool with a higher gas price",
  };
}

function differenceOf(existing: Waiting, candidate: Candidate): string | null {
  if (!sameBytes(existing.payload, candidate.payload)) return "payload";
  const [before, after] = [existing.transaction, candidate.transaction];
  if (before.expirationSeconds !== after.expirationSeconds) return "expiration timestamp";
  if (before.maxGasAmount !== after.maxGasAmount) return "max gas amount";
  return null;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

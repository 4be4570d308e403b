import { equalBytes } from "../../src/chain/bytes.ts";
import type { DecodedTransaction } from "./ports.ts";

/** A valid transaction in the mempool. */
export interface PooledTransaction extends DecodedTransaction {
  /** Order of admission, and the key of its row. */
  readonly arrival: number;
  readonly arrivedMs: number;
}

export type Admission =
  /** `drops` makes room: the replaced transaction, or a parked one. */
  | { readonly kind: "admit"; readonly drops: PooledTransaction | null }
  | { readonly kind: "already"; readonly existing: PooledTransaction }
  | { readonly kind: "invalid_transaction_update"; readonly message: string }
  | { readonly kind: "mempool_is_full"; readonly message: string };

/** A second transaction with the sequence number of a pending one: only the price may differ, and must be higher. */
export function checkUpdate(existing: PooledTransaction, candidate: DecodedTransaction): Admission {
  const differs = differenceOf(existing, candidate);
  if (differs !== null) return refusedUpdate(`a different ${differs}`);
  const [offered, current] = [candidate.transaction.gasUnitPrice, existing.transaction.gasUnitPrice];
  if (offered > current) return { kind: "admit", drops: existing };
  if (offered === current) return { kind: "already", existing };
  return refusedUpdate("a higher gas price");
}

function refusedUpdate(difference: string): Admission {
  return { kind: "invalid_transaction_update", message: `Transaction already in mempool with ${difference}` };
}

function differenceOf(existing: PooledTransaction, candidate: DecodedTransaction): string | null {
  if (!equalBytes(existing.payload, candidate.payload)) return "payload";
  const [before, after] = [existing.transaction, candidate.transaction];
  if (before.expirationSeconds !== after.expirationSeconds) return "expiration timestamp";
  if (before.maxGasAmount !== after.maxGasAmount) return "max gas amount";
  return null;
}

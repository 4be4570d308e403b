import { encode } from "./codec/bcs.ts";
import { type HashForm, transactionHash } from "./codec/signing.ts";
import {
  decodeSignedTransaction,
  encodeSignedTransaction,
  payload,
  type SignedTransaction,
} from "./codec/transaction.ts";
import { verifySignatures } from "./codec/verify-signatures.ts";
import type { DecodeResult, TransactionCodec } from "./ledger/ports.ts";
import { userTransactionOf } from "./vm/user-transaction.ts";
import { type ValidationFailure, validationFailure } from "./vm/validation-failure.ts";

/** Implements the ledger's `TransactionCodec` port with this chain's formats. */
export function transactionCodec(hashForm: HashForm): TransactionCodec {
  return {
    decode: (signedBytes) => decode(signedBytes, hashForm),
    withGas: (signedBytes, gas) => {
      const decoded = decodeSignedTransaction(signedBytes);
      if (decoded.kind === "malformed") throw new RangeError(decoded.message);
      const { raw, authenticator } = decoded.value;
      return encodeSignedTransaction({ raw: { ...raw, ...gas }, authenticator });
    },
  };
}

function decode(signedBytes: Uint8Array, hashForm: HashForm): DecodeResult {
  const decoded = decodeSignedTransaction(signedBytes);
  if (decoded.kind === "malformed")
    return {
      kind: "invalid_input",
      message: `Failed to deserialize input into SignedTransaction: ${decoded.message}`,
    };
  const signed = decoded.value;
  return {
    kind: "candidate",
    candidate: {
      transaction: userTransactionOf(signed, signedBytes.length),
      signedBytes,
      hash: transactionHash(signed, hashForm),
      payload: encode(payload, signed.raw.payload),
    },
    verifySignatures: () => signatureFailure(signed),
  };
}

async function signatureFailure(signed: SignedTransaction): Promise<ValidationFailure | undefined> {
  const error = await verifySignatures(signed);
  switch (error?.kind) {
    case undefined:
      return undefined;
    case "invalid_signature":
      return validationFailure("INVALID_SIGNATURE", error.reason);
    case "signer_count_mismatch":
      return validationFailure("SECONDARY_KEYS_ADDRESSES_COUNT_MISMATCH", error.reason);
  }
}

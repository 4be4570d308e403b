import { encode } from "./codec/bcs.ts";
import { type HashForm, transactionHash } from "./codec/signing.ts";
import {
  decodeSignedTransaction,
  encodeSignedTransaction,
  payload,
  type SignedTransaction,
} from "./codec/transaction.ts";
import { signatureFault } from "./codec/verify-signatures.ts";
import type { Codecs, Intake } from "./ledger/ports.ts";
import { userTransactionOf } from "./vm/user-transaction.ts";
import { type ValidationFailure, validationFailure } from "./vm/validation-failure.ts";

/** The chain's own formats behind the ledger's port. */
export function chainCodecs(hashForm: HashForm): Codecs {
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

function decode(signedBytes: Uint8Array, hashForm: HashForm): Intake {
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
    signatureFault: () => faultOf(signed),
  };
}

async function faultOf(signed: SignedTransaction): Promise<ValidationFailure | undefined> {
  const fault = await signatureFault(signed);
  switch (fault?.kind) {
    case undefined:
      return undefined;
    case "invalid_signature":
      return validationFailure("INVALID_SIGNATURE", fault.reason);
    case "signer_count_mismatch":
      return validationFailure("SECONDARY_KEYS_ADDRESSES_COUNT_MISMATCH", fault.reason);
  }
}

import { concatBytes } from "../../src/chain/bytes.ts";
import { address, bytes, refused, struct, transform, u8, union, unit, type ValueOf, vector } from "./bcs.ts";
import { BcsError } from "./bcs-reader.ts";
import {
  ED25519_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  ed25519PublicKey,
  ed25519Signature,
  publicKey,
  signature,
} from "./keys.ts";

/** Maximum number of keys of a multi-key account, and the size of its bitmap. */
export const MAX_KEYS = 32;
export const BITMAP_BYTES = 4;

const ed25519 = struct({ publicKey: ed25519PublicKey, signature: ed25519Signature });

interface MultiEd25519 {
  readonly publicKeys: readonly Uint8Array[];
  readonly threshold: number;
  /** In the order of the keys whose bits are set. */
  readonly signatures: readonly Uint8Array[];
  /** Bit 0 is the most significant bit of the first byte. */
  readonly bitmap: Uint8Array;
}

/** `MultiEd25519PublicKey` and `MultiEd25519Signature`: the threshold follows the keys, the bitmap the signatures. */
export const multiEd25519 = transform(
  struct({ keys: bytes, signatures: bytes }),
  ({ keys, signatures }): MultiEd25519 => ({
    publicKeys: split(keys, ED25519_KEY_BYTES, 1, "multi-Ed25519 public keys"),
    threshold: keys[keys.length - 1] ?? 0,
    signatures: split(signatures, ED25519_SIGNATURE_BYTES, BITMAP_BYTES, "multi-Ed25519 signatures"),
    bitmap: signatures.slice(-BITMAP_BYTES),
  }),
  ({ publicKeys, threshold, signatures, bitmap }) => ({
    keys: concatBytes([...publicKeys, Uint8Array.of(threshold)]),
    signatures: concatBytes([...signatures, bitmap]),
  }),
);

function split(run: Uint8Array, size: number, tail: number, what: string): Uint8Array[] {
  const count = (run.length - tail) / size;
  if (!Number.isInteger(count) || count < 0 || count > MAX_KEYS) throw new BcsError(`${what} have ${run.length} bytes`);
  return Array.from({ length: count }, (_, index) => run.slice(index * size, (index + 1) * size));
}

/**
 * The positions of the bits that are set, which are those of the signers' keys. Bit 0 is the most significant of the
 * first byte.
 */
export function signersIn(bitmap: Uint8Array): readonly number[] {
  return Array.from({ length: 8 * bitmap.length }, (_none, bit) => bit).filter(
    (bit) => ((bitmap[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0,
  );
}

/** A k-of-n account's public key as its authentication key covers it (`MultiKey`). */
export const multiKey = struct({ publicKeys: vector(publicKey), signaturesRequired: u8 });

/** How one account signs (specification, AccountSignature; `AccountAuthenticator` in transaction/authenticator.rs). */
const accountAuthenticator = union({
  ed25519,
  multi_ed25519: multiEd25519,
  single_key: struct({ publicKey, signature }),
  /** Which keys signed is in the bitmap, as for multi-Ed25519. */
  multi_key: struct({
    publicKeys: vector(publicKey),
    signaturesRequired: u8,
    signatures: vector(signature),
    bitmap: bytes,
  }),
  no_account: unit,
  abstraction: refused(
    "this chain does not support account abstraction; sign with an Ed25519, secp256k1 or WebAuthn key, or several of them",
  ),
});

const signers = {
  sender: accountAuthenticator,
  secondaryAddresses: vector(address),
  secondarySigners: vector(accountAuthenticator),
};

/** How a transaction is signed (specification, TransactionSignature; `TransactionAuthenticator`, the same file). */
export const authenticator = union({
  ed25519,
  multi_ed25519: multiEd25519,
  multi_agent: struct(signers),
  fee_payer: struct({ ...signers, feePayerAddress: address, feePayerSigner: accountAuthenticator }),
  single_sender: struct({ sender: accountAuthenticator }),
});

export type AccountAuthenticator = ValueOf<typeof accountAuthenticator>;
export type Authenticator = ValueOf<typeof authenticator>;

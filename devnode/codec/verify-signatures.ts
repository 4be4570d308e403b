import { addressOfBytes } from "../../src/chain/address.ts";
import { type AccountAuthenticator, BITMAP_BYTES, MAX_KEYS, signersIn } from "./authenticator.ts";
import type { PublicKey, Signature } from "./keys.ts";
import { isEd25519, isSecp256k1, isWebAuthn } from "./signature-schemes.ts";
import { messageForm, signingMessage } from "./signing.ts";
import type { SignedTransaction } from "./transaction.ts";

/** Why a transaction's signatures are not valid. */
export interface SignatureError {
  readonly kind: "invalid_signature" | "signer_count_mismatch";
  readonly reason: string;
}

/**
 * Most signatures of a transaction, over all its signers. Verifying the hundreds that fit into a transaction would take
 * seconds.
 */
const MAX_SIGNATURES = 32;
const UNKNOWN_PAYER = addressOfBytes(new Uint8Array(32));

/** Verifies every signature of a transaction against the message of its signer. Undefined when all are valid. */
export async function verifySignatures(signed: SignedTransaction): Promise<SignatureError | undefined> {
  const { raw, authenticator } = signed;
  const message = signingMessage(raw, messageForm(authenticator));
  switch (authenticator.kind) {
    case "ed25519":
    case "multi_ed25519":
      return verifyAccount(authenticator, message);
    case "single_sender":
      return verifyAccount(authenticator.sender, message);
    case "multi_agent":
    case "fee_payer": {
      const { sender, secondaryAddresses, secondarySigners } = authenticator;
      if (secondaryAddresses.length !== secondarySigners.length)
        return { kind: "signer_count_mismatch", reason: "Every secondary signer needs its address." };
      const others = [sender, ...secondarySigners];
      const payers = authenticator.kind === "fee_payer" ? [authenticator.feePayerSigner] : [];
      const count = [...others, ...payers].reduce((sum, signer) => sum + signaturesOf(signer), 0);
      if (count > MAX_SIGNATURES)
        return invalidSignature(`A transaction has at most ${MAX_SIGNATURES} signatures, not ${count}.`);
      if (authenticator.kind === "multi_agent") return verifyEach(others, message);
      // Each signer may sign before the payer is known (address 0x0); the payer always signs with its own address.
      const open = signingMessage(raw, { kind: "fee_payer", secondaryAddresses, feePayerAddress: UNKNOWN_PAYER });
      const error = await verifyEach(others, message, open);
      return error ?? verifyAccount(authenticator.feePayerSigner, message);
    }
  }
}

function signaturesOf(signer: AccountAuthenticator): number {
  if ("signatures" in signer) return signer.signatures.length;
  return signer.kind === "no_account" ? 0 : 1;
}

/** The error of the first signer whose signature is valid for neither message. */
async function verifyEach(
  signers: readonly AccountAuthenticator[],
  message: Uint8Array,
  alternative?: Uint8Array,
): Promise<SignatureError | undefined> {
  for (const signer of signers) {
    const error = await verifyAccount(signer, message);
    if (error === undefined) continue;
    if (alternative === undefined || (await verifyAccount(signer, alternative)) !== undefined) return error;
  }
  return undefined;
}

async function verifyAccount(signer: AccountAuthenticator, message: Uint8Array): Promise<SignatureError | undefined> {
  if (signer.kind === "no_account") return invalidSignature("An account without an authenticator signs nothing.");
  const pairs = pairsOf(signer);
  if (pairs === undefined)
    return invalidSignature("The bitmap, the threshold and the signatures do not match the keys.");
  for (const [key, signature] of pairs) {
    const error = await verifyKey(key, signature, message);
    if (error !== undefined) return error;
  }
  return undefined;
}

type Pair = readonly [PublicKey, Signature];

/** Each signature with its key; undefined when they do not match. */
function pairsOf(signer: Exclude<AccountAuthenticator, { kind: "no_account" }>): readonly Pair[] | undefined {
  switch (signer.kind) {
    case "ed25519":
      return [[ed25519Key(signer.publicKey), ed25519Signature(signer.signature)]];
    case "multi_ed25519": {
      const { publicKeys, signatures, bitmap, threshold } = signer;
      return paired(publicKeys.map(ed25519Key), signatures.map(ed25519Signature), bitmap, threshold);
    }
    case "single_key":
      return [[signer.publicKey, signer.signature]];
    case "multi_key":
      return paired(signer.publicKeys, signer.signatures, signer.bitmap, signer.signaturesRequired);
  }
}

const ed25519Key = (key: Uint8Array): PublicKey => ({ kind: "ed25519", key });
const ed25519Signature = (signature: Uint8Array): Signature => ({ kind: "ed25519", signature });

/** Each signature with the key that its bit selects; undefined when bitmap, threshold and signatures do not match. */
function paired(
  keys: readonly PublicKey[],
  signatures: readonly Signature[],
  bitmap: Uint8Array,
  threshold: number,
): readonly Pair[] | undefined {
  if (keys.length === 0 || keys.length > MAX_KEYS || bitmap.length > BITMAP_BYTES) return undefined;
  if (threshold < 1 || threshold > keys.length || signatures.length < threshold) return undefined;
  const signers = signersIn(bitmap).map((bit) => keys[bit]);
  if (signers.length !== signatures.length) return undefined;
  const pairs = signatures.flatMap((signature, index): Pair[] => {
    const key = signers[index];
    return key === undefined ? [] : [[key, signature]];
  });
  return pairs.length === signatures.length ? pairs : undefined;
}

async function verifyKey(
  key: PublicKey,
  signature: Signature,
  message: Uint8Array,
): Promise<SignatureError | undefined> {
  switch (key.kind) {
    case "ed25519":
      return errorUnless(signature.kind === "ed25519" && (await isEd25519(key.key, signature.signature, message)));
    case "secp256k1_ecdsa":
      return errorUnless(signature.kind === "secp256k1_ecdsa" && isSecp256k1(key.key, signature.signature, message));
    case "secp256r1_ecdsa":
      return errorUnless(signature.kind === "web_authn" && isWebAuthn(key.key, signature.assertion, message));
    case "keyless":
    case "federated_keyless":
      return invalidSignature("Keyless signatures cannot be verified here: that needs an identity provider's keys.");
  }
}

function errorUnless(isGood: boolean): SignatureError | undefined {
  return isGood ? undefined : invalidSignature("A signature does not verify.");
}

function invalidSignature(reason: string): SignatureError {
  return { kind: "invalid_signature", reason };
}

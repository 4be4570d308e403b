import { type Address, parseAddress } from "../../src/chain/address.ts";
import { type AccountAuthenticator, BITMAP_BYTES, MAX_KEYS } from "./authenticator.ts";
import type { PublicKey, Signature } from "./keys.ts";
import { isEd25519, isSecp256k1, isWebAuthn } from "./signature-schemes.ts";
import { messageForm, signingMessage } from "./signing.ts";
import type { SignedTransaction } from "./transaction.ts";

/** Why a transaction's signatures are not valid. */
export interface SignatureError {
  readonly kind: "invalid_signature" | "signer_count_mismatch";
  readonly reason: string;
}

const UNKNOWN_PAYER = addressOf("0x0");

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
      if (authenticator.kind === "multi_agent") return verifyEach(others, message);
      // Each signer may sign before the payer is known (address 0x0); the payer always signs with its own address.
      const open = signingMessage(raw, { kind: "fee_payer", secondaryAddresses, feePayerAddress: UNKNOWN_PAYER });
      const error = await verifyEach(others, message, open);
      return error ?? verifyAccount(authenticator.feePayerSigner, message);
    }
  }
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
  switch (signer.kind) {
    case "ed25519":
      return errorUnless(await isEd25519(signer.publicKey, signer.signature, message));
    case "multi_ed25519": {
      const { publicKeys, threshold, signatures, bitmap } = signer;
      const pairs = paired(publicKeys, signatures, bitmap, threshold);
      if (pairs === undefined)
        return invalidSignature("The bitmap, the threshold and the signatures do not match the keys.");
      return errorUnless(await every(pairs, ([key, signature]) => isEd25519(key, signature, message)));
    }
    case "single_key":
      return verifyKey(signer.publicKey, signer.signature, message);
    case "multi_key": {
      const { publicKeys, signaturesRequired, signatures, bitmap } = signer;
      const pairs = paired(publicKeys, signatures, bitmap, signaturesRequired);
      if (pairs === undefined)
        return invalidSignature("The bitmap, the threshold and the signatures do not match the keys.");
      for (const [key, signature] of pairs) {
        const error = await verifyKey(key, signature, message);
        if (error !== undefined) return error;
      }
      return undefined;
    }
    case "no_account":
      return invalidSignature("An account without an authenticator signs nothing.");
  }
}

/** Each signature with the key that its bit selects; undefined when bitmap, threshold and signatures do not match. */
function paired<K, S>(
  keys: readonly K[],
  signatures: readonly S[],
  bitmap: Uint8Array,
  threshold: number,
): (readonly [K, S])[] | undefined {
  if (keys.length === 0 || keys.length > MAX_KEYS || bitmap.length > BITMAP_BYTES) return undefined;
  if (threshold < 1 || threshold > keys.length || signatures.length < threshold) return undefined;
  const signers: K[] = [];
  for (let bit = 0; bit < bitmap.length * 8; bit += 1) {
    if ((((bitmap[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 0) continue;
    const key = keys[bit];
    if (key === undefined) return undefined;
    signers.push(key);
  }
  if (signers.length !== signatures.length) return undefined;
  return signatures.flatMap((signature, index) => {
    const key = signers[index];
    return key === undefined ? [] : [[key, signature] as const];
  });
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

async function every<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

function errorUnless(isGood: boolean): SignatureError | undefined {
  return isGood ? undefined : invalidSignature("A signature does not verify.");
}

function invalidSignature(reason: string): SignatureError {
  return { kind: "invalid_signature", reason };
}

function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} is not an address`);
  return address;
}

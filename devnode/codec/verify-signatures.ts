import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, parseAddress } from "../../src/chain/address.ts";
import { concatBytes } from "../../src/chain/bytes.ts";
import { parseHex } from "../../src/chain/hex.ts";
import { decodeUtf8 } from "../../src/chain/utf8.ts";
import { isRecord, parseJson } from "../../src/json.ts";
import { type AccountAuthenticator, BITMAP_BYTES, MAX_KEYS } from "./authenticator.ts";
import type { PublicKey, Signature } from "./keys.ts";
import { messageForm, signingMessage } from "./signing.ts";
import type { SignedTransaction } from "./transaction.ts";
import type { WebAuthnAssertion } from "./web-authn.ts";

/** Why a transaction's signatures do not stand, in a plain sentence. */
export interface SignatureFault {
  readonly kind: "invalid_signature" | "signer_count_mismatch";
  readonly reason: string;
}

const NOBODY = addressOf("0x0");

/** Checks every signature of a transaction against what its signers must have signed. Undefined: all are good. */
export async function signatureFault(signed: SignedTransaction): Promise<SignatureFault | undefined> {
  const { raw, authenticator } = signed;
  const message = signingMessage(raw, messageForm(authenticator));
  switch (authenticator.kind) {
    case "ed25519":
    case "multi_ed25519":
      return accountFault(authenticator, message);
    case "single_sender":
      return accountFault(authenticator.sender, message);
    case "multi_agent":
    case "fee_payer": {
      const { sender, secondaryAddresses, secondarySigners } = authenticator;
      if (secondaryAddresses.length !== secondarySigners.length)
        return { kind: "signer_count_mismatch", reason: "Every secondary signer needs its address." };
      const others = [sender, ...secondarySigners];
      if (authenticator.kind === "multi_agent") return firstFault(others, message);
      // A signer may sign before it is known who pays, each for itself; the payer always signs with its own address.
      const open = signingMessage(raw, { kind: "fee_payer", secondaryAddresses, feePayerAddress: NOBODY });
      const fault = await firstFault(others, message, open);
      return fault ?? accountFault(authenticator.feePayerSigner, message);
    }
  }
}

/** The first signer whose signature stands under none of the messages, in words about the first of them. */
async function firstFault(
  signers: readonly AccountAuthenticator[],
  message: Uint8Array,
  alternative?: Uint8Array,
): Promise<SignatureFault | undefined> {
  for (const signer of signers) {
    const fault = await accountFault(signer, message);
    if (fault === undefined) continue;
    if (alternative === undefined || (await accountFault(signer, alternative)) !== undefined) return fault;
  }
  return undefined;
}

async function accountFault(signer: AccountAuthenticator, message: Uint8Array): Promise<SignatureFault | undefined> {
  switch (signer.kind) {
    case "ed25519":
      return judged(await isEd25519(signer.publicKey, signer.signature, message));
    case "multi_ed25519": {
      const { publicKeys, threshold, signatures, bitmap } = signer;
      const pairs = paired(publicKeys, signatures, bitmap, threshold);
      if (pairs === undefined) return refused("The bitmap, the threshold and the signatures do not fit the keys.");
      return judged(await every(pairs, ([key, signature]) => isEd25519(key, signature, message)));
    }
    case "single_key":
      return keyFault(signer.publicKey, signer.signature, message);
    case "multi_key": {
      const { publicKeys, signaturesRequired, signatures, bitmap } = signer;
      const pairs = paired(publicKeys, signatures, bitmap, signaturesRequired);
      if (pairs === undefined) return refused("The bitmap, the threshold and the signatures do not fit the keys.");
      for (const [key, signature] of pairs) {
        const fault = await keyFault(key, signature, message);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
    case "no_account":
      return refused("An account without an authenticator signs nothing.");
  }
}

/** Each signature with the key that its bit names; undefined when they do not fit one another. */
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

async function keyFault(
  key: PublicKey,
  signature: Signature,
  message: Uint8Array,
): Promise<SignatureFault | undefined> {
  switch (key.kind) {
    case "ed25519":
      return judged(signature.kind === "ed25519" && (await isEd25519(key.key, signature.signature, message)));
    case "secp256k1_ecdsa":
      return judged(signature.kind === "secp256k1_ecdsa" && isSecp256k1(key.key, signature.signature, message));
    case "secp256r1_ecdsa":
      return judged(signature.kind === "web_authn" && isWebAuthn(key.key, signature.assertion, message));
    case "keyless":
    case "federated_keyless":
      return refused("Keyless signatures cannot be verified here: that needs an identity provider's keys.");
  }
}

/** Points of small order, as key or as commitment, verify under many messages: refused, as the virtual machine does. */
async function isEd25519(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  if (isSmallOrder(publicKey) || isSmallOrder(signature.subarray(0, publicKey.length))) return false;
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, message);
}

/** Every spelling of the eight points of small order, without the sign bit: a look-up, where arithmetic costs more than verifying. */
const SMALL_ORDER = new Set(
  [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ].map((digits) => String(parseHex(digits))),
);

export function isSmallOrder(point: Uint8Array): boolean {
  const unsigned = point.slice();
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(String(unsigned));
}

/** Over the SHA3-256 of the message. The higher of the two possible signatures is refused, or hashes could be bent. */
function isSecp256k1(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  return sound(() => secp256k1.verify(signature, sha3_256(message), publicKey, { prehash: false, lowS: true }));
}

/** The device signs its own data and the client's, whose challenge must be the SHA3-256 of the message (WebAuthn 7.2). */
function isWebAuthn(publicKey: Uint8Array, assertion: WebAuthnAssertion, message: Uint8Array): boolean {
  const { signature, authenticatorData, clientDataJson } = assertion;
  if (challengeOf(clientDataJson) !== base64Url(sha3_256(message))) return false;
  const verified = sha256(concatBytes([authenticatorData, sha256(clientDataJson)]));
  return sound(() => p256.verify(signature, verified, publicKey, { prehash: false, lowS: true }));
}

function challengeOf(clientDataJson: Uint8Array): string | undefined {
  const client = parseJson(decodeUtf8(clientDataJson) ?? "");
  const challenge = isRecord(client) ? client["challenge"] : undefined;
  return typeof challenge === "string" ? challenge.replace(/=+$/, "") : undefined;
}

function base64Url(octets: Uint8Array): string {
  return btoa(String.fromCharCode(...octets))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** The curve library throws on octets that are no key or no signature: to us that is one that does not verify. */
function sound(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}

async function every<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

function judged(isGood: boolean): SignatureFault | undefined {
  return isGood ? undefined : refused("A signature does not verify.");
}

function refused(reason: string): SignatureFault {
  return { kind: "invalid_signature", reason };
}

function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} is an address`);
  return address;
}

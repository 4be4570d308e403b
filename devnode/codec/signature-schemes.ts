import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { concatBytes } from "../../src/chain/bytes.ts";
import { parseHex } from "../../src/chain/hex.ts";
import { decodeUtf8 } from "../../src/chain/utf8.ts";
import type { WebAuthnAssertion } from "./web-authn.ts";

/** A point of small order, as key or commitment, is valid for many messages: refused, as by the virtual machine. */
export async function isEd25519(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  if (isSmallOrder(publicKey) || isSmallOrder(signature.subarray(0, publicKey.length))) return false;
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, message);
}

/** Every encoding of the eight points of small order, without the sign bit: a lookup is cheaper than arithmetic. */
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

/**
 * Over the SHA3-256 of the message. Requires low-S: otherwise a signature, and so the transaction hash, is malleable.
 */
export function isSecp256k1(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  return isValid(() => secp256k1.verify(signature, sha3_256(message), publicKey, { prehash: false, lowS: true }));
}

/**
 * The device signs its own data and the client's, whose challenge must be the SHA3-256 of the message (WebAuthn 7.2).
 */
export function isWebAuthn(publicKey: Uint8Array, assertion: WebAuthnAssertion, message: Uint8Array): boolean {
  const { signature, authenticatorData, clientDataJson } = assertion;
  if (challengeOf(clientDataJson) !== base64Url(sha3_256(message))) return false;
  const verified = sha256(concatBytes([authenticatorData, sha256(clientDataJson)]));
  return isValid(() => p256.verify(signature, verified, publicKey, { prehash: false, lowS: true }));
}

function challengeOf(clientDataJson: Uint8Array): string | undefined {
  const client = parseJson(decodeUtf8(clientDataJson) ?? "");
  const challenge = isRecord(client) ? client["challenge"] : undefined;
  return typeof challenge === "string" ? challenge.replace(/=+$/, "") : undefined;
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** The curve library throws on bytes that are not a key or a signature: such a signature is invalid. */
function isValid(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}

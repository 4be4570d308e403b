import { ed25519 } from "@noble/curves/ed25519.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, addressOfBytes } from "../../src/chain/address.ts";
import { equalBytes } from "../../src/chain/bytes.ts";
import { multiEd25519, signersIn } from "../codec/authenticator.ts";
import * as bcs from "../codec/bcs.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import type { Session } from "../vm/session.ts";
import { account, accountAbort, accountAt, accountStreams } from "./account.ts";
import { FRAMEWORK } from "./addresses.ts";
import { table, tableHandle } from "./containers.ts";
import { emitOn } from "./event.ts";
import { address, bytes, structsOf, u64, type ValueOf } from "./schema.ts";
import { typeInfo, typeInfoOf } from "./type-info.ts";

const declare = structsOf("0x1::account");

/** Maps an authentication key to the account rotated to it, so that a wallet finds an account by its new key. */
export const originatingAddress = declare("OriginatingAddress", ["key"], {
  address_map: table.of("address", "address"),
});

/** Message that both keys sign. The account's sequence number prevents a proof from being used twice. */
export const rotationProofChallenge = declare("RotationProofChallenge", ["copy", "drop"], {
  sequence_number: u64,
  originator: address,
  current_auth_key: address,
  new_public_key: bytes,
});

export const keyRotation = declare(
  "KeyRotation",
  ["drop", "store"],
  { account: address, old_authentication_key: bytes, new_authentication_key: bytes },
  { event: true },
);

const ED25519 = 0;
const MULTI_ED25519 = 1;
const MULTI_KEY = 3;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

interface Proof {
  readonly scheme: number;
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

const rawProof = bcs.struct({ publicKey: bcs.bytes, signature: bcs.bytes });

/** Publishes the empty table: no account was rotated yet. */
export function initializeKeyRotation(session: Session): void {
  const handle = tableHandle(FRAMEWORK, "account.originating_addresses");
  session.put(originatingAddress, FRAMEWORK, { address_map: { handle } });
}

/** Rotates to a key that also signed the challenge, and records it in the table. */
export function rotateWithProof(session: Session, owner: Address, { from, to }: { from: Proof; to: Proof }): void {
  const { authentication_key, sequence_number } = accountAt(session, owner);
  if (!equalBytes(proofKeyOf(from), authentication_key))
    throw accountAbort("unauthenticated", "EWRONG_CURRENT_PUBLIC_KEY");
  const challenge: ValueOf<typeof rotationProofChallenge> = {
    sequence_number,
    originator: owner,
    current_auth_key: addressOfBytes(authentication_key),
    new_public_key: to.publicKey,
  };
  const newKey = proofKeyOf(to);
  // The type's name comes first, as in ed25519::SignedMessage: a signature of one type is not valid for another.
  const message = encodeBcs((writer) => {
    typeInfo.write(writer, typeInfoOf(rotationProofChallenge.type));
    rotationProofChallenge.write(writer, challenge);
  });
  if (![from, to].every((proof) => isSigned(proof, message)))
    throw accountAbort("invalid_argument", "EINVALID_PROOF_OF_KNOWLEDGE");
  recordOrigin(session, owner, authentication_key, newKey);
  rotateTo(session, owner, newKey);
}

/** Rotates without a proof; the table does not change. */
export function rotateTo(session: Session, owner: Address, newKey: Uint8Array): void {
  if (newKey.length !== KEY_BYTES) throw accountAbort("invalid_argument", "EMALFORMED_AUTHENTICATION_KEY");
  const found = accountAt(session, owner);
  const keys = { old_authentication_key: found.authentication_key, new_authentication_key: newKey };
  session.emit(keyRotation, { account: owner, ...keys });
  const rotated = emitOn(session, accountStreams, found, "key_rotation_events", keys);
  session.put(account, owner, { ...rotated, authentication_key: newKey });
}

/** SHA3-256 of the public key and its scheme's number. */
export function authenticationKeyOf(scheme: number, publicKey: Uint8Array): Uint8Array {
  if (scheme > MULTI_KEY) throw accountAbort("invalid_argument", "EINVALID_SCHEME");
  return sha3_256(Uint8Array.of(...publicKey, scheme));
}

/** As in the public framework, only ed25519 keys, single or multiple, can prove themselves here. */
function proofKeyOf({ scheme, publicKey }: Proof): Uint8Array {
  if (scheme !== ED25519 && scheme !== MULTI_ED25519) throw accountAbort("invalid_argument", "EINVALID_SCHEME");
  return authenticationKeyOf(scheme, publicKey);
}

function recordOrigin(session: Session, owner: Address, oldKey: Uint8Array, newKey: Uint8Array): void {
  const { handle } = session.get(originatingAddress, FRAMEWORK).address_map;
  const [from, to] = [addressOfBytes(oldKey), addressOfBytes(newKey)];
  const known = session.findItem(handle, address, from, address);
  if (known !== undefined) {
    if (known !== owner) throw accountAbort("not_found", "EINVALID_ORIGINATING_ADDRESS");
    session.removeItem(handle, address, from, address);
  }
  if (session.findItem(handle, address, to, address) !== undefined)
    throw accountAbort("invalid_argument", "ENEW_AUTH_KEY_ALREADY_MAPPED");
  session.putItem(handle, address, to, address, owner);
}

function isSigned({ scheme, publicKey, signature }: Proof, message: Uint8Array): boolean {
  if (scheme === ED25519) return isEd25519Signed(publicKey, signature, message);
  const decoded = bcs.decode(multiEd25519, bcs.encode(rawProof, { publicKey, signature }));
  if (decoded.kind === "malformed") return false;
  const { publicKeys, threshold, signatures, bitmap } = decoded.value;
  const signers = signersIn(bitmap);
  return (
    threshold > 0 &&
    signers.length >= threshold &&
    signers.length === signatures.length &&
    signers.every((signer, index) => isEd25519Signed(publicKeys[signer], signatures[index], message))
  );
}

function isEd25519Signed(
  publicKey: Uint8Array | undefined,
  signature: Uint8Array | undefined,
  message: Uint8Array,
): boolean {
  if (publicKey?.length !== KEY_BYTES || signature?.length !== SIGNATURE_BYTES) return false;
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false; // no point of the curve
  }
}

import { parseHex } from "../../src/chain/hex.ts";
import { type AccountAuthenticator, type Authenticator, BITMAP_BYTES } from "./authenticator.ts";
import { decodeBcs, encodeBcs, type Reader } from "./bcs.ts";
import { addressOf, field, Misfit, objectOf, textOf } from "./json-request.ts";
import { type PublicKey, readSignature as readAnySignature, readPublicKey, type Signature } from "./keys.ts";
import { shown } from "./preview.ts";

type Json = Readonly<Record<string, unknown>>;

/** A transaction's signature (specification, TransactionSignature). */
export function readSignature(value: unknown): Authenticator {
  const json = objectOf(value, "TransactionSignature");
  const type = textOf(field(json, "type"), "type");
  switch (type) {
    case "multi_agent_signature":
      return { kind: "multi_agent", ...secondaryOf(json) };
    case "fee_payer_signature":
      return {
        kind: "fee_payer",
        ...secondaryOf(json),
        feePayerAddress: addressOf(field(json, "fee_payer_address")),
        feePayerSigner: accountOf(field(json, "fee_payer_signer")),
      };
    case "single_sender":
      return { kind: "single_sender", sender: singleSender(json) };
    default: {
      const account = accountOf(json);
      if (account.kind === "ed25519" || account.kind === "multi_ed25519") return account;
      throw new Misfit("misshapen", `a transaction cannot carry a ${type} by itself`);
    }
  }
}

function secondaryOf(json: Json) {
  return {
    sender: accountOf(field(json, "sender")),
    secondaryAddresses: listOf(json, "secondary_signer_addresses").map(addressOf),
    secondarySigners: listOf(json, "secondary_signers").map(accountOf),
  };
}

/** The kind of account signature shows in which fields stand beside `type`. */
function singleSender(json: Json): AccountAuthenticator {
  if ("threshold" in json) return multiEd25519(json);
  if ("public_keys" in json) return multiKey(json);
  if (typeof json["public_key"] === "string") return ed25519(json);
  return "public_key" in json ? singleKey(json) : { kind: "no_account" };
}

function accountOf(value: unknown): AccountAuthenticator {
  const json = objectOf(value, "AccountSignature");
  const type = textOf(field(json, "type"), "type");
  switch (type) {
    case "ed25519_signature":
      return ed25519(json);
    case "multi_ed25519_signature":
      return multiEd25519(json);
    case "single_key_signature":
      return singleKey(json);
    case "multi_key_signature":
      return multiKey(json);
    case "no_account_signature":
      return { kind: "no_account" };
    default:
      throw new Misfit("misshapen", `unknown signature type ${shown(type)}`);
  }
}

function ed25519(json: Json): AccountAuthenticator {
  return { kind: "ed25519", publicKey: octets(json, "public_key", 32), signature: octets(json, "signature", 64) };
}

function multiEd25519(json: Json): AccountAuthenticator {
  return {
    kind: "multi_ed25519",
    publicKeys: listOf(json, "public_keys").map((key) => hexOctets(key, "public_keys", 32)),
    threshold: small(json, "threshold"),
    signatures: listOf(json, "signatures").map((signature) => hexOctets(signature, "signatures", 64)),
    bitmap: octets(json, "bitmap", BITMAP_BYTES),
  };
}

function singleKey(json: Json): AccountAuthenticator {
  return {
    kind: "single_key",
    publicKey: publicKey(field(json, "public_key")),
    signature: signature(field(json, "signature")),
  };
}

function multiKey(json: Json): AccountAuthenticator {
  const bitmap = new Uint8Array(BITMAP_BYTES);
  const signatures = listOf(json, "signatures")
    .map((each) => objectOf(each, "IndexedSignature"))
    .map((each) => ({ index: small(each, "index"), signature: signature(field(each, "signature")) }))
    .sort((left, right) => left.index - right.index);
  for (const { index } of signatures) {
    const octet = index >> 3;
    if (octet >= BITMAP_BYTES) throw new Misfit("unfit", `signature index ${index} is out of range`);
    bitmap[octet] = (bitmap[octet] ?? 0) | (0x80 >> (index & 7));
  }
  return {
    kind: "multi_key",
    publicKeys: listOf(json, "public_keys").map(publicKey),
    signaturesRequired: small(json, "signatures_required"),
    signatures: signatures.map((each) => each.signature),
    bitmap,
  };
}

const KEY_KINDS = ["ed25519", "secp256k1_ecdsa", "secp256r1_ecdsa", "keyless", "federated_keyless"];
const SIGNATURE_KINDS = ["ed25519", "secp256k1_ecdsa", "web_authn", "keyless"];

function publicKey(value: unknown): PublicKey {
  return tagged(value, KEY_KINDS, "PublicKey", readPublicKey, 3);
}

function signature(value: unknown): Signature {
  return tagged(value, SIGNATURE_KINDS, "Signature", readAnySignature, 2);
}

/** `{type, value}`: below `structured` the value is bare octets, from there on the BCS behind the kind's number. */
function tagged<T>(
  value: unknown,
  kinds: readonly string[],
  what: string,
  read: (reader: Reader) => T,
  structured: number,
): T {
  const json = objectOf(value, what);
  const kind = kinds.indexOf(textOf(field(json, "type"), "type"));
  if (kind === -1) throw new Misfit("misshapen", `unknown ${what} type ${shown(json["type"])}`);
  const bytes = hexOctets(field(json, "value"), "value");
  const encoded = encodeBcs((writer) =>
    kind < structured ? writer.uleb(kind).octets(bytes) : writer.uleb(kind).fixed(bytes),
  );
  const decoded = decodeBcs(encoded, read);
  if (decoded.kind === "malformed") throw new Misfit("unfit", `${what} is malformed: ${decoded.message}`);
  return decoded.value;
}

function octets(json: Json, name: string, size: number): Uint8Array {
  return hexOctets(field(json, name), name, size);
}

function hexOctets(value: unknown, name: string, size?: number): Uint8Array {
  const bytes = parseHex(textOf(value, name));
  if (bytes === undefined) throw new Misfit("misshapen", `\`${name}\` is not hex`);
  if (size !== undefined && bytes.length !== size) {
    throw new Misfit("unfit", `\`${name}\` has ${bytes.length} octets, not ${size}`);
  }
  return bytes;
}

function listOf(json: Json, name: string): readonly unknown[] {
  const value = field(json, name);
  if (Array.isArray(value)) return value;
  throw new Misfit("misshapen", `\`${name}\` must be an array`);
}

/** A u8. */
function small(json: Json, name: string): number {
  const value = field(json, name);
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255) return value;
  throw new Misfit("misshapen", `\`${name}\` is not a u8`);
}

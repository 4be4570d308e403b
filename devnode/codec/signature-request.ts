import { type AccountAuthenticator, type Authenticator, BITMAP_BYTES } from "./authenticator.ts";
import { type Codec, decode } from "./bcs.ts";
import { encodeBcs } from "./bcs-writer.ts";
import {
  type JsonObject,
  RequestError,
  readAddress,
  readArray,
  readField,
  readHex,
  readObject,
  readSmallInteger,
  readText,
} from "./json-request.ts";
import {
  ED25519_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  type PublicKey,
  publicKey,
  type Signature,
  signature,
} from "./keys.ts";
import { preview } from "./preview.ts";

/** Reads a transaction's signature (specification, TransactionSignature). */
export function readSignature(value: unknown): Authenticator {
  const json = readObject(value, "TransactionSignature");
  const type = readText(readField(json, "type"), "type");
  switch (type) {
    case "multi_agent_signature":
      return { kind: "multi_agent", ...readSecondary(json) };
    case "fee_payer_signature":
      return {
        kind: "fee_payer",
        ...readSecondary(json),
        feePayerAddress: readAddress(readField(json, "fee_payer_address")),
        feePayerSigner: readAccount(readField(json, "fee_payer_signer")),
      };
    case "single_sender":
      return { kind: "single_sender", sender: readSingleSender(json) };
    default: {
      const account = readAccount(json);
      if (account.kind === "ed25519" || account.kind === "multi_ed25519") return account;
      throw new RequestError("malformed", `a transaction cannot carry a ${type} by itself`);
    }
  }
}

function readSecondary(json: JsonObject) {
  return {
    sender: readAccount(readField(json, "sender")),
    secondaryAddresses: readArray(readField(json, "secondary_signer_addresses"), "secondary_signer_addresses").map(
      readAddress,
    ),
    secondarySigners: readArray(readField(json, "secondary_signers"), "secondary_signers").map(readAccount),
  };
}

/** The fields beside `type` tell the kind of account signature. */
function readSingleSender(json: JsonObject): AccountAuthenticator {
  if ("threshold" in json) return readMultiEd25519(json);
  if ("public_keys" in json) return readMultiKey(json);
  if (typeof json["public_key"] === "string") return readEd25519(json);
  return "public_key" in json ? readSingleKey(json) : { kind: "no_account" };
}

function readAccount(value: unknown): AccountAuthenticator {
  const json = readObject(value, "AccountSignature");
  const type = readText(readField(json, "type"), "type");
  switch (type) {
    case "ed25519_signature":
      return readEd25519(json);
    case "multi_ed25519_signature":
      return readMultiEd25519(json);
    case "single_key_signature":
      return readSingleKey(json);
    case "multi_key_signature":
      return readMultiKey(json);
    case "no_account_signature":
      return { kind: "no_account" };
    default:
      throw new RequestError("malformed", `unknown signature type ${preview(type)}`);
  }
}

function readEd25519(json: JsonObject): AccountAuthenticator {
  return {
    kind: "ed25519",
    publicKey: sized(readField(json, "public_key"), "public_key", ED25519_KEY_BYTES),
    signature: sized(readField(json, "signature"), "signature", ED25519_SIGNATURE_BYTES),
  };
}

function readMultiEd25519(json: JsonObject): AccountAuthenticator {
  return {
    kind: "multi_ed25519",
    publicKeys: readArray(readField(json, "public_keys"), "public_keys").map((key) =>
      sized(key, "public_keys", ED25519_KEY_BYTES),
    ),
    threshold: readSmallInteger(json, "threshold"),
    signatures: readArray(readField(json, "signatures"), "signatures").map((each) =>
      sized(each, "signatures", ED25519_SIGNATURE_BYTES),
    ),
    bitmap: sized(readField(json, "bitmap"), "bitmap", BITMAP_BYTES),
  };
}

function readSingleKey(json: JsonObject): AccountAuthenticator {
  return {
    kind: "single_key",
    publicKey: readPublicKey(readField(json, "public_key")),
    signature: readAnySignature(readField(json, "signature")),
  };
}

function readMultiKey(json: JsonObject): AccountAuthenticator {
  const bitmap = new Uint8Array(BITMAP_BYTES);
  const signatures = readArray(readField(json, "signatures"), "signatures")
    .map((each) => readObject(each, "IndexedSignature"))
    .map((each) => ({
      index: readSmallInteger(each, "index"),
      signature: readAnySignature(readField(each, "signature")),
    }))
    .sort((left, right) => left.index - right.index);
  for (const { index } of signatures) {
    const byte = index >> 3;
    if (byte >= BITMAP_BYTES) throw new RequestError("invalid", `signature index ${index} is out of range`);
    bitmap[byte] = (bitmap[byte] ?? 0) | (0x80 >> (index & 7));
  }
  return {
    kind: "multi_key",
    publicKeys: readArray(readField(json, "public_keys"), "public_keys").map(readPublicKey),
    signaturesRequired: readSmallInteger(json, "signatures_required"),
    signatures: signatures.map((each) => each.signature),
    bitmap,
  };
}

const KEY_KINDS = ["ed25519", "secp256k1_ecdsa", "secp256r1_ecdsa", "keyless", "federated_keyless"];
const SIGNATURE_KINDS = ["ed25519", "secp256k1_ecdsa", "web_authn", "keyless"];

function readPublicKey(value: unknown): PublicKey {
  return readTagged(value, KEY_KINDS, "PublicKey", publicKey, 3);
}

function readAnySignature(value: unknown): Signature {
  return readTagged(value, SIGNATURE_KINDS, "Signature", signature, 2);
}

/**
 * `{type, value}`, `kinds` in the order of the variants. Before variant `firstStructured` the value is plain bytes, from
 * there on the BCS that follows the variant number.
 */
function readTagged<T>(
  value: unknown,
  kinds: readonly string[],
  what: string,
  codec: Codec<T>,
  firstStructured: number,
): T {
  const json = readObject(value, what);
  const variant = kinds.indexOf(readText(readField(json, "type"), "type"));
  if (variant === -1) throw new RequestError("malformed", `unknown ${what} type ${preview(json["type"])}`);
  const bytes = readHex(readField(json, "value"), "value");
  const encoded = encodeBcs((writer) =>
    variant < firstStructured ? writer.uleb(variant).bytes(bytes) : writer.uleb(variant).fixed(bytes),
  );
  const decoded = decode(codec, encoded);
  if (decoded.kind === "malformed") throw new RequestError("invalid", `${what} is malformed: ${decoded.message}`);
  return decoded.value;
}

function sized(value: unknown, name: string, size: number): Uint8Array {
  const bytes = readHex(value, name);
  if (bytes.length !== size) throw new RequestError("invalid", `\`${name}\` has ${bytes.length} bytes, not ${size}`);
  return bytes;
}

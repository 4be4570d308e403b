import { hexOf } from "../../src/chain/hex.ts";
import { type AccountAuthenticator, type Authenticator, BITMAP_BYTES, signersIn } from "./authenticator.ts";
import { bytes, type Codec, decode, encode } from "./bcs.ts";
import { encodeBcs } from "./bcs-writer.ts";
import { address, type JsonForm, list, members, type ObjectForm, objectOf, sizedHex, u8 } from "./json-form.ts";
import { type JsonObject, RequestError, readField, readHex, readObject, readText } from "./json-request.ts";
import { ED25519_KEY_BYTES, ED25519_SIGNATURE_BYTES, publicKey, signature } from "./keys.ts";
import { preview } from "./preview.ts";

/**
 * A key or signature as `{type, value}`, `kinds` in the order of the codec's variants. Before variant `firstStructured`
 * the value is the variant's bytes, from there on the BCS that follows the variant number.
 */
function tagged<T extends { readonly kind: string }>(
  what: string,
  codec: Codec<T>,
  kinds: readonly string[],
  firstStructured: number,
): JsonForm<T> {
  return {
    read(given) {
      const json = readObject(given, what);
      const variant = kinds.indexOf(readText(readField(json, "type"), "type"));
      if (variant === -1) throw new RequestError("malformed", `unknown ${what} type ${preview(json["type"])}`);
      const value = readHex(readField(json, "value"), "value");
      const decoded = decode(
        codec,
        encodeBcs((writer) => {
          writer.uleb(variant);
          if (variant < firstStructured) writer.bytes(value);
          else writer.fixed(value);
        }),
      );
      if (decoded.kind === "malformed") throw new RequestError("invalid", `${what} is malformed: ${decoded.message}`);
      return decoded.value;
    },
    write(given) {
      const content = encode(codec, given).slice(1);
      const inner = kinds.indexOf(given.kind) < firstStructured ? decode(bytes, content) : null;
      return { value: hexOf(inner === null || inner.kind === "malformed" ? content : inner.value), type: given.kind };
    },
  };
}

const KEY_KINDS = ["ed25519", "secp256k1_ecdsa", "secp256r1_ecdsa", "keyless", "federated_keyless"];
const SIGNATURE_KINDS = ["ed25519", "secp256k1_ecdsa", "web_authn", "keyless"];
const anyKey = tagged("PublicKey", publicKey, KEY_KINDS, 3);
const anySignature = tagged("Signature", signature, SIGNATURE_KINDS, 2);

const multiKeyMembers = members({
  publicKeys: ["public_keys", list(anyKey)],
  signatures: [
    "signatures",
    list(objectOf("IndexedSignature", members({ index: ["index", u8], signature: ["signature", anySignature] }))),
  ],
  signaturesRequired: ["signatures_required", u8],
});

/** The JSON has an index for each signature, the authenticator a bitmap: bit 0 is the highest bit of the first byte. */
const multiKey: ObjectForm<Omit<Extract<AccountAuthenticator, { kind: "multi_key" }>, "kind">> = {
  read(json) {
    const { signatures: indexed, ...rest } = multiKeyMembers.read(json);
    const ordered = [...indexed].sort((left, right) => left.index - right.index);
    const bitmap = new Uint8Array(BITMAP_BYTES);
    for (const { index } of ordered) {
      const byte = index >> 3;
      if (byte >= BITMAP_BYTES) throw new RequestError("invalid", `signature index ${index} is out of range`);
      bitmap[byte] = (bitmap[byte] ?? 0) | (0x80 >> (index & 7));
    }
    return { ...rest, signatures: ordered.map((each) => each.signature), bitmap };
  },
  write({ bitmap, signatures, ...rest }) {
    const indexes = signersIn(bitmap);
    const indexed = signatures.map((each, position) => ({ index: indexes[position] ?? 0, signature: each }));
    return multiKeyMembers.write({ ...rest, signatures: indexed });
  },
};

/** Forms of an account's signature, by their `type` (specification, AccountSignature). */
const ACCOUNTS: { readonly [K in AccountAuthenticator["kind"]]: readonly [type: string, form: ObjectForm<object>] } = {
  ed25519: [
    "ed25519_signature",
    members({
      publicKey: ["public_key", sizedHex(ED25519_KEY_BYTES)],
      signature: ["signature", sizedHex(ED25519_SIGNATURE_BYTES)],
    }),
  ],
  multi_ed25519: [
    "multi_ed25519_signature",
    members({
      publicKeys: ["public_keys", list(sizedHex(ED25519_KEY_BYTES))],
      signatures: ["signatures", list(sizedHex(ED25519_SIGNATURE_BYTES))],
      threshold: ["threshold", u8],
      bitmap: ["bitmap", sizedHex(BITMAP_BYTES)],
    }),
  ],
  single_key: [
    "single_key_signature",
    members({ publicKey: ["public_key", anyKey], signature: ["signature", anySignature] }),
  ],
  multi_key: ["multi_key_signature", multiKey],
  no_account: ["no_account_signature", members({})],
};

const account = {
  read(given: unknown): AccountAuthenticator {
    const json = readObject(given, "AccountSignature");
    const type = readText(readField(json, "type"), "type");
    const kind = Object.entries(ACCOUNTS).find(([, [name]]) => name === type)?.[0];
    if (kind === undefined) throw new RequestError("malformed", `unknown signature type ${preview(type)}`);
    return readAs(kind as AccountAuthenticator["kind"], json); // a key of ACCOUNTS
  },
  write(authenticator: AccountAuthenticator): JsonObject {
    const [type, form] = ACCOUNTS[authenticator.kind];
    return { ...form.write(authenticator), type };
  },
};

/** Cast: `kind` and the members are of the same variant. */
function readAs(kind: AccountAuthenticator["kind"], json: JsonObject): AccountAuthenticator {
  return { kind, ...ACCOUNTS[kind][1].read(json) } as AccountAuthenticator;
}

const SECONDARY = {
  sender: ["sender", account],
  secondaryAddresses: ["secondary_signer_addresses", list(address)],
  secondarySigners: ["secondary_signers", list(account)],
} as const;
const multiAgent = members(SECONDARY);
const feePayer = members({
  ...SECONDARY,
  feePayerAddress: ["fee_payer_address", address],
  feePayerSigner: ["fee_payer_signer", account],
});

/** A transaction's signature (specification, TransactionSignature). */
export function signatureJson(authenticator: Authenticator): JsonObject {
  switch (authenticator.kind) {
    case "ed25519":
    case "multi_ed25519":
      return account.write(authenticator);
    case "multi_agent":
      return { ...multiAgent.write(authenticator), type: "multi_agent_signature" };
    case "fee_payer":
      return { ...feePayer.write(authenticator), type: "fee_payer_signature" };
    case "single_sender":
      return { ...account.write(authenticator.sender), type: "single_sender" };
  }
}

/** Reads a transaction's signature. Throws {@link RequestError}. */
export function readSignature(value: unknown): Authenticator {
  const json = readObject(value, "TransactionSignature");
  const type = readText(readField(json, "type"), "type");
  switch (type) {
    case "multi_agent_signature":
      return { kind: "multi_agent", ...multiAgent.read(json) };
    case "fee_payer_signature":
      return { kind: "fee_payer", ...feePayer.read(json) };
    case "single_sender":
      return { kind: "single_sender", sender: readAs(singleSenderKind(json), json) };
    default: {
      const single = account.read(json);
      if (single.kind === "ed25519" || single.kind === "multi_ed25519") return single;
      // How a simulation says that there is no key.
      if (single.kind === "no_account") return { kind: "single_sender", sender: single };
      throw new RequestError("malformed", `a transaction cannot carry a ${type} by itself`);
    }
  }
}

/** The members beside `type` determine the kind of account signature. */
function singleSenderKind(json: JsonObject): AccountAuthenticator["kind"] {
  if ("threshold" in json) return "multi_ed25519";
  if ("public_keys" in json) return "multi_key";
  if (typeof json["public_key"] === "string") return "ed25519";
  return "public_key" in json ? "single_key" : "no_account";
}

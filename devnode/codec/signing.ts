import { sha3_256 } from "@noble/hashes/sha3.js";
import type { Address } from "../../src/chain/address.ts";
import { type HashValue, hashOfBytes } from "../../src/chain/hash-value.ts";
import { type AccountAuthenticator, type Authenticator, joined } from "./authenticator.ts";
import { encodeBcs } from "./bcs.ts";
import { writePublicKey } from "./keys.ts";
import {
  encodeRawTransaction,
  encodeSignedTransaction,
  type RawTransaction,
  type SignedTransaction,
} from "./transaction.ts";

const text = new TextEncoder();
const RAW_SALT = sha3_256(text.encode("APTOS::RawTransaction"));
const RAW_WITH_DATA_SALT = sha3_256(text.encode("APTOS::RawTransactionWithData"));
const SIGNED_SALT = sha3_256(text.encode("APTOS::Transaction"));
const HASH_TAG = text.encode("RawTransaction");
const USER_TRANSACTION = Uint8Array.of(0);

/** Who signs besides the sender, when the message says so. */
export type MessageForm =
  | { readonly kind: "plain" }
  | { readonly kind: "multi_agent"; readonly secondaryAddresses: readonly Address[] }
  | { readonly kind: "fee_payer"; readonly secondaryAddresses: readonly Address[]; readonly feePayerAddress: Address };

/** The octets that every signer signs: a salt that names the form, then the BCS of what is agreed to. */
export function signingMessage(raw: RawTransaction, form: MessageForm): Uint8Array {
  const body = encodeRawTransaction(raw);
  if (form.kind === "plain") return joined([RAW_SALT, body]);
  const agreed = encodeBcs((writer) => {
    writer.uleb(form.kind === "multi_agent" ? 0 : 1).fixed(body);
    writer.vector(form.secondaryAddresses, (inner, address) => inner.address(address));
    if (form.kind === "fee_payer") writer.address(form.feePayerAddress);
  });
  return joined([RAW_WITH_DATA_SALT, agreed]);
}

/** The form of message that this authenticator's signers signed. */
export function messageForm(authenticator: Authenticator): MessageForm {
  switch (authenticator.kind) {
    case "ed25519":
    case "multi_ed25519":
    case "single_sender":
      return { kind: "plain" };
    case "multi_agent":
    case "fee_payer":
      return authenticator;
  }
}

export type HashForm = "specification" | "signed";

/**
 * `specification`: SHA3-256 of the text `RawTransaction` and the raw transaction's BCS (specification, Transactions
 * rule 3). `signed`: as chains of this family have it, over the signed form behind its own salt.
 */
export function transactionHash(signed: SignedTransaction, form: HashForm): HashValue {
  const hashed =
    form === "specification"
      ? [HASH_TAG, encodeRawTransaction(signed.raw)]
      : [SIGNED_SALT, USER_TRANSACTION, encodeSignedTransaction(signed)];
  return hashOfBytes(sha3_256(joined(hashed)));
}

/** Last octet of what an authentication key is the hash of. */
const SCHEMES = { ed25519: 0, multi_ed25519: 1, single_key: 2, multi_key: 3 } as const;

/** The authentication key that an authenticator proves control of; undefined for one that proves nothing. */
export function authenticationKey(authenticator: AccountAuthenticator): Uint8Array | undefined {
  switch (authenticator.kind) {
    case "ed25519":
      return keyOf(SCHEMES.ed25519, authenticator.publicKey);
    case "multi_ed25519":
      return keyOf(
        SCHEMES.multi_ed25519,
        joined([...authenticator.publicKeys, Uint8Array.of(authenticator.threshold)]),
      );
    case "single_key":
      return keyOf(
        SCHEMES.single_key,
        encodeBcs((writer) => writePublicKey(writer, authenticator.publicKey)),
      );
    case "multi_key":
      return keyOf(
        SCHEMES.multi_key,
        encodeBcs((writer) =>
          writer.vector(authenticator.publicKeys, writePublicKey).u8(authenticator.signaturesRequired),
        ),
      );
    case "no_account":
      return undefined;
  }
}

function keyOf(scheme: number, publicKey: Uint8Array): Uint8Array {
  return sha3_256(joined([publicKey, Uint8Array.of(scheme)]));
}

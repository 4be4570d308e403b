import { sha3_256 } from "@noble/hashes/sha3.js";
import { concatBytes } from "../../src/chain/bytes.ts";
import { type HashValue, hashOfBytes } from "../../src/chain/hash-value.ts";
import { type AccountAuthenticator, type Authenticator, multiKey } from "./authenticator.ts";
import { address, encode, struct, union, type ValueOf, vector } from "./bcs.ts";
import { publicKey } from "./keys.ts";
import { encodeSignedTransaction, type RawTransaction, rawTransaction, type SignedTransaction } from "./transaction.ts";

const text = new TextEncoder();
const RAW_SALT = sha3_256(text.encode("APTOS::RawTransaction"));
const RAW_WITH_DATA_SALT = sha3_256(text.encode("APTOS::RawTransactionWithData"));
const SIGNED_SALT = sha3_256(text.encode("APTOS::Transaction"));
const HASH_PREFIX = text.encode("RawTransaction");
const USER_TRANSACTION = Uint8Array.of(0);

/** `RawTransactionWithData` (types/src/transaction/mod.rs): who signs besides the sender. */
const rawTransactionWithData = union({
  multi_agent: struct({ raw: rawTransaction, secondaryAddresses: vector(address) }),
  fee_payer: struct({ raw: rawTransaction, secondaryAddresses: vector(address), feePayerAddress: address }),
});

type WithData = ValueOf<typeof rawTransactionWithData>;
type WithoutRaw<T> = T extends unknown ? Omit<T, "raw"> : never;

/** Which message the signers sign. */
export type MessageForm = { readonly kind: "plain" } | WithoutRaw<WithData>;

/** The bytes that every signer signs: a salt that names the form, then the BCS of the transaction and of the other signers' addresses. */
export function signingMessage(raw: RawTransaction, form: MessageForm): Uint8Array {
  return form.kind === "plain"
    ? concatBytes([RAW_SALT, encode(rawTransaction, raw)])
    : concatBytes([RAW_WITH_DATA_SALT, encode(rawTransactionWithData, { ...form, raw })]);
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
 * rule 3). `signed`: as chains of this family compute it, over the signed form with its own salt.
 */
export function transactionHash(signed: SignedTransaction, form: HashForm): HashValue {
  const hashed =
    form === "specification"
      ? [HASH_PREFIX, encode(rawTransaction, signed.raw)]
      : [SIGNED_SALT, USER_TRANSACTION, encodeSignedTransaction(signed)];
  return hashOfBytes(sha3_256(concatBytes(hashed)));
}

/** The authentication key that an authenticator proves control of; undefined when it proves nothing. */
export function authenticationKey(authenticator: AccountAuthenticator): Uint8Array | undefined {
  const covered = authenticatedBytes(authenticator);
  return covered === undefined ? undefined : sha3_256(concatBytes(covered));
}

/** The public key, then the number of its scheme (`AuthenticationKey::from_preimage`, transaction/authenticator.rs). */
function authenticatedBytes(authenticator: AccountAuthenticator): readonly Uint8Array[] | undefined {
  switch (authenticator.kind) {
    case "ed25519":
      return [authenticator.publicKey, Uint8Array.of(0)];
    case "multi_ed25519":
      return [...authenticator.publicKeys, Uint8Array.of(authenticator.threshold, 1)];
    case "single_key":
      return [encode(publicKey, authenticator.publicKey), Uint8Array.of(2)];
    case "multi_key":
      return [encode(multiKey, authenticator), Uint8Array.of(3)];
    case "no_account":
      return undefined;
  }
}

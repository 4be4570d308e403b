import type { Address } from "../../src/chain/address.ts";
import { BcsError, type Reader, type Writer } from "./bcs.ts";
import { ED25519_KEY_BYTES, ED25519_SIGNATURE_BYTES, readSized } from "./fixed-bytes.ts";
import {
  type PublicKey,
  readPublicKey,
  readSignature,
  type Signature,
  writePublicKey,
  writeSignature,
} from "./keys.ts";

export interface Ed25519Authenticator {
  readonly kind: "ed25519";
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

/** Several Ed25519 keys of which `threshold` sign; bit 0 of the bitmap is the highest bit of its first octet. */
export interface MultiEd25519Authenticator {
  readonly kind: "multi_ed25519";
  readonly publicKeys: readonly Uint8Array[];
  readonly threshold: number;
  /** In the order of the keys whose bits are set. */
  readonly signatures: readonly Uint8Array[];
  readonly bitmap: Uint8Array;
}

/** How one account signs (specification, AccountSignature). */
export type AccountAuthenticator =
  | Ed25519Authenticator
  | MultiEd25519Authenticator
  | { readonly kind: "single_key"; readonly publicKey: PublicKey; readonly signature: Signature }
  | {
      readonly kind: "multi_key";
      readonly publicKeys: readonly PublicKey[];
      readonly signaturesRequired: number;
      readonly signatures: readonly Signature[];
      readonly bitmap: Uint8Array;
    }
  | { readonly kind: "no_account" };

export interface SecondarySigners {
  readonly sender: AccountAuthenticator;
  readonly secondaryAddresses: readonly Address[];
  readonly secondarySigners: readonly AccountAuthenticator[];
}

/** How a transaction is signed (specification, TransactionSignature). */
export type Authenticator =
  | Ed25519Authenticator
  | MultiEd25519Authenticator
  | ({ readonly kind: "multi_agent" } & SecondarySigners)
  | ({
      readonly kind: "fee_payer";
      readonly feePayerAddress: Address;
      readonly feePayerSigner: AccountAuthenticator;
    } & SecondarySigners)
  | { readonly kind: "single_sender"; readonly sender: AccountAuthenticator };

const TRANSACTION_KINDS = ["ed25519", "multi_ed25519", "multi_agent", "fee_payer", "single_sender"] as const;
const ACCOUNT_KINDS = ["ed25519", "multi_ed25519", "single_key", "multi_key", "no_account"] as const;

/** Most keys of a multi-key account, and octets of its bitmap. */
export const MAX_KEYS = 32;
export const BITMAP_BYTES = 4;

export function readAuthenticator(reader: Reader): Authenticator {
  const kind = TRANSACTION_KINDS[reader.variant(TRANSACTION_KINDS.length)] ?? "ed25519";
  switch (kind) {
    case "ed25519":
      return readEd25519(reader);
    case "multi_ed25519":
      return readMultiEd25519(reader);
    case "multi_agent":
      return { kind, ...readSecondary(reader) };
    case "fee_payer":
      return {
        kind,
        ...readSecondary(reader),
        feePayerAddress: reader.address(),
        feePayerSigner: readAccountAuthenticator(reader),
      };
    case "single_sender":
      return { kind, sender: readAccountAuthenticator(reader) };
  }
}

export function writeAuthenticator(writer: Writer, authenticator: Authenticator): void {
  writer.uleb(TRANSACTION_KINDS.indexOf(authenticator.kind));
  switch (authenticator.kind) {
    case "ed25519":
      writer.octets(authenticator.publicKey).octets(authenticator.signature);
      return;
    case "multi_ed25519":
      writeMultiEd25519(writer, authenticator);
      return;
    case "multi_agent":
      writeSecondary(writer, authenticator);
      return;
    case "fee_payer":
      writeSecondary(writer, authenticator);
      writer.address(authenticator.feePayerAddress);
      writeAccountAuthenticator(writer, authenticator.feePayerSigner);
      return;
    case "single_sender":
      writeAccountAuthenticator(writer, authenticator.sender);
      return;
  }
}

function readAccountAuthenticator(reader: Reader): AccountAuthenticator {
  const kind = ACCOUNT_KINDS[reader.variant(ACCOUNT_KINDS.length)] ?? "ed25519";
  switch (kind) {
    case "ed25519":
      return readEd25519(reader);
    case "multi_ed25519":
      return readMultiEd25519(reader);
    case "single_key":
      return { kind, publicKey: readPublicKey(reader), signature: readSignature(reader) };
    case "multi_key":
      return {
        kind,
        publicKeys: reader.vector(readPublicKey),
        signaturesRequired: reader.u8(),
        signatures: reader.vector(readSignature),
        bitmap: reader.octets(),
      };
    case "no_account":
      return { kind };
  }
}

function writeAccountAuthenticator(writer: Writer, authenticator: AccountAuthenticator): void {
  writer.uleb(ACCOUNT_KINDS.indexOf(authenticator.kind));
  switch (authenticator.kind) {
    case "ed25519":
      writer.octets(authenticator.publicKey).octets(authenticator.signature);
      return;
    case "multi_ed25519":
      writeMultiEd25519(writer, authenticator);
      return;
    case "single_key":
      writePublicKey(writer, authenticator.publicKey);
      writeSignature(writer, authenticator.signature);
      return;
    case "multi_key":
      writer.vector(authenticator.publicKeys, writePublicKey).u8(authenticator.signaturesRequired);
      writer.vector(authenticator.signatures, writeSignature).octets(authenticator.bitmap);
      return;
    case "no_account":
      return;
  }
}

function readEd25519(reader: Reader): Ed25519Authenticator {
  return {
    kind: "ed25519",
    publicKey: readSized(reader, ED25519_KEY_BYTES, "an Ed25519 public key"),
    signature: readSized(reader, ED25519_SIGNATURE_BYTES, "an Ed25519 signature"),
  };
}

/** Keys with the threshold behind them, signatures with the bitmap behind them: each one run of octets. */
function readMultiEd25519(reader: Reader): MultiEd25519Authenticator {
  const keys = reader.octets();
  const signatures = reader.octets();
  return {
    kind: "multi_ed25519",
    publicKeys: split(keys, ED25519_KEY_BYTES, 1, "multi-Ed25519 public keys"),
    threshold: keys[keys.length - 1] ?? 0,
    signatures: split(signatures, ED25519_SIGNATURE_BYTES, BITMAP_BYTES, "multi-Ed25519 signatures"),
    bitmap: signatures.slice(-BITMAP_BYTES),
  };
}

function writeMultiEd25519(writer: Writer, multi: MultiEd25519Authenticator): void {
  writer.octets(joined([...multi.publicKeys, Uint8Array.of(multi.threshold)]));
  writer.octets(joined([...multi.signatures, multi.bitmap]));
}

function split(octets: Uint8Array, size: number, tail: number, what: string): Uint8Array[] {
  const count = (octets.length - tail) / size;
  if (!Number.isInteger(count) || count < 0 || count > MAX_KEYS)
    throw new BcsError(`${what} have ${octets.length} octets`);
  return Array.from({ length: count }, (_, index) => octets.slice(index * size, (index + 1) * size));
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function readSecondary(reader: Reader): SecondarySigners {
  return {
    sender: readAccountAuthenticator(reader),
    secondaryAddresses: reader.vector((inner) => inner.address()),
    secondarySigners: reader.vector(readAccountAuthenticator),
  };
}

function writeSecondary(writer: Writer, signers: SecondarySigners): void {
  writeAccountAuthenticator(writer, signers.sender);
  writer.vector(signers.secondaryAddresses, (inner, address) => inner.address(address));
  writer.vector(signers.secondarySigners, writeAccountAuthenticator);
}

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, addressOfBytes } from "../src/chain/address.ts";
import type { AccountAuthenticator } from "./codec/authenticator.ts";
import { signingMessage } from "./codec/signing.ts";
import { encodeSignedTransaction, type RawTransaction } from "./codec/transaction.ts";

/**
 * The funded accounts of a development chain. Their keys are public on purpose: anyone can sign for them on chains
 * started from this genesis, and on no other chain.
 */
export interface DevelopmentAccount {
  readonly name: string;
  /** Ed25519. */
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
  /** SHA3-256(public key, 0): the scheme of a single ed25519 key. */
  readonly authenticationKey: Uint8Array;
  /** The account address of this key, unless genesis puts it elsewhere (the faucet's). */
  readonly address: Address;
}

const ED25519_SCHEME = 0;

/** A key of 32 equal bytes is obviously not a secret. */
function account(name: string, byte: number): DevelopmentAccount {
  const privateKey = new Uint8Array(32).fill(byte);
  const publicKey = ed25519.getPublicKey(privateKey);
  const authenticationKey = sha3_256(Uint8Array.of(...publicKey, ED25519_SCHEME));
  return { name, privateKey, publicKey, authenticationKey, address: addressOfBytes(authenticationKey) };
}

export const ALICE = account("alice", 0xa1);
export const BOB = account("bob", 0xb0);
export const CAROL = account("carol", 0xca);
/** Creator of the stable token, and the only one who mints it. */
export const ISSUER = account("issuer", 0x15);
/** Owns the rest of the native coin. */
export const TREASURY = account("treasury", 0x7e);
/** Signs for 0xa550c18, the faucet's reserve. */
export const FAUCET = account("faucet", 0xfa);

/**
 * Owners of the wallets that the sample schedule names: community, contributors, foundation, investors. No allowance.
 */
export const WALLET_OWNERS = [
  account("community", 0xc0),
  account("contributors", 0xc7),
  account("foundation", 0xf0),
  account("investors", 0x1e),
] as const;

export const DEVELOPMENT_ACCOUNTS: readonly DevelopmentAccount[] = [ALICE, BOB, CAROL, ISSUER, TREASURY];

/** An account's own signature. */
export function signatureOf(
  { privateKey, publicKey }: DevelopmentAccount,
  message: Uint8Array,
): AccountAuthenticator & { readonly kind: "ed25519" } {
  return { kind: "ed25519", publicKey, signature: ed25519.sign(message, privateKey) };
}

/** A transaction that the account alone signs. */
export function signedBy(account: DevelopmentAccount, raw: RawTransaction): Uint8Array {
  const authenticator = signatureOf(account, signingMessage(raw, { kind: "plain" }));
  return encodeSignedTransaction({ raw, authenticator });
}

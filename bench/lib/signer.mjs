import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { encodeBcs } from "../../devnode/codec/bcs-writer.ts";
import { signingMessage, transactionHash } from "../../devnode/codec/signing.ts";
import { encodeSignedTransaction } from "../../devnode/codec/transaction.ts";
import { addressBytes, addressOfBytes } from "../../src/chain/address.ts";

const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");
const EXPIRATION_SECONDS = 4_102_444_800n;
const CHAIN_ID = 4;

/** An account of one ed25519 key, with its next sequence number. OpenSSL signs, much faster than JavaScript. */
export function signer(number) {
  const seed = new Uint8Array(32);
  new DataView(seed.buffer).setUint32(0, number + 1);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: "der", type: "pkcs8" });
  const publicKey = new Uint8Array(Buffer.from(createPublicKey(key).export({ format: "jwk" }).x, "base64url"));
  const address = addressOfBytes(sha3_256(Uint8Array.of(...publicKey, 0)));
  let sequenceNumber = 0n;
  /** A signed transfer of one base unit, as bytes and by its hash. */
  const transfer = (to) => {
    const id = { address: CORE, module: "aptos_account", name: "transfer" };
    const values = [addressBytes(to), encodeBcs((writer) => writer.u64(1n))];
    const raw = {
      sender: address,
      sequenceNumber: sequenceNumber++,
      payload: { kind: "entry_function", entryFunction: { id, typeArguments: [], arguments: values } },
      maxGasAmount: 20_000n,
      gasUnitPrice: 100n,
      expirationTimestampSecs: EXPIRATION_SECONDS,
      chainId: CHAIN_ID,
    };
    const signature = new Uint8Array(sign(null, signingMessage(raw, { kind: "plain" }), key));
    const signed = { raw, authenticator: { kind: "ed25519", publicKey, signature } };
    return { bytes: encodeSignedTransaction(signed), hash: transactionHash(signed, "specification") };
  };
  return { address, transfer };
}

const CORE = addressOfBytes(new Uint8Array(32).fill(1, 31));

/** The BCS of a list of signed transactions. */
export function batchOf(transactions) {
  return encodeBcs((writer) => writer.vector(transactions, (inner, { bytes }) => inner.fixed(bytes)));
}

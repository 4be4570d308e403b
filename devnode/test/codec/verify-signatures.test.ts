import { ed25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { describe, expect, test } from "vitest";
import { type Address, addressOfBytes } from "../../../src/chain/address.ts";
import { concatBytes } from "../../../src/chain/bytes.ts";
import { hexOf } from "../../../src/chain/hex.ts";
import type { AccountAuthenticator, Authenticator } from "../../codec/authenticator.ts";
import type { PublicKey, Signature } from "../../codec/keys.ts";
import { isSmallOrder } from "../../codec/signature-schemes.ts";
import { signingMessage } from "../../codec/signing.ts";
import type { RawTransaction } from "../../codec/transaction.ts";
import { verifySignatures } from "../../codec/verify-signatures.ts";

const secret = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const address = (fill: number): Address => addressOfBytes(secret(fill));
const RAW: RawTransaction = {
  sender: address(9),
  sequenceNumber: 7n,
  payload: { kind: "multisig", multisigAddress: address(8), entryFunction: null },
  maxGasAmount: 2_000n,
  gasUnitPrice: 100n,
  expirationTimestampSecs: 1_900_000_000n,
  chainId: 4,
};
const PLAIN = signingMessage(RAW, { kind: "plain" });

const error = (authenticator: Authenticator) => verifySignatures({ raw: RAW, authenticator });
const single = (publicKey: PublicKey, signature: Signature) =>
  error({ kind: "single_sender", sender: { kind: "single_key", publicKey, signature } });
const isRefused = { kind: "invalid_signature" };

const edKey = (fill: number) => ed25519.getPublicKey(secret(fill));
const edSignature = (fill: number, message = PLAIN) => ed25519.sign(message, secret(fill));
const edAccount = (fill: number, message = PLAIN): AccountAuthenticator => ({
  kind: "ed25519",
  publicKey: edKey(fill),
  signature: edSignature(fill, message),
});

describe("Ed25519", () => {
  const order = ed25519.Point.Fn.ORDER;
  /** A point of order eight: its multiples are the eight points of small order. */
  const generator = ed25519.Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
  const torsion = Array.from({ length: 8 }, (_, times) =>
    times === 0 ? ed25519.Point.ZERO : generator.multiplyUnsafe(BigInt(times)),
  );

  test("the eight points of small order are recognized, and no ordinary key is one", () => {
    expect(new Set(torsion.map((point) => point.toHex())).size).toBe(8);
    expect(torsion.map((point) => [point.isSmallOrder(), isSmallOrder(point.toBytes())])).toEqual(
      torsion.map(() => [true, true]),
    );
    for (let fill = 1; fill < 50; fill += 1) expect(isSmallOrder(edKey(fill))).toBe(false);
  });

  test.each(torsion.map((point) => [point.toHex(), point.toBytes()] as const))(
    "a signature by the small-order key %s is refused",
    async (_hex, publicKey) => {
      const signature = concatBytes([ed25519.Point.ZERO.toBytes(), new Uint8Array(32)]);
      expect(await error({ kind: "ed25519", publicKey, signature })).toMatchObject(isRefused);
    },
  );

  test("a signature with the group's order added is refused", async () => {
    const good = edSignature(1);
    expect(await error({ kind: "ed25519", publicKey: edKey(1), signature: good })).toBeUndefined();
    const changed = good.slice();
    let rest = order;
    let carry = 0n;
    for (let index = 32; index < 64; index += 1) {
      const sum = BigInt(changed[index] ?? 0) + (rest & 0xffn) + carry;
      changed[index] = Number(sum & 0xffn);
      carry = sum >> 8n;
      rest >>= 8n;
    }
    expect(await error({ kind: "ed25519", publicKey: edKey(1), signature: changed })).toMatchObject(isRefused);
  });

  test("a key that is not a curve point is refused without an exception", async () => {
    for (let fill = 1; fill < 30; fill += 1)
      expect(await error({ kind: "ed25519", publicKey: secret(fill), signature: edSignature(fill) })).toMatchObject(
        isRefused,
      );
  });
});

describe("multi-Ed25519", () => {
  const multi = (signers: readonly number[], bitmap: readonly number[], threshold = 2) =>
    error({
      kind: "multi_ed25519",
      publicKeys: [edKey(1), edKey(2), edKey(3)],
      threshold,
      signatures: signers.map((fill) => edSignature(fill)),
      bitmap: Uint8Array.from(bitmap),
    });

  test.each<[string, number[], number[], number]>([
    ["the first and the last of three", [1, 3], [0b1010_0000, 0, 0, 0], 2],
    ["more than the threshold", [1, 2, 3], [0b1110_0000, 0, 0, 0], 2],
    ["one of three with a threshold of one", [2], [0b0100_0000, 0, 0, 0], 1],
    ["three of three with a threshold of three", [1, 2, 3], [0b1110_0000, 0, 0, 0], 3],
  ])("valid: %s", async (_name, signers, bitmap, threshold) => {
    expect(await multi(signers, bitmap, threshold)).toBeUndefined();
  });

  test.each<[string, number[], number[], number]>([
    ["fewer than the threshold", [1], [0b1000_0000, 0, 0, 0], 2],
    ["signatures in another order than their keys", [3, 1], [0b1010_0000, 0, 0, 0], 2],
    ["a bit without a key", [1, 3], [0b1001_0000, 0, 0, 0], 2],
    ["more bits than signatures", [1, 3], [0b1110_0000, 0, 0, 0], 2],
    ["fewer bits than signatures", [1, 3], [0b1000_0000, 0, 0, 0], 2],
    ["bits counted from the wrong end", [1, 3], [0b0000_0101, 0, 0, 0], 2],
    ["one signer twice", [1, 1], [0b1100_0000, 0, 0, 0], 2],
    ["a threshold of zero", [], [0, 0, 0, 0], 0],
    ["a threshold over the number of keys", [1, 2, 3], [0b1110_0000, 0, 0, 0], 4],
  ])("%s: refused", async (_name, signers, bitmap, threshold) => {
    expect(await multi(signers, bitmap, threshold)).toMatchObject(isRefused);
  });
});

describe("secp256k1", () => {
  const publicKey: PublicKey = { kind: "secp256k1_ecdsa", key: secp256k1.getPublicKey(secret(2), false) };
  const low = secp256k1.sign(sha3_256(PLAIN), secret(2), { prehash: false, lowS: true });
  const { r, s } = secp256k1.Signature.fromBytes(low);
  const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes();

  test("low-S signatures are valid, high-S are refused", async () => {
    expect(await single(publicKey, { kind: "secp256k1_ecdsa", signature: low })).toBeUndefined();
    expect(secp256k1.verify(high, sha3_256(PLAIN), publicKey.key, { prehash: false, lowS: false })).toBe(true);
    expect(await single(publicKey, { kind: "secp256k1_ecdsa", signature: high })).toMatchObject(isRefused);
  });

  test("a signature of another scheme and bytes that are not a key are refused", async () => {
    expect(await single(publicKey, { kind: "ed25519", signature: low })).toMatchObject(isRefused);
    const noKey: PublicKey = { kind: "secp256k1_ecdsa", key: new Uint8Array(65).fill(1) };
    expect(await single(noKey, { kind: "secp256k1_ecdsa", signature: low })).toMatchObject(isRefused);
  });
});

describe("WebAuthn", () => {
  const publicKey: PublicKey = { kind: "secp256r1_ecdsa", key: p256.getPublicKey(secret(6), false) };
  const authenticatorData = new Uint8Array(37).fill(5);
  const base64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const client = (fields: object) => new TextEncoder().encode(JSON.stringify(fields));
  const requested = { type: "webauthn.get", challenge: base64Url(sha3_256(PLAIN)), origin: "https://example.org" };

  function assertion(clientDataJson: Uint8Array, fill = 6): Signature & { readonly kind: "web_authn" } {
    const hash = sha256(concatBytes([authenticatorData, sha256(clientDataJson)]));
    const signature = p256.sign(hash, secret(fill), { prehash: false, lowS: true });
    return { kind: "web_authn", assertion: { signature, authenticatorData, clientDataJson } };
  }

  test("a device's assertion for this transaction is valid", async () => {
    expect(await single(publicKey, assertion(client(requested)))).toBeUndefined();
  });

  test.each<[string, Signature]>([
    ["to another challenge", assertion(client({ ...requested, challenge: base64Url(sha3_256(Uint8Array.of(1))) }))],
    ["without a challenge", assertion(client({ type: "webauthn.get" }))],
    ["that is not JSON", assertion(Uint8Array.of(123))],
    ["that is null", assertion(new TextEncoder().encode("null"))],
    ["that is not UTF-8", assertion(Uint8Array.of(0xff))],
    ["of another device", assertion(client(requested), 7)],
    ["with a bare signature", { kind: "ed25519", signature: assertion(client(requested)).assertion.signature }],
  ])("an assertion %s is refused", async (_name, signature) => {
    expect(await single(publicKey, signature)).toMatchObject(isRefused);
  });

  test("a high-S signature is refused", async () => {
    const good = assertion(client(requested));
    const { r, s } = p256.Signature.fromBytes(good.assertion.signature);
    const high = new p256.Signature(r, p256.Point.Fn.ORDER - s).toBytes();
    const changed: Signature = { kind: "web_authn", assertion: { ...good.assertion, signature: high } };
    expect(await single(publicKey, changed)).toMatchObject(isRefused);
  });

  test("device data changed after signing is refused", async () => {
    const good = assertion(client(requested));
    const changed: Signature = { kind: "web_authn", assertion: { ...good.assertion, authenticatorData: secret(5) } };
    expect(await single(publicKey, changed)).toMatchObject(isRefused);
  });
});

describe("unverifiable signatures are refused with a reason", () => {
  test("keyless", async () => {
    const key: PublicKey = { kind: "keyless", issuer: "https://example.org", identityCommitment: secret(1) };
    const refusal = await single(key, { kind: "ed25519", signature: edSignature(1) });
    expect(refusal).toMatchObject({ reason: expect.stringContaining("Keyless") });
  });

  test("more than 32 signatures together, before any is verified", async () => {
    const transaction = (count: number): Authenticator => {
      const secondaryAddresses = Array.from({ length: count - 1 }, (_, index) => address(index));
      const message = signingMessage(RAW, { kind: "multi_agent", secondaryAddresses });
      const signer = edAccount(1, message);
      return {
        kind: "multi_agent",
        sender: signer,
        secondaryAddresses,
        secondarySigners: Array(count - 1).fill(signer),
      };
    };
    expect(await error(transaction(32))).toBeUndefined();
    const reason = "A transaction has at most 32 signatures, not 33.";
    expect(await error(transaction(33))).toEqual({ kind: "invalid_signature", reason });
  });

  test("no authenticator", async () => {
    expect(await error({ kind: "single_sender", sender: { kind: "no_account" } })).toMatchObject(isRefused);
  });
});

describe("the fee payer", () => {
  const secondaryAddresses = [address(2)];
  const over = (payer: Address) =>
    signingMessage(RAW, { kind: "fee_payer", secondaryAddresses, feePayerAddress: payer });
  const [real, open] = [over(address(3)), over(address(0))];
  const paid = (sender: Uint8Array, secondary: Uint8Array, payer: Uint8Array) =>
    error({
      kind: "fee_payer",
      sender: edAccount(1, sender),
      secondaryAddresses,
      secondarySigners: [edAccount(2, secondary)],
      feePayerAddress: address(3),
      feePayerSigner: edAccount(3, payer),
    });

  test.each<[string, Uint8Array, Uint8Array]>([
    ["both signed for the payer", real, real],
    ["neither signed for the payer", open, open],
    ["only the sender signed for the payer", real, open],
    ["only the secondary signer signed for the payer", open, real],
  ])("%s: valid", async (_name, sender, secondary) => {
    expect(await paid(sender, secondary, real)).toBeUndefined();
  });

  test.each<[string, Uint8Array, Uint8Array, Uint8Array]>([
    ["the payer did not sign with its address", open, open, open],
    ["the sender signed for another payer", over(address(4)), real, real],
    ["the sender signed the plain transaction", PLAIN, real, real],
    ["a secondary signer signed the plain transaction", real, PLAIN, real],
  ])("%s: refused", async (_name, sender, secondary, payer) => {
    expect(await paid(sender, secondary, payer)).toMatchObject(isRefused);
  });

  test("a secondary signer without its address is refused by name", async () => {
    const authenticator: Authenticator = {
      kind: "multi_agent",
      sender: edAccount(1),
      secondaryAddresses: [],
      secondarySigners: [edAccount(2)],
    };
    expect(await error(authenticator)).toMatchObject({ kind: "signer_count_mismatch" });
  });
});

test("a signature over one message form is invalid for another", async () => {
  expect(hexOf(PLAIN)).not.toBe(hexOf(signingMessage(RAW, { kind: "multi_agent", secondaryAddresses: [] })));
  expect(
    await error({ kind: "multi_agent", sender: edAccount(1), secondaryAddresses: [], secondarySigners: [] }),
  ).toMatchObject(isRefused);
});

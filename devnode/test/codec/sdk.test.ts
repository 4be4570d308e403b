import { generateSigningMessageForTransaction } from "@aptos-labs/ts-sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { longAddress } from "../../../src/chain/address.ts";
import { hexOf } from "../../../src/chain/hex.ts";
import { KINDS, type Shape, sdkTransaction } from "../../../test/support/sdk-transactions.ts";
import type { AccountAuthenticator } from "../../codec/authenticator.ts";
import { authenticationKey, messageForm, signingMessage } from "../../codec/signing.ts";
import { decodeSignedTransaction, encodeSignedTransaction, type SignedTransaction } from "../../codec/transaction.ts";
import { verifySignatures } from "../../codec/verify-signatures.ts";

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const anyShape: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constantFrom(...KINDS),
  sequenceNumber: u64,
  amount: u64,
  maxGasAmount: u64,
  gasUnitPrice: u64,
  expirationTimestampSecs: u64,
  chainId: fc.integer({ min: 1, max: 255 }),
  typeArguments: fc.array(fc.constantFrom("u8", "u64", "bool", "address", "vector<u8>", "0x1::aptos_coin::AptosCoin"), {
    maxLength: 3,
  }),
  multisig: fc.boolean(),
});
const PLAIN: Omit<Shape, "kind"> = {
  sequenceNumber: 0n,
  amount: 1_000n,
  maxGasAmount: 2_000n,
  gasUnitPrice: 100n,
  expirationTimestampSecs: 1_900_000_000n,
  chainId: 4,
  typeArguments: [],
  multisig: false,
};

function decoded(bytes: Uint8Array): SignedTransaction {
  const result = decodeSignedTransaction(bytes);
  if (result.kind === "malformed") throw new Error(result.message);
  return result.value;
}

/** The sender's signers, for every form of transaction. */
function senderOf({ authenticator }: SignedTransaction): AccountAuthenticator {
  switch (authenticator.kind) {
    case "ed25519":
    case "multi_ed25519":
      return authenticator;
    case "multi_agent":
    case "fee_payer":
    case "single_sender":
      return authenticator.sender;
  }
}

test("thousands of the SDK's transactions are decoded, re-encoded and signed as it does", () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const { signed, transaction } = sdkTransaction(shape);
      const ours = decoded(signed);
      expect(hexOf(encodeSignedTransaction(ours))).toBe(hexOf(signed));
      expect(ours.raw.sequenceNumber).toBe(shape.sequenceNumber);
      expect(ours.raw.chainId).toBe(shape.chainId);
      expect(hexOf(signingMessage(ours.raw, messageForm(ours.authenticator)))).toBe(
        hexOf(generateSigningMessageForTransaction(transaction)),
      );
    }),
    { numRuns: 2_000 },
  );
}, 60_000);

describe.each(KINDS)("a transaction signed by the SDK: %s", (kind) => {
  const { signed, account } = sdkTransaction({ kind, ...PLAIN });

  test("the SDK's signatures are valid", async () => {
    expect(await verifySignatures(decoded(signed))).toBeUndefined();
  });

  test("its authentication key is the SDK's", () => {
    const key = authenticationKey(senderOf(decoded(signed)));
    expect(hexOf(key ?? new Uint8Array())).toBe(longAddress(decoded(signed).raw.sender));
    expect(hexOf(key ?? new Uint8Array())).toBe(account.accountAddress.toStringLong());
  });

  test("one changed field invalidates the signatures", async () => {
    const { raw, authenticator } = decoded(signed);
    const changed = { raw: { ...raw, maxGasAmount: raw.maxGasAmount + 1n }, authenticator };
    expect(await verifySignatures(changed)).toMatchObject({ kind: "invalid_signature" });
  });
});

test("arbitrary bytes are refused or re-encoded unchanged, and never throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const result = decodeSignedTransaction(bytes);
      if (result.kind === "decoded") expect(hexOf(encodeSignedTransaction(result.value))).toBe(hexOf(bytes));
    }),
    { numRuns: 2_000 },
  );
});

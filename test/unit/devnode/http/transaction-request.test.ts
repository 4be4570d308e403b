import fc from "fast-check";
import { expect, test } from "vitest";
import { requestJson } from "../../../../devnode/http/transaction-json.ts";
import { messageOfJson, signedOfJson, splitBatch } from "../../../../devnode/http/transaction-request.ts";
import { type Address, addressBytes } from "../../../../src/chain/address.ts";
import type { AccountAuthenticator, Authenticator } from "../../../../src/chain/authenticator.ts";
import { encodeBcs } from "../../../../src/chain/bcs.ts";
import { hexOf } from "../../../../src/chain/hex.ts";
import type { PublicKey, Signature } from "../../../../src/chain/keys.ts";
import { signingMessage } from "../../../../src/chain/signing.ts";
import {
  type EntryFunction,
  encodeSignedTransaction,
  type Payload,
  type RawTransaction,
} from "../../../../src/chain/transaction.ts";
import { anyAddress, octets } from "../../chain/arbitraries.ts";

const CHAIN_ID = 4;
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const FRAMEWORK = "0x1" as Address; // a literal in canonical spelling

const anyCall: fc.Arbitrary<EntryFunction> = fc.tuple(anyAddress, u64).map(([to, amount]) => ({
  id: { address: FRAMEWORK, module: "aptos_account", name: "transfer" },
  typeArguments: [],
  arguments: [addressBytes(to), encodeBcs((writer) => writer.u64(amount))],
}));

const anyPayload: fc.Arbitrary<Payload> = fc.oneof(
  anyCall.map((entryFunction) => ({ kind: "entry_function" as const, entryFunction })),
  fc.record({
    kind: fc.constant("multisig" as const),
    multisigAddress: anyAddress,
    entryFunction: fc.option(anyCall),
  }),
);

const anyRaw: fc.Arbitrary<RawTransaction> = fc.record({
  sender: anyAddress,
  sequenceNumber: u64,
  payload: anyPayload,
  maxGasAmount: u64,
  gasUnitPrice: u64,
  expirationTimestampSecs: u64,
  chainId: fc.constant(CHAIN_ID),
});

const anyPublicKey: fc.Arbitrary<PublicKey> = fc.oneof(
  octets(32).map((key) => ({ kind: "ed25519" as const, key })),
  octets(65).map((key) => ({ kind: "secp256k1_ecdsa" as const, key })),
  octets(65).map((key) => ({ kind: "secp256r1_ecdsa" as const, key })),
  fc.record({ kind: fc.constant("keyless" as const), issuer: fc.string(), identityCommitment: octets(32) }),
  fc.record({
    kind: fc.constant("federated_keyless" as const),
    jwkAddress: anyAddress,
    issuer: fc.string(),
    identityCommitment: octets(32),
  }),
);

const anySignature: fc.Arbitrary<Signature> = fc.oneof(
  octets(64).map((signature) => ({ kind: "ed25519" as const, signature })),
  octets(64).map((signature) => ({ kind: "secp256k1_ecdsa" as const, signature })),
);

const anyEd25519 = fc.record({ kind: fc.constant("ed25519" as const), publicKey: octets(32), signature: octets(64) });
const anyMultiEd25519 = fc.record({
  kind: fc.constant("multi_ed25519" as const),
  publicKeys: fc.array(octets(32), { minLength: 1, maxLength: 4 }),
  threshold: fc.integer({ min: 1, max: 4 }),
  signatures: fc.array(octets(64), { maxLength: 4 }),
  bitmap: octets(4),
});

/** Signatures stand in the order of their keys, one for each bit that is set. */
const anyMultiKey = fc
  .record({
    publicKeys: fc.array(anyPublicKey, { minLength: 1, maxLength: 4 }),
    signaturesRequired: fc.integer({ min: 1, max: 4 }),
    signed: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 31 }), anySignature), {
      selector: ([index]) => index,
      maxLength: 4,
    }),
  })
  .map(({ signed, ...keys }) => {
    const bitmap = new Uint8Array(4);
    const ordered = [...signed].sort(([left], [right]) => left - right);
    for (const [index] of ordered) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (0x80 >> (index & 7));
    return { kind: "multi_key" as const, ...keys, signatures: ordered.map(([, signature]) => signature), bitmap };
  });

const anyAccount: fc.Arbitrary<AccountAuthenticator> = fc.oneof(
  anyEd25519,
  anyMultiEd25519,
  fc.record({ kind: fc.constant("single_key" as const), publicKey: anyPublicKey, signature: anySignature }),
  anyMultiKey,
  fc.constant({ kind: "no_account" as const }),
);

const secondary = {
  sender: anyAccount,
  secondaryAddresses: fc.array(anyAddress, { maxLength: 2 }),
  secondarySigners: fc.array(anyAccount, { maxLength: 2 }),
};

const anyAuthenticator: fc.Arbitrary<Authenticator> = fc.oneof(
  anyEd25519,
  anyMultiEd25519,
  fc.record({ kind: fc.constant("multi_agent" as const), ...secondary }),
  fc.record({
    kind: fc.constant("fee_payer" as const),
    ...secondary,
    feePayerAddress: anyAddress,
    feePayerSigner: anyAccount,
  }),
  fc.record({
    kind: fc.constant("single_sender" as const),
    sender: anyAccount.filter(({ kind }) => kind === "single_key" || kind === "multi_key" || kind === "no_account"),
  }),
);

test("a signed transaction printed as JSON and read again is the same octets", () => {
  fc.assert(
    fc.property(anyRaw, anyAuthenticator, (raw, authenticator) => {
      const bytes = encodeSignedTransaction({ raw, authenticator });
      const json: unknown = JSON.parse(JSON.stringify(requestJson(bytes)));
      expect(signedOfJson(json, CHAIN_ID)).toEqual({ kind: "encoded", bytes });
    }),
    { numRuns: 500 },
  );
});

test("the message to sign is that of the raw transaction, with secondary signers that of a multi-agent one", () => {
  fc.assert(
    fc.property(anyRaw, fc.option(fc.array(anyAddress, { maxLength: 3 })), (raw, signers) => {
      const bytes = encodeSignedTransaction({
        raw,
        authenticator: { kind: "single_sender", sender: { kind: "no_account" } },
      });
      const { signature: _unsigned, ...request } = requestJson(bytes);
      const body = signers === null ? request : { ...request, secondary_signers: signers };
      const form =
        signers === null ? { kind: "plain" as const } : { kind: "multi_agent" as const, secondaryAddresses: signers };
      expect(messageOfJson(body, CHAIN_ID)).toEqual({ kind: "encoded", bytes: signingMessage(raw, form) });
    }),
    { numRuns: 200 },
  );
});

test("a BCS batch comes apart into the octets it was made of", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyRaw, anyAuthenticator), { maxLength: 4 }), (list) => {
      const parts = list.map(([raw, authenticator]) => encodeSignedTransaction({ raw, authenticator }));
      const batch = encodeBcs((writer) => writer.vector(parts, (inner, part) => inner.fixed(part)));
      expect(splitBatch(batch)).toEqual({ kind: "split", list: parts });
      expect(splitBatch(new Uint8Array([...batch, 0])).kind).toBe("malformed");
    }),
    { numRuns: 100 },
  );
});

const SOUND = {
  sender: "0x1",
  sequence_number: "0",
  max_gas_amount: "1",
  gas_unit_price: "1",
  expiration_timestamp_secs: "1",
  payload: {
    type: "entry_function_payload",
    function: "0x1::aptos_account::transfer",
    type_arguments: [],
    arguments: ["0x2", "5"],
  },
  signature: {
    type: "ed25519_signature",
    public_key: hexOf(new Uint8Array(32)),
    signature: hexOf(new Uint8Array(64)),
  },
};

test.each([
  ["is no object", [], "misshapen"],
  ["lacks a field", { ...SOUND, sender: undefined }, "misshapen"],
  ["has a number where text belongs", { ...SOUND, sequence_number: 0 }, "misshapen"],
  ["has a sequence number that is none", { ...SOUND, sequence_number: "-1" }, "misshapen"],
  ["has a payload of an unknown type", { ...SOUND, payload: { type: "other" } }, "misshapen"],
  ["is a module bundle", { ...SOUND, payload: { type: "module_bundle_payload" } }, "unfit"],
  ["calls a function that is not there", { ...SOUND, payload: { ...SOUND.payload, function: "0x1::a::b" } }, "unfit"],
  ["has too few arguments", { ...SOUND, payload: { ...SOUND.payload, arguments: [] } }, "unfit"],
  ["has an argument of another type", { ...SOUND, payload: { ...SOUND.payload, arguments: ["0x2", 5] } }, "unfit"],
  ["has a key of another length", { ...SOUND, signature: { ...SOUND.signature, public_key: "0x00" } }, "unfit"],
  ["has a signature of an unknown type", { ...SOUND, signature: { type: "other" } }, "misshapen"],
  ["carries an account's signature as its own", { ...SOUND, signature: { type: "no_account_signature" } }, "misshapen"],
])("a request that %s is refused", (_name, request, kind) => {
  expect(signedOfJson(SOUND, CHAIN_ID).kind).toBe("encoded");
  expect(signedOfJson(JSON.parse(JSON.stringify(request)), CHAIN_ID).kind).toBe(kind);
});

import fc from "fast-check";
import { UNSIGNED_MAX } from "../../../src/chain/integer.ts";
import { type AccountAuthenticator, type Authenticator, BITMAP_BYTES } from "../../codec/authenticator.ts";
import type { PublicKey, Signature } from "../../codec/keys.ts";
import type { EntryFunction, Payload, RawTransaction, ScriptArgument } from "../../codec/transaction.ts";
import type { WebAuthnAssertion } from "../../codec/web-authn.ts";
import { anyAddress, anyBytes, anyIdentifier, anyTypeTag } from "./arbitraries.ts";

const upTo = (maxLength: number) => fc.uint8Array({ maxLength });
const unsigned = (width: keyof typeof UNSIGNED_MAX) => fc.bigInt({ min: 0n, max: UNSIGNED_MAX[width] });
const kind = <K extends string>(...kinds: readonly K[]) => fc.constantFrom(...kinds);
const anyText = fc.string({ unit: "binary", maxLength: 20 });
const maybeText = fc.option(anyText);

const anyEntryFunction: fc.Arbitrary<EntryFunction> = fc.record({
  id: fc.record({ address: anyAddress, module: anyIdentifier, name: anyIdentifier }),
  typeArguments: fc.array(anyTypeTag, { maxLength: 3 }),
  arguments: fc.array(upTo(40), { maxLength: 4 }),
});

const anyScriptArgument: fc.Arbitrary<ScriptArgument> = fc.oneof(
  fc.record({ kind: kind("u8", "u16", "u32"), value: fc.nat(255) }),
  fc.record({ kind: kind("u64", "u128", "u256"), value: unsigned("u64") }),
  fc.record({ kind: kind("address"), value: anyAddress }),
  fc.record({ kind: kind("bool"), value: fc.boolean() }),
  fc.record({ kind: kind("u8_vector", "serialized"), value: upTo(40) }),
);

const anyPayload: fc.Arbitrary<Payload> = fc.oneof(
  fc.record({ kind: kind("entry_function"), entryFunction: anyEntryFunction }),
  fc.record({ kind: kind("multisig"), multisigAddress: anyAddress, entryFunction: fc.option(anyEntryFunction) }),
  fc.record({
    kind: kind("script"),
    code: upTo(60),
    typeArguments: fc.array(anyTypeTag, { maxLength: 2 }),
    arguments: fc.array(anyScriptArgument, { maxLength: 5 }),
  }),
);

export const anyRawTransaction: fc.Arbitrary<RawTransaction> = fc.record({
  sender: anyAddress,
  sequenceNumber: unsigned("u64"),
  payload: anyPayload,
  maxGasAmount: unsigned("u64"),
  gasUnitPrice: unsigned("u64"),
  expirationTimestampSecs: unsigned("u64"),
  chainId: fc.nat(255),
});

const anyAssertion: fc.Arbitrary<WebAuthnAssertion> = fc.record({
  signature: anyBytes(64),
  authenticatorData: upTo(50),
  clientDataJson: upTo(50),
});

const anyEphemeralSignature = fc.oneof(
  fc.record({ kind: kind("ed25519"), signature: anyBytes(64) }),
  fc.record({ kind: kind("web_authn"), assertion: anyAssertion }),
);

const anyCertificate = fc.oneof(
  fc.record({
    kind: kind("zero_knowledge"),
    proof: anyBytes(128),
    horizonSecs: unsigned("u64"),
    extraField: maybeText,
    audienceOverride: maybeText,
    trainingWheels: fc.option(anyEphemeralSignature),
  }),
  fc.record({
    kind: kind("open_id"),
    jwtSignature: upTo(40),
    jwtPayload: anyText,
    uidKey: anyText,
    blinder: upTo(31),
    pepper: anyBytes(31),
    audience: maybeText,
  }),
);

const anyKeylessSignature = fc.record({
  certificate: anyCertificate,
  jwtHeader: anyText,
  expirySecs: unsigned("u64"),
  ephemeralKey: fc.record({ kind: kind("ed25519", "secp256r1_ecdsa"), key: anyBytes(32) }),
  ephemeralSignature: anyEphemeralSignature,
});

const anyPublicKey: fc.Arbitrary<PublicKey> = fc.oneof(
  fc.record({ kind: kind("ed25519"), key: anyBytes(32) }),
  fc.record({ kind: kind("secp256k1_ecdsa", "secp256r1_ecdsa"), key: anyBytes(65) }),
  fc.record({ kind: kind("keyless"), issuer: anyText, identityCommitment: anyBytes(32) }),
  fc.record({
    kind: kind("federated_keyless"),
    jwkAddress: anyAddress,
    issuer: anyText,
    identityCommitment: anyBytes(32),
  }),
);

const anySignature: fc.Arbitrary<Signature> = fc.oneof(
  fc.record({ kind: kind("ed25519", "secp256k1_ecdsa"), signature: anyBytes(64) }),
  fc.record({ kind: kind("web_authn"), assertion: anyAssertion }),
  fc.record({ kind: kind("keyless"), signature: anyKeylessSignature }),
);

const anyEd25519 = fc.record({ kind: kind("ed25519"), publicKey: anyBytes(32), signature: anyBytes(64) });
const anyMultiEd25519 = fc.record({
  kind: kind("multi_ed25519"),
  publicKeys: fc.array(anyBytes(32), { maxLength: 32 }),
  threshold: fc.nat(255),
  signatures: fc.array(anyBytes(64), { maxLength: 32 }),
  bitmap: anyBytes(BITMAP_BYTES),
});

/** Generates as many signatures as the bitmap has bits, because JSON has each key's index instead of a bitmap. */
const anyMultiKey: fc.Arbitrary<AccountAuthenticator> = fc
  .uniqueArray(fc.nat(8 * BITMAP_BYTES - 1), { maxLength: 5 })
  .chain((places) =>
    fc.record({
      kind: kind("multi_key"),
      publicKeys: fc.array(anyPublicKey, { maxLength: 4 }),
      signaturesRequired: fc.nat(255),
      signatures: fc.array(anySignature, { minLength: places.length, maxLength: places.length }),
      bitmap: fc.constant(
        places.reduce((bitmap, place) => {
          bitmap[place >> 3] = (bitmap[place >> 3] ?? 0) | (0x80 >> (place & 7));
          return bitmap;
        }, new Uint8Array(BITMAP_BYTES)),
      ),
    }),
  );

const anyAccountAuthenticator: fc.Arbitrary<AccountAuthenticator> = fc.oneof(
  anyEd25519,
  anyMultiEd25519,
  fc.record({ kind: kind("single_key"), publicKey: anyPublicKey, signature: anySignature }),
  anyMultiKey,
  fc.record({ kind: kind("no_account") }),
);

const secondary = {
  sender: anyAccountAuthenticator,
  secondaryAddresses: fc.array(anyAddress, { maxLength: 3 }),
  secondarySigners: fc.array(anyAccountAuthenticator, { maxLength: 3 }),
};

export const anyAuthenticator: fc.Arbitrary<Authenticator> = fc.oneof(
  anyEd25519,
  anyMultiEd25519,
  fc.record({ kind: kind("multi_agent"), ...secondary }),
  fc.record({
    kind: kind("fee_payer"),
    ...secondary,
    feePayerAddress: anyAddress,
    feePayerSigner: anyAccountAuthenticator,
  }),
  fc.record({ kind: kind("single_sender"), sender: anyAccountAuthenticator }),
);

export const anySignedTransaction = fc.record({ raw: anyRawTransaction, authenticator: anyAuthenticator });

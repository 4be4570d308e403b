import {
  account,
  accountAt,
  capabilityOffer,
  coinRegisterEvent,
  createAccount,
  keyRotationEvent,
  rotationCapability,
  signerCapability,
} from "./account.ts";
import { defineModule, entry, signer, view } from "./define.ts";
import {
  authenticationKeyOf,
  keyRotation,
  originatingAddress,
  rotateTo,
  rotateWithProof,
  rotationProofChallenge,
} from "./key-rotation.ts";
import { address, bool, bytes, u8, u64 } from "./schema.ts";

export const accountModule = defineModule("0x1::account", {
  friends: [
    "aptos_account",
    "coin",
    "genesis",
    "multisig_account",
    "resource_account",
    "transaction_validation",
    "vesting",
  ],
  structs: [
    account,
    capabilityOffer,
    coinRegisterEvent,
    keyRotation,
    keyRotationEvent,
    originatingAddress,
    rotationCapability,
    rotationProofChallenge,
    signerCapability,
  ],
  functions: [
    entry("create_account", [address], createAccount),
    view("exists_at", [address], bool, (session, owner) => session.has(account, owner)),
    view("get_authentication_key", [address], bytes, (session, at) => accountAt(session, at).authentication_key),
    view("get_guid_next_creation_num", [address], u64, (session, at) => accountAt(session, at).guid_creation_num),
    view("get_sequence_number", [address], u64, (session, at) => accountAt(session, at).sequence_number),
    entry("rotate_authentication_key", [signer, u8, bytes, u8, bytes, bytes, bytes], (session, owner, ...proof) => {
      const [fromScheme, fromKey, toScheme, toKey, signedByOld, signedByNew] = proof;
      rotateWithProof(session, owner, {
        from: { scheme: fromScheme, publicKey: fromKey, signature: signedByOld },
        to: { scheme: toScheme, publicKey: toKey, signature: signedByNew },
      });
    }),
    entry("rotate_authentication_key_call", [signer, bytes], rotateTo, "private"),
    entry("rotate_authentication_key_from_public_key", [signer, u8, bytes], (session, owner, scheme, key) =>
      rotateTo(session, owner, authenticationKeyOf(scheme, key)),
    ),
  ],
});

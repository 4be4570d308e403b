import * as accounts from "./account.ts";
import { defineModule, entry, signer, view } from "./define.ts";
import * as rotation from "./key-rotation.ts";
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
    accounts.account,
    accounts.capabilityOffer,
    accounts.coinRegisterEvent,
    rotation.keyRotation,
    accounts.keyRotationEvent,
    rotation.originatingAddress,
    accounts.rotationCapability,
    rotation.rotationProofChallenge,
    accounts.signerCapability,
  ],
  functions: [
    entry("create_account", [address], accounts.createAccount),
    view("exists_at", [address], bool, (session, owner) => session.has(accounts.account, owner)),
    view(
      "get_authentication_key",
      [address],
      bytes,
      (session, at) => accounts.accountAt(session, at).authentication_key,
    ),
    view(
      "get_guid_next_creation_num",
      [address],
      u64,
      (session, at) => accounts.accountAt(session, at).guid_creation_num,
    ),
    view("get_sequence_number", [address], u64, (session, at) => accounts.accountAt(session, at).sequence_number),
    entry("rotate_authentication_key", [signer, u8, bytes, u8, bytes, bytes, bytes], (session, owner, ...proof) => {
      const [fromScheme, fromKey, toScheme, toKey, signedByOld, signedByNew] = proof;
      rotation.rotateWithProof(session, owner, {
        from: { scheme: fromScheme, publicKey: fromKey, signature: signedByOld },
        to: { scheme: toScheme, publicKey: toKey, signature: signedByNew },
      });
    }),
    entry("rotate_authentication_key_call", [signer, bytes], rotation.rotateTo, "private"),
    entry("rotate_authentication_key_from_public_key", [signer, u8, bytes], (session, owner, scheme, key) =>
      rotation.rotateTo(session, owner, rotation.authenticationKeyOf(scheme, key)),
    ),
  ],
});

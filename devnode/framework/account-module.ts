import * as accounts from "./account.ts";
import { defineModule, entry, signer, view } from "./define.ts";
import * as rotation from "./key-rotation.ts";
import { address, bool, bytes, type Schema, u8, u64, type ValueOf } from "./schema.ts";

/** Reads one value of an account. */
const reads = <T>(name: string, result: Schema<T>, read: (account: ValueOf<typeof accounts.account>) => T) =>
  view(name, [address], result, (session, at) => read(accounts.accountAt(session, at)));

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
    reads("get_authentication_key", bytes, ({ authentication_key }) => authentication_key),
    reads("get_guid_next_creation_num", u64, ({ guid_creation_num }) => guid_creation_num),
    reads("get_sequence_number", u64, ({ sequence_number }) => sequence_number),
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

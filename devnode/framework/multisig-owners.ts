import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { emitOn } from "./event.ts";
import { type Attributes, multisigAbort, multisigAccount, multisigAt, streams } from "./multisig-state.ts";

/** Owners are distinct, and the account is not its own. */
export function checkOwners(owners: readonly Address[], at: Address): void {
  if (owners.includes(at)) throw multisigAbort("invalid_argument", "EOWNER_CANNOT_BE_MULTISIG_ACCOUNT_ITSELF");
  if (new Set(owners).size !== owners.length) throw multisigAbort("invalid_argument", "EDUPLICATE_OWNER");
}

/** Pairs keys with values; keys must be distinct. */
export function attributesOf(keys: readonly string[], values: readonly Uint8Array[]): Attributes {
  if (keys.length !== values.length)
    throw multisigAbort("invalid_argument", "ENUMBER_OF_METADATA_KEYS_AND_VALUES_DONT_MATCH");
  if (new Set(keys).size !== keys.length) throw multisigAbort("invalid_argument", "EDUPLICATE_METADATA_KEY");
  return { data: keys.map((key, index) => ({ key, value: values[index] ?? new Uint8Array() })) };
}

/** What an account may change about itself, by a transaction that its owners approved. */
export interface OwnerChange {
  readonly add: readonly Address[];
  readonly remove: readonly Address[];
  readonly signaturesRequired: bigint;
}

export function changeOwners(session: Session, at: Address, change: Partial<OwnerChange>): void {
  const { add = [], remove = [], signaturesRequired } = change;
  let multisig = multisigAt(session, at);
  if (add.length > 0) {
    checkOwners([...multisig.owners, ...add], at);
    multisig = emitOn(session, streams, multisig, "add_owners_events", { owners_added: add });
    multisig = { ...multisig, owners: [...multisig.owners, ...add] };
  }
  const removed = multisig.owners.filter((owner) => remove.includes(owner));
  if (removed.length > 0) {
    multisig = emitOn(session, streams, multisig, "remove_owners_events", { owners_removed: removed });
    multisig = { ...multisig, owners: multisig.owners.filter((owner) => !remove.includes(owner)) };
  }
  const { num_signatures_required } = multisig;
  if (signaturesRequired !== undefined && signaturesRequired !== num_signatures_required) {
    if (signaturesRequired === 0n) throw multisigAbort("invalid_argument", "EINVALID_SIGNATURES_REQUIRED");
    multisig = emitOn(session, streams, multisig, "update_signature_required_events", {
      old_num_signatures_required: num_signatures_required,
      new_num_signatures_required: signaturesRequired,
    });
    multisig = { ...multisig, num_signatures_required: signaturesRequired };
  }
  if (BigInt(multisig.owners.length) < multisig.num_signatures_required)
    throw multisigAbort("invalid_state", "ENOT_ENOUGH_OWNERS");
  session.put(multisigAccount, at, multisig);
}

export function updateMetadata(
  session: Session,
  at: Address,
  keys: readonly string[],
  values: readonly Uint8Array[],
): void {
  const multisig = multisigAt(session, at);
  const metadata = attributesOf(keys, values);
  const event = { old_metadata: multisig.metadata, new_metadata: metadata };
  const updated = emitOn(session, streams, multisig, "metadata_updated_events", event);
  session.put(multisigAccount, at, { ...updated, metadata });
}

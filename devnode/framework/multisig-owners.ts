import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { emitEvent } from "./event.ts";
import { type Attributes, events, multisigAbort, multisigAccount, multisigAt } from "./multisig-state.ts";

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
  readonly signaturesRequired: bigint | null;
}

export function changeOwners(session: Session, at: Address, { add, remove, signaturesRequired }: OwnerChange): void {
  let multisig = multisigAt(session, at);
  if (add.length > 0) {
    checkOwners([...multisig.owners, ...add], at);
    const handle = emitEvent(session, multisig.add_owners_events, events.addOwners, { owners_added: add });
    multisig = { ...multisig, owners: [...multisig.owners, ...add], add_owners_events: handle };
  }
  const removed = multisig.owners.filter((owner) => remove.includes(owner));
  if (removed.length > 0) {
    const handle = emitEvent(session, multisig.remove_owners_events, events.removeOwners, { owners_removed: removed });
    const owners = multisig.owners.filter((owner) => !remove.includes(owner));
    multisig = { ...multisig, owners, remove_owners_events: handle };
  }
  if (signaturesRequired !== null && signaturesRequired !== multisig.num_signatures_required) {
    if (signaturesRequired === 0n) throw multisigAbort("invalid_argument", "EINVALID_SIGNATURES_REQUIRED");
    const event = {
      old_num_signatures_required: multisig.num_signatures_required,
      new_num_signatures_required: signaturesRequired,
    };
    const handle = multisig.update_signature_required_events;
    multisig = {
      ...multisig,
      num_signatures_required: signaturesRequired,
      update_signature_required_events: emitEvent(session, handle, events.updateSignaturesRequired, event),
    };
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
  session.put(multisigAccount, at, {
    ...multisig,
    metadata,
    metadata_updated_events: emitEvent(session, multisig.metadata_updated_events, events.metadataUpdated, event),
  });
}

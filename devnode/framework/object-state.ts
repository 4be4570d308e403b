import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { emitOn, handlesOf, newHandle } from "./event.ts";
import { address, bool, structsOf, u64 } from "./schema.ts";

const declare = structsOf("0x1::object");
export const transferEvent = declare("TransferEvent", ["drop", "store"], {
  object: address,
  from: address,
  to: address,
});
const streams = { transfer_events: transferEvent };
export const objectCore = declare("ObjectCore", ["key"], {
  guid_creation_num: u64,
  owner: address,
  allow_ungated_transfer: bool,
  ...handlesOf(streams),
});
/** The right to derive further objects from this one. */
export const deriveRef = declare("DeriveRef", ["drop", "store"], { self: address });

const abort = aborts("0x1::object", {
  EOBJECT_EXISTS: [1, "An object already exists at this address"],
  EOBJECT_DOES_NOT_EXIST: [2, "An object does not exist at this address"],
  ENO_UNGATED_TRANSFERS: [3, "The object does not have ungated transfers enabled"],
  ENOT_OBJECT_OWNER: [4, "The caller does not have ownership permissions"],
  EMAXIMUM_NESTING: [6, "Exceeds maximum nesting for an object transfer."],
  ERESOURCE_DOES_NOT_EXIST: [7, "The resource is not stored at the specified address."],
});

/** Numbers of objects' streams start here, so that they never collide with those of accounts. */
const FIRST_STREAM = 0x4000000000000n;
const MAXIMUM_NESTING = 8;
const DERIVED_SCHEME = 0xfc;
const SEED_SCHEME = 0xfe;

/** Address of an object named by its creator. */
export function namedObjectAddress(creator: Address, seed: string): Address {
  return hashed(addressBytes(creator), new TextEncoder().encode(seed), SEED_SCHEME);
}

/** Address of the one object that belongs to a user and derives from another object. */
export function derivedObjectAddress(user: Address, from: Address): Address {
  return hashed(addressBytes(user), addressBytes(from), DERIVED_SCHEME);
}

function hashed(first: Uint8Array, second: Uint8Array, scheme: number): Address {
  return addressOfBytes(sha3_256(Uint8Array.of(...first, ...second, scheme)));
}

export function createObject(session: Session, at: Address, owner: Address, allowUngatedTransfer: boolean): void {
  if (session.has(objectCore, at)) throw abort("already_exists", "EOBJECT_EXISTS");
  session.put(objectCore, at, {
    guid_creation_num: FIRST_STREAM + 1n,
    owner,
    allow_ungated_transfer: allowUngatedTransfer,
    transfer_events: newHandle(FIRST_STREAM, at),
  });
}

/** Aborts unless there is an object at the address that contains a T, as required of an Object<T>. */
export function assertObject(session: Session, at: Address, type: string): void {
  if (!session.has(objectCore, at)) throw abort("not_found", "EOBJECT_DOES_NOT_EXIST");
  if (!session.has({ type }, at)) throw abort("not_found", "ERESOURCE_DOES_NOT_EXIST");
}

export function objectOwner(session: Session, at: Address): Address {
  return session.get(objectCore, at, () => abort("not_found", "EOBJECT_DOES_NOT_EXIST")).owner;
}

/** The first owner on the way up that is no object. Bounded, because an object can be given to one that it owns. */
export function rootOwner(session: Session, at: Address): Address {
  let current = objectOwner(session, at);
  for (let depth = 0; depth < MAXIMUM_NESTING; depth += 1) {
    const core = session.find(objectCore, current);
    if (core === undefined) return current;
    current = core.owner;
  }
  throw abort("out_of_range", "EMAXIMUM_NESTING");
}

/** Whether `owner` owns the object, directly or through other objects. */
export function owns(session: Session, at: Address, owner: Address): boolean {
  let current = at;
  if (current === owner) return true;
  for (let depth = 0; depth < MAXIMUM_NESTING; depth += 1) {
    const core = session.find(objectCore, current);
    if (core === undefined) return false;
    current = core.owner;
    if (current === owner) return true;
  }
  throw abort("out_of_range", "EMAXIMUM_NESTING");
}

/** Transfers the object; every object on the way up to the owner must allow it. */
export function transferObject(session: Session, owner: Address, object: Address, to: Address): void {
  assertUngated(session, owner, object);
  const core = session.get(objectCore, object);
  if (core.owner === to) return;
  const event = { object, from: core.owner, to };
  session.put(objectCore, object, emitOn(session, streams, { ...core, owner: to }, "transfer_events", event));
}

function assertUngated(session: Session, owner: Address, object: Address): void {
  let current = object;
  for (let depth = 0; depth < MAXIMUM_NESTING; depth += 1) {
    const core = session.get(objectCore, current, () =>
      depth === 0 ? abort("not_found", "EOBJECT_DOES_NOT_EXIST") : abort("permission_denied", "ENOT_OBJECT_OWNER"),
    );
    if (!core.allow_ungated_transfer) throw abort("permission_denied", "ENO_UNGATED_TRANSFERS");
    if (core.owner === owner) return;
    current = core.owner;
  }
  throw abort("out_of_range", "EMAXIMUM_NESTING");
}

import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { address, type Schema, struct, u64 } from "./schema.ts";

/** A value of `0x1::event::EventHandle`, the events of before module events. Members have their Move names. */
export interface EventHandle {
  readonly counter: bigint;
  readonly guid: { readonly id: { readonly creation_num: bigint; readonly addr: Address } };
}

export const guidId = struct<EventHandle["guid"]["id"]>(
  "0x1::guid::ID",
  { abilities: ["copy", "drop", "store"] },
  { creation_num: u64, addr: address },
);

export const guid = struct<EventHandle["guid"]>("0x1::guid::GUID", { abilities: ["drop", "store"] }, { id: guidId });

export const eventHandle = struct<EventHandle>(
  "0x1::event::EventHandle",
  { abilities: ["store"], phantom: [["drop", "store"]] },
  { counter: u64, guid },
);

/** Emits the handle's next event. Returns a copy with its counter advanced by 1, which the caller must store. */
export function emitEvent<T>(session: Session, handle: EventHandle, schema: Schema<T>, value: T): EventHandle {
  session.emitAt(handle.guid.id.addr, handle.guid.id.creation_num, handle.counter, schema, value);
  return { ...handle, counter: handle.counter + 1n };
}

/** The caller has taken `creationNumber` from the owner's `guid_creation_num`. */
export function newHandle(creationNumber: bigint, owner: Address): EventHandle {
  return { counter: 0n, guid: { id: { creation_num: creationNumber, addr: owner } } };
}

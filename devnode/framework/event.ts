import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { address, type Schema, struct, u64, type ValueOf } from "./schema.ts";

export const guidId = struct("0x1::guid::ID", ["copy", "drop", "store"], { creation_num: u64, addr: address });
export const guid = struct("0x1::guid::GUID", ["drop", "store"], { id: guidId });

/** `0x1::event::EventHandle`, the events of before module events. */
export const eventHandle = struct(
  "0x1::event::EventHandle",
  ["store"],
  { counter: u64, guid },
  { phantom: [["drop", "store"]] },
);

export type EventHandle = ValueOf<typeof eventHandle>;

/** The event streams of a resource: the field of each handle, with the schema of its events. */
export type Streams = Readonly<Record<string, Schema<unknown>>>;

type Handles<S extends Streams> = { readonly [Field in keyof S]: EventHandle };

/** The fields of the streams' handles, for the resource's declaration. */
export function handlesOf<const S extends Streams>(streams: S): { readonly [Field in keyof S]: Schema<EventHandle> } {
  const fields = Object.entries(streams).map(([field, { type }]) => [field, eventHandle.of(type)]);
  // Cast: exactly the keys of `streams`.
  return Object.fromEntries(fields) as { readonly [Field in keyof S]: Schema<EventHandle> };
}

/** New handles in the order of the fields; `next` returns a stream that no event was emitted on. */
export function newHandles<S extends Streams>(streams: S, next: () => EventHandle): Handles<S> {
  // Cast: exactly the keys of `streams`.
  return Object.fromEntries(Object.keys(streams).map((field) => [field, next()])) as Handles<S>;
}

/**
 * Emits the next event of one of a resource's streams. Returns the resource with that handle's counter advanced, which
 * the caller must store.
 */
export function emitOn<S extends Streams, R extends Handles<S>, Field extends keyof S & string>(
  session: Session,
  streams: S,
  resource: R,
  field: Field,
  value: ValueOf<S[Field]>,
): R {
  const [handle, schema] = [resource[field], streams[field]];
  if (schema === undefined) throw new RangeError(`${field} is no event stream`);
  session.emitAt(handle.guid.id.addr, handle.guid.id.creation_num, handle.counter, schema, value);
  return { ...resource, [field]: { ...handle, counter: handle.counter + 1n } };
}

/** The caller has taken `creationNumber` from the owner's `guid_creation_num`. */
export function newHandle(creationNumber: bigint, owner: Address): EventHandle {
  return { counter: 0n, guid: { id: { creation_num: creationNumber, addr: owner } } };
}

import { parseTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { encodeBcs } from "../codec/bcs.ts";
import { writeTypeTag } from "../codec/type-tag-bcs.ts";
import type { MoveEvent } from "../vm/effects.ts";

const HANDLE_EVENT = 0;
const MODULE_EVENT = 1;

/** BCS of a contract event: version 1 belongs to a handle, version 2 is a module's. */
export function eventBcs(event: MoveEvent): Uint8Array {
  const type = knownType(event.type);
  return encodeBcs((writer) => {
    if (isModuleEvent(event)) writer.uleb(MODULE_EVENT);
    else writer.uleb(HANDLE_EVENT).u64(event.guid.creationNumber).address(event.guid.address).u64(event.sequenceNumber);
    writeTypeTag(writer, type);
    writer.octets(event.data);
  });
}

function isModuleEvent(event: MoveEvent): boolean {
  return event.guid.address === "0x0" && event.guid.creationNumber === 0n;
}

/** A type that the machine printed itself. */
export function knownType(printed: string): TypeTag {
  const type = parseTypeTag(printed);
  if (type === undefined) throw new Error(`the ledger holds an event of type ${printed}`);
  return type;
}

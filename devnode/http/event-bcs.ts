import { parseTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { address, bytes, encode, struct, u64, union } from "../codec/bcs.ts";
import { typeTag } from "../codec/type-tag-bcs.ts";
import { isModuleEvent, type MoveEvent } from "../vm/effects.ts";

/** `ContractEvent` (types/src/contract_event.rs): version 1 belongs to a handle, version 2 to a module. */
const contractEvent = union({
  handle: struct({ creationNumber: u64, address, sequenceNumber: u64, type: typeTag, data: bytes }),
  module: struct({ type: typeTag, data: bytes }),
});

export function eventBcs(event: MoveEvent): Uint8Array {
  const { guid, sequenceNumber, data } = event;
  const type = knownType(event.type);
  return isModuleEvent(event)
    ? encode(contractEvent, { kind: "module", type, data })
    : encode(contractEvent, { kind: "handle", ...guid, sequenceNumber, type, data });
}

/** Parses a type that the ledger stored. */
export function knownType(printed: string): TypeTag {
  const type = parseTypeTag(printed);
  if (type === undefined) throw new Error(`the ledger contains a value of type ${printed}`);
  return type;
}

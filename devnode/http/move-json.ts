import type { Address } from "../../src/chain/address.ts";
import { hexOf } from "../../src/chain/hex.ts";
import { printTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { type MoveJson, moveValueToJson } from "../codec/move-value.ts";
import { moduleAbi, structLayout } from "../framework/abi.ts";

/** JSON of a stored value. Throws when the bytes are not a value of the type, which the ledger never stores. */
export function toJson(type: TypeTag, bytes: Uint8Array): MoveJson {
  const decoded = moveValueToJson(type, bytes, structLayout);
  if (decoded.kind === "malformed") throw new Error(`not a value of ${printTypeTag(type)}: ${decoded.message}`);
  return decoded.value;
}

/** A published module: bytecode and interface. */
export function moduleJson(address: Address, name: string, bytecode: Uint8Array): unknown {
  return { bytecode: hexOf(bytecode), abi: moduleAbi(address, name) };
}

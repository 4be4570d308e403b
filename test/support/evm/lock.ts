import { keccak_256 } from "@noble/hashes/sha3.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { assemble } from "../../../tools/evm/assemble.ts";
import { REVERTS } from "./token.ts";

/** Assembles a contract that answers each view with its storage, at the slot of {@link viewSlot}. */
export function lockCode(): Uint8Array {
  return assemble(`
    PUSH1 0
    CALLDATALOAD
    PUSH1 224
    SHR
    PUSH1 192
    SHL
    PUSH1 4
    CALLDATALOAD
    OR
    SLOAD
    DUP1
    PUSH32 ${REVERTS}
    EQ
    PUSH fail
    JUMPI
    PUSH1 0
    MSTORE
    PUSH1 32
    PUSH1 0
    RETURN
  fail:
    PUSH1 0
    PUSH1 0
    REVERT
  `);
}

/** First four bytes of the hash of a signature. */
export function selectorOf(signature: string): string {
  return Buffer.from(keccak_256(utf8ToBytes(signature))).toString("hex", 0, 4);
}

/** Slot of a view's value. `argument`: the address that the view is about; null: the view has none. */
export function viewSlot(signature: string, argument: string | null = null): bigint {
  return (BigInt(`0x${selectorOf(signature)}`) << 192n) | BigInt(argument ?? 0);
}

import { assemble } from "../../../tools/evm/assemble.ts";

/** Slots of {@link tokenCode}. A balance is in the slot with its owner's number; these two are no address. */
export const SUPPLY_SLOT = 2n ** 200n;
export const DECIMALS_SLOT = SUPPLY_SLOT + 1n;
/** Value of a slot whose call reverts, with a word that a reader must not take for an answer. */
export const REVERTS = 2n ** 256n - 1n;
/** Value of a slot whose call burns all its gas, as failed assertions of old contracts do. */
export const BURNS_GAS = 2n ** 256n - 2n;

/** Assembles an ERC-20 token with the three functions that a reading calls; `decimals` may be left out. */
export function tokenCode({ hasDecimals = true } = {}): Uint8Array {
  return assemble(`
    PUSH1 0
    CALLDATALOAD
    PUSH1 224
    SHR
    ${hasDecimals ? caseOf("0x313ce567", "decimals") : ""}
    ${caseOf("0x18160ddd", "supply")}
    ${caseOf("0x70a08231", "balance")}
    PUSH1 0
    PUSH1 0
    REVERT
  decimals:
    PUSH32 ${DECIMALS_SLOT}
    PUSH reply
    JUMP
  supply:
    PUSH32 ${SUPPLY_SLOT}
    PUSH reply
    JUMP
  balance:
    PUSH1 4
    CALLDATALOAD
  reply:
    SLOAD
    DUP1
    PUSH1 0
    MSTORE
    DUP1
    PUSH32 ${BURNS_GAS}
    EQ
    PUSH burn
    JUMPI
    PUSH32 ${REVERTS}
    EQ
    PUSH fail
    JUMPI
    PUSH1 32
    PUSH1 0
    RETURN
  burn:
    INVALID
  fail:
    PUSH1 7             ; a plausible amount
    PUSH1 0
    MSTORE
    PUSH1 32
    PUSH1 0
    REVERT
  `);
}

function caseOf(selector: string, label: string): string {
  return `
    DUP1
    PUSH4 ${selector}
    EQ
    PUSH ${label}
    JUMPI
  `;
}

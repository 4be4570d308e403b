/** Memory layout of {@link READING_PROGRAM}. A selector ends the first word, so its argument follows directly. */
const SELECTOR_AT = 28;
const ARGUMENT_AT = 32;
const TOKEN_AT = 64;
const ANSWER_AT = 96;

/** Pushes a sixteenth of the remaining gas: one call that burns all that it has leaves enough for the others. */
const SIXTEENTH = `
  GAS
  PUSH1 4
  SHR
`;
/** Pushes a constant amount of gas, so that the gas of all calls together follows from their number. */
const constantGas = (gasOfCall: number): string => `PUSH3 ${gasOfCall}`;

/**
 * Calls the token and appends the returned word; the stack changes from `out` to `out + 32`. A call that fails, or
 * returns less than a word, appends 2^256 - 1, whatever bytes the failure returned. `pushGas` pushes the call's gas.
 */
const appendCall = (callBytes: number, pushGas: string): string => `
  PUSH1 32            ; out, 32
  DUP2                ; out, 32, out
  PUSH1 ${callBytes}
  PUSH1 ${SELECTOR_AT}
  PUSH1 ${TOKEN_AT}
  MLOAD
  ${pushGas}
  STATICCALL          ; out, 1 if it succeeded
  PUSH1 31
  RETURNDATASIZE
  GT                  ; out, succeeded, 1 if it returned more than 31 bytes
  AND
  PUSH1 1
  SWAP1
  SUB                 ; out, 0 if the word counts, else 2^256 - 1
  DUP2
  MLOAD
  OR
  DUP2
  MSTORE
  PUSH1 32
  ADD                 ; out + 32
`;

const appendCallOf = (selector: string, pushGas: string): string => `
  PUSH4 ${selector}
  PUSH1 0
  MSTORE
  ${appendCall(4, pushGas)}
`;

/** Beginning of both programs: it appends chain id, size of the token's code, decimals and total supply. */
const appendToken = (pushGas: string): string => `
  PUSH1 20
  PUSH data
  PUSH1 ${TOKEN_AT + 12}
  CODECOPY            ; the token
  CHAINID
  PUSH1 ${ANSWER_AT}
  MSTORE
  PUSH1 ${TOKEN_AT}
  MLOAD
  EXTCODESIZE
  PUSH1 ${ANSWER_AT + 32}
  MSTORE
  PUSH1 ${ANSWER_AT + 64} ; out
  ${appendCallOf("0x313ce567 ; decimals()", pushGas)}
  ${appendCallOf("0x18160ddd ; totalSupply()", pushGas)}
`;

const RETURN_WORDS = `
  PUSH1 ${ANSWER_AT}
  SWAP1
  SUB
  PUSH1 ${ANSWER_AT}
  RETURN
data.
`;

/**
 * Program that one `eth_call` without `to` executes. Behind the code stand the token's 20 bytes and 20 bytes of each
 * owner. It returns words: chain id, size of the token's code, decimals, total supply, and a balance for each owner.
 * Calls are static, so they change nothing. Uses only instructions of Istanbul (2019), which every EVM chain has.
 */
export const READING_PROGRAM = `
  ${appendToken(SIXTEENTH)}
  PUSH4 0x70a08231    ; balanceOf(address)
  PUSH1 0
  MSTORE
  PUSH data           ; out, the place before the next owner
next:
  PUSH1 20
  ADD
  CODESIZE
  DUP2
  LT
  ISZERO
  PUSH end
  JUMPI               ; all owners are read
  PUSH1 20
  DUP2
  PUSH1 ${ARGUMENT_AT + 12}
  CODECOPY
  SWAP1               ; place, out
  ${appendCall(36, SIXTEENTH)}
  SWAP1
  PUSH next
  JUMP
end:
  POP
  ${RETURN_WORDS}
`;

/**
 * Program that also asks other contracts, whose calls each get the same gas. Behind the code stand the token's 20 bytes,
 * and 56 bytes of each question: the contract that is called, the selector, and one word as its argument. It returns the
 * words of {@link READING_PROGRAM}, with an answer for each question in the place of the balances.
 */
export const locksListing = (gasOfCall: number): string => `
  ${appendToken(constantGas(gasOfCall))}
  PUSH data
  PUSH1 20
  ADD                 ; out, the place of the first question
next:
  CODESIZE
  DUP2
  LT
  ISZERO
  PUSH end
  JUMPI               ; all questions are asked
  PUSH1 20
  DUP2
  PUSH1 ${TOKEN_AT + 12}
  CODECOPY            ; the contract that is called
  PUSH1 20
  ADD
  PUSH1 36
  DUP2
  PUSH1 ${SELECTOR_AT}
  CODECOPY            ; the selector and its argument
  PUSH1 36
  ADD
  SWAP1               ; place of the next question, out
  ${appendCall(36, constantGas(gasOfCall))}
  SWAP1
  PUSH next
  JUMP
end:
  POP
  ${RETURN_WORDS}
`;

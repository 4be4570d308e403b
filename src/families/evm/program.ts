import type { BaseUnits } from "../../chain/amount.ts";
import { UNSIGNED_MAX } from "../../chain/integer.ts";
import type { EvmAddress } from "./address.ts";
import { quantityText } from "./block.ts";
import { ownerIn, type Question } from "./question.ts";

/** Program of tools/evm/reading-program.ts, assembled. It reads a token and its owners in one call. */
export const PROGRAM =
  "0x60146100b1604c39466060526040513b60805260a063313ce5676000526020816004601c6040515a60041cfa601f3d11166001900381511781526020016318160ddd6000526020816004601c6040515a60041cfa601f3d11166001900381511781526020016370a082316000526100b15b601401388110156100a857601481602c39906020816024601c6040515a60041cfa601f3d111660019003815117815260200190610070565b50606090036060f3";
/** Program of tools/evm/reading-program.ts that also asks other contracts: locks, and vaults for a share's price. */
export const LOCKS_PROGRAM =
  "0x60146100b5604c39466060526040513b60805260a063313ce5676000526020816004601c60405162030d40fa601f3d11166001900381511781526020016318160ddd6000526020816004601c60405162030d40fa601f3d11166001900381511781526020016100b56014015b388110156100ac57601481604c39601401602481601c39602401906020816024601c60405162030d40fa601f3d11166001900381511781526020019061006b565b50606090036060f3";
/** Maximum number of questions in a call about balances alone. */
export const MAX_QUESTIONS = 256;
/** Gas of a call: enough for a proxied rebasing token, many times what a plain token needs. */
const [GAS_OF_TOKEN, GAS_OF_QUESTION] = [1_000_000, 60_000];
/** Gas of each call that {@link LOCKS_PROGRAM} makes. A view may itself call a proxied token. */
export const GAS_OF_CALL = 200_000;
/**
 * Gas of each call about a share's price. A vault may ask many markets for what it owns, and the twenty prices that a
 * schedule may list still fit into one request.
 */
export const GAS_OF_PRICE_CALL = 700_000;
/** Gas of a question besides its call: 56 bytes of input, a cold account and 32 bytes of returned code. */
const GAS_BESIDES_CALL = 12_000;
/** Gas of a request besides its questions and the two calls of the token: the creation and the first words. */
const GAS_OF_CREATION = 200_000;
/** Maximum gas of a call, below the cap of a transaction (EIP-7825, 2^24) that clients apply to calls too. */
const MAX_GAS = 16_000_000;
/** Maximum number of questions in a call with locks: each may burn all its gas. */
export const MAX_LOCK_QUESTIONS = mostQuestions(GAS_OF_CALL);
/** Words of the result before the answers. */
const FIRST_WORDS = 4;
const WORD_DIGITS = 64;

/** Result of the program for a token at one block. null stands for a failed call of the contract. */
export interface TokenWords {
  readonly chainId: bigint;
  /** Size of the contract's code; 0: there is no contract. */
  readonly codeBytes: bigint;
  readonly decimals: bigint | null;
  readonly supply: BaseUnits | null;
  /** Answers in the order of the questions. */
  readonly answers: readonly (BaseUnits | null)[];
}

/**
 * Builds an `eth_call` without `to`: the program and its input, and the gas to request. Without a stated gas each node
 * would use a default of its own, too low or above its own cap. Questions about balances alone have the shorter program,
 * in which a question is its owner. `gasOfCall`: gas of each call of another contract.
 */
export function programCall(token: EvmAddress, questions: readonly Question[], gasOfCall = GAS_OF_CALL) {
  const owners = questions.flatMap((asked) => ownerIn(asked, token) ?? []);
  const [program, input, gas] =
    owners.length < questions.length
      ? [locksProgram(gasOfCall), questions, gasOfQuestions(gasOfCall, questions.length)]
      : [PROGRAM, owners, Math.min(MAX_GAS, GAS_OF_TOKEN + GAS_OF_QUESTION * questions.length)];
  return { gas: quantityText(BigInt(gas)), data: [program, token.slice(2), ...input].join("") };
}

/** Returns how many of these questions one call may ask. */
export function questionsPerCall(
  token: EvmAddress,
  questions: readonly Question[],
  gasOfCall: number = GAS_OF_CALL,
): number {
  return questions.every((asked) => ownerIn(asked, token) !== null) ? MAX_QUESTIONS : mostQuestions(gasOfCall);
}

function gasOfQuestions(gasOfCall: number, questions: number): number {
  return GAS_OF_CREATION + 2 * gasOfCall + (gasOfCall + GAS_BESIDES_CALL) * questions;
}

function mostQuestions(gasOfCall: number): number {
  return Math.floor((MAX_GAS - gasOfQuestions(gasOfCall, 0)) / (gasOfCall + GAS_BESIDES_CALL));
}

/** Makes the program whose calls get so much gas. The listing pushes it as a constant of three bytes. */
export function locksProgram(gasOfCall: number): string {
  return LOCKS_PROGRAM.replaceAll(pushOf(GAS_OF_CALL), pushOf(gasOfCall));
}

function pushOf(gas: number): string {
  return `62${gas.toString(16).padStart(6, "0")}`;
}

/** Parses a result with one word for each question; undefined for anything else. */
export function parseWords(answer: unknown, questions: number): TokenWords | undefined {
  if (typeof answer !== "string" || answer.length !== 2 + WORD_DIGITS * (FIRST_WORDS + questions)) return undefined;
  if (!/^0x[\da-f]+$/i.test(answer)) return undefined;
  const words = Array.from({ length: FIRST_WORDS + questions }, (_, index) =>
    BigInt(`0x${answer.slice(2 + WORD_DIGITS * index, 2 + WORD_DIGITS * (index + 1))}`),
  );
  const [chainId = 0n, codeBytes = 0n, ...callResults] = words;
  const [decimals = null, supply = null, ...answers] = callResults.map((word) =>
    word === UNSIGNED_MAX.u256 ? null : word,
  );
  return { chainId, codeBytes, decimals, supply, answers };
}

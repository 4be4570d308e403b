import type { EvmAddress } from "./address.ts";

/** Call of a view: the contract, and the data with one word for the argument. Also the key of its answer. */
export type Question = string & { readonly brand: "Question" };

const BALANCE_OF = "70a08231";

/** Writes a question. A view without an argument ignores the word of zeros behind its selector. */
export function question(contract: EvmAddress, selector: string, argument: EvmAddress | bigint | null): Question {
  const word = typeof argument === "bigint" ? argument.toString(16) : (argument ?? "").slice(2);
  // Cast: the brand's own constructor.
  return `${contract.slice(2)}${selector}${word.padStart(64, "0")}` as Question;
}

export function balanceQuestion(token: EvmAddress, owner: EvmAddress): Question {
  return question(token, BALANCE_OF, owner);
}

/** Returns the digits of the owner whose balance of a token is asked for; null: the question is another one. */
export function ownerIn(asked: Question, token: EvmAddress): string | null {
  return asked.startsWith(`${token.slice(2)}${BALANCE_OF}`) ? asked.slice(-40) : null;
}

/** Writes a question as the call of its contract alone. */
export function callOf(asked: Question) {
  return { to: `0x${asked.slice(0, 40)}`, data: `0x${asked.slice(40)}` };
}

import type { CirculatingView } from "../chain-node.ts";
import { parseEvmAddress } from "./address.ts";
import { type Question, question } from "./question.ts";

/**
 * Views by which a contract may state what circulates: the first four bytes of each signature's hash, as hex digits. A
 * project's own contract may count as it likes, so the amount is only compared.
 */
export const CIRCULATING_VIEWS: Readonly<Record<string, string>> = {
  "circulatingSupply()": "9358928b",
  // Utility contract (Curve).
  "circulating_supply()": "e038c75a",
  "getCirculatingSupply()": "2b112e49",
  "CirculatingSupply()": "92d60433",
};

/** Makes the question about a view; null when there is none to ask. */
export function circulatingQuestion(view: CirculatingView | null): Question | null {
  const selector = CIRCULATING_VIEWS[view?.view ?? ""];
  const contract = parseEvmAddress(view?.contract ?? "");
  return selector === undefined || contract === undefined ? null : question(contract, selector, null);
}

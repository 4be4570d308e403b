import type { ChainFamily } from "../../src/chain/asset.ts";

const WALLET_CALL = `WALLET=0x000000000000000000000000000000000000dead
curl -sSf "https://NODE" -H "Content-Type: application/json" \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "eth_call",
       "params": [{"to": "CONTRACT", "data": "0x70a08231000000000000000000000000'"\${WALLET#0x}"'"},
                  "0x4d2"]}'`;

/**
 * What the manual and the API document say of a Move chain, and what of an EVM chain. Names of members and headers are the
 * contract's, and stay.
 */
export const EVM_WORDS: readonly (readonly [RegExp, string])[] = [
  // First: what has the general word in it.
  [
    /One wallet, or the supply itself, at the ledger version that the breakdown names:/,
    "One wallet (the supply itself: `0x18160ddd` alone as `data`) at the block that the breakdown names, in hexadecimal; `CONTRACT` is its `asset`:",
  ],
  [/curl -sSf "https:\/\/NODE\/v1\/view\?ledger_version=1234"[^`]*?"arguments": \[\]\}'/, WALLET_CALL],
  [/verify --node https:\/\/NODE\/v1 schedule/, "verify --node https://NODE --asset CONTRACT schedule"],
  [/; the views have the names of the kinds\./, "."],
  [/report the same at that version/, "report the same at that block"],
  [/ Its coin and fungible-asset forms are never counted twice\./, ""],
  [/a coin's type tag, or a fungible asset's address/, "its contract's address"],
  [/\bledger version(s?)\b/g, "block$1"],
  [/\bLedger version\b/g, "Block"],
];

/** A text of the manual, or a document as JSON, about a chain of this family. */
export function inChainWords(text: string, family: ChainFamily): string {
  if (family === "move") return text;
  // A function: `$` in a replacement has a meaning.
  return EVM_WORDS.reduce(
    (said, [pattern, word]) =>
      said.replace(pattern, (_, plural = "") => word.replace("$1", typeof plural === "string" ? plural : "")),
    text,
  );
}

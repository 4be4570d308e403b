import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, addressOfBytes, parseAddress } from "../../src/chain/address.ts";
import { hexOf, parseHex } from "../../src/chain/hex.ts";
import { parseU64 } from "../../src/chain/integer.ts";
import { flag, text, uint64 } from "../../src/chain/parameters.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import { readObject, tryRead } from "../codec/json-request.ts";
import type { FundResult } from "../ledger/api.ts";
import { json, plainText, reads, takes } from "./endpoint.ts";
import { isError, type NodeError, refuse, refuseRequest } from "./node-error.ts";
import { jsonOf, readOr } from "./request-body.ts";

const KEY_BYTES = 32;
const ED25519_SCHEME = 0;

/** The ways to name the recipient. Each parses its text to an address; undefined when invalid. */
const RECIPIENTS = {
  address: parseAddress,
  /** An account that was never rotated is at its authentication key. */
  auth_key: (text) => ofKey(text, addressOfBytes),
  /** Ed25519. */
  pub_key: (text) => ofKey(text, (key) => addressOfBytes(sha3_256(Uint8Array.of(...key, ED25519_SCHEME)))),
} satisfies Readonly<Record<string, (text: string) => Address | undefined>>;

const NAMES = Object.keys(RECIPIENTS);
const EXPECTED = "one of `address`, `auth_key` and `pub_key` must be given: an address, or 32 bytes in hex";

/** `GET /faucet`: read by clients of the public faucet as its health. */
export const tap = reads({ answer: () => plainText("tap:ok") });

/**
 * `POST /mint?address=&amount=`: pays base units of the native coin; the payment has committed when it responds. With
 * `return_txns=true` the response is hex of BCS of the list of signed transactions, as the Rust client and the CLI read
 * it.
 */
export const mint = reads({
  query: { address: text, auth_key: text, pub_key: text, amount: uint64, return_txns: flag },
  answer: async ({ query }, { ledger }) => {
    const recipient = recipientOf(query);
    if (recipient === undefined) return refuseRequest(400, `failed to parse parameters: ${EXPECTED}`);
    if (query.amount === undefined) return refuseRequest(400, "failed to parse parameter `amount`: it is required");
    const result = await ledger.fund(recipient, query.amount);
    if (result.kind !== "funded") return unfunded(result);
    return query.return_txns === true
      ? plainText(hexOf(encodeBcs((writer) => writer.uleb(1).fixed(result.signedBytes))).slice(2))
      : json([result.hash]);
  },
});

/** `POST /fund`: the same in the form that public SDKs send. */
export const fund = takes([], {
  answer: async ({ body }, { ledger }) => {
    const object = readOr(tryRead(() => readObject(jsonOf(body), "FundRequest")));
    if (isError(object)) return object;
    const recipient = recipientOf(object);
    const amount = amountOf(object["amount"]);
    if (recipient === undefined) return refuseRequest(400, `parse request payload error: ${EXPECTED}`);
    if (typeof amount === "string") return refuseRequest(400, `parse request payload error: ${amount}`);
    const result = await ledger.fund(recipient, amount);
    return result.kind === "funded" ? json({ txn_hashes: [result.hash] }) : unfunded(result);
  },
});

/** The recipient; undefined when none, or more than one, or one that cannot be read. */
function recipientOf(given: Readonly<Record<string, unknown>>): Address | undefined {
  const named = NAMES.filter((name) => given[name] !== undefined && given[name] !== null);
  const [name] = named;
  const value = name === undefined ? undefined : given[name];
  if (named.length !== 1 || typeof value !== "string") return undefined;
  const read = Object.entries(RECIPIENTS).find(([known]) => known === name)?.[1];
  return read?.(value);
}

function ofKey(given: string, addressOf: (key: Uint8Array) => Address): Address | undefined {
  const key = parseHex(given);
  return key?.length === KEY_BYTES ? addressOf(key) : undefined;
}

function unfunded({ kind, message }: Exclude<FundResult, { kind: "funded" }>): NodeError {
  return refuse(kind === "mempool_is_full" ? kind : "invalid_input", message);
}

/** A whole number of base units, given as text or as a safe integer; otherwise why it is refused. */
function amountOf(value: unknown): bigint | string {
  if (typeof value === "number" && value > Number.MAX_SAFE_INTEGER)
    return "`amount` is above 2^53 - 1, where a JSON number is not exact: give it as a string";
  const isWhole = typeof value === "string" || Number.isInteger(value);
  return (isWhole ? parseU64(String(value)) : undefined) ?? INVALID_AMOUNT;
}

const INVALID_AMOUNT = "`amount` must be a whole number of base units, 0 to 2^64 - 1";

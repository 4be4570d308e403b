import { parseAddress } from "../../src/chain/address.ts";
import { parseU64 } from "../../src/chain/integer.ts";
import { address, uint64 } from "../../src/chain/parameters.ts";
import type { FundResult } from "../ledger/api.ts";
import { json, type Outcome, reads, takes } from "./endpoint.ts";
import { objectBody } from "./json-body.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse, refuseRequest } from "./node-error.ts";
import { jsonOf } from "./request-body.ts";

/** `POST /mint?address=&amount=`: gives base units of the native coin; the funds are there when it answers. */
export const mint = reads({
  path: {},
  query: { address, amount: uint64 },
  answer: async ({ query }, { ledger }: Node): Promise<Outcome> => {
    if (query.address === undefined) return refuseRequest(400, "failed to parse parameter `address`: it is required");
    if (query.amount === undefined) return refuseRequest(400, "failed to parse parameter `amount`: it is required");
    const result = await ledger.fund(query.address, query.amount);
    return result.kind === "funded" ? json([result.hash]) : unfunded(result);
  },
});

/** `POST /fund`: the same in the form that public SDKs send. */
export const fund = takes([], {
  path: {},
  query: {},
  answer: async ({ body }, { ledger }: Node): Promise<Outcome> => {
    const object = objectBody(jsonOf(body), "FundRequest");
    if (isError(object)) return object;
    const to = typeof object["address"] === "string" ? parseAddress(object["address"]) : undefined;
    const amount = amountOf(object["amount"]);
    if (to === undefined) return refuseRequest(400, "parse request payload error: `address` is not an address");
    if (amount === undefined) return refuseRequest(400, "parse request payload error: `amount` is not a whole number");
    const result = await ledger.fund(to, amount);
    return result.kind === "funded" ? json({ txn_hashes: [result.hash] }) : unfunded(result);
  },
});

function unfunded({ kind, message }: Exclude<FundResult, { kind: "funded" }>): NodeError {
  return refuse(kind === "mempool_is_full" ? kind : "invalid_input", message);
}

/** A whole number of base units as text, or as a number that JSON carries exactly. */
function amountOf(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === "string" ? parseU64(value) : undefined;
}

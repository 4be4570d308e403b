import { type Address, addressBytes, longAddress } from "../../src/chain/address.ts";
import { address, uint64 } from "../../src/chain/parameters.ts";
import type { StructTag } from "../../src/chain/type-tag.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import { FRAMEWORK } from "../framework/addresses.ts";
import { resourceKey } from "../vm/state-keys.ts";
import { type Answer, either, type Outcome, reads } from "./endpoint.ts";
import { toJson } from "./move-json.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse } from "./node-error.ts";
import { stateAt } from "./state-lookup.ts";

export const ACCOUNT: StructTag = {
  address: FRAMEWORK,
  module: "account",
  name: "Account",
  typeArguments: [],
};

/** `GET /v1/accounts/{address}` */
export const account = reads({
  path: { address },
  query: { ledger_version: uint64 },
  answer: ({ path, query, format }, node: Node): Outcome => {
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const bytes = at.state.get(resourceKey(path.address, ACCOUNT));
    if (bytes === undefined) {
      return node.settings.statelessAccounts
        ? unusedAccount(path.address, format)
        : noAccount(path.address, at.version);
    }
    return either(format, { json: () => accountOf(bytes), bcs: () => bytes });
  },
});

/** The two fields of an account resource that the endpoint returns. */
function accountOf(bytes: Uint8Array): unknown {
  const { sequence_number, authentication_key } = toJson({ kind: "struct", struct: ACCOUNT }, bytes) as Record<
    string,
    unknown
  >; // a struct's JSON is an object
  return { sequence_number, authentication_key };
}

/** The response for an unused address on a chain that creates accounts at first use. */
function unusedAccount(of: Address, format: "json" | "bcs"): Answer {
  return either(format, {
    json: () => ({ sequence_number: "0", authentication_key: longAddress(of) }),
    bcs: () => unusedAccountBcs(of),
  });
}

/** The account resource as it would be created: its own key, sequence number 0, two empty event streams. */
function unusedAccountBcs(of: Address): Uint8Array {
  return encodeBcs((writer) => {
    writer.bytes(addressBytes(of)).u64(0n).u64(STREAMS);
    for (let stream = 0n; stream < STREAMS; stream += 1n) writer.u64(0n).u64(stream).address(of);
    writer.uleb(0).uleb(0); // no capability is offered
  });
}

const STREAMS = 2n;

export function noAccount(of: Address, version: bigint): NodeError {
  return refuse("account_not_found", `Account not found by Address(${of}) and Ledger version(${version})`);
}

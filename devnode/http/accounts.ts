import type { Address } from "../../src/chain/address.ts";
import { hexOf } from "../../src/chain/hex.ts";
import { address } from "../../src/chain/parameters.ts";
import { encode } from "../codec/bcs.ts";
import { account as accountResource, newAccount } from "../framework/account.ts";
import { Session } from "../vm/session.ts";
import type { StateReader } from "../vm/state-keys.ts";
import { either } from "./endpoint.ts";
import type { Node } from "./node-context.ts";
import { type NodeError, refuse } from "./node-error.ts";
import { readsState } from "./state-lookup.ts";

/** `GET /v1/accounts/{address}`. On a chain that creates accounts at first use, an unused address has one as well. */
export const account = readsState({ address }, ({ path, format }, at, node) => {
  const stored = new Session(at.state, null).find(accountResource, path.address);
  const found = stored ?? (node.settings.statelessAccounts ? newAccount(path.address) : undefined);
  if (found === undefined) return noAccount(path.address, at.version);
  const { sequence_number, authentication_key } = found;
  return either(format, {
    json: () => ({ sequence_number: String(sequence_number), authentication_key: hexOf(authentication_key) }),
    bcs: () => encode(accountResource, found),
  });
});

/** Whether there is an account at the address, or would be at first use. */
export function accountExists(node: Node, state: StateReader, of: Address): boolean {
  return node.settings.statelessAccounts || new Session(state, null).has(accountResource, of);
}

export function noAccount(of: Address, version: bigint): NodeError {
  return refuse("account_not_found", `Account not found by Address(${of}) and Ledger version(${version})`);
}

import type { Address } from "../../src/chain/address.ts";
import { accountExists, noAccount } from "./accounts.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse } from "./node-error.ts";
import { stateAt, versionError } from "./state-lookup.ts";

/** Public SDKs do not follow cursors correctly: with this default, all resources and modules fit one page. */
export const MAX_PAGE_ITEMS = 9999;

type PageFailure = Exclude<ReturnType<Node["ledger"]["resources"]>, { kind: "page" }>;

/** Why there is no page: an invalid cursor, or an unavailable version. */
export function pageError(failure: PageFailure, start: string | undefined): NodeError {
  return failure.kind === "bad_cursor"
    ? refuse(
        "invalid_input",
        `Invalid cursor ${JSON.stringify(start ?? "")}: pass on what an earlier page's header says`,
      )
    : versionError(failure);
}

/** For an empty page: null when the account exists, else the error. */
export function absence(node: Node, of: Address, version: bigint | undefined): NodeError | null {
  const at = stateAt(node, version);
  if (isError(at)) return at;
  return accountExists(node, at.state, of) ? null : noAccount(of, at.version);
}

import type { StateLookup, VersionFailure } from "../ledger/api.ts";
import type { Node } from "./node-context.ts";
import { type NodeError, refuse } from "./node-error.ts";

/** State as of `version`, the tip when absent; 404 beyond the tip, 410 before the oldest. */
export function stateAt(node: Node, version: bigint | undefined): (StateLookup & { kind: "found" }) | NodeError {
  const found = node.ledger.stateAt(version ?? null);
  return found.kind === "found" ? found : versionError(found);
}

export function versionError(failure: VersionFailure): NodeError {
  return failure.kind === "version_pruned"
    ? refuse("version_pruned", `Ledger version(${failure.version}) has been pruned`)
    : refuse("version_not_found", `Ledger version not found by Ledger version(${failure.version})`);
}

/** The page size asked for: silently clamped to `most`, but never 0. */
export function pageSize(asked: number | undefined, usual: number, most: number): number | NodeError {
  if (asked === 0) return refuse("invalid_input", "Given limit value (0) must not be zero");
  return Math.min(asked ?? usual, most);
}

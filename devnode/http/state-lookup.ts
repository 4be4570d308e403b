import { uint64 } from "../../src/chain/parameters.ts";
import type { StateLookup, VersionFailure } from "../ledger/api.ts";
import { type Call, type Outcome, type Parameters, type Run, reads } from "./endpoint.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse } from "./node-error.ts";

type State = StateLookup & { readonly kind: "found" };

/** A GET endpoint of the state at `?ledger_version=`. */
export function readsState<P extends Parameters>(
  path: P,
  answer: (call: Pick<Call<P, Parameters, null>, "path" | "format">, at: State, node: Node) => Outcome,
): Run {
  return reads({
    path,
    query: { ledger_version: uint64 },
    answer: (call, node) => {
      const at = stateAt(node, call.query.ledger_version);
      return isError(at) ? at : answer(call, at, node);
    },
  });
}

/** State as of `version`, the tip when absent; 404 beyond the tip, 410 before the oldest. */
export function stateAt(node: Node, version: bigint | undefined): State | NodeError {
  const found = node.ledger.stateAt(version ?? null);
  return found.kind === "found" ? found : versionError(found);
}

export function versionError(failure: VersionFailure): NodeError {
  return failure.kind === "version_pruned"
    ? refuse("version_pruned", `Ledger version(${failure.version}) has been pruned`)
    : refuse("version_not_found", `Ledger version not found by Ledger version(${failure.version})`);
}

/** The requested page size, clamped to `max`; 0 is refused. */
export function pageSize(requested: number | undefined, fallback: number, max: number): number | NodeError {
  if (requested === 0) return refuse("invalid_input", "Given limit value (0) must not be zero");
  return Math.min(requested ?? fallback, max);
}

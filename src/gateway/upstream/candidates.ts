import type { NodeRequest } from "../node-types.ts";
import type { UpstreamPorts } from "./pool.ts";
import { probe } from "./probe.ts";
import { isAvailable, isPaused, type Upstream } from "./state.ts";

/** A transaction is only sent to an upstream that responded this recently, or that answers a probe first. */
const PROVEN_MS = 5_000;

/**
 * Available upstreams in the operator's order; lagging, then suspect ones last. For old versions those that still have
 * them come first.
 */
export function candidatesFor(request: NodeRequest, upstreams: readonly Upstream[], nowMs: number): Upstream[] {
  const { ledger_version, txn_version, version } = request.params;
  const wanted = ledger_version ?? txn_version ?? version;
  const rank = ({ state }: Upstream): number =>
    (state.isSuspect ? 4 : 0) +
    (state.isOutdated || isPaused(state, "lagging", nowMs) ? 2 : 0) +
    (wanted !== undefined && state.ledger !== null && BigInt(wanted) < state.ledger.oldestVersion ? 1 : 0);
  return upstreams
    .filter((upstream) => isAvailable(upstream, request.key, nowMs))
    .sort((left, right) => rank(left) - rank(right) || left.index - right.index);
}

/** The best upstream that responded recently or answers a probe now. */
export async function proveUpstream(request: NodeRequest, ports: UpstreamPorts): Promise<Upstream | undefined> {
  for (const upstream of candidatesFor(request, ports.pool.upstreams, ports.now())) {
    const { respondedAtMs, isSuspect } = upstream.state;
    const sinceMs = respondedAtMs === null ? Number.POSITIVE_INFINITY : ports.now() - respondedAtMs;
    if (!isSuspect && sinceMs >= 0 && sinceMs < PROVEN_MS) return upstream;
    if (await probe(upstream, ports)) return upstream;
  }
  return undefined;
}

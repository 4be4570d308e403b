import type { UpstreamReport } from "../ports.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import { positionOf } from "./circuit-breaker.ts";
import type { Upstream } from "./state.ts";

/** An upstream that answered within this time counts as reachable. */
const RECENT_MS = 10_000;

/** What `/api/health` tells of each upstream. */
export function upstreamReports(
  upstreams: readonly Upstream[],
  published: Ledger | null,
  nowMs: number,
): UpstreamReport[] {
  return upstreams.map(({ label, state }) => {
    const { ledger, lastAnswerAtMs, breaker } = state;
    const lag = ledger === null || published === null ? null : published.version - ledger.version;
    return {
      label,
      reachable:
        lastAnswerAtMs !== null &&
        nowMs - lastAnswerAtMs < RECENT_MS &&
        breaker.failuresInARow === 0 &&
        state.wrongChainUntilMs <= nowMs,
      ledgerVersion: ledger === null ? null : ledger.version.toString(),
      lag: lag === null ? null : (lag > 0n ? lag : 0n).toString(),
      breaker: positionOf(breaker, nowMs),
    };
  });
}

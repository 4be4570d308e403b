import type { UpstreamReport } from "../../chain/upstream-report.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import { acceptResult } from "./accept-response.ts";
import { LEDGER_INFO, type UpstreamPorts } from "./pool.ts";
import { keepProbing, suspect } from "./probe.ts";
import { exclusionOf, isAvailable, positionOf, type Upstream, type UpstreamState } from "./state.ts";
import { isOutdated } from "./trusted-ledger.ts";

/** An upstream that responded within this time counts as reachable. */
const RECENT_MS = 10_000;
/** How long a contradicted or unconfirmed report stays in the health report. */
const CONTRADICTION_MS = 60_000;

const CHECK_DEADLINE_MS = 3_000;

/** Updates the state of one upstream for the health report. */
export async function checkUpstream(upstream: Upstream, ports: UpstreamPorts): Promise<void> {
  keepProbing(upstream, ports);
  if (!isAvailable(upstream, "", ports.now())) return;
  const sent = await ports.send(upstream.index, LEDGER_INFO, upstream.state.dialect, CHECK_DEADLINE_MS);
  if (sent.kind === "error") return suspect(upstream, ports);
  // With the whole pool, so that the others can contradict its ledger.
  await acceptResult(LEDGER_INFO, upstream, ports, 0n, sent);
}

/** The upstreams for `/api/health`. `tip` is the newest trusted ledger. */
export function upstreamReports(upstreams: readonly Upstream[], tip: Ledger | null, nowMs: number): UpstreamReport[] {
  return upstreams.map(({ label, state }) => {
    const { ledger, failedProbes, respondedAtMs } = state;
    const lag = ledger === null || tip === null ? null : tip.version - ledger.version;
    return {
      label,
      reachable: isWithin(respondedAtMs, RECENT_MS, nowMs) && failedProbes === 0,
      ledgerVersion: ledger === null ? null : ledger.version.toString(),
      lag: lag === null ? null : (lag > 0n ? lag : 0n).toString(),
      breaker: positionOf(state, nowMs),
      distrust: distrustOf(state, nowMs),
      isOutdated: ledger !== null && tip !== null && isOutdated(ledger, tip, nowMs),
    };
  });
}

function distrustOf(state: UpstreamState, nowMs: number): UpstreamReport["distrust"] {
  const exclusion = exclusionOf(state, nowMs);
  if (exclusion !== null) return exclusion;
  return isWithin(state.contradictedAtMs, CONTRADICTION_MS, nowMs) ? "contradicts" : null;
}

function isWithin(atMs: number | null, withinMs: number, nowMs: number): boolean {
  return atMs !== null && nowMs >= atMs && nowMs - atMs < withinMs;
}

import type { NodeResponse } from "../node-types.ts";
import { acceptResult } from "./accept-response.ts";
import { callUpstreams } from "./failover.ts";
import { LEDGER_INFO, type UpstreamPool, type UpstreamPorts } from "./pool.ts";
import { keepProbing, suspect } from "./probe.ts";
import { isAvailable, type Upstream } from "./state.ts";

const CHECK_DEADLINE_MS = 3_000;

/** The newest trusted ledger; null when no upstream responds, or all are below the floor. */
export async function readLedger(
  pool: UpstreamPool,
  ports: UpstreamPorts,
  floor: bigint,
): Promise<NodeResponse["ledger"]> {
  const result = await callUpstreams(LEDGER_INFO, pool, ports, floor);
  return result.kind === "response" ? result.response.ledger : null;
}

/** Updates the state of one upstream for the health report. */
export async function checkUpstream(pool: UpstreamPool, upstream: Upstream, ports: UpstreamPorts): Promise<void> {
  keepProbing(upstream, ports);
  if (!isAvailable(upstream, "", ports.now())) return;
  const sent = await ports.send(upstream.index, LEDGER_INFO, upstream.state.dialect, CHECK_DEADLINE_MS);
  if (sent.kind === "error") return suspect(upstream, ports);
  // With the whole pool, so that the others can contradict its ledger.
  await acceptResult({ request: LEDGER_INFO, pool, upstream, ports, floor: 0n }, sent);
}

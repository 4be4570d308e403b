import type { NodeResponse } from "../node-types.ts";
import type { Floor } from "./accept-response.ts";
import { callUpstreams } from "./failover.ts";
import { LEDGER_INFO, type UpstreamPool, type UpstreamPorts } from "./pool.ts";
import type { Upstream } from "./state.ts";

/** The newest believed ledger; null when no upstream responds, or all are below the floor. */
export async function readLedger(
  pool: UpstreamPool,
  ports: UpstreamPorts,
  floor: Floor,
): Promise<NodeResponse["ledger"]> {
  const result = await callUpstreams(LEDGER_INFO, pool, ports, floor);
  return result.kind === "response" ? result.response.ledger : null;
}

/** Updates the state of one upstream for the health report. */
export async function checkUpstream(pool: UpstreamPool, upstream: Upstream, ports: UpstreamPorts): Promise<void> {
  const single = { ...pool, upstreams: [upstream] };
  await callUpstreams(LEDGER_INFO, single, ports, async () => 0n);
  pool.believed = single.believed;
}

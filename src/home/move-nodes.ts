import { isWithin } from "../base/utc.ts";
import type { Chain, ChainReport } from "../chain/chain-record.ts";
import { moveNode } from "../families/move/move-node.ts";
import { millisecondsOf } from "../gateway/model/ledger.ts";
import { ChainWatch } from "../gateway/upstream/chain-watch.ts";
import type { Sender } from "../gateway/upstream/client.ts";
import { probeAll } from "../gateway/upstream/trust.ts";
import { exclusionOf, poolOf, type UpstreamPorts } from "../gateway/upstream/upstreams.ts";
import { withConnectionLimit } from "./connections.ts";
import { directNodes } from "./direct-nodes.ts";
import { reportsOf } from "./upstream-reports.ts";
import type { WatchedNodes } from "./watched-nodes.ts";

export interface MoveNodesPorts extends Omit<UpstreamPorts, "pool" | "follows" | "era"> {
  readonly senders: readonly Sender[];
  /** Records evidence about the chain, and returns the current chain. */
  readonly report: (report: ChainReport | null) => Chain;
}

const CHECK_EVERY_MS = 1_000;

/** Connects the nodes of a Move chain for one era, and reports evidence that the era has ended. */
export function moveNodes(era: number, chainId: number | null, ports: MoveNodesPorts): WatchedNodes {
  const { senders, report, now, background } = ports;
  const pool = poolOf(senders);
  const send = withConnectionLimit(ports.send, senders.length);
  const watch = new ChainWatch({
    now,
    chainId,
    upstreams: pool.upstreams,
    report: async (evidence) => report(evidence),
    background,
    onEra: () => undefined,
  });
  watch.learn(era, null);
  const follows: UpstreamPorts["follows"] = (...seen) => watch.follows(...seen);
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  // The last check, which requests that arrive meanwhile wait for.
  let checking: Promise<void> = Promise.resolve();
  /** Probes the upstreams, at most once a second. */
  const checked = (): Promise<void> => {
    if (!isWithin(checkedAtMs, CHECK_EVERY_MS, now())) {
      checkedAtMs = now();
      const included = pool.upstreams.filter(({ state }) => exclusionOf(state, now()) === null);
      checking = probeAll(included, { ...ports, pool, era, follows });
    }
    return checking;
  };
  return {
    reports: async () => {
      await checked();
      return reportsOf(pool, now());
    },
    // If even the newest node stays below `floor`, the version already read, the chain counts as replaced.
    nodesForReading: async (isOver, { floor }) => {
      await checked();
      const nodes = directNodes({ pool, send, now }, isOver);
      const [newest] = nodes.map(({ ledger }) => ledger).sort((a, b) => (a.version > b.version ? -1 : 1));
      if (newest !== undefined && newest.version < floor) watch.lagged(floor, newest);
      else if (newest !== undefined) watch.reached(newest.version);
      return {
        configured: senders.map(({ label }) => label),
        answering: nodes.map((node) => ({
          ...moveNode(node.label, node.ledger.version, node),
          newestAtMs: millisecondsOf(node.ledger),
          timeOf: node.timeOf,
        })),
      };
    },
  };
}

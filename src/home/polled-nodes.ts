import type { Log } from "../base/log.ts";
import { instantText, isWithin } from "../base/utc.ts";
import type { UpstreamReport } from "../chain/upstream-report.ts";
import { type Config, userAgentOf } from "../config.ts";
import type { FamilyDefinition, NodeConnection, NodeProtocol } from "../families/definition.ts";
import type { Sender } from "../gateway/upstream/client.ts";
import { type ExchangePorts, jsonExchangeOver } from "./json-exchange.ts";
import type { MoveNodesPorts } from "./move-nodes.ts";
import { PolledNodePool, type PoolStates } from "./polled-pool.ts";
import { outdatedReadHead, withStatusRemedy } from "./upstream-reports.ts";
import type { WatchedNodes } from "./watched-nodes.ts";

export interface PolledNodesPorts
  extends Pick<MoveNodesPorts, "senders" | "report" | "now">,
    Pick<ExchangePorts, "after"> {
  readonly config: Pick<Config, "buildRevision" | "contactUrl">;
  readonly log: Log;
}

/** Minimum interval between two log lines for one error of a node: a reading makes many calls. */
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED_CHARACTERS = 300;

/** Logs the text of a node's refusal; health shows its code only. */
function refusalLog(
  { label, clean }: Pick<Sender, "label" | "clean">,
  now: () => number,
  log: Log,
): NodeConnection["onRefusal"] {
  let last: { readonly code: number; readonly atMs: number } | null = null;
  return (method, code, text) => {
    if (last?.code === code && isWithin(last.atMs, LOG_EVERY_MS, now())) return;
    last = { code, atMs: now() };
    log("node_refuses_call", { upstream: label, method, code, message: clean(text).slice(0, MAX_LOGGED_CHARACTERS) });
  };
}

/**
 * Connects the nodes of a chain whose family has a protocol of its own. A node with another chain id is excluded; the
 * chain itself changes by settings only.
 */
export function polledNodes(
  protocol: NodeProtocol,
  { mostBehindMs }: Pick<FamilyDefinition, "mostBehindMs">,
  { senders, report, now, after, config, log }: PolledNodesPorts,
): WatchedNodes {
  const exchangePorts = { after, now, userAgent: userAgentOf(config) };
  const pool = new PolledNodePool({
    protocol,
    mostBehindMs,
    senders: senders.map(({ label, origin, transport, clean }) => ({
      label,
      origin,
      calls: {
        exchange: jsonExchangeOver(transport, exchangePorts),
        onRefusal: refusalLog({ label, clean }, now, log),
      },
    })),
    now,
    follows: (chainId, servedBy) => report({ chainId, servedBy, ended: null }).chainId === chainId,
  });
  return {
    reports: async () => reportsOf(await pool.states(), mostBehindMs, now()),
    nodesForReading: (isOver, { wallets, circulatingView }) => pool.nodes(isOver, wallets, circulatingView),
  };
}

/** Reports the nodes for `/api/health`. */
function reportsOf({ nodes, readHead: read }: PoolStates, mostBehindMs: number, nowMs: number): UpstreamReport[] {
  const newestFirst = nodes
    .flatMap((state) => (state.kind === "answers" ? [state.head.version] : []))
    .sort((left, right) => (left > right ? -1 : 1));
  // With three nodes or more the second newest head is the tip: the newest may be false.
  const [newest = 0n, second = newest, third] = newestFirst;
  const tip = third === undefined ? newest : second;
  const outdated = outdatedReadHead(read, nodes.length, mostBehindMs, nowMs);
  const first = nodes.find(({ kind, head }) => kind === "answers" && head?.version === outdated?.version);
  return nodes.map((state) => {
    const { label, head, kind, isOutdated } = state;
    const lag = head === null ? null : tip - head.version;
    return {
      label,
      reachable: kind === "answers" || kind === "wrong_chain",
      ledgerVersion: head === null ? null : String(head.version),
      lag: lag === null ? null : String(lag > 0n ? lag : 0n),
      breaker: kind === "fails" ? "open" : "closed",
      exclusion:
        kind === "wrong_chain" ? kind : kind === "fails" && state.throttledUntilMs !== null ? "throttled" : null,
      cause: kind === "fails" ? causeOf(state) : null,
      isOutdated,
      readsAtMs: state === first ? (outdated?.atMs ?? null) : null,
    };
  });
}

function causeOf({
  label,
  failure: { behaviour, status },
  throttledUntilMs,
}: Extract<PoolStates["nodes"][number], { readonly kind: "fails" }>): string {
  return throttledUntilMs === null
    ? withStatusRemedy(label, behaviour, status)
    : `limits our requests until ${instantText(throttledUntilMs)} (status ${status})`;
}

import type { Log } from "../base/log.ts";
import { instantText, isWithin } from "../base/utc.ts";
import type { UpstreamReport } from "../chain/upstream-report.ts";
import { type Config, userAgentOf } from "../config.ts";
import type { FamilyDefinition, NodeCalls, NodeProtocol } from "../families/definition.ts";
import type { Sender } from "../gateway/upstream/client.ts";
import { type ExchangePorts, jsonExchangeOver } from "./json-exchange.ts";
import type { MoveNodesPorts } from "./move-nodes.ts";
import { PolledPool, type PoolStates } from "./polled-pool.ts";
import { longPastHead, withRemedy } from "./upstream-reports.ts";
import type { WatchedNodes } from "./watched-nodes.ts";

export interface PolledNodesPorts
  extends Pick<MoveNodesPorts, "senders" | "report" | "now">,
    Pick<ExchangePorts, "after"> {
  readonly config: Pick<Config, "buildRevision" | "contactUrl">;
  readonly log: Log;
}

/** How often an error of one node is logged: a reading asks many times. */
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED_CHARACTERS = 300;

/** Logs what a node says when it refuses a call, which health has the code of alone. */
function refusalLog(
  { label, clean }: Pick<Sender, "label" | "clean">,
  now: () => number,
  log: Log,
): NodeCalls["onRefusal"] {
  let last: { readonly code: number; readonly atMs: number } | null = null;
  return (method, code, text) => {
    if (last?.code === code && isWithin(last.atMs, LOG_EVERY_MS, now())) return;
    last = { code, atMs: now() };
    log("node_refuses_call", { upstream: label, method, code, message: clean(text).slice(0, MAX_LOGGED_CHARACTERS) });
  };
}

/**
 * The nodes of a chain that are asked by a protocol of their family. Nothing but the settings replaces such a chain: a
 * node of another one is excluded.
 */
export function polledNodes(
  protocol: NodeProtocol,
  { mostBehindMs }: Pick<FamilyDefinition, "mostBehindMs">,
  { senders, report, now, after, config, log }: PolledNodesPorts,
): WatchedNodes {
  const exchangePorts = { after, now, userAgent: userAgentOf(config) };
  const pool = new PolledPool({
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
    now: (isOver, { wallets }) => pool.nodes(isOver, wallets),
  };
}

/** The nodes for `/api/health`. */
function reportsOf({ nodes, read }: PoolStates, mostBehindMs: number, nowMs: number): UpstreamReport[] {
  const newestFirst = nodes
    .flatMap((state) => (state.kind === "answers" ? [state.head.version] : []))
    .sort((left, right) => (left > right ? -1 : 1));
  // The newest head of three or more may be one that its node alone claims.
  const [newest = 0n, second = newest, third] = newestFirst;
  const tip = third === undefined ? newest : second;
  const longPast = longPastHead(read, nodes.length, mostBehindMs, nowMs);
  const first = nodes.find(({ kind, head }) => kind === "answers" && head?.version === longPast?.version);
  return nodes.map((state) => {
    const { label, head, kind, isOutdated } = state;
    const lag = head === null ? null : tip - head.version;
    return {
      label,
      reachable: kind === "answers" || kind === "wrong_chain",
      ledgerVersion: head === null ? null : String(head.version),
      lag: lag === null ? null : String(lag > 0n ? lag : 0n),
      breaker: kind === "fails" ? "open" : "closed",
      exclusion: kind === "wrong_chain" ? kind : kind === "fails" && state.untilMs !== null ? "throttled" : null,
      cause: kind === "fails" ? causeOf(state) : null,
      isOutdated,
      readsAtMs: state === first ? (longPast?.atMs ?? null) : null,
    };
  });
}

function causeOf({
  failure: { does, status },
  untilMs,
}: Extract<PoolStates["nodes"][number], { readonly kind: "fails" }>): string {
  return untilMs === null
    ? withRemedy(does, status)
    : `limits our requests until ${instantText(untilMs)} (status ${status})`;
}

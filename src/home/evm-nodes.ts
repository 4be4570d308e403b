import type { Log } from "../base/log.ts";
import { instantText, isWithin } from "../base/utc.ts";
import type { UpstreamReport } from "../chain/upstream-report.ts";
import { type Config, userAgentOf } from "../config.ts";
import { EvmPool } from "../evm/pool.ts";
import { type RpcPorts, rpcOver } from "../evm/rpc.ts";
import type { Sender } from "../gateway/upstream/client.ts";
import type { MoveNodesPorts } from "./move-nodes.ts";
import { longPastHead, withRemedy } from "./upstream-reports.ts";
import type { WatchedNodes } from "./watched-nodes.ts";

export interface EvmNodesPorts extends Pick<MoveNodesPorts, "senders" | "report" | "now">, Pick<RpcPorts, "after"> {
  readonly config: Pick<Config, "buildRevision" | "contactUrl">;
  readonly log: Log;
}

/** How often an error of one node is logged: a reading asks many times. */
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED_CHARACTERS = 300;

/** Logs what a node says when it refuses a call, which health has the code of alone. */
function errorLog({ label, clean }: Pick<Sender, "label" | "clean">, now: () => number, log: Log): RpcPorts["onError"] {
  let last: { readonly code: number; readonly atMs: number } | null = null;
  return (method, code, text) => {
    if (last?.code === code && isWithin(last.atMs, LOG_EVERY_MS, now())) return;
    last = { code, atMs: now() };
    log("node_refuses_call", { upstream: label, method, code, message: clean(text).slice(0, MAX_LOGGED_CHARACTERS) });
  };
}

/** The nodes of an EVM chain. Nothing but the settings replaces one: a node of another chain is excluded. */
export function evmNodes({ senders, report, now, after, config, log }: EvmNodesPorts): WatchedNodes {
  const rpc = { after, now, userAgent: userAgentOf(config) };
  const pool = new EvmPool({
    senders: senders.map(({ label, origin, transport, clean }) => ({
      label,
      origin,
      call: rpcOver(transport, { ...rpc, onError: errorLog({ label, clean }, now, log) }),
    })),
    now,
    follows: (chainId, servedBy) => report({ chainId, servedBy, ended: null }).chainId === chainId,
  });
  return {
    reports: async () => reportsOf(await pool.states(), now()),
    now: (isOver, { wallets }) => pool.nodes(isOver, wallets),
  };
}

type States = Awaited<ReturnType<EvmPool["states"]>>;

/** The nodes for `/api/health`. */
function reportsOf({ nodes, read }: States, nowMs: number): UpstreamReport[] {
  const newestFirst = nodes
    .flatMap((state) => (state.kind === "answers" ? [state.head.number] : []))
    .sort((left, right) => (left > right ? -1 : 1));
  // Of three or more, the newest head may be one that its node alone claims.
  const [newest = 0n, second = newest, third] = newestFirst;
  const tip = third === undefined ? newest : second;
  const longPast = longPastHead(read, nodes.length, "evm", nowMs);
  const first = nodes.find(({ kind, head }) => kind === "answers" && head?.number === longPast?.version);
  return nodes.map((state) => {
    const { label, head, kind, isOutdated } = state;
    const lag = head === null ? null : tip - head.number;
    return {
      label,
      reachable: kind === "answers" || kind === "wrong_chain",
      ledgerVersion: head === null ? null : String(head.number),
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
}: Extract<States["nodes"][number], { readonly kind: "fails" }>): string {
  return untilMs === null
    ? withRemedy(does, status)
    : `limits our requests until ${instantText(untilMs)} (status ${status})`;
}

import { instantText, isWithin } from "../base/utc.ts";
import { type Head, headToRead, isBehind } from "../chain/heads.ts";
import type { UpstreamReport } from "../chain/upstream-report.ts";
import { MOVE } from "../families/move/family.ts";
import { settingsOfNode } from "../families/token-chain.ts";
import { millisecondsOf } from "../gateway/model/ledger.ts";
import { type AttemptError, fillTemplate, outcomeOf } from "../gateway/model/outcomes.ts";
import { exclusionOf, STALLED_MS, type Upstream, type UpstreamPool } from "../gateway/upstream/upstreams.ts";

/** Reports the upstreams for `/api/health`. An upstream is reachable if it responded in the last ten seconds. */
export function reportsOf(pool: UpstreamPool, nowMs: number): UpstreamReport[] {
  const heads = pool.upstreams.flatMap((upstream) => reportedHead(upstream, nowMs) ?? []);
  const { mostBehindMs } = MOVE;
  const read = headToRead(heads, mostBehindMs, nowMs) ?? null;
  const outdated = outdatedReadHead(read, pool.upstreams.length, mostBehindMs, nowMs);
  const first = pool.upstreams.find((upstream) => reportedHead(upstream, nowMs)?.version === outdated?.version);
  return pool.upstreams.map((upstream) => {
    const { label, state } = upstream;
    const head = reportedHead(upstream, nowMs);
    const { ledger, failedProbes, respondedAtMs, excluded, failure } = state;
    const lag = ledger === null || pool.tip === null ? null : pool.tip.ledger.version - ledger.version;
    const exclusion = exclusionOf(state, nowMs);
    const until = exclusion === "throttled" ? instantText((excluded?.atMs ?? 0) + (excluded?.forMs ?? 0)) : null;
    return {
      label,
      reachable: isWithin(respondedAtMs, STALLED_MS, nowMs) && failedProbes === 0,
      ledgerVersion: ledger === null ? null : ledger.version.toString(),
      lag: lag === null ? null : (lag > 0n ? lag : 0n).toString(),
      breaker: failedProbes > 0 || exclusion === "throttled" ? "open" : "closed",
      exclusion,
      cause: failure === null ? null : causeText(label, failure.error, failure.status, until),
      isOutdated: head !== null && read !== null && isBehind(head, read, mostBehindMs, nowMs),
      readsAtMs: upstream === first ? (outdated?.atMs ?? null) : null,
    };
  });
}

/** Newest ledger that an upstream reports now; null for an upstream that is not asked for figures. */
export function reportedHead({ state }: Upstream, nowMs: number): Head | null {
  const { reported, failedProbes } = state;
  if (reported === null || failedProbes > 0 || ![null, "contradicts"].includes(exclusionOf(state, nowMs))) return null;
  return { version: reported.version, atMs: millisecondsOf(reported) };
}

/** Returns the head at which the chain is read if several nodes are configured and the head is outdated; else null. */
export function outdatedReadHead(read: Head | null, nodes: number, mostBehindMs: number, nowMs: number): Head | null {
  return nodes > 1 && read !== null && nowMs - read.atMs > mostBehindMs ? read : null;
}

/** Remedies for statuses that a proxy or a plan answers in place of the node. */
const REMEDIES: readonly (readonly [status: RegExp, remedy: (urls: string, keys: string) => string])[] = [
  [/^3/, (urls) => `it has moved, name its new address in ${urls}`],
  [/^401/, (_urls, keys) => `it wants a key, or another one (${keys})`],
  [/^402/, () => "its operator wants to be paid"],
  [/^403/, () => "its firewall or plan does not admit this service"],
  [/^404/, (urls) => `the path of its address in ${urls} is wrong`],
];

/** Describes the failed probe of a node for health, with the remedy. */
function causeText(label: string, error: AttemptError, status: number | null, until: string | null): string {
  return withStatusRemedy(label, fillTemplate(outcomeOf(error).healthText ?? "does not answer", status, until), status);
}

/** Adds what the operator can do about a status to a node's behaviour. Each chain has settings of its own. */
export function withStatusRemedy(label: string, behaviour: string, status: number | null): string {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(String(status)))?.[1];
  return remedy === undefined ? behaviour : `${behaviour}: ${remedy(...settingsOfNode(label))}`;
}

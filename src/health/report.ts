import { instantText } from "../base/utc.ts";
import type { Disagreement, NodesAndStoreReport, TipRead, UpstreamReport } from "../chain/upstream-report.ts";
import type { Config, Revision } from "../config.ts";
import type { Reply } from "../http/reply.ts";
import { type Problem, type ProblemCode, publishedProblem } from "../problems.ts";

/** A published figure. `ageSeconds` is null when there is no value, `boundSeconds` when the figure cannot age. */
export interface FigureState {
  readonly name: string;
  readonly ageSeconds: number | null;
  readonly boundSeconds: number | null;
  /** Reason why the figure or its last refresh failed; null: neither failed. */
  readonly error: string | null;
  /** true: there is no figure yet, and none is due. */
  readonly pending?: boolean;
  /** Names of the figure's numbers that await confirmation. */
  readonly unconfirmed?: readonly string[];
  /** Nodes that reported the figure, with ledger version and time; null or absent: it is not read from a chain. */
  readonly confirmedBy?: {
    readonly nodes: readonly string[];
    readonly ledger_version: string;
    readonly at: string;
  } | null;
}

/** State of the limiter's object of a region. */
export interface LimiterObject {
  readonly region: string;
  /** false: the object does not answer, so each isolate counts the region's callers alone. */
  readonly responds: boolean;
  /** Revision that the object runs; null: not known. */
  readonly revision: Revision | null;
}

/** Everything that determines the deployment's health at one instant. */
export interface HealthInputs extends NodesAndStoreReport {
  readonly nowMs: number;
  /** Word for a version of the chain, such as "ledger version" or "block". */
  readonly versionWord: string;
  readonly figures: readonly FigureState[];
  /** State of reads of the newest ledger in the caller's region. */
  readonly tipRead: TipRead;
  readonly limiterObjects: readonly LimiterObject[];
  /** Names of the limiter's objects whose tables are full. */
  readonly fullLimiters: readonly string[];
  /** Source of the product native-staking; null: there is none, for the given reason. */
  readonly nativeStaking: { readonly source: "chain" | "listing" | null; readonly reason: string | null };
  /** Problems that readings, schedule and rates show. */
  readonly figureProblems: readonly Problem[];
}

export interface Health extends HealthInputs {
  /**
   * `failing`: a figure cannot be served. `degraded`: every figure can, but there is a problem. `not_started`: no
   * problem, and the schedule has not started.
   */
  readonly status: "ok" | "not_started" | "degraded" | "failing";
  readonly problems: readonly Problem[];
}

export function evaluateHealth(inputs: HealthInputs): Health {
  const problems: Problem[] = [
    ...inputs.figures.flatMap(figureProblem),
    ...inputs.figureProblems,
    ...inputs.upstreams.flatMap((upstream) => upstreamProblem(upstream, inputs.versionWord)),
    ...ledgerProblems(inputs),
    ...inputs.disagreements.map((each) => disagreementProblem(each, inputs.versionWord)),
    ...storeProblem(inputs.storeRefusedAtMs),
    ...inputs.damagedTables.map(
      ({ table, day }): Problem => ({
        code: "store_damaged",
        subject: table,
        message: `The table ${table} of the store of figures and history could not be read on ${day}: what it had is absent, and new rows are kept in an empty one.`,
      }),
    ),
    ...inputs.limiterObjects.filter(isAway).map(
      ({ region }): Problem => ({
        code: "limiter_local",
        subject: region,
        message: `The rate limiter's objects in the region ${region} do not answer; each isolate counts by itself.`,
      }),
    ),
    ...inputs.fullLimiters.map((shard): Problem => {
      return { code: "limiter_full", subject: shard, message: fullMessage(shard) };
    }),
  ];
  return { ...inputs, problems, status: statusOf(inputs.figures, problems) };
}

const isAway = ({ responds }: LimiterObject): boolean => !responds;

function fullMessage(shard: string): string {
  return `The limiter object ${shard} is full and forgets the callers whose last request is oldest.`;
}

function statusOf(figures: readonly FigureState[], problems: readonly Problem[]): Health["status"] {
  if (figures.some(({ ageSeconds, pending }) => ageSeconds === null && pending !== true)) return "failing";
  if (problems.length > 0) return "degraded";
  return figures.some(({ pending }) => pending === true) ? "not_started" : "ok";
}

function figureProblem({ name, ageSeconds, error, pending, unconfirmed = [] }: FigureState): Problem[] {
  if (pending === true) return [];
  if (ageSeconds === null)
    return [{ code: "figure_unavailable", subject: name, message: `${name} cannot be served: ${error ?? "unknown"}.` }];
  if (unconfirmed.length > 0) {
    const message = `${name}: ${unconfirmed.join(", ")} was read far from its last good value, which is served until the reading is confirmed.`;
    return [{ code: "figure_unconfirmed", subject: name, message }];
  }
  if (error === null) return [];
  const message = `${name} cannot be renewed (${error}); its last good value is ${ageSeconds} seconds old.`;
  return [{ code: "figure_stale", subject: name, message }];
}

/** Time for which health reports a replaced chain. */
const REPLACED_MS = 3_600_000;

const TIP_READS = {
  stale: {
    code: "node_reads_stale",
    message: "Reads of /v1 at the newest ledger are answered with the last good response.",
  },
  unavailable: { code: "node_reads_unavailable", message: "Reads of /v1 at the newest ledger are not answered." },
} as const;

function ledgerProblems({ chainReplaced, nowMs, tipRead }: HealthInputs): Problem[] {
  const problems: Problem[] = [];
  if (tipRead !== "current") problems.push({ ...TIP_READS[tipRead], subject: "/v1" });
  if (chainReplaced !== null && nowMs - chainReplaced.atMs < REPLACED_MS) {
    const { atMs, why } = chainReplaced;
    const message = `The nodes have another chain since ${instantText(atMs)} (${why}); everything before was dropped.`;
    problems.push({ code: "chain_replaced", subject: "/v1", message });
  }
  return problems;
}

/**
 * Problem of nodes that report different values of a figure. docs/operations.md explains how to find out which is
 * right.
 */
function disagreementProblem(
  { nodes, member, values, ledgerVersion, outvoted }: Disagreement,
  versionWord: string,
): Problem {
  const who = `Chain nodes ${nodes.join(" and ")} report different values`;
  const what = `of ${member} at ${versionWord} ${ledgerVersion}: ${values.join(" and ")}`;
  const then =
    outvoted === null
      ? "Figures from the chain keep their last good values."
      : `A third node contradicts ${outvoted}, which is asked last for ten minutes.`;
  return { code: "nodes_disagree", subject: outvoted ?? nodes.join(" "), message: `${who} ${what}. ${then}` };
}

/**
 * Problem of a store that refuses writes. Figures are still served, but history and last accepted values are missing
 * later.
 */
function storeProblem(refusedAtMs: number | null): Problem[] {
  if (refusedAtMs === null) return [];
  const what = "The store of figures and history refuses to write: its disk or its object is full, or broken";
  const then = "Figures are read and served; no day of the history and no last good value is kept.";
  return [
    { code: "store_refuses", subject: "home", message: `${what} (last at ${instantText(refusedAtMs)}). ${then}` },
  ];
}

/** Problems of excluded nodes. The codes are written out, so that a search for a code finds them. */
const EXCLUSIONS = {
  wrong_chain: { code: "upstream_wrong_chain", what: "follows another chain" },
  contradicts: {
    code: "upstream_contradicts",
    what: "reports a ledger version that it or the other nodes contradict",
  },
  throttled: { code: "upstream_excluded", what: "limits our requests" },
} as const;

/** Problem of a node, if it has one. */
function upstreamProblem(
  { label, reachable, exclusion, cause, isOutdated, lag, ledgerVersion, readsAtMs = null }: UpstreamReport,
  versionWord: string,
): Problem[] {
  const problem = ({ code, what }: { code: ProblemCode; what: string }): Problem[] => [
    { code, subject: label, message: `Chain node ${label} ${what}.` },
  ];
  if (exclusion === "throttled" && cause) return problem({ ...EXCLUSIONS.throttled, what: cause });
  if (exclusion) return problem(EXCLUSIONS[exclusion]);
  if (!reachable) return problem({ code: "upstream_unreachable", what: cause ?? "does not answer" });
  const behind = `is ${lag} ${versionWord}s behind the others and does not catch up`;
  if (isOutdated) return problem({ code: "upstream_outdated", what: behind });
  if (readsAtMs === null) return [];
  const newest = `${versionWord} ${ledgerVersion}, the newest one that is confirmed, dates from ${instantText(readsAtMs)}`;
  const message = `The chain's ${newest}: the chain has paused, or its nodes have stopped.`;
  return [{ code: "chain_behind", subject: label, message }];
}

/** Part of the configuration that a report contains. */
export interface Deployment extends Revision, Pick<Config, "policies"> {
  readonly scheduleRevision: number;
  /** Hash of the published schedule file; null: the build has none. */
  readonly scheduleSha256: string | null;
  /** Hash of the file of registered addresses; null: there is none. */
  readonly addressesSha256: string | null;
  /** Hash of the file that maps the operator's listing; null: there is none. */
  readonly ratesMappingSha256: string | null;
}

const RETRY_SECONDS = 30;

/** Builds the published report. A 503 is also an Error object, like every other 503 of this API. */
export function healthReply(health: Health, deployment: Deployment): Reply {
  const { buildRevision, versionId, scheduleRevision, scheduleSha256, policies } = deployment;
  const failing = health.status === "failing";
  const limits = Object.values(policies).map(({ name, quota, windowSeconds }) => [name, `${quota}/${windowSeconds}`]);
  const body = {
    ...(failing ? { message: reasonOf(health), error_code: "service_unavailable" } : {}),
    status: health.status,
    checked_at: instantText(health.nowMs),
    build_revision: buildRevision,
    version_id: versionId,
    schedule_revision: scheduleRevision,
    schedule_sha256: scheduleSha256,
    addresses_sha256: deployment.addressesSha256,
    rates_mapping_sha256: deployment.ratesMappingSha256,
    limiter: {
      mode: health.limiterObjects.some(isAway) ? "local" : "exact",
      policies: Object.fromEntries(limits),
      objects: health.limiterObjects.map(({ region, responds, revision }) => ({
        region,
        responds,
        build_revision: revision?.buildRevision ?? null,
        version_id: revision?.versionId ?? null,
      })),
    },
    upstreams: health.upstreams.map(({ label, reachable, ledgerVersion, lag, breaker }) => {
      return { label, reachable, ledger_version: ledgerVersion, lag, breaker };
    }),
    figures: health.figures.map(({ name, ageSeconds, boundSeconds, confirmedBy = null }) => ({
      name,
      available: ageSeconds !== null,
      age_seconds: ageSeconds,
      bound_seconds: boundSeconds,
      confirmed_by: confirmedBy,
    })),
    native_staking: health.nativeStaking,
    problems: health.problems.map(publishedProblem),
  };
  return {
    kind: "reply",
    status: failing ? 503 : 200,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      ...(failing ? { "Retry-After": String(RETRY_SECONDS) } : {}),
    },
    body: JSON.stringify(body),
  };
}

/** Joins all problems in one line. */
export function reasonOf({ problems, status }: Health): string {
  if (status === "not_started") return "The schedule has not started.";
  return problems.length === 0 ? "Every figure is served." : problems.map(({ message }) => message).join(" ");
}

import { type Ledger, millisecondsOf } from "../model/ledger.ts";
import type { NodeRequest } from "../model/node-types.ts";
import type { ResponseKind } from "./classify.ts";
import { type UpstreamResult, upstreamError } from "./client.ts";
import {
  exclusionOf,
  isBeingProbed,
  LEDGER_INFO,
  lacksGoodProbe,
  probe,
  raise,
  recordResponse,
  type Upstream,
  type UpstreamPorts,
  update,
} from "./upstreams.ts";

/** Versions a second, more than any chain of this family commits. */
const MAX_VERSIONS_PER_SECOND = 50_000;
/** Factor of the chain's recent pace, in versions a second, by which a single answer may move the floor. */
const STEP_FACTOR = 10;
const MIN_STEP = 100;

/** Kinds that are valid at any later version too, so no floor applies. */
const TIMELESS: readonly ResponseKind[] = ["committed", "absent_at_version", "pruned", "pruned_so_far"];

/**
 * Whether a response refuses a submit (206: some transactions). A refusal shows the state that caused it, so later
 * reads must not be below it.
 */
export function isRefusedSubmit({ mode }: NodeRequest, { status }: { readonly status: number }): boolean {
  return mode === "submit" && (status >= 400 || status === 206);
}

/**
 * Accepts a valid response of the right chain whose ledger is plausible and new enough. `floor` is the least version of
 * a response that is not timeless.
 */
export async function accept(
  request: NodeRequest,
  upstream: Upstream,
  ports: UpstreamPorts,
  floor: bigint,
  result: UpstreamResult,
): Promise<UpstreamResult> {
  if (result.kind === "error") return result;
  const { response, classification, dialect } = result;
  const { ledger, status } = response;
  const isSubmit = request.mode === "submit";
  if (ledger !== null && !(await ports.follows(upstream, ledger))) {
    update(upstream, { excluded: { why: "wrong_chain", atMs: ports.now() }, reported: null });
    return upstreamError("wrong_chain", `chain ${ledger.chainId}`, status);
  }
  if (ledger === null || (isSubmit && !isRefusedSubmit(request, response))) {
    recordResponse(upstream, null, dialect, ports.now());
    // An accepted submit is passed on, whatever ledger its upstream reports.
    return { ...result, response: { ...response, ledger: null } };
  }
  if (!(await isTrusted(upstream, ledger, ports))) {
    // A submit is sent once, so its refusal is passed on, without the ledger.
    if (isSubmit) return { ...result, response: { ...response, ledger: null } };
    return upstreamError("contradicts", `version ${ledger.version} is not confirmed`, status);
  }
  recordResponse(upstream, ledger, dialect, ports.now());
  if (isSubmit || TIMELESS.includes(classification.kind) || ledger.version >= floor) return result;
  update(upstream, { laggedAtMs: ports.now() });
  return upstreamError("lagging", `version ${ledger.version}`, status);
}

/**
 * Whether to trust a reported ledger. A ledger further ahead than the recent pace allows must be confirmed by a second
 * report of the same upstream. One beyond any chain's pace, and the first one of all, must be confirmed by another
 * upstream if there is one. The first upstream that another contradicts is excluded. While nothing is known, a lower
 * report excludes nobody.
 */
async function isTrusted(upstream: Upstream, ledger: Ledger, ports: UpstreamPorts): Promise<boolean> {
  const { pool, era, now, sleep } = ports;
  const tip = pool.tip?.era === era ? pool.tip : null;
  const ageMs = tip === null ? 0 : now() - tip.confirmedAtMs;
  let reference = tip?.ledger ?? null;
  if (reference === null || ledger.version > reachable(reference, ageMs, MAX_VERSIONS_PER_SECOND)) {
    const { second, isOther } = await secondReport(upstream, reference !== null, ports);
    // Time between the ledgers by the chain's clock; a time ahead of ours is no evidence. At the recent pace, a chain
    // that has stopped would contradict.
    const sinceMs = second === null ? 0 : Math.min(now(), millisecondsOf(ledger)) - millisecondsOf(second);
    const isContradicted =
      second === null ? reference !== null : ledger.version > reachable(second, sinceMs, MAX_VERSIONS_PER_SECOND);
    if (isContradicted && isOther && reference !== null)
      update(upstream, { excluded: { why: "contradicts", atMs: now() } });
    if (isContradicted) return false;
    reference = reference === null ? second : null;
  }
  const perSecond = Math.min(Math.max(MIN_STEP, STEP_FACTOR * (pool.pace?.perSecond ?? 0)), MAX_VERSIONS_PER_SECOND);
  if (reference !== null && ledger.version > reachable(reference, ageMs, perSecond)) {
    // One probe serves all requests that report such a step at the same time; they look for its end every 20 ms.
    if (isBeingProbed(upstream.state, now())) return sleep(20).then(() => isTrusted(upstream, ledger, ports));
    // The second report must reach at least a tenth of the step, because there may be several nodes behind one URL.
    const repeated = await reportOf(upstream, ports);
    const allowedStep = repeated === null ? 0 : STEP_FACTOR * Number(repeated.version - reference.version) + MIN_STEP;
    if (Number(ledger.version - reference.version) > allowedStep) return false;
  }
  raise(pool, { era, ledger, confirmedAtMs: now() });
  return true;
}

/** Asks another upstream for its report. If none reports, this upstream is asked a second time. */
async function secondReport(upstream: Upstream, isKnown: boolean, ports: UpstreamPorts) {
  const { pool, now } = ports;
  const others = pool.upstreams.filter((each) => each !== upstream && exclusionOf(each.state, now()) === null);
  // Before anything is known, an upstream that may hang is not asked: each new object would wait for it.
  const healthy = others.find(({ state }) => !lacksGoodProbe(state, now()));
  const other = healthy ?? (isKnown ? others.find(({ state }) => state.failedProbes === 0) : undefined);
  const witness = other === undefined ? null : await reportOf(other, ports);
  return { second: witness ?? (await reportOf(upstream, ports)), isOther: witness !== null };
}

/**
 * Asks an upstream for its ledger; null: it reported none, or one of another chain, because several nodes may share a
 * URL.
 */
async function reportOf(upstream: Upstream, ports: UpstreamPorts): Promise<Ledger | null> {
  const result = await probe(upstream, ports);
  const ledger = result.kind === "response" ? result.response.ledger : null;
  if (ledger === null || (await ports.follows(upstream, ledger))) return ledger;
  update(upstream, { reported: null });
  return null;
}

/**
 * Probes upstreams and accepts or rejects their ledgers like those of any response. All probes are answered before the
 * first is decided.
 */
export async function probeAll(upstreams: readonly Upstream[], ports: UpstreamPorts): Promise<void> {
  const probes = upstreams.map(async (upstream) => [upstream, await probe(upstream, ports)] as const);
  for (const [upstream, result] of await Promise.all(probes)) await accept(LEDGER_INFO, upstream, ports, 0n, result);
}

/** Highest version that a chain at this ledger can have reached some time later. */
function reachable({ version }: Ledger, sinceMs: number, perSecond: number): bigint {
  return version + BigInt(Math.trunc(perSecond * (1 + Math.max(0, sinceMs) / 1_000)));
}

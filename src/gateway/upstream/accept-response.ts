import { isRefusedSubmit } from "../cache/freshness.ts";
import type { ResponseKind } from "../cache/policy.ts";
import type { NodeRequest } from "../node-types.ts";
import { classifyResponse } from "./classify-response.ts";
import type { UpstreamPorts } from "./pool.ts";
import { exclusionOf, onExclusion, onResponse, paused, type Upstream } from "./state.ts";
import { verifyReport } from "./trusted-ledger.ts";
import { type UpstreamResult, upstreamError } from "./upstream-result.ts";

/** Valid at any later version too, so no floor applies. */
const TIMELESS: readonly ResponseKind[] = ["committed", "full_page", "absent_at_version", "pruned"];

/**
 * Accepts a valid response of the right chain whose ledger is trusted and new enough. `floor` is the minimum version of
 * a response that is not immutable.
 */
export async function acceptResult(
  request: NodeRequest,
  upstream: Upstream,
  ports: UpstreamPorts,
  floor: bigint,
  result: UpstreamResult,
): Promise<UpstreamResult> {
  if (result.kind === "error") return result;
  const { response, dialect } = result;
  const { chain } = ports.pool;
  if (response.ledger !== null && chain !== null && chain.chainId !== response.ledger.chainId) {
    upstream.state = onExclusion(upstream.state, "wrong_chain", ports.now());
    return upstreamError("wrong_chain", `chain ${response.ledger.chainId}`, response.status);
  }
  const isSubmit = request.mode === "submit";
  // The ledger of an accepted submit is not passed on.
  if (response.ledger === null || (isSubmit && !isRefusedSubmit(request, response))) {
    upstream.state = onResponse(upstream.state, null, dialect, ports.now());
    return result;
  }
  const ledger = await verifyReport(upstream, response.ledger, ports);
  if (isSubmit) {
    // It is sent only once: the refusal is passed on, even without a trusted ledger.
    upstream.state = onResponse(upstream.state, ledger, dialect, ports.now());
    return { ...result, response: { ...response, ledger } };
  }
  if (ledger === null) {
    const isExcluded = exclusionOf(upstream.state, ports.now()) !== null;
    const detail = `version ${response.ledger.version} is ${isExcluded ? "contradicted" : "not confirmed"}`;
    return upstreamError("contradicts", detail, response.status);
  }
  upstream.state = onResponse(upstream.state, ledger, dialect, ports.now());
  const corrected = { ...response, ledger };
  const classification = ledger === response.ledger ? result.classification : classifyResponse(request, corrected);
  if (classification.kind === "invalid") return upstreamError("invalid", classification.why, response.status);
  if (!TIMELESS.includes(classification.answer)) {
    const isBehind = ledger.version < floor;
    upstream.state = paused(upstream.state, "lagging", ports.now(), isBehind ? undefined : 0);
    if (isBehind) return upstreamError("lagging", `version ${ledger.version}`, response.status);
  }
  return { kind: "response", response: corrected, classification, dialect };
}

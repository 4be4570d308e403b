import { isAtLeast, type LedgerMark, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import type { Admitted } from "../http/handler.ts";
import { isTimeless } from "./cache/freshness.ts";
import type { Candidate, GatewayContext } from "./gateway-ports.ts";
import type { NodeRequest } from "./node-types.ts";
import { versionNotHere } from "./request/node-errors.ts";
import type { GatewayResult } from "./response-headers.ts";
import type { TipMemory } from "./tip/known-tip.ts";
import { markOfResponse } from "./tip/known-tip.ts";
import type { Ledger } from "./tip/ledger-headers.ts";

/**
 * The result of a candidate that its caller may see. Records what it reveals before it leaves, unless that was recorded
 * as `noted`, as the limiter's floor or by the shield.
 */
export async function finished(
  request: NodeRequest,
  { admission, minVersion }: GatewayContext,
  known: TipMemory,
  found: Candidate,
  noted: LedgerMark | null,
  { floor }: Admitted,
): Promise<GatewayResult | Failure> {
  const mark = markOfResponse(found.value);
  const isOwn = !isTimeless(found.value, request);
  const label = isOwn ? mark : laterOf(laterOf(noted, floor), found.shows);
  const recorded = isOwn ? floor : label;
  const isCovered = mark === null || found.isNoted || (recorded !== null && isAtLeast(recorded, mark));
  if (!isCovered) await admission.note(mark);
  else if (isOwn && mark !== null) admission.noteHere(mark);
  const seen = isCovered ? label : mark;
  if (minVersion !== null && (seen === null || seen.version < minVersion)) return versionNotHere(minVersion);
  const ledger = isOwn ? null : known.label(seen, null);
  if (isOwn || ledger !== null || mark === null || isAtLeast(mark, seen)) return resultOf(request, found, ledger);
  // The caller has seen more than this response's version, and that point is unknown here: omit the ledger.
  return resultOf(request, withoutLedger(found), null);
}

/** `tip`: the ledger that a timeless response names instead of its own. */
export function resultOf(
  target: NodeRequest,
  { value, source, ageMs, attempts }: Candidate,
  tip: Ledger | null,
): GatewayResult {
  const upstreamMs = attempts.reduce((total, attempt) => total + attempt.milliseconds, 0);
  return { kind: "served", target, value, source, ageMs: Math.max(0, ageMs), tip, upstreamMs };
}

export function withoutLedger(found: Candidate): Candidate {
  return { ...found, value: { ...found.value, ledger: null } };
}

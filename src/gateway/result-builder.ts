import { isAtLeast, type LedgerMark, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import type { Admitted } from "../http/handler.ts";
import { ageMs, cacheKeyOf, canServeStale, isNotBelow, isTimeless } from "./cache/freshness.ts";
import { type Candidate, type GatewayContext, type GatewayPorts, NOT_NOTED } from "./gateway-ports.ts";
import type { NodeRequest } from "./node-types.ts";
import type { GatewayResult } from "./response-headers.ts";
import type { Ledger } from "./tip/ledger-headers.ts";
import { markOfResponse } from "./tip/ledger-mark.ts";
import type { TipMemory } from "./tip/tip-memory.ts";
import { nodesDown, versionNotHere } from "./unavailable.ts";

/** Turns a candidate into its caller's result, once the caller may see it. */
export class ResultBuilder {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;

  constructor(ports: GatewayPorts, known: TipMemory) {
    this.#ports = ports;
    this.#known = known;
  }

  /** Records what a response reveals before it leaves, unless the shield has done so. */
  async finish(
    request: NodeRequest,
    { admission, minVersion }: GatewayContext,
    found: Candidate,
    noted: LedgerMark | null,
    { floor }: Admitted,
  ): Promise<GatewayResult | Failure> {
    const mark = markOfResponse(found.value);
    const isOwn = !isTimeless(found.value, request);
    const label = isOwn ? mark : laterOf(laterOf(noted, floor), found.shows);
    const known = isOwn ? floor : label;
    const isCovered = mark === null || found.isNoted || (known !== null && isAtLeast(known, mark));
    if (!isCovered) await admission.note(mark);
    else if (isOwn && mark !== null) admission.noteHere(mark);
    const seen = isCovered ? label : mark;
    if (minVersion !== null && (seen === null || seen.version < minVersion)) return versionNotHere(minVersion);
    const ledger = isOwn ? null : this.#known.label(seen, null);
    if (isOwn || ledger !== null || mark === null || isAtLeast(mark, seen)) return this.of(request, found, ledger);
    // The caller has seen more than this response's version, and that point is unknown here: omit the ledger.
    return this.of(request, withoutLedger(found), null);
  }

  /** The shield does not respond: serve from memory if young enough and not below what the caller has seen. */
  async withoutShield(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitted: Admitted,
  ): Promise<GatewayResult | Failure> {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    if (value === undefined || !canServeStale(value)) return nodesDown(1);
    const age = ageMs(value, this.#known.tip, this.#ports.now());
    const floor = laterOf(admitted.floor, context.admission.seenHere());
    if (!isNotBelow(value, request, floor) || age > this.#ports.staleIfErrorSeconds * 1_000) return nodesDown(1);
    this.#ports.log("stale_served", { requestId: context.requestId, endpoint: request.endpoint });
    const found = { ...NOT_NOTED, value, source: "stale", ageMs: age } as const;
    return this.finish(request, context, found, noted, admitted);
  }

  of(target: NodeRequest, { value, source, ageMs: age, attempts }: Candidate, tip: Ledger | null): GatewayResult {
    const upstreamMs = attempts.reduce((total, attempt) => total + attempt.milliseconds, 0);
    return { kind: "served", target, value, source, ageMs: Math.max(0, age), tip, upstreamMs };
  }
}

export function withoutLedger(found: Candidate): Candidate {
  return { ...found, value: { ...found.value, ledger: null } };
}

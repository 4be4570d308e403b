import { type LedgerMark, type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import type { Admission, Admitted } from "../http/handler.ts";
import { isNotBelow, isTimeless, isTimelessRequest, mayBeTimeless } from "./cache/freshness.ts";
import type { Candidate, GatewayContext, GatewayPorts } from "./gateway-ports.ts";
import { IsolateCache } from "./isolate-cache.ts";
import { NO_CALLER } from "./no-caller.ts";
import type { NodeRequest } from "./node-types.ts";
import { nodesDown } from "./request/node-errors.ts";
import type { GatewayResult } from "./response-headers.ts";
import { ResponseSources } from "./response-sources.ts";
import { finished, resultOf, withoutLedger } from "./result.ts";
import { markOfResponse, TipMemory } from "./tip/known-tip.ts";
import { LEDGER_INFO } from "./upstream/pool.ts";

/** The limiter's decision on a request before its body is read. */
export interface EarlyAdmission extends Admitted {
  /** The ledger to name in the response, as the limiter received it; null when the response names its own. */
  readonly candidate: LedgerMark | null;
}

const WATCH_EVERY_MS = 20_000;
/** Another isolate may have served the caller a newer version; the shield is then called again, at most this often. */
const MAX_ROUNDS = 3;

/**
 * One isolate's cache in front of the region's shields. Shares values between requests, never promises. Why no caller
 * sees the chain go back is explained in docs/decisions.md, "One round trip".
 */
export class Gateway {
  readonly #ports: GatewayPorts;
  readonly #known = new TipMemory();
  readonly #cache: IsolateCache;
  readonly #sources: ResponseSources;
  #watchedAtMs = 0;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
    this.#cache = new IsolateCache(ports, this.#known);
    this.#sources = new ResponseSources(ports, this.#known, this.#cache);
  }

  /** Counts a request that is never answered from a cache, so that a refused caller's body is not read. */
  async admitEarly(request: Pick<NodeRequest, "mode" | "endpoint">, admission: Admission): Promise<EarlyAdmission> {
    const timeless = isTimelessRequest(request);
    const candidate = timeless ? this.#known.mark : null;
    return { candidate, ...(await admission.admit(candidate, timeless)) };
  }

  /** `early`: from {@link admitEarly}, for the same request; without it the request is counted here. */
  async answer(
    request: NodeRequest,
    context: GatewayContext,
    early: EarlyAdmission | null = null,
  ): Promise<GatewayResult | Failure> {
    const denied = early === null ? context.admission.knownRefusal() : early.refusal;
    if (denied !== null) return denied;
    if (isTimelessRequest(request))
      return this.#timeless(request, context, early ?? (await this.admitEarly(request, context.admission)));
    if (early !== null) return this.#miss(request, context, early);
    const cached = this.#cache.fromMemory(request, context) ?? (await this.#cache.fromDataCentre(request, context));
    return cached === undefined ? this.#miss(request, context, null) : this.#hit(request, context, cached);
  }

  async #hit(request: NodeRequest, context: GatewayContext, cached: Candidate): Promise<GatewayResult | Failure> {
    const timeless = isTimeless(cached.value, request);
    const candidate = timeless ? this.#known.mark : markOfResponse(cached.value);
    const admitted = await context.admission.admit(candidate, timeless || mayBeTimeless(request));
    const { refusal, floor } = admitted;
    if (refusal !== null) return refusal;
    if (!timeless && floor === null) return resultOf(request, cached, null);
    if (timeless && (floor === null || floor.epoch <= cached.value.epoch)) {
      this.#watchChain(context);
      return finished(request, context, this.#known, cached, candidate, admitted);
    }
    // The caller saw a newer response from another isolate, which may be in the data centre's cache.
    const newer =
      cached.source === "memory" && !timeless ? await this.#cache.fromDataCentre(request, context) : undefined;
    if (newer !== undefined && isNotBelow(newer.value, request, floor))
      return finished(request, context, this.#known, newer, null, admitted);
    return this.#miss(request, context, admitted);
  }

  /** Submits and requests that do not concern the chain's state: sent by this isolate after admission. */
  async #timeless(
    request: NodeRequest,
    context: GatewayContext,
    { candidate, refusal, floor }: EarlyAdmission,
  ): Promise<GatewayResult | Failure> {
    if (refusal !== null) return refusal;
    const found = await this.#sources.call(request, context, null);
    if ("kind" in found) return found;
    const isRefused = found.value.ledger !== null && !isTimeless(found.value, request);
    // The version that a submit requires is of the state that it is executed on, not of a refusal.
    if (isRefused && isNotBelow(found.value, request, laterOf(floor, context.admission.seenHere())))
      return finished(request, { ...context, minVersion: null }, this.#known, found, null, { refusal, floor });
    const label = this.#known.label(candidate, floor);
    // Its ledger was not recorded for the caller, or is older; without a recorded one to name, name none.
    return resultOf(request, isRefused || label === null ? withoutLedger(found) : found, label);
  }

  /** `late`: already admitted with a cached response that turned out to be too old. */
  async #miss(request: NodeRequest, context: GatewayContext, late: Admitted | null): Promise<GatewayResult | Failure> {
    const noted = late === null && mayBeTimeless(request) ? this.#known.mark : null;
    const admitting = late ?? context.admission.admit(noted, mayBeTimeless(request));
    if (request.mode !== "read") return this.#wait(request, context, noted, await admitting);
    if (late !== null || context.admission.mayReadAhead()) return this.#read(request, context, noted, admitting);
    const admitted = await admitting;
    return admitted.refusal ?? this.#read(request, context, noted, admitted);
  }

  /** A long poll or a simulation: sent by this isolate over its own connections after admission. */
  async #wait(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitted: Admitted,
  ): Promise<GatewayResult | Failure> {
    if (admitted.refusal !== null) return admitted.refusal;
    const direct = await this.#sources.call(request, context, laterOf(admitted.floor, noted));
    if ("kind" in direct) return direct;
    const found = request.mode === "wait" ? await this.#sources.settle(request, direct, context) : direct;
    return finished(request, context, this.#known, found, noted, admitted);
  }

  /** Calls limiter and shield in parallel and waits for both. A refused request's result is dropped. */
  async #read(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitting: Admitted | Promise<Admitted>,
  ): Promise<GatewayResult | Failure> {
    const known = laterOf(noted, "then" in admitting ? null : admitting.floor);
    const floor: LedgerPoint | null = laterOf(known, context.admission.seenHere());
    let finding = this.#sources.find(request, context, floor, noted);
    for (let round = 1; ; round += 1) {
      const [admitted, found] = await Promise.all([admitting, finding]);
      if (admitted.refusal !== null) return admitted.refusal;
      if (found === null) return this.#withoutShield(request, context, noted, admitted);
      if ("kind" in found) return found;
      const needed = laterOf(admitted.floor, noted);
      if (isNotBelow(found.value, request, needed))
        return finished(request, context, this.#known, found, noted, admitted);
      if (round === MAX_ROUNDS) return nodesDown(1);
      finding = this.#sources.fromShield(request, context, needed, noted);
    }
  }

  /** The shield does not respond: serve from memory if young enough and not below what the caller has seen. */
  async #withoutShield(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitted: Admitted,
  ): Promise<GatewayResult | Failure> {
    const found = this.#cache.lastGood(request, laterOf(admitted.floor, context.admission.seenHere()));
    if (found === undefined) return nodesDown(1);
    this.#ports.log("stale_served", { requestId: context.requestId, endpoint: request.endpoint });
    return finished(request, context, this.#known, found, noted, admitted);
  }

  /** Timeless hits make no call, so the shield is called periodically to detect a replaced chain. */
  #watchChain(context: GatewayContext): void {
    const nowMs = this.#ports.now();
    const sinceMs = nowMs - Math.max(this.#watchedAtMs, this.#known.tip?.confirmedAtMs ?? 0);
    if (sinceMs >= 0 && sinceMs < WATCH_EVERY_MS) return;
    this.#watchedAtMs = nowMs;
    const own = { ...context, admission: NO_CALLER, minVersion: null };
    const floor = { epoch: this.#known.epoch, version: 0n };
    const shared = this.#cache.fromDataCentre(LEDGER_INFO, own);
    context.waitUntil(shared.then((found) => found ?? this.#sources.find(LEDGER_INFO, own, floor)));
  }
}

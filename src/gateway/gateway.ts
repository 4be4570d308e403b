import { isAtLeast, type LedgerMark, type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import type { Admission, Admitted } from "../http/handler.ts";
import {
  ageMs,
  cacheKeyOf,
  isBeingRenewed,
  isFresh,
  isNotBelow,
  isTimeless,
  isTimelessRequest,
  mayBeImmutable,
  mayBeTimeless,
} from "./cache/freshness.ts";
import { DirectCalls } from "./direct-calls.ts";
import { type Candidate, type GatewayContext, type GatewayPorts, NOT_NOTED } from "./gateway-ports.ts";
import { NearbyCache } from "./nearby-cache.ts";
import { NO_CALLER } from "./no-caller.ts";
import type { NodeRequest } from "./node-types.ts";
import type { GatewayResult } from "./response-headers.ts";
import { ResponseSources } from "./response-sources.ts";
import { ResultBuilder, withoutLedger } from "./result-builder.ts";
import { markOfResponse } from "./tip/ledger-mark.ts";
import { TipMemory } from "./tip/tip-memory.ts";
import { nodesDown } from "./unavailable.ts";
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
  readonly #results: ResultBuilder;
  readonly #nearby: NearbyCache;
  readonly #sources: ResponseSources;
  readonly #direct: DirectCalls;
  #watchedAtMs = 0;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
    this.#results = new ResultBuilder(ports, this.#known);
    this.#nearby = new NearbyCache(ports, this.#known);
    this.#sources = new ResponseSources(ports, this.#known, this.#nearby);
    this.#direct = new DirectCalls(ports, this.#known, this.#sources);
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
    const cached = this.#fromMemory(request, context, isFresh) ?? (await this.#fromDataCentre(request, context));
    if (cached === undefined) return this.#miss(request, context, null);
    const timeless = isTimeless(cached.value, request);
    const candidate = timeless ? this.#known.mark : markOfResponse(cached.value);
    const admitted = await context.admission.admit(candidate, timeless || mayBeTimeless(request));
    if (admitted.refusal !== null) return admitted.refusal;
    const isVoid = admitted.floor !== null && admitted.floor.epoch > cached.value.epoch;
    if (timeless && !isVoid) {
      this.#watchChain(context);
      return this.#results.of(request, cached, this.#known.label(candidate, admitted.floor));
    }
    if (admitted.floor === null) return this.#results.of(request, cached, null);
    // The caller saw a newer response from another isolate, which may be in the data centre's cache.
    const newer = cached.source === "memory" ? await this.#fromDataCentre(request, context) : undefined;
    const mark = newer === undefined ? null : markOfResponse(newer.value);
    if (newer !== undefined && mark !== null && isAtLeast(mark, admitted.floor))
      return this.#results.finish(request, context, newer, null, admitted);
    return this.#miss(request, context, admitted);
  }

  /** A response from memory that may be served, as far as this isolate knows. */
  #fromMemory(
    request: NodeRequest,
    { admission, minVersion }: GatewayContext,
    isUsable: typeof isFresh,
  ): Candidate | undefined {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    const nowMs = this.#ports.now();
    if (value === undefined || !isUsable(value, this.#known.tip, nowMs)) return undefined;
    const mark = isTimeless(value, request) ? this.#known.mark : markOfResponse(value);
    if (minVersion !== null && (mark === null || mark.version < minVersion)) return undefined;
    if (!isNotBelow(value, request, admission.seenHere())) return undefined;
    return { value, source: "memory", ageMs: ageMs(value, this.#known.tip, nowMs), ...NOT_NOTED };
  }

  /**
   * A tip response that another isolate of the data centre received in the last second. Of the isolates that find one
   * expired, one calls the shield while the others serve it. Without this every isolate would call for every key. What
   * may be immutable is looked up in parallel with the limiter's call instead.
   */
  async #fromDataCentre(request: NodeRequest, context: GatewayContext): Promise<Candidate | undefined> {
    if (request.mode !== "read" || this.#known.tip === null || mayBeImmutable(request)) return undefined;
    await this.#nearby.learn(request);
    const fresh = this.#fromMemory(request, context, isFresh);
    if (fresh !== undefined) return { ...fresh, source: "cache" };
    const expired = this.#fromMemory(request, context, isBeingRenewed);
    return expired !== undefined && !(await this.#nearby.claimRenewal(request)) ? expired : undefined;
  }

  /** Submits and requests that do not concern the chain's state: sent by this isolate after admission. */
  async #timeless(
    request: NodeRequest,
    context: GatewayContext,
    { candidate, refusal, floor }: EarlyAdmission,
  ): Promise<GatewayResult | Failure> {
    if (refusal !== null) return refusal;
    const found = await this.#direct.call(request, context, null);
    if ("kind" in found) return found;
    const label = this.#known.label(candidate, floor);
    // Its ledger was not recorded for the caller; without a recorded one to name, name none.
    return this.#results.of(request, label === null ? withoutLedger(found) : found, label);
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
    const direct = await this.#direct.call(request, context, laterOf(admitted.floor, noted));
    if ("kind" in direct) return direct;
    const found = request.mode === "wait" ? await this.#sources.settle(request, direct, context) : direct;
    return this.#results.finish(request, context, found, noted, admitted);
  }

  /** Calls limiter and shield in parallel and waits for both. A refused request's result is dropped. */
  async #read(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitting: Admitted | Promise<Admitted>,
  ): Promise<GatewayResult | Failure> {
    const known = laterOf(noted, "then" in admitting ? null : admitting.floor);
    let floor: LedgerPoint | null = laterOf(known, context.admission.seenHere());
    for (let round = 1; ; round += 1) {
      const [admitted, found] = await Promise.all([
        admitting,
        this.#sources.find(request, context, floor, noted, round),
      ]);
      if (admitted.refusal !== null) return admitted.refusal;
      if (found === null) return this.#results.withoutShield(request, context, noted, admitted);
      if ("kind" in found) return found;
      const needed = laterOf(admitted.floor, noted);
      if (isNotBelow(found.value, request, needed))
        return this.#results.finish(request, context, found, noted, admitted);
      if (round === MAX_ROUNDS) return nodesDown(1);
      floor = needed;
    }
  }

  /** Timeless hits make no call, so the shield is called periodically to detect a replaced chain. */
  #watchChain(context: GatewayContext): void {
    const nowMs = this.#ports.now();
    const sinceMs = nowMs - Math.max(this.#watchedAtMs, this.#known.tip?.confirmedAtMs ?? 0);
    if (sinceMs >= 0 && sinceMs < WATCH_EVERY_MS) return;
    this.#watchedAtMs = nowMs;
    const own = { ...context, admission: NO_CALLER, minVersion: null };
    const floor = { epoch: this.#known.epoch, version: 0n };
    context.waitUntil(
      this.#fromDataCentre(LEDGER_INFO, own).then(
        (found) => found ?? this.#sources.find(LEDGER_INFO, own, floor, null, 1),
      ),
    );
  }
}

import { type Admission, type AdmissionResult, NO_CALLER } from "../admission.ts";
import { isAtLeast, type LedgerPoint, laterPoint } from "../chain/ledger-point.ts";
import type { TipRead } from "../chain/upstream-report.ts";
import type { Failure } from "../http/failure.ts";
import { isNotBelow, isTimelessRequest, mayBeImmutable, mayBeTimeless } from "./cache/freshness.ts";
import { type Ledger, pointOf, type Tip } from "./model/ledger.ts";
import type { LocatedResponse, NodeRequest } from "./model/node-types.ts";
import { unanswered } from "./request/node-errors.ts";
import { type GatewayContext, type GatewayPorts, ResponseSources } from "./sources.ts";
import { LEDGER_INFO } from "./upstream/upstreams.ts";

/** A ledger as response headers name it. */
type NamedLedger = Pick<Tip, "era" | "ledger">;

/**
 * Ledger that was offered to the limiter with a request, and the limiter's decision. If the decision has no floor, the
 * limiter has recorded the ledger as seen by the caller.
 */
export interface TipOffer {
  readonly named: NamedLedger | null;
  readonly decision: Promise<AdmissionResult>;
}

/** A response for its caller. */
export interface GatewayResult extends LocatedResponse {
  readonly target: NodeRequest;
  /** Ledger that the response's headers name; null only for an error that came without a ledger. */
  readonly ledger: Ledger | null;
}

type Answer = Promise<GatewayResult | Failure>;

/** Most calls of the shield for a request. Another isolate may have served the caller a newer version meanwhile. */
const MAX_ROUNDS = 3;

/**
 * An isolate's side of the gateway. No response to a caller shows or names less than the caller has seen;
 * docs/consistency.md explains why.
 */
export class Gateway {
  readonly #sources: ResponseSources;

  constructor(ports: GatewayPorts) {
    this.#sources = new ResponseSources(ports);
  }

  /**
   * Counts a request. Offers the tip if the response may be timeless: then only its headers name a ledger, and no
   * further call is needed to record it.
   */
  countAndOfferTip(request: Pick<NodeRequest, "mode" | "endpoint" | "params">, admission: Admission): TipOffer {
    return offerTip(isTimelessRequest(request) || mayBeTimeless(request) ? this.#sources.tip : null, admission);
  }

  /** Answers a request. `earlyOffer` is from {@link countAndOfferTip}, for a request that was counted before its body was read. */
  async answer(request: NodeRequest, context: GatewayContext, earlyOffer?: TipOffer): Answer {
    if (request.mode !== "read")
      return this.#send(request, context, earlyOffer ?? this.countAndOfferTip(request, context.admission));
    const inMemory = this.#sources.fromMemory(request, context);
    const hit = inMemory ?? (mayBeTimeless(request) ? null : await this.#sources.fromShared(request, context));
    return hit === null ? this.#miss(request, context, earlyOffer) : this.#hit(request, context, hit, earlyOffer);
  }

  /** Reads the newest ledger as a caller in that region would. */
  async readTip(region: string, waitUntil: GatewayContext["waitUntil"]): Promise<TipRead> {
    const context = { region: () => region, admission: NO_CALLER, requestId: "internal", waitUntil };
    const result = await this.answer(LEDGER_INFO, context);
    if (result.kind !== "found" || result.value.status !== 200) return "unavailable";
    return result.source === "stale" ? "stale" : "current";
  }

  /**
   * Answers from a cached response with one call: the limiter compares the response's point with what the caller has
   * seen.
   */
  async #hit(request: NodeRequest, context: GatewayContext, hit: LocatedResponse, earlyOffer?: TipOffer): Answer {
    const { value } = hit;
    const shown = value.ledger === null ? null : { era: value.era, ledger: value.ledger };
    const offer = earlyOffer ?? offerTip(value.timeless ? this.#sources.tip : shown, context.admission);
    const { refusal, floor } = await offer.decision;
    if (refusal !== null) return refusal;
    if (!isNotBelow(value, floor)) return this.#read(request, context, offer, floor);
    if (value.timeless) this.#sources.watchChain(context);
    return this.#finish(request, context, hit, offer, floor);
  }

  /**
   * Answers without a cached response. Limiter and shield are called in parallel, unless the caller may have no quota
   * left.
   */
  async #miss(request: NodeRequest, context: GatewayContext, earlyOffer?: TipOffer): Answer {
    const offer = earlyOffer ?? this.countAndOfferTip(request, context.admission);
    if (context.admission.mayReadAhead()) return this.#read(request, context, offer, null);
    const { refusal, floor } = await offer.decision;
    return refusal ?? this.#read(request, context, offer, floor);
  }

  async #read(request: NodeRequest, context: GatewayContext, offer: TipOffer, knownFloor: LedgerPoint | null): Answer {
    const offered = pointOf(offer.named);
    let least = laterPoint(laterPoint(offered, knownFloor), context.admission.seenHere());
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const shared = round === 1 && mayBeImmutable(request) ? await this.#sources.fromShared(request, context) : null;
      const finding = shared ?? this.#sources.shielded(request, context, { floor: least, offered });
      const [{ refusal, floor }, found] = await Promise.all([offer.decision, finding]);
      least = laterPoint(floor, offered);
      const isFound = found !== null && found.kind === "found";
      if (isFound && refusal === null && isNotBelow(found.value, least))
        return this.#finish(request, context, found, offer, floor);
      if (isFound) await found.value.large?.stream.cancel();
      if (refusal !== null) return refusal;
      if (found === null) {
        const lastGood = this.#sources.lastGood(request, context, least);
        return lastGood === null ? unanswered("no_shield") : this.#finish(request, context, lastGood, offer, floor);
      }
      if (!isFound) return found;
    }
    return unanswered("lagging");
  }

  /**
   * Answers a request that this isolate sends itself: a submit, long poll or simulation, or one that does not concern
   * the chain's state.
   */
  async #send(request: NodeRequest, context: GatewayContext, offer: TipOffer): Answer {
    const { refusal, floor } = await offer.decision;
    if (refusal !== null) return refusal;
    const least = laterPoint(pointOf(offer.named), floor);
    // The ledger is read before sending, because nothing may fail once a transaction was accepted.
    const named = isTimelessRequest(request) ? await this.#named(context, offer, floor) : null;
    if (named !== null && "kind" in named) return named;
    const found = await this.#sources.call(request, context, named === null ? least : null);
    return found.kind === "found" ? this.#finish(request, context, found, offer, floor, named) : found;
  }

  /**
   * Records the point that a response shows, before the response leaves and unless it is recorded already. Decides
   * which ledger the headers name: the response's own if its caller has seen none newer, else one that is recorded as
   * seen.
   */
  async #finish(
    request: NodeRequest,
    context: GatewayContext,
    found: LocatedResponse,
    offer: TipOffer,
    floor: LedgerPoint | null,
    read: NamedLedger | null = null,
  ): Answer {
    const { value, recorded } = found;
    const { point, ledger, status } = value;
    const result = { ...found, target: request };
    if (recorded !== null) context.admission.recordHere(recorded);
    if (point === null && status >= 400) return { ...result, ledger };
    const offered = pointOf(offer.named);
    if (
      point !== null &&
      isAtLeast(point, laterPoint(offered, floor)) &&
      (recorded === null || isAtLeast(recorded, point))
    ) {
      const isRecorded = recorded !== null || (floor === null && offered !== null && isAtLeast(offered, point));
      if (!isRecorded) await context.admission.record(point);
      return { ...result, ledger };
    }
    const named = read ?? (await this.#named(context, offer, floor));
    if (!("kind" in named)) return { ...result, ledger: named.ledger };
    await value.large?.stream.cancel();
    return named;
  }

  /**
   * Returns the newest known ledger and records it as seen. Reads it if this isolate knows none that the caller may
   * see.
   */
  async #named(context: GatewayContext, offer: TipOffer, floor: LedgerPoint | null): Promise<NamedLedger | Failure> {
    if (floor === null && offer.named !== null) return offer.named;
    const { admission } = context;
    const { tip } = this.#sources;
    const tipPoint = pointOf(tip);
    if (tip !== null && tipPoint !== null && isAtLeast(tipPoint, floor)) {
      if (floor === null || !isAtLeast(floor, tipPoint)) await admission.record(tipPoint);
      return tip;
    }
    const read = await this.#sources.readTip(context, floor);
    if (read === null) return unanswered("no_shield");
    if (read.kind !== "found") return read;
    const { point, ledger, era } = read.value;
    if (point === null || ledger === null) return unanswered("failed");
    if (!isAtLeast(point, floor)) return unanswered("lagging");
    if (read.recorded === null) await admission.record(point);
    else admission.recordHere(read.recorded);
    return { era, ledger };
  }
}

function offerTip(named: NamedLedger | null, admission: Admission): TipOffer {
  return { named, decision: admission.admit(pointOf(named)) };
}

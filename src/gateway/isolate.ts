import { type Admission, type AdmissionResult, NO_CALLER } from "../admission.ts";
import { isAtLeast, type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { TipRead } from "../chain/upstream-report.ts";
import type { Failure } from "../http/failure.ts";
import { isNotBelow, isTimelessRequest, mayBeImmutable, mayBeTimeless } from "./cache/freshness.ts";
import { type Ledger, pointOf, type Tip } from "./model/ledger.ts";
import type { Found, NodeRequest } from "./model/node-types.ts";
import { unanswered } from "./request/node-errors.ts";
import { type GatewayContext, type GatewayPorts, Sources } from "./sources.ts";
import { LEDGER_INFO } from "./upstream/upstreams.ts";

/** A ledger as headers name it. */
type Named = Pick<Tip, "era" | "ledger">;

/** What was offered to the limiter with a request, and its decision: without a floor the offer is recorded as seen. */
export interface TipOffer {
  readonly named: Named | null;
  readonly decided: Promise<AdmissionResult>;
}

/** A response for its caller. */
export interface GatewayResult extends Found {
  readonly target: NodeRequest;
  /** The ledger that its headers name; null only for an error that came without one. */
  readonly ledger: Ledger | null;
}

type Answer = Promise<GatewayResult | Failure>;

/** Another isolate may have served the caller a newer version; the shield is then called again, at most this often. */
const MAX_ROUNDS = 3;

/**
 * One isolate's side of the gateway: no response to a caller shows, or names, less than what that caller has seen. Why
 * is explained in docs/consistency.md.
 */
export class Gateway {
  readonly #sources: Sources;

  constructor(ports: GatewayPorts) {
    this.#sources = new Sources(ports);
  }

  /**
   * Counts a request. Offers the tip where the response may be timeless: then only its headers name a ledger, and no
   * further call is needed to record it.
   */
  offer(request: Pick<NodeRequest, "mode" | "endpoint" | "params">, admission: Admission): TipOffer {
    return offerTip(isTimelessRequest(request) || mayBeTimeless(request) ? this.#sources.tip : null, admission);
  }

  /** `early`: from {@link offer}, for a request that was counted before its body was read. */
  async answer(request: NodeRequest, context: GatewayContext, early?: TipOffer): Answer {
    if (request.mode !== "read") return this.#send(request, context, early ?? this.offer(request, context.admission));
    const known = this.#sources.fromMemory(request, context);
    const hit = known ?? (mayBeTimeless(request) ? null : await this.#sources.fromShared(request, context));
    return hit === null ? this.#miss(request, context, early) : this.#hit(request, context, hit, early);
  }

  /** Reads the ledger like a caller in that region. */
  async readTip(region: string, waitUntil: GatewayContext["waitUntil"]): Promise<TipRead> {
    const context = { region: () => region, admission: NO_CALLER, requestId: "internal", waitUntil };
    const result = await this.answer(LEDGER_INFO, context);
    if (result.kind !== "found" || result.value.status !== 200) return "unavailable";
    return result.source === "stale" ? "stale" : "current";
  }

  /** One call: the limiter compares the point that the response shows with what the caller has seen. */
  async #hit(request: NodeRequest, context: GatewayContext, hit: Found, early?: TipOffer): Answer {
    const { value } = hit;
    const own = value.ledger === null ? null : { era: value.era, ledger: value.ledger };
    const offer = early ?? offerTip(value.timeless ? this.#sources.tip : own, context.admission);
    const { refusal, floor } = await offer.decided;
    if (refusal !== null) return refusal;
    if (!isNotBelow(value, floor)) return this.#read(request, context, offer, floor);
    if (value.timeless) this.#sources.watchChain(context);
    return this.#finish(request, context, hit, offer, floor);
  }

  /** Limiter and shield in parallel, unless the caller may have no quota left. */
  async #miss(request: NodeRequest, context: GatewayContext, early?: TipOffer): Answer {
    const offer = early ?? this.offer(request, context.admission);
    if (context.admission.mayReadAhead()) return this.#read(request, context, offer, null);
    const { refusal, floor } = await offer.decided;
    return refusal ?? this.#read(request, context, offer, floor);
  }

  async #read(request: NodeRequest, context: GatewayContext, offer: TipOffer, known: LedgerPoint | null): Answer {
    const offered = pointOf(offer.named);
    let least = laterOf(laterOf(offered, known), context.admission.seenHere());
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const shared = round === 1 && mayBeImmutable(request) ? await this.#sources.fromShared(request, context) : null;
      const finding = shared ?? this.#sources.shielded(request, context, { floor: least, offered });
      const [{ refusal, floor }, found] = await Promise.all([offer.decided, finding]);
      least = laterOf(floor, offered);
      const isFound = found !== null && found.kind === "found";
      if (isFound && refusal === null && isNotBelow(found.value, least))
        return this.#finish(request, context, found, offer, floor);
      if (isFound) await found.value.large?.stream.cancel();
      if (refusal !== null) return refusal;
      if (found === null) {
        const stored = this.#sources.lastGood(request, context, least);
        return stored === null ? unanswered("no_shield") : this.#finish(request, context, stored, offer, floor);
      }
      if (!isFound) return found;
    }
    return unanswered("lagging");
  }

  /** A submit, long poll or simulation, and what does not concern the chain's state: sent by this isolate. */
  async #send(request: NodeRequest, context: GatewayContext, offer: TipOffer): Answer {
    const { refusal, floor } = await offer.decided;
    if (refusal !== null) return refusal;
    const least = laterOf(pointOf(offer.named), floor);
    // Before it is sent, because nothing may fail once a transaction was accepted.
    const named = isTimelessRequest(request) ? await this.#named(context, offer, floor) : null;
    if (named !== null && "kind" in named) return named;
    const found = await this.#sources.call(request, context, named === null ? least : null);
    return found.kind === "found" ? this.#finish(request, context, found, offer, floor, named) : found;
  }

  /**
   * Records what a response shows before it leaves, unless that was done, and decides alone which ledger its headers
   * name: its own, if its caller has seen none newer, else one that is recorded as seen.
   */
  async #finish(
    request: NodeRequest,
    context: GatewayContext,
    found: Found,
    offer: TipOffer,
    floor: LedgerPoint | null,
    read: Named | null = null,
  ): Answer {
    const { value, noted } = found;
    const { point, ledger, status } = value;
    const shown = { ...found, target: request };
    if (noted !== null) context.admission.recordHere(noted);
    if (point === null && status >= 400) return { ...shown, ledger };
    const offered = pointOf(offer.named);
    if (point !== null && isAtLeast(point, laterOf(offered, floor)) && (noted === null || isAtLeast(noted, point))) {
      const isRecorded = noted !== null || (floor === null && offered !== null && isAtLeast(offered, point));
      if (!isRecorded) await context.admission.record(point);
      return { ...shown, ledger };
    }
    const named = read ?? (await this.#named(context, offer, floor));
    if (!("kind" in named)) return { ...shown, ledger: named.ledger };
    await value.large?.stream.cancel();
    return named;
  }

  /** The newest known ledger, recorded as seen; read when this isolate knows none that its caller may see. */
  async #named(context: GatewayContext, offer: TipOffer, floor: LedgerPoint | null): Promise<Named | Failure> {
    if (floor === null && offer.named !== null) return offer.named;
    const { admission } = context;
    const { tip } = this.#sources;
    const known = pointOf(tip);
    if (tip !== null && known !== null && isAtLeast(known, floor)) {
      if (floor === null || !isAtLeast(floor, known)) await admission.record(known);
      return tip;
    }
    const read = await this.#sources.readTip(context, floor);
    if (read === null) return unanswered("no_shield");
    if (read.kind !== "found") return read;
    const { point, ledger, era } = read.value;
    if (point === null || ledger === null) return unanswered("failed");
    if (!isAtLeast(point, floor)) return unanswered("lagging");
    if (read.noted === null) await admission.record(point);
    else admission.recordHere(read.noted);
    return { era, ledger };
  }
}

function offerTip(named: Named | null, admission: Admission): TipOffer {
  return { named, decided: admission.admit(pointOf(named)) };
}

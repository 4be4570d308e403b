import { type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import { isTimelessRequest } from "./cache/freshness.ts";
import { responseOf } from "./cache/response-of.ts";
import { type Candidate, type GatewayContext, type GatewayPorts, NOT_NOTED } from "./gateway-ports.ts";
import { NO_CALLER } from "./no-caller.ts";
import type { NodeRequest } from "./node-types.ts";
import type { ResponseSources } from "./response-sources.ts";
import type { TipMemory } from "./tip/tip-memory.ts";
import { versionNotHere } from "./unavailable.ts";
import type { FailoverResult } from "./upstream/failover.ts";
import { LEDGER_INFO } from "./upstream/pool.ts";
import { failureOf, reportAttempts } from "./upstream-outcome.ts";

/** What an isolate sends to the upstreams itself: submits, simulations and long polls. */
export class DirectCalls {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;
  readonly #sources: ResponseSources;

  constructor(ports: GatewayPorts, known: TipMemory, sources: ResponseSources) {
    this.#ports = ports;
    this.#known = known;
    this.#sources = sources;
  }

  /** From the upstreams, over this isolate's own connections. */
  async call(request: NodeRequest, context: GatewayContext, floor: LedgerPoint | null): Promise<Candidate | Failure> {
    const { minVersion } = context;
    const isReached = isTimelessRequest(request) || (await this.#isReached(floor, context));
    if (!isReached && minVersion !== null) return versionNotHere(minVersion);
    const { epoch } = this.#known;
    const point = laterOf(floor, minVersion === null ? null : { epoch, version: minVersion });
    const version = point !== null && point.epoch === epoch ? point.version : 0n;
    let result = await this.#called(request, version, context);
    // Lagging upstreams have as long to catch up as the region's shared look-up of the ledger takes.
    if (result.kind === "down" && result.lagging && (await this.#readLedger(context, null, version)))
      result = await this.#called(request, version, context);
    if (result.kind === "down") return failureOf(this.#ports, request, result, context);
    const value = await responseOf(request, result, epoch, this.#ports.now());
    return { ...NOT_NOTED, value, source: "upstream", ageMs: 0, attempts: result.attempts };
  }

  async #called(request: NodeRequest, floor: bigint, context: GatewayContext): Promise<FailoverResult> {
    const result = await this.#ports.call(request, floor, this.#known.tip, context.waitUntil);
    reportAttempts(this.#ports, request, result.attempts, context);
    return result;
  }

  /**
   * Whether some upstream has the required version. An isolate that does not know the chain's epoch learns it: a
   * response of an epoch that is over would bind no later one.
   */
  async #isReached(floor: LedgerPoint | null, context: GatewayContext): Promise<boolean> {
    const { tip } = this.#known;
    const { minVersion } = context;
    const isKnown = tip !== null && tip.epoch >= (floor?.epoch ?? 0);
    if (isKnown && (minVersion === null || tip.ledger.version >= minVersion)) return true;
    return this.#readLedger(context, floor, minVersion);
  }

  /** Waits for a version as long as the shield does, which looks it up once a second for all callers of the region. */
  async #readLedger(context: GatewayContext, floor: LedgerPoint | null, minVersion: bigint | null): Promise<boolean> {
    const found = await this.#sources.find(
      LEDGER_INFO,
      { ...context, admission: NO_CALLER, minVersion },
      floor,
      null,
      1,
    );
    // Without a response of the shield the upstreams are called anyway.
    return found === null || !("kind" in found);
  }
}

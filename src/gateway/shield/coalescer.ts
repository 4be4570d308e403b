import type { LedgerPoint } from "../../chain/ledger-point.ts";
import { responseOf } from "../cache/policy.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import type { Attempt, FailoverResult, UpstreamsDown } from "../upstream/failover.ts";
import type { Exchange } from "../upstream/upstream-result.ts";
import type { ShieldCache } from "./shield-cache.ts";
import type { TipWatch } from "./tip-watch.ts";

export interface CoalescerPorts {
  readonly now: () => number;
  readonly watch: TipWatch;
  /** Calls the upstreams over the object's own or lent connections. The tip in a response is already verified. */
  readonly call: (request: NodeRequest, floor: LedgerPoint | null, lent: Exchange[]) => Promise<FailoverResult>;
}

/** A response that an object has for a caller. */
export interface Found {
  readonly kind: "found";
  readonly value: CachedResponse;
  readonly source: "shield" | "upstream" | "collapsed" | "stale";
  /** The highest version whose commit the value reveals; null when that is its own ledger version. */
  readonly reveals: bigint | null;
  /** Whether it was recorded as seen by its caller; null before the attempt. */
  readonly isNoted: boolean | null;
  readonly attempts: readonly Attempt[];
}

export function foundAs(source: Found["source"], value: CachedResponse, attempts: readonly Attempt[] = []): Found {
  return { kind: "found", value, source, reveals: null, isNoted: null, attempts };
}

/** An upstream call in progress for every request that wants its response. */
interface PendingCall {
  /** Connections of these requests. */
  readonly lent: Exchange[];
  readonly received: Promise<Found | UpstreamsDown>;
}

/**
 * Collapses equal reads into one upstream call and caches the response. Runs in a Durable Object: only there may one
 * request wait for another's promise, and one client's disconnect does not affect the others.
 */
export class Coalescer {
  readonly #ports: CoalescerPorts;
  readonly #cache: ShieldCache;
  readonly #pending = new Map<string, PendingCall>();

  constructor(ports: CoalescerPorts, cache: ShieldCache) {
    this.#ports = ports;
    this.#cache = cache;
  }

  /**
   * Starts a call, or joins the one in progress, whose attempts are reported by the request that started it. A joined
   * response may be below this floor.
   */
  async read(request: NodeRequest, floor: LedgerPoint | null, exchange: Exchange): Promise<Found | UpstreamsDown> {
    const joined = this.#pending.get(request.key);
    if (joined === undefined) return this.#start(request, floor, [exchange]);
    joined.lent.push(exchange);
    const result = await joined.received;
    if (result.kind === "down") return { ...result, attempts: [] };
    if (result.value.large === undefined) return { ...result, source: "collapsed", attempts: [] };
    // It is passed on as a stream, to the request that started the call.
    return this.#run(request, floor, [exchange]);
  }

  #start(request: NodeRequest, floor: LedgerPoint | null, lent: Exchange[]): Promise<Found | UpstreamsDown> {
    const received = this.#run(request, floor, lent).finally(() => this.#pending.delete(request.key));
    this.#pending.set(request.key, { lent, received });
    return received;
  }

  async #run(request: NodeRequest, floor: LedgerPoint | null, lent: Exchange[]): Promise<Found | UpstreamsDown> {
    const { call, now, watch } = this.#ports;
    // A response from before a replacement belongs to the old epoch.
    const { epoch } = watch;
    const result = await call(request, floor, lent);
    if (result.kind === "down") return result;
    const { attempts, classification, response } = result;
    if (response.ledger !== null && epoch === watch.epoch) watch.report(response.ledger);
    const value = await responseOf(request, result, epoch, now());
    const stored = this.#cache.store(request, value);
    if (stored === value) return { ...foundAs("upstream", value, attempts), reveals: classification.revealsVersion };
    await value.large?.stream.cancel();
    return foundAs("shield", stored, attempts);
  }
}

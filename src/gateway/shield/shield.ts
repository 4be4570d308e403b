import type { RecordTarget } from "../../admission.ts";
import { isWithin } from "../../base/utc.ts";
import { isAtLeast, type LedgerPoint, laterPoint, requiredVersion } from "../../chain/ledger-point.ts";
import {
  ageMs,
  cacheKeyOf,
  foundIn,
  isAtTip,
  isFresh,
  isLastGood,
  isNotBelow,
  isStorable,
} from "../cache/freshness.ts";
import { responseOf } from "../cache/policy.ts";
import type { ResponseMemory } from "../cache/store.ts";
import type { Ledger } from "../model/ledger.ts";
import type { Attempt, CachedResponse, LocatedResponse, NodeRequest, UpstreamsDown } from "../model/node-types.ts";
import type { ChainWatch } from "../upstream/chain-watch.ts";
import type { Exchange } from "../upstream/client.ts";
import type { FailoverResult } from "../upstream/failover.ts";
import type { UpstreamPool } from "../upstream/upstreams.ts";
import type { ShieldRequest, ShieldResult } from "./messages.ts";
import type { TipWatch } from "./tip-watch.ts";

export interface ShieldPorts {
  readonly now: () => number;
  readonly pool: UpstreamPool;
  readonly chain: ChainWatch;
  readonly watch: TipWatch;
  readonly memory: ResponseMemory;
  readonly staleIfErrorSeconds: number;
  /** Calls the upstreams over the object's own or lent connections. Never rejects. */
  readonly call: (request: NodeRequest, floor: bigint, lent: Set<Exchange>) => Promise<FailoverResult>;
  /**
   * Records a point at a caller's limiter object and returns the point that the caller has seen; null: the object does
   * not respond.
   */
  readonly record: (target: RecordTarget, point: LedgerPoint) => Promise<LedgerPoint | null>;
}

/**
 * A step of the shield, which answers a read itself or calls the next step. `lent` has the connections of the callers
 * that wait.
 */
type Step = (read: ShieldRequest, lent: Set<Exchange>) => Promise<LocatedResponse | UpstreamsDown>;

/** Time in which lagging upstreams may catch up before a read fails; one more look-up of the tip takes place. */
const LAG_PATIENCE_MS = 1_200;
/** Time for which an upstream's report is evidence of what it has now. */
const ANSWERED_MS = 10_000;

/**
 * Answers the isolates of a region: from memory or the upstreams, never below a floor. Records what callers see. Each
 * step can be left out; without {@link collapse}, for example, equal reads make a call each. Never rejects.
 */
export function shieldOver(ports: ShieldPorts) {
  const { now, chain, watch } = ports;
  const step = fromMemory(ports, withPatience(ports, collapse(fromUpstreams(ports))));
  return async (read: ShieldRequest, lend: Exchange): Promise<ShieldResult> => {
    const startedAtMs = now();
    chain.learn(Math.max(read.era, read.floor?.era ?? 0), read.recent);
    await chain.whenKnown();
    const answer = await withRecord(ports, step, read, lend);
    const { tip } = watch;
    const found = answer.kind === "found" ? { ...answer, ageMs: ageMs(answer.value, tip, now()) } : answer;
    const tipAgeMs = tip === null ? 0 : Math.max(0, now() - tip.confirmedAtMs);
    return { found, tip, tipAgeMs, elapsedMs: now() - startedAtMs };
  };
}

/**
 * Records the point that a response reveals at its caller's limiter object, before the response leaves. Not needed if
 * the point offered with the same request covers it. If the caller has seen a newer point through another isolate, the
 * read is answered again.
 */
async function withRecord(ports: ShieldPorts, step: Step, read: ShieldRequest, lend: Exchange) {
  const { offered, recordTarget } = read;
  let answer = await step(read, new Set([lend]));
  for (let isRepeated = false; answer.kind === "found"; isRepeated = true) {
    const { value } = answer;
    const { point, revealed, timeless } = value;
    if (timeless && offered !== null && revealed !== null && isAtLeast(offered, revealed))
      return { ...answer, recorded: offered };
    const seen = recordTarget === null || point === null ? null : await ports.record(recordTarget, point);
    if (isRepeated || seen === null || isNotBelow(value, seen))
      return { ...answer, recorded: seen === null ? null : point };
    await value.large?.stream.cancel();
    answer = await step({ ...read, floor: laterPoint(read.floor, seen) }, new Set([lend]));
  }
  return answer;
}

/**
 * Answers from memory while a response is current; on a quiet chain one check of the tip serves all keys. After a
 * failure it answers with the last good response.
 */
function fromMemory(ports: ShieldPorts, next: Step): Step {
  const { now, memory, watch, chain, staleIfErrorSeconds } = ports;
  const stored = ({ request }: ShieldRequest): CachedResponse | undefined => {
    const value = memory.get(cacheKeyOf(request));
    return value?.era === chain.era ? value : undefined;
  };
  const current = async (read: ShieldRequest): Promise<CachedResponse | undefined> => {
    const value = stored(read);
    if (value === undefined || !isNotBelow(value, read.floor)) return undefined;
    const isResting = !value.timeless && isAtTip(value, watch.tip) && watch.isChainStill;
    if (isResting && !isFresh(value, watch.tip, now())) await watch.confirm();
    return value.era === chain.era && isFresh(value, watch.tip, now()) ? value : undefined;
  };
  return async (read, lent) => {
    const found = await current(read);
    if (found !== undefined) return foundIn(found, "shield", []);
    const answer = await next(read, lent);
    if (answer.kind === "found") return answer;
    const { attempts } = answer;
    const value = stored(read);
    const isUsable =
      value !== undefined && isLastGood(value, read.floor, ageMs(value, watch.tip, now()), staleIfErrorSeconds);
    return isUsable ? foundIn(value, "stale", attempts) : answer;
  };
}

/** Gives lagging upstreams time to reach the floor. */
function withPatience({ now, watch, chain }: ShieldPorts, next: Step): Step {
  return async (read, lent) => {
    const untilMs = now() + LAG_PATIENCE_MS;
    const attempts: Attempt[] = [];
    for (;;) {
      const answer = await next(read, lent);
      attempts.push(...answer.attempts);
      if (answer.kind === "found" || answer.why !== "lagging") return { ...answer, attempts };
      const leftMs = untilMs - now();
      if (leftMs <= 0 || !(await watch.reach(requiredVersion(chain.era, read.floor), leftMs)))
        return { ...answer, attempts };
    }
  };
}

/**
 * Makes one upstream call for equal reads in progress. This works in a Durable Object only: there a request may wait
 * for another's promise, and a client that disconnects does not affect the others.
 */
function collapse(next: Step): Step {
  const pending = new Map<string, { readonly lent: Set<Exchange>; readonly received: ReturnType<Step> }>();
  return async (read, lent) => {
    const { key } = read.request;
    for (let call = pending.get(key); call !== undefined; call = pending.get(key)) {
      for (const lender of lent) call.lent.add(lender);
      const answer = await call.received;
      if (answer.kind === "down") return { ...answer, attempts: [] };
      // A large body is passed on as a stream, to the request that started the call.
      if (answer.value.large !== undefined) return next(read, lent);
      if (isNotBelow(answer.value, read.floor)) return { ...answer, source: "collapsed", attempts: [] };
    }
    const received = next(read, lent).finally(() => pending.delete(key));
    pending.set(key, { lent, received });
    return received;
  };
}

/** Answers from the upstreams and stores the response. What they report is evidence about the chain. */
function fromUpstreams({ now, pool, chain, memory, call }: ShieldPorts): Step {
  return async ({ request, floor }, lent) => {
    // A response from before a replacement belongs to the old era.
    const { era } = chain;
    const version = requiredVersion(era, floor);
    const result = await call(request, version, lent);
    if (result.kind === "down") {
      if (result.why === "lagging") chain.lagged(version, newestAnswer(pool, now()), era);
      return result;
    }
    const { attempts, response } = result;
    if (response.ledger !== null && era === chain.era) chain.reached(response.ledger.version);
    const value = await responseOf(request, result, era, now());
    if (isStorable(value) && era === chain.era) memory.set(cacheKeyOf(request), value);
    return foundIn(value, "upstream", attempts);
  };
}

/** The newest ledger that an upstream reported a moment ago. */
export function newestAnswer({ upstreams }: UpstreamPool, nowMs: number): Ledger | null {
  const ledgers = upstreams.flatMap(({ state }) =>
    state.ledger !== null && isWithin(state.respondedAtMs, ANSWERED_MS, nowMs) ? [state.ledger] : [],
  );
  return ledgers.sort((left, right) => (left.version > right.version ? -1 : 1))[0] ?? null;
}

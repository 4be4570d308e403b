import { DurableObject } from "cloudflare:workers";
import type { NoteTarget } from "../admission.ts";
import type { LedgerPoint } from "../chain/ledger-point.ts";
import type { UpstreamsReport } from "../chain/upstream-report.ts";
import { type Config, parseConfig } from "../config.ts";
import { type Log, logTo } from "../log.ts";
import { placement } from "../placement/location-hint.ts";
import type { Environment } from "../settings.ts";
import { responseLru, scopeOf } from "./cache/store.ts";
import { HomeStore } from "./home-store.ts";
import type { Ledger } from "./model/ledger.ts";
import { type NodeBindings, now, sendersOf, sleep, within } from "./platform.ts";
import { Connections } from "./shield/connections.ts";
import { HOME, homeName, type ShieldRequest, type ShieldResult } from "./shield/messages.ts";
import { newestAnswer, shieldOver } from "./shield/shield.ts";
import { TipWatch } from "./shield/tip-watch.ts";
import { type Chain, type ChainReport, ChainWatch, chainAfter, chainAtStart } from "./upstream/chain.ts";
import type { Exchange } from "./upstream/client.ts";
import { exchangeOver } from "./upstream/client.ts";
import { callUpstreams, type FailoverResult } from "./upstream/failover.ts";
import { check } from "./upstream/trust.ts";
import {
  exclusionOf,
  LEDGER_INFO,
  poolOf,
  reportsOf,
  type UpstreamPool,
  type UpstreamPorts,
} from "./upstream/upstreams.ts";

export interface ShieldBindings extends Environment, NodeBindings {
  readonly SHIELD: DurableObjectNamespace<Shield>;
  readonly LIMITER: ObjectClass<{ note(key: string, point: LedgerPoint): PromiseLike<LedgerPoint> }>;
}

/** A class of objects, by name. */
interface ObjectClass<Calls> {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId, options: DurableObjectNamespaceGetDurableObjectOptions): Calls;
}

/** Objects of one class share an isolate of 128 MiB, so they share one cache. */
const MEMORY = responseLru(24 * 1_048_576);
/** A slower tip check counts as failed; requests waiting for it continue. */
const LOOK_UP_DEADLINE_MS = 1_000;
/** For a call of another object. */
const OBJECT_DEADLINE_MS = 1_000;
const HEALTH_EVERY_MS = 1_000;

const log: Log = logTo(console);

/** The object of that name, created near that region when it is called first. */
export function objectAt<Calls>(
  objects: ObjectClass<Calls>,
  name: string,
  region: string,
  homeRegion: Config["homeRegion"],
): Calls {
  return objects.get(objects.idFromName(name), placement(region, homeRegion));
}

/**
 * One shard of a region's shield, or the home object, which has the figures, the health and the chain of all regions.
 * Cache and reads in progress are here because requests may wait for each other only inside an object.
 */
export class Shield extends DurableObject<ShieldBindings> {
  readonly #config: Config;
  readonly #pool: UpstreamPool;
  readonly #ports: UpstreamPorts;
  readonly #chain: ChainWatch;
  readonly #answer: ReturnType<typeof shieldOver>;
  #home: { readonly store: HomeStore; chain: Chain } | null = null;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: ShieldBindings) {
    super(ctx, env);
    const parsed = parseConfig(env);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    this.#config = parsed.config;
    const { senders, ports } = sendersOf(env, parsed.config);
    this.#pool = poolOf(senders);
    const background = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.#chain = new ChainWatch({
      now,
      chainId: parsed.config.chainId,
      upstreams: this.#pool.upstreams,
      report: (report) => this.#reportChain(report),
      background,
      onEra: () => this.#forgetLedgers(),
    });
    const own = exchangeOver(senders, ports);
    const follows: UpstreamPorts["follows"] = (...reported) => this.#chain.follows(...reported);
    this.#ports = { pool: this.#pool, now, sleep, background, send: own, follows };
    const watch = new TipWatch({ now, sleep, era: () => this.#chain.era, lookUp: (version) => this.#lookUp(version) });
    const connections = new Connections({ own, within: (ms, work) => within(ms, work, undefined) });
    this.#answer = shieldOver({
      ...{ now, pool: this.#pool, chain: this.#chain, watch },
      memory: scopeOf(MEMORY, ctx.id.toString()),
      staleIfErrorSeconds: parsed.config.staleIfErrorSeconds,
      call: (request, floor, lent) =>
        callUpstreams(request, { ...this.#ports, send: (...sent) => connections.send(lent, ...sent) }, floor),
      note: (target, point) => this.#note(target, point),
    });
  }

  /** Answers one read. `lend` sends over the caller's connections: see {@link Connections}. */
  answer(read: ShieldRequest, lend: Exchange): Promise<ShieldResult> {
    if (read.recent !== null) this.#pool.newest ??= { ledger: read.recent, atMs: now() };
    return this.#answer(read, lend);
  }

  /** Home object only: the state of each upstream, checked at most once a second. */
  async health(): Promise<UpstreamsReport> {
    const sinceMs = now() - this.#checkedAtMs;
    if (sinceMs < 0 || sinceMs >= HEALTH_EVERY_MS) {
      this.#checkedAtMs = now();
      this.#chain.learn(this.#homeOnly().chain.era, null);
      const called = this.#pool.upstreams.filter(({ state }) => exclusionOf(state, now()) === null);
      await check(called, this.#ports);
    }
    const { era, replaced } = this.#homeOnly().chain;
    return {
      upstreams: reportsOf(this.#pool, now()),
      chainReplaced: replaced === null ? null : { atMs: era, why: replaced },
    };
  }

  /** Home object only: the chain, for the other objects, after one of them reported what it found out. */
  chain(report: ChainReport | null): Chain {
    const home = this.#homeOnly();
    const next = report === null ? home.chain : chainAfter(home.chain, report, now());
    if (next === home.chain) return next;
    if (next.era > home.chain.era) log("chain_replaced", { era: next.era, chainId: next.chainId, why: next.replaced });
    home.chain = next;
    home.store.putChain(next);
    this.#chain.learn(next.era, null);
    return next;
  }

  figure(name: string): { value: string; storedAtMs: number } | null {
    return this.#homeOnly().store.figure(name);
  }

  putFigure(name: string, value: string, storedAtMs: number): void {
    this.#homeOnly().store.putFigure(name, value, storedAtMs);
  }

  /** Only the home object has tables. */
  #homeOnly(): { readonly store: HomeStore; chain: Chain } {
    if (this.#home !== null) return this.#home;
    const store = new HomeStore((query, ...bindings) => this.ctx.storage.sql.exec(query, ...bindings).toArray());
    const origins = this.#pool.upstreams.map(({ origin }) => origin);
    const chain = chainAtStart(store.chain, { chainId: this.#config.chainId, origins }, now());
    this.#home = { store, chain };
    store.putChain(chain);
    return this.#home;
  }

  async #reportChain(report: ChainReport | null): Promise<Chain | null> {
    if (this.#home !== null) return this.chain(report);
    const { homeRegion, objectGeneration } = this.#config;
    const home = objectAt(this.env.SHIELD, homeName(objectGeneration), HOME, homeRegion);
    return within<Chain | null>(OBJECT_DEADLINE_MS, home.chain(report), null);
  }

  /** What is known of the upstreams belongs to the old chain, except that one does not respond. */
  #forgetLedgers(): void {
    this.#pool.newest = null;
    for (const upstream of this.#pool.upstreams) {
      const { excluded } = upstream.state;
      const isThrottled = excluded?.why === "throttled";
      upstream.state = { ...upstream.state, ledger: null, laggedAtMs: null, excluded: isThrottled ? excluded : null };
    }
  }

  #note({ object, region, key }: NoteTarget, point: LedgerPoint): Promise<LedgerPoint | null> {
    const limiter = objectAt(this.env.LIMITER, object, region, this.#config.homeRegion);
    return within<LedgerPoint | null>(OBJECT_DEADLINE_MS, limiter.note(key, point), null);
  }

  /** When every upstream that answers is below what was served here, the chain may have been replaced. */
  async #lookUp(version: bigint): Promise<Ledger | null> {
    const { era } = this.#chain;
    const looking = callUpstreams(LEDGER_INFO, this.#ports, version);
    const result = await within<FailoverResult | null>(LOOK_UP_DEADLINE_MS, looking, null);
    if (result?.kind === "response") return result.response.ledger;
    const newest = newestAnswer(this.#pool, now());
    if (result?.lagging === true && newest !== null && era === this.#chain.era) this.#chain.lagged(version, newest);
    return null;
  }
}

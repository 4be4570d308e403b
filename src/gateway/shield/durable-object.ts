import { DurableObject } from "cloudflare:workers";
import type { LedgerPoint } from "../../chain/ledger-point.ts";
import type { UpstreamsReport } from "../../chain/upstream-report.ts";
import { type Config, parseConfig } from "../../config.ts";
import { fnv1aHex } from "../../hash/fnv1a.ts";
import { logTo } from "../../log.ts";
import type { Environment } from "../../settings.ts";
import { LastGoodStore, type RunSql } from "../cache/last-good-store.ts";
import { responseLru, scopeOf } from "../cache/lru.ts";
import type { NodeRequest } from "../node-types.ts";
import { type NodeBindings, now, sendersOf, sleep, within } from "../platform.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { ChainIdentity } from "../upstream/chain-identity.ts";
import { ChainMonitor, type ChainMonitorPorts } from "../upstream/chain-monitor.ts";
import { callUpstreams, type FailoverResult } from "../upstream/failover.ts";
import { checkUpstream, upstreamReports } from "../upstream/health-report.ts";
import { LEDGER_INFO, type UpstreamPool, type UpstreamPorts } from "../upstream/pool.ts";
import { type Recognition, recognizeChain } from "../upstream/recognize-chain.ts";
import { exchangeOver, poolOver } from "../upstream/senders.ts";
import { onContradiction } from "../upstream/state.ts";
import type { Exchange } from "../upstream/upstream-result.ts";
import { Connections } from "./connections.ts";
import type { ShieldRequest, ShieldResult } from "./messages.ts";
import { type PeerBindings, Peers } from "./peers.ts";
import { ShieldCore } from "./shield-core.ts";
import { TipWatch } from "./tip-watch.ts";

export interface ShieldBindings extends Environment, NodeBindings {
  readonly SHIELD: DurableObjectNamespace<Shield>;
  readonly LIMITER: PeerBindings["LIMITER"];
}

/** Objects of one class share an isolate of 128 MiB, so they share one cache. */
const MEMORY = responseLru(24 * 1_048_576);
/** The platform allows an object six connections that wait for headers; tip checks use the remaining one. */
const CONNECTIONS = 5;
/** A slower tip check counts as failed; requests waiting for it continue. */
const LOOK_UP_DEADLINE_MS = 1_000;
/** Shorter than the time for which health reports a contradiction. */
const CONTRADICTIONS_EVERY_MS = 10_000;

const log = logTo(console);

/**
 * One shard of a region's shield, or the home object for data without a region: figures and health. Cache and reads in
 * progress are here because requests may wait for each other only inside an object.
 */
export class Shield extends DurableObject<ShieldBindings> {
  readonly #config: Config;
  readonly #store: LastGoodStore;
  readonly #peers: Peers;
  readonly #pool: UpstreamPool;
  readonly #ports: UpstreamPorts;
  readonly #chain: ChainMonitor;
  readonly #watch: TipWatch;
  readonly #connections: Connections;
  readonly #core: ShieldCore;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #contradictionsReportedAtMs = 0;
  /** Of this object, from its first call; the home object has none. */
  #region: string | null = null;

  constructor(ctx: DurableObjectState, env: ShieldBindings) {
    super(ctx, env);
    const parsed = parseConfig(env);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    this.#config = parsed.config;
    const { nodeUrls, chainId, homeRegion } = parsed.config;
    this.#peers = new Peers(env, homeRegion);
    const sql: RunSql = (query, ...bindings) => ctx.storage.sql.exec(query, ...bindings).toArray();
    this.#store = new LastGoodStore(sql);
    this.#store.bindToUpstreams(`${fnv1aHex(nodeUrls.join(","))} ${chainId ?? "any"}`);
    const senders = sendersOf(env, parsed.config);
    const own = exchangeOver(senders);
    this.#pool = poolOver(senders);
    const background = (work: Promise<unknown>) => ctx.waitUntil(work);
    const learn = () => within(LOOK_UP_DEADLINE_MS, this.#chain.trusted(), undefined);
    this.#ports = { pool: this.#pool, now, sleep, background, learn, send: own };
    this.#chain = this.#chainMonitor(chainId);
    const lookUp = (version: bigint) => this.#lookUp(version);
    const onEpoch = (epoch: number) => this.#chain.adopt(epoch);
    this.#watch = new TipWatch({ now, sleep, lookUp, onEpoch }, this.#chain.epoch);
    this.#connections = new Connections({ own, sleep, count: CONNECTIONS });
    this.#core = this.#shieldCore();
  }

  /**
   * Answers one read, or stores what a long poll returned. `exchange` lends the caller's connections: see
   * {@link Connections}.
   */
  async answer(region: string, read: ShieldRequest, exchange: Exchange): Promise<ShieldResult> {
    const chain = this.#chainOf(region);
    if (read.recent !== null) chain.begin(read.epoch, read.recent);
    await chain.known();
    return this.#core.answer(read, exchange);
  }

  /** Home object only: the state of each upstream, checked at most once a second. */
  async health(): Promise<UpstreamsReport> {
    const sinceMs = now() - this.#reportedAtMs;
    if (sinceMs < 0 || sinceMs >= 1_000) {
      this.#reportedAtMs = now();
      await this.#chain.known();
      await Promise.all(this.#pool.upstreams.map((upstream) => checkUpstream(upstream, this.#ports)));
    }
    const { epoch } = this.#chain;
    return {
      upstreams: upstreamReports(this.#pool.upstreams, this.#pool.trusted?.ledger ?? null, now()),
      chainReplacedAtMs: epoch === 0 ? null : epoch,
    };
  }

  /** Home object only: another shield found that these upstreams' ledger versions cannot be trusted. */
  noteContradictions(indexes: readonly number[]): void {
    for (const upstream of this.#pool.upstreams)
      if (indexes.includes(upstream.index)) upstream.state = onContradiction(upstream.state, now());
  }

  /** Home object and head of a region only: what it found out about the chain, for others. */
  recognition(region: string | null, epoch: number, isSuspicious: boolean): Promise<Recognition | null> {
    return this.#chainOf(region).recognition(epoch, isSuspicious);
  }

  figure(name: string): { value: string; storedAtMs: number } | null {
    return this.#store.figure(name);
  }

  putFigure(name: string, value: string, storedAtMs: number): void {
    this.#store.putFigure(name, value, storedAtMs);
  }

  #chainOf(region: string | null): ChainMonitor {
    this.#region = region;
    return this.#chain;
  }

  #chainMonitor(chainId: number | null): ChainMonitor {
    const ports: ChainMonitorPorts = {
      ...this.#ports,
      recognize: async (known, epoch, isSuspicious) => {
        const region = this.#region;
        if (region !== null && !this.#peers.isHead(this.ctx.id, region))
          return this.#peers.recognition(region, epoch, isSuspicious);
        // All regions follow one chain: a head that has seen none yet begins with the home object's.
        const isFirst = known === null && region !== null;
        const home = isFirst ? await this.#peers.recognition(null, epoch, false) : null;
        return recognizeChain(known ?? home?.chain ?? null, epoch, this.#ports, chainId);
      },
      save: (chain: ChainIdentity) => this.#store.saveChain(chain),
      onReplaced: ({ epoch, chainId: newChainId }) => {
        this.#watch.enter(epoch);
        log("chain_replaced", { epoch, chainId: newChainId });
      },
    };
    return new ChainMonitor(ports, chainId, this.#store.chain);
  }

  #shieldCore(): ShieldCore {
    return new ShieldCore({
      now,
      watch: this.#watch,
      outdated: () => this.#pool.upstreams.filter(({ state }) => state.isOutdated).map(({ index }) => index),
      call: (request, floor, lent) => this.#call(request, floor, lent),
      memory: scopeOf(MEMORY, this.ctx.id.toString()),
      staleIfErrorSeconds: this.#config.staleIfErrorSeconds,
      recall: (key) => this.#store.load(key),
      // Deferred, so that the output gate does not delay the response until the write is on disk.
      keep: (key, value) => void setTimeout(() => this.#store.save(key, value), 0),
      note: (...noted) => this.#peers.note(...noted),
      onLagging: () => this.#chain.checkSoon(true),
    });
  }

  /** Calls the upstreams over this object's connections or those lent by callers. */
  async #call(request: NodeRequest, floor: LedgerPoint | null, lent: Exchange[]): Promise<FailoverResult> {
    const ports: UpstreamPorts = {
      ...this.#ports,
      send: (...exchange) => this.#connections.send(lent, ...exchange),
    };
    const version = floor !== null && floor.epoch === this.#watch.epoch ? floor.version : 0n;
    const result = await callUpstreams(request, ports, version);
    this.#reportContradictions();
    return result;
  }

  /** Reports contradicting upstreams to the home object, which reports health. */
  #reportContradictions(): void {
    const [sinceMs, nowMs] = [this.#contradictionsReportedAtMs, now()];
    if (nowMs >= sinceMs && nowMs - sinceMs < CONTRADICTIONS_EVERY_MS) return;
    const found = this.#pool.upstreams.filter(({ state }) => (state.contradictedAtMs ?? 0) > sinceMs);
    if (found.length === 0) return;
    this.#contradictionsReportedAtMs = nowMs;
    this.ctx.waitUntil(this.#peers.reportContradictions(found.map(({ index }) => index)));
  }

  /** When every responding upstream is below what was served, the chain may have been reset: let the monitor check. */
  async #lookUp(version: bigint): Promise<Ledger | null> {
    const looking = callUpstreams(LEDGER_INFO, this.#ports, version);
    const result = await within<FailoverResult | null>(LOOK_UP_DEADLINE_MS, looking, null);
    if (result?.kind === "response") return result.response.ledger;
    this.#chain.checkSoon(true);
    return null;
  }
}

import { DurableObject } from "cloudflare:workers";
import type { RecordTarget } from "../admission.ts";
import type { Environment } from "../base/settings.ts";
import { now, sleep, within } from "../base/timers.ts";
import type { Chain, ChainReport } from "../chain/chain-record.ts";
import type { LedgerPoint } from "../chain/ledger-point.ts";
import { type Config, parseConfig } from "../config.ts";
import { homeObject, type ObjectClass, objectAt } from "../placement/objects.ts";
import { responseLru, scopeOf } from "./cache/store.ts";
import { RECENT_MS } from "./model/ledger.ts";
import type { NodeRequest } from "./model/node-types.ts";
import { type EmbeddedNodeBinding, sendersOf } from "./platform.ts";
import { senderOverConnections } from "./shield/connections.ts";
import type { ShieldRequest, ShieldResult } from "./shield/messages.ts";
import { newestAnswer, shieldOver } from "./shield/shield.ts";
import { TipWatch } from "./shield/tip-watch.ts";
import { ChainWatch } from "./upstream/chain-watch.ts";
import type { Exchange } from "./upstream/client.ts";
import { callUpstreams, type FailoverResult } from "./upstream/failover.ts";
import { LEDGER_INFO, poolOf, raise, type UpstreamPool, type UpstreamPorts, update } from "./upstream/upstreams.ts";

export interface ShieldBindings extends Environment, EmbeddedNodeBinding {
  readonly HOME: ObjectClass<{ chain(report: ChainReport | null): PromiseLike<Chain> }>;
  readonly LIMITER: ObjectClass<{ recordSeen(key: string, point: LedgerPoint): PromiseLike<LedgerPoint> }>;
}

/** Cache shared by all objects of this class in an isolate, which has 128 MiB. */
const MEMORY = responseLru(24 * 1_048_576);
/** Time after which a tip check or a call of another object counts as failed; requests waiting for it continue. */
const DEADLINE_MS = 1_000;

/**
 * A shard of a region's shield (an origin shield as a Durable Object). It has the cache and the reads in progress,
 * because requests may wait for each other only inside an object. Stores nothing on disk.
 */
export class Shield extends DurableObject<ShieldBindings> {
  readonly #config: Config;
  readonly #pool: UpstreamPool;
  readonly #ports: Omit<UpstreamPorts, "era">;
  readonly #chain: ChainWatch;
  readonly #answer: ReturnType<typeof shieldOver>;

  constructor(ctx: DurableObjectState, env: ShieldBindings) {
    super(ctx, env);
    const parsed = parseConfig(env);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    this.#config = parsed.config;
    const { senders, send } = sendersOf(env, parsed.config);
    this.#pool = poolOf(senders);
    const background = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.#chain = new ChainWatch({
      now,
      chainId: parsed.config.chains[0].chain.chainId,
      upstreams: this.#pool.upstreams,
      report: (report) => this.#reportChain(report),
      background,
      onEra: () => this.#forgetLedgers(),
    });
    const follows: UpstreamPorts["follows"] = (...reported) => this.#chain.follows(...reported);
    this.#ports = { pool: this.#pool, now, sleep, background, send, follows };
    const watch = new TipWatch({
      now,
      sleep,
      pool: this.#pool,
      era: () => this.#chain.era,
      lookUp: (version) => this.#lookUp(version),
    });
    const sendLent = senderOverConnections(send, (milliseconds, work) => within(milliseconds, work, undefined));
    this.#answer = shieldOver({
      now,
      pool: this.#pool,
      chain: this.#chain,
      watch,
      memory: scopeOf(MEMORY, ctx.id.toString()),
      staleIfErrorSeconds: parsed.config.staleIfErrorSeconds,
      call: (request, floor, lent) => this.#call(request, floor, (...sent) => sendLent(lent, ...sent)),
      record: (target, point) => this.#record(target, point),
    });
  }

  /** Answers a read. `lend` sends over the caller's connections; see {@link senderOverConnections}. */
  answer(read: ShieldRequest, lend: Exchange): Promise<ShieldResult> {
    // The ledger was confirmed by an isolate's clock, so it serves plausibility checks only and is never fresh here.
    if (read.recent !== null)
      raise(this.#pool, { era: read.era, ledger: read.recent, confirmedAtMs: now() - RECENT_MS });
    return this.#answer(read, lend);
  }

  #reportChain(report: ChainReport | null): Promise<Chain | null> {
    const home = homeObject(this.env.HOME, this.#config.homeRegion);
    return within<Chain | null>(DEADLINE_MS, home.chain(report), null);
  }

  /**
   * Forgets what upstreams reported, which belongs to the old chain; that an upstream does not respond is still true.
   */
  #forgetLedgers(): void {
    this.#pool.tip = null;
    for (const upstream of this.#pool.upstreams) {
      const { excluded } = upstream.state;
      update(upstream, { ledger: null, laggedAtMs: null, excluded: excluded?.why === "throttled" ? excluded : null });
    }
  }

  #record({ object, region, key }: RecordTarget, point: LedgerPoint): Promise<LedgerPoint | null> {
    const limiter = objectAt(this.env.LIMITER, object, region, this.#config.homeRegion);
    return within<LedgerPoint | null>(DEADLINE_MS, limiter.recordSeen(key, point), null);
  }

  #call(request: NodeRequest, floor: bigint, send: Exchange): Promise<FailoverResult> {
    return callUpstreams(request, { ...this.#ports, era: this.#chain.era, send }, floor);
  }

  /**
   * Looks up a version. When all upstreams that answer are below a version that was served, the chain may have been
   * replaced.
   */
  async #lookUp(version: bigint): Promise<void> {
    const { era } = this.#chain;
    const looking = this.#call(LEDGER_INFO, version, this.#ports.send);
    const result = await within<FailoverResult | null>(DEADLINE_MS, looking, null);
    if (result?.kind === "down" && result.why === "lagging")
      this.#chain.lagged(version, newestAnswer(this.#pool, now()), era);
  }
}

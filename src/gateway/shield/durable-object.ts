import { DurableObject } from "cloudflare:workers";
import { type Config, type Environment, parseConfig } from "../../config.ts";
import { fnv1aHex } from "../../hash/fnv1a.ts";
import { LastGoodStore, type RunSql } from "../cache/last-good-store.ts";
import { ResponseLru } from "../cache/lru.ts";
import type { UpstreamReport } from "../ports.ts";
import { type Ledger, later } from "../tip/ledger-headers.ts";
import type { Lease } from "../tip/tip-lease.ts";
import { type Head, TipKeeper } from "../tip/tip-publisher.ts";
import type { ChainIdentity } from "../upstream/chain-identity.ts";
import { ChainKeeper } from "../upstream/chain-keeper.ts";
import { checkUpstream, readLedger } from "../upstream/failover.ts";
import { upstreamReports } from "../upstream/health-report.ts";
import { poolOf, type UpstreamPool, type UpstreamPorts } from "../upstream/pool.ts";
import { upstreamSenders, userAgentOf } from "../upstream/senders.ts";
import { upstreamAt } from "../upstream/state.ts";
import { ShieldCore, type ShieldRequest, type ShieldResult } from "./coalescer.ts";

export interface ShieldBindings extends Environment {
  readonly SHIELD: DurableObjectNamespace<Shield>;
  /** The embedded node; absent where there is none. */
  readonly NODE?: Fetcher;
  readonly NODE_API_KEY?: string;
}

/** All shards of a region may lie in one isolate of 128 MiB. */
const MEMORY = { maxBytes: 8 * 1_048_576, maxValueBytes: 2 * 1_048_576 } as const;
/** How long upstreams that are all behind may take to catch up before a read is given up. */
const LAG_PATIENCE_MS = 1_000;
/** The head is in the same region; if it does not answer in this time the read goes on without it. */
const HEAD_DEADLINE_MS = 2_000;

/**
 * One shard of a region's shield, or, under the region's own name, its head: the keeper of the published tip. Memory
 * and in-flight reads live here, because here requests may wait on one another.
 */
export class Shield extends DurableObject<ShieldBindings> {
  readonly #config: Config;
  readonly #shelf: LastGoodStore;
  readonly #pool: UpstreamPool;
  readonly #ports: UpstreamPorts;
  readonly #chain: ChainKeeper;
  readonly #keeper: TipKeeper;
  #core: ShieldCore | null = null;
  #reportedAtMs = 0;

  constructor(ctx: DurableObjectState, env: ShieldBindings) {
    super(ctx, env);
    const parsed = parseConfig(env);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    this.#config = parsed.config;
    const sql: RunSql = (query, ...bindings) => ctx.storage.sql.exec(query, ...bindings).toArray();
    this.#shelf = new LastGoodStore(sql);
    this.#shelf.bindToUpstreams(`${this.#fleet} ${parsed.config.chainId ?? "any"}`);
    const { nodeUrls, buildRevision, chainId } = parsed.config;
    const node = env.NODE;
    const senders = upstreamSenders({
      nodeUrls,
      apiKey: env.NODE_API_KEY,
      fetchUrl: (url, init) => fetch(url, init),
      fetchEmbedded: node === undefined ? undefined : (url, init) => node.fetch(url, { ...init }),
      after,
      userAgent: userAgentOf(buildRevision),
    });
    this.#pool = poolOf(
      senders.map(({ label }, index) => upstreamAt(index, label)),
      null,
    );
    this.#ports = {
      now,
      sleep,
      background: (work) => ctx.waitUntil(work),
      send: (upstream, request, dialect, deadlineMs) =>
        senders[upstream.index]?.send(request, dialect, deadlineMs) ?? Promise.reject(new RangeError(upstream.label)),
    };
    const chainPorts = {
      ...this.#ports,
      save: (chain: ChainIdentity) => this.#shelf.saveChain(chain),
      onReplaced: () => undefined,
    };
    this.#chain = new ChainKeeper(this.#pool, chainPorts, chainId, this.#shelf.chain);
    const ports = {
      now,
      sleep,
      askLedger: () => this.#askLedger(),
      remember: (ledger: Ledger) => setTimeout(() => this.#shelf.rememberTip(ledger), 0),
    };
    this.#keeper = new TipKeeper(ports, this.#shelf.tip);
  }

  /** Answers one read, compute or submit. `region` names the head to follow. */
  answer(region: string, question: ShieldRequest): Promise<ShieldResult> {
    this.#core ??= this.#coreOf(region);
    const core = this.#core;
    return this.#chain.known().then(() => core.answer(question));
  }

  /** Head only: the published tip, under a lease. With `reach`: after waiting up to a second for that version. */
  lease(reach: bigint | null): Promise<Lease> {
    return reach === null ? this.#keeper.lease() : this.#keeper.reach(reach, LAG_PATIENCE_MS);
  }

  /** Head only: a later ledger was seen; resolves when it is published. */
  advance(ledger: Ledger): Promise<Lease> {
    return this.#keeper.advance(ledger);
  }

  /** Head only: how each upstream is, asked at most once a second. */
  async health(): Promise<UpstreamReport[]> {
    if (now() - this.#reportedAtMs >= 1_000) {
      this.#reportedAtMs = now();
      await this.#chain.known();
      await Promise.all(this.#pool.upstreams.map((upstream) => checkUpstream(this.#pool, upstream, this.#ports)));
    }
    return upstreamReports(this.#pool.upstreams, this.#keeper.published, now());
  }

  figure(name: string): { value: string; storedAtMs: number } | null {
    return this.#shelf.figure(name);
  }

  putFigure(name: string, value: string, storedAtMs: number): void {
    this.#shelf.putFigure(name, value, storedAtMs);
  }

  #coreOf(region: string): ShieldCore {
    return new ShieldCore({
      ...this.#ports,
      lagPatienceMs: LAG_PATIENCE_MS,
      head: headIn(this.env.SHIELD, region),
      pool: this.#pool,
      memory: new ResponseLru(MEMORY.maxBytes, MEMORY.maxValueBytes),
      staleIfErrorSeconds: this.#config.staleIfErrorSeconds,
      recall: (key) => this.#shelf.load(key),
      // Later, so that the answer is not held back until the write is on the disk.
      keep: (key, value) => {
        if (this.#shelf.shouldSave(key, value)) setTimeout(() => this.#shelf.save(key, value), 0);
      },
    });
  }

  async #askLedger(): Promise<Ledger | null> {
    await this.#chain.known();
    const startedAtMs = now();
    const ledger = await readLedger(this.#pool, this.#ports, async () => this.#keeper.published?.version ?? 0n);
    if (ledger !== null) return ledger;
    // All that answered are behind: the keeper is told how far, and decides how long to believe itself.
    const answered = this.#pool.upstreams.filter(({ state }) => (state.respondedAtMs ?? 0) >= startedAtMs);
    return answered.reduce<Ledger | null>((latest, { state }) => later(latest, state.ledger), null);
  }

  get #fleet(): string {
    return fnv1aHex(this.#config.nodeUrls.join(","));
  }
}

/** The region's head as a shard sees it. Without it a read goes on: unconfirmed, and with no other bound than its own. */
function headIn(namespace: DurableObjectNamespace<Shield>, region: string): Head {
  const stub = () => namespace.get(namespace.idFromName(headName(region)));
  const lost = (ledger: Ledger | null): Lease => ({ ledger, milliseconds: 0, confirmed: false, unconfirmedMs: null });
  return {
    lease: () => within(HEAD_DEADLINE_MS, stub().lease(null), lost(null)),
    advance: (ledger) => within(HEAD_DEADLINE_MS, stub().advance(ledger), lost(ledger)),
  };
}

export function headName(region: string): string {
  return `${region}:head`;
}

/** The result, or the stand-in when it fails or takes too long. */
export async function within<T>(milliseconds: number, work: PromiseLike<T>, standIn: T): Promise<T> {
  let cancel = (): void => undefined;
  const late = new Promise<T>((resolve) => {
    cancel = after(milliseconds, () => resolve(standIn));
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return standIn;
  } finally {
    cancel();
  }
}

function now(): number {
  return Date.now();
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds);
  return () => clearTimeout(timer);
}

import { DurableObject } from "cloudflare:workers";
import { type Config, type Environment, parseConfig } from "../../config.ts";
import { fnv1aHex } from "../../hash/fnv1a.ts";
import { LastGoodStore, type RunSql } from "../cache/last-good-store.ts";
import { ResponseLru } from "../cache/lru.ts";
import type { UpstreamReport } from "../ports.ts";
import { type Ledger, later } from "../tip/ledger-headers.ts";
import type { Lease } from "../tip/tip-lease.ts";
import { type Head, TipKeeper } from "../tip/tip-publisher.ts";
import { httpSender, type Transport } from "../upstream/client.ts";
import { callUpstreams, LEDGER_INFO } from "../upstream/failover.ts";
import { upstreamReports } from "../upstream/health-report.ts";
import { UNKNOWN, type Upstream } from "../upstream/state.ts";
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
  readonly #upstreams: readonly Upstream[];
  readonly #keeper: TipKeeper;
  #core: ShieldCore | null = null;
  #chainId: number | null;
  #reportedAtMs = 0;

  constructor(ctx: DurableObjectState, env: ShieldBindings) {
    super(ctx, env);
    const parsed = parseConfig(env);
    if (parsed.kind === "problems") throw new Error("misconfigured");
    this.#config = parsed.config;
    const sql: RunSql = (query, ...bindings) => ctx.storage.sql.exec(query, ...bindings).toArray();
    this.#shelf = new LastGoodStore(sql);
    this.#shelf.bindToUpstreams(`${this.#fleet} ${parsed.config.chainId ?? "any"}`);
    this.#upstreams = upstreamsOf(env, parsed.config);
    this.#chainId = parsed.config.chainId ?? this.#shelf.chain(this.#fleet);
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
    return this.#core.answer(question);
  }

  /** Head only: the published tip, under a lease. With `reach`: after waiting up to a second for that version. */
  lease(reach: bigint | null): Promise<Lease> {
    return reach === null ? this.#keeper.lease() : this.#keeper.reach(reach, LAG_PATIENCE_MS);
  }

  /** Head only: a later ledger was seen; resolves when it is published. */
  advance(ledger: Ledger): Promise<Lease> {
    return this.#keeper.advance(ledger);
  }

  /** Head only: the chain that every upstream must be of; the first one reported where none is configured. */
  chain(seen: number): number {
    if (this.#chainId === null) {
      this.#chainId = seen;
      this.#shelf.learnChain(this.#fleet, seen);
    }
    return this.#chainId;
  }

  /** Head only: how each upstream is, asked at most once a second. */
  async health(): Promise<UpstreamReport[]> {
    if (now() - this.#reportedAtMs >= 1_000) {
      this.#reportedAtMs = now();
      await Promise.all(this.#upstreams.map((upstream) => this.#askOne([upstream])));
    }
    return upstreamReports(this.#upstreams, this.#keeper.published, now());
  }

  figure(name: string): { value: string; storedAtMs: number } | null {
    return this.#shelf.figure(name);
  }

  putFigure(name: string, value: string, storedAtMs: number): void {
    this.#shelf.putFigure(name, value, storedAtMs);
  }

  #coreOf(region: string): ShieldCore {
    const head = headIn(this.env.SHIELD, region);
    return new ShieldCore({
      now,
      sleep,
      lagPatienceMs: LAG_PATIENCE_MS,
      expectChain: async (seen) => {
        this.#chainId ??= await head.chain(seen);
        return this.#chainId;
      },
      head,
      upstreams: this.#upstreams,
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
    const startedAtMs = now();
    const asked = await this.#askOne(this.#upstreams);
    if (asked !== null) return asked;
    // All that answered are behind: the keeper is told how far, and decides how long to believe itself.
    const answered = this.#upstreams.filter(({ state }) => (state.lastAnswerAtMs ?? 0) >= startedAtMs);
    return answered.reduce<Ledger | null>((latest, { state }) => later(latest, state.ledger), null);
  }

  async #askOne(upstreams: readonly Upstream[]): Promise<Ledger | null> {
    const ports = { now, sleep, lagPatienceMs: 0, expectChain: async (seen: number) => this.chain(seen) };
    const asked = await callUpstreams(LEDGER_INFO, upstreams, ports, async () => this.#keeper.published?.version ?? 0n);
    return asked.kind === "answer" ? asked.answer.ledger : null;
  }

  get #fleet(): string {
    return fnv1aHex(this.#config.nodeUrls.join(","));
  }
}

/** The region's head as a shard sees it. Without it a read goes on: unconfirmed, and with no other bound than its own. */
function headIn(
  namespace: DurableObjectNamespace<Shield>,
  region: string,
): Head & { chain(seen: number): Promise<number> } {
  const stub = () => namespace.get(namespace.idFromName(headName(region)));
  const lost = (ledger: Ledger | null): Lease => ({ ledger, milliseconds: 0, confirmed: false, unconfirmedMs: null });
  return {
    lease: () => within(HEAD_DEADLINE_MS, stub().lease(null), lost(null)),
    advance: (ledger) => within(HEAD_DEADLINE_MS, stub().advance(ledger), lost(ledger)),
    chain: (seen) => within<number>(HEAD_DEADLINE_MS, stub().chain(seen), seen),
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

function upstreamsOf(env: ShieldBindings, config: Config): Upstream[] {
  if (config.nodeUrls.length > 0)
    return config.nodeUrls.map((url, index) => upstream(`upstream-${index + 1}`, overHttp(url, env.NODE_API_KEY)));
  const node = env.NODE;
  if (node === undefined) return [];
  return [upstream("embedded", (path, init) => node.fetch(`http://node/v1${path}`, { ...init }))];
}

function overHttp(baseUrl: string, key: string | undefined): Transport {
  const secret = key === undefined || key === "" ? {} : { Authorization: `Bearer ${key}` };
  return (path, init) => fetch(baseUrl + path, { ...init, headers: { ...init.headers, ...secret }, cache: "no-store" });
}

function upstream(label: string, transport: Transport): Upstream {
  return { label, send: httpSender({ transport, after }), state: UNKNOWN };
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

import {
  type ChainIdentity,
  firstChain,
  serializeChain,
  type Verdict,
  verdictOn,
  withAnchors,
} from "./chain-identity.ts";
import type { UpstreamPool, UpstreamPorts } from "./pool.ts";
import { sightUpstream } from "./sight-upstream.ts";
import { onExclusion, type Upstream } from "./state.ts";

export interface ChainKeeperPorts extends UpstreamPorts {
  /** The chain that the deployment follows; null when that is for this keeper to find out. Never rejects. */
  readonly shared: () => Promise<ChainIdentity | null>;
  /** Persists the chain over restarts. */
  readonly save: (chain: ChainIdentity) => void;
  /** The upstreams follow another chain now; everything of a lower epoch is void. */
  readonly onReplaced: (chain: ChainIdentity) => void;
}

const CHECK_EVERY_MS = 25_000;
const RECHECK_AFTER_MS = 2_000;
/** A replacement is accepted when it is seen twice, this far apart. */
const CONFIRM_AFTER_MS = 1_000;

/**
 * Recognizes the upstreams' chain by block hashes and detects a reset, a restored backup or a replacement, even with
 * the same chain id. Runs in a Durable Object; the result is `pool.chain`.
 */
export class ChainKeeper {
  readonly #pool: UpstreamPool;
  readonly #ports: ChainKeeperPorts;
  readonly #configuredChainId: number | null;
  #chain: ChainIdentity | null;
  #minEpoch = 0;
  #checking: Promise<void> | null = null;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    pool: UpstreamPool,
    ports: ChainKeeperPorts,
    configuredChainId: number | null,
    saved: ChainIdentity | null,
  ) {
    this.#pool = pool;
    this.#ports = ports;
    this.#configuredChainId = configuredChainId;
    this.#chain = configuredChainId === null || saved?.chainId === configuredChainId ? saved : null;
    this.#minEpoch = saved?.epoch ?? 0;
    this.#publish();
  }

  /** What was learned; null before. */
  get chain(): ChainIdentity | null {
    return this.#chain;
  }

  get epoch(): number {
    return this.#minEpoch;
  }

  /**
   * Resolves once a chain is known or no upstream responds; only the first call waits. Keeps the periodic checks going.
   */
  async known(): Promise<void> {
    const { fellBackAtMs } = this.#pool;
    if (this.#pool.chain === null) {
      // Do not wait for upstreams that failed to respond a moment ago.
      if (this.#checking !== null || this.#isDue(RECHECK_AFTER_MS)) await this.#check();
    } else this.checkSoon(fellBackAtMs !== null && fellBackAtMs >= this.#checkedAtMs);
  }

  /** Starts a check in the background unless one ran recently. */
  checkSoon(isSuspicious: boolean): void {
    const isDue = this.#isDue(isSuspicious ? RECHECK_AFTER_MS : CHECK_EVERY_MS);
    if (isDue && this.#checking === null) this.#ports.background(this.#check());
  }

  /** A backward clock step delays no check. */
  #isDue(everyMs: number): boolean {
    const sinceMs = this.#ports.now() - this.#checkedAtMs;
    return sinceMs < 0 || sinceMs >= everyMs;
  }

  /** Another object or isolate reported a higher epoch: recognize the chain anew. */
  adopt(epoch: number): void {
    if (epoch <= this.#minEpoch) return;
    this.#minEpoch = epoch;
    this.#evict();
    this.#checkedAtMs = Number.NEGATIVE_INFINITY;
    this.checkSoon(true);
  }

  #check(): Promise<void> {
    this.#checking ??= this.#sightAndDecide().finally(() => {
      this.#checking = null;
      this.#checkedAtMs = this.#ports.now();
    });
    return this.#checking;
  }

  async #sightAndDecide(): Promise<void> {
    const responding = this.#chain === null ? await this.#learn() : this.#pool.upstreams;
    const chain = this.#chain;
    if (chain === null || (await this.#sight(chain, responding)).kind !== "replaced") return;
    await this.#ports.sleep(CONFIRM_AFTER_MS);
    const verdict = await this.#sight(chain, this.#pool.upstreams);
    if (verdict.kind === "replaced" && chain.epoch === this.#minEpoch) this.#replace(verdict);
  }

  /** Returns the upstreams that responded: the others are not compared with the chain before reads go on. */
  async #learn(): Promise<readonly Upstream[]> {
    const epoch = this.#minEpoch;
    const { upstreams } = this.#pool;
    const [shared, ...sightings] = await Promise.all([
      this.#ports.shared(),
      ...upstreams.map((upstream) => sightUpstream(upstream, null, this.#ports)),
    ]);
    const found = firstChain(sightings, this.#configuredChainId);
    if (shared !== null && shared.epoch >= this.#minEpoch) this.#adoptShared(shared);
    else if (found !== null) {
      this.#exclude(found.strangers);
      this.#remember({ ...found.chain, epoch });
    }
    return upstreams.filter(({ index }) => sightings.some((one) => one.upstream === index && one.kind !== "unknown"));
  }

  #adoptShared(chain: ChainIdentity): void {
    const isNewer = chain.epoch > this.#minEpoch;
    this.#minEpoch = chain.epoch;
    this.#remember(chain);
    if (isNewer) this.#ports.onReplaced(chain);
  }

  async #sight(chain: ChainIdentity, upstreams: readonly Upstream[]): Promise<Verdict> {
    const sightings = await Promise.all(upstreams.map((upstream) => sightUpstream(upstream, chain, this.#ports)));
    const configured = this.#configuredChainId;
    const eligible = sightings.filter(
      (sighting) => sighting.kind !== "other" || configured === null || sighting.chainId === configured,
    );
    const verdict = verdictOn(chain, eligible, this.#ports.now());
    if (verdict.kind === "replaced") return verdict;
    this.#exclude(verdict.strangers);
    this.#remember(verdict.chain);
    return verdict;
  }

  #replace({ chainId, anchors }: Extract<Verdict, { kind: "replaced" }>): void {
    const epoch = Math.max(this.#ports.now(), this.#minEpoch + 1);
    const chain = { epoch, chainId, anchors: withAnchors([], anchors), isProvisional: false, behindSinceMs: null };
    this.#minEpoch = epoch;
    this.#evict();
    this.#remember(chain);
    this.#ports.onReplaced(chain);
  }

  /** Discards what is known of the upstreams: it belongs to the old chain. */
  #evict(): void {
    this.#chain = null;
    this.#pool.believed = null;
    this.#pool.fellBackAtMs = null;
    for (const upstream of this.#pool.upstreams) upstream.state = { ...upstream.state, excluded: null, ledger: null };
    this.#publish();
  }

  #remember(chain: ChainIdentity): void {
    if (chain.epoch < this.#minEpoch) return;
    const isChanged = this.#chain === null || serializeChain(chain) !== serializeChain(this.#chain);
    this.#chain = chain;
    this.#publish();
    if (isChanged) this.#ports.save(chain);
  }

  #publish(): void {
    const chainId = this.#chain?.chainId ?? this.#configuredChainId;
    this.#pool.chain = chainId === null ? null : { epoch: this.#minEpoch, chainId };
  }

  #exclude(strangers: readonly number[]): void {
    for (const index of strangers) {
      const upstream = this.#pool.upstreams[index];
      if (upstream !== undefined) upstream.state = onExclusion(upstream.state, "wrong_chain", this.#ports.now());
    }
  }
}

import type { Ledger } from "../tip/ledger-headers.ts";
import { type ChainIdentity, serializeChain } from "./chain-identity.ts";
import type { UpstreamPool, UpstreamPorts } from "./pool.ts";
import type { Recognition } from "./recognize-chain.ts";
import { onExclusion } from "./state.ts";
import { withReport } from "./trusted-ledger.ts";

export interface ChainMonitorPorts extends Pick<UpstreamPorts, "now" | "background"> {
  /**
   * Finds out which chain the upstreams follow, or has the object find out that does so for the region. Null when that
   * is not known. `known` is of that epoch. Never rejects.
   */
  readonly recognize: (
    known: ChainIdentity | null,
    epoch: number,
    isSuspicious: boolean,
  ) => Promise<Recognition | null>;
  /** Persists the chain over restarts. */
  readonly save: (chain: ChainIdentity) => void;
  /** The upstreams follow another chain now; everything of a lower epoch is void. */
  readonly onReplaced: (chain: ChainIdentity) => void;
}

const CHECK_EVERY_MS = 10_000;
const RECHECK_AFTER_MS = 2_000;

/** An object's knowledge of the upstreams' chain, checked periodically. The result is `pool.chain`. */
export class ChainMonitor {
  readonly #pool: UpstreamPool;
  readonly #ports: ChainMonitorPorts;
  readonly #configuredChainId: number | null;
  #chain: ChainIdentity | null;
  #wrongChain: readonly number[] = [];
  #outdated: readonly number[] = [];
  #minEpoch = 0;
  #checking: Promise<void> | null = null;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    pool: UpstreamPool,
    ports: ChainMonitorPorts,
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

  get epoch(): number {
    return this.#minEpoch;
  }

  /** Resolves at once, except the first time: then when a chain is known or no upstream responds. */
  async known(): Promise<void> {
    const { regressedAtMs, chain } = this.#pool;
    if (chain === null) await this.#checkIfDue(RECHECK_AFTER_MS, false);
    else this.checkSoon(regressedAtMs !== null && regressedAtMs >= this.#checkedAtMs);
  }

  /** An isolate's ledger, confirmed seconds ago: a new object need not wait for the head's. */
  begin(epoch: number, recent: Ledger): void {
    if (epoch === this.#minEpoch) this.#pool.trusted ??= withReport(null, recent, this.#ports.now());
  }

  /** Resolves when something is trusted of the ledger, or nothing could be found out. */
  async trusted(): Promise<void> {
    if (this.#pool.trusted === null) await this.#checkIfDue(RECHECK_AFTER_MS, false);
  }

  /** What this object found out, for another one of the region. Under suspicion, after a check that is due. */
  async recognition(epoch: number, isSuspicious: boolean): Promise<Recognition | null> {
    this.adopt(epoch);
    if (isSuspicious) await this.#checkIfDue(RECHECK_AFTER_MS, true);
    await this.known();
    await this.trusted();
    if (this.#chain === null) return null;
    return { chain: this.#chain, wrongChain: this.#wrongChain, outdated: this.#outdated, trusted: this.#pool.trusted };
  }

  /** Starts a check in the background unless the last one was recent. */
  checkSoon(isSuspicious: boolean): void {
    if (this.#checking !== null) return;
    this.#ports.background(this.#checkIfDue(isSuspicious ? RECHECK_AFTER_MS : CHECK_EVERY_MS, isSuspicious));
  }

  /** Another object or isolate reported a higher epoch: the chain must be recognized again. */
  adopt(epoch: number): void {
    if (epoch <= this.#minEpoch) return;
    this.#enter(epoch);
    this.#checkedAtMs = Number.NEGATIVE_INFINITY;
    this.checkSoon(true);
  }

  /** Joins a check in progress. A backward clock step never postpones one. */
  async #checkIfDue(everyMs: number, isSuspicious: boolean): Promise<void> {
    const sinceMs = this.#ports.now() - this.#checkedAtMs;
    if (this.#checking === null && sinceMs >= 0 && sinceMs < everyMs) return;
    const epoch = this.#minEpoch;
    this.#checking ??= this.#check(isSuspicious).finally(() => {
      this.#checking = null;
      if (epoch === this.#minEpoch) this.#checkedAtMs = this.#ports.now();
    });
    await this.#checking;
  }

  async #check(isSuspicious: boolean): Promise<void> {
    const epoch = this.#minEpoch;
    const found = await this.#ports.recognize(this.#chain, epoch, isSuspicious);
    // A result about an epoch that has ended meanwhile is ignored.
    if (found === null || epoch !== this.#minEpoch || found.chain.epoch < epoch) return;
    const { chain, wrongChain, outdated, trusted } = found;
    const isReplaced = chain.epoch > epoch;
    if (isReplaced) this.#enter(chain.epoch);
    const isChanged = this.#chain === null || serializeChain(chain) !== serializeChain(this.#chain);
    this.#chain = chain;
    this.#publish();
    this.#rate(wrongChain, outdated);
    const version = this.#pool.trusted?.ledger.version ?? -1n;
    if (trusted !== null && trusted.ledger.version >= version) this.#pool.trusted = trusted;
    if (isChanged) this.#ports.save(chain);
    if (isReplaced) this.#ports.onReplaced(chain);
  }

  /** What is known about the upstreams belongs to the old chain. */
  #enter(epoch: number): void {
    this.#minEpoch = epoch;
    this.#chain = null;
    this.#pool.trusted = null;
    this.#pool.regressedAtMs = null;
    for (const upstream of this.#pool.upstreams) upstream.state = { ...upstream.state, excluded: null, ledger: null };
    this.#publish();
  }

  #publish(): void {
    const chainId = this.#chain?.chainId ?? this.#configuredChainId;
    this.#pool.chain = chainId === null ? null : { epoch: this.#minEpoch, chainId };
  }

  /** Excludes the upstreams of another chain and prefers those that follow this one. */
  #rate(wrongChain: readonly number[], outdated: readonly number[]): void {
    this.#wrongChain = wrongChain;
    this.#outdated = outdated;
    for (const upstream of this.#pool.upstreams) {
      const state = { ...upstream.state, isOutdated: outdated.includes(upstream.index) };
      const isExcluded = wrongChain.includes(upstream.index);
      upstream.state = isExcluded ? onExclusion(state, "wrong_chain", this.#ports.now()) : state;
    }
  }
}

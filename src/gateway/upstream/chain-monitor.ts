import type { Ledger } from "../tip/ledger-headers.ts";
import { type ChainIdentity, serializeChain } from "./chain-identity.ts";
import type { UpstreamPool, UpstreamPorts } from "./pool.ts";
import type { Recognition } from "./recognize-chain.ts";
import { onExclusion } from "./state.ts";
import { withReport } from "./trusted-ledger.ts";

export interface ChainMonitorPorts extends Pick<UpstreamPorts, "pool" | "now" | "background"> {
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
  #found: Recognition | null;
  #minEpoch = 0;
  #checking: Promise<void> | null = null;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ports: ChainMonitorPorts, configuredChainId: number | null, saved: ChainIdentity | null) {
    this.#pool = ports.pool;
    this.#ports = ports;
    this.#configuredChainId = configuredChainId;
    const isUsable = saved !== null && (configuredChainId === null || saved.chainId === configuredChainId);
    this.#found = isUsable ? { chain: saved, wrongChain: [], outdated: [], trusted: null } : null;
    this.#minEpoch = saved?.epoch ?? 0;
    this.#publish();
  }

  get epoch(): number {
    return this.#minEpoch;
  }

  /** Resolves at once, except the first time: then when a chain is known or no upstream responds. */
  async known(): Promise<void> {
    if (this.#pool.chain === null) await this.#checkIfDue(false);
    else this.checkSoon(false);
  }

  /** An isolate's ledger, confirmed seconds ago: a new object need not wait for the head's. */
  begin(epoch: number, recent: Ledger): void {
    if (epoch === this.#minEpoch) this.#pool.trusted ??= withReport(null, recent, this.#ports.now());
  }

  /** Resolves when something is trusted of the ledger, or nothing could be found out. */
  async trusted(): Promise<void> {
    if (this.#pool.trusted === null) await this.#checkIfDue(false);
  }

  /** What this object found out, for another one of the region. Under suspicion, after a check that is due. */
  async recognition(epoch: number, isSuspicious: boolean): Promise<Recognition | null> {
    this.adopt(epoch);
    if (isSuspicious) await this.#checkIfDue(true);
    await this.known();
    await this.trusted();
    return this.#found === null ? null : { ...this.#found, trusted: this.#pool.trusted };
  }

  /** Starts a check in the background unless the last one was recent. */
  checkSoon(isSuspicious: boolean): void {
    if (this.#checking === null) this.#ports.background(this.#checkIfDue(isSuspicious));
  }

  /** Another object or isolate reported a higher epoch: the chain must be recognized again. */
  adopt(epoch: number): void {
    if (epoch <= this.#minEpoch) return;
    this.#enter(epoch);
    this.#checkedAtMs = Number.NEGATIVE_INFINITY;
    this.checkSoon(true);
  }

  /** Joins a check in progress. A backward clock step never postpones one. */
  async #checkIfDue(isSuspicious: boolean): Promise<void> {
    const { chain, trusted } = this.#pool;
    const everyMs = isSuspicious || chain === null || trusted === null ? RECHECK_AFTER_MS : CHECK_EVERY_MS;
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
    const known = this.#found?.chain ?? null;
    const found = await this.#ports.recognize(known, epoch, isSuspicious);
    // A result about an epoch that has ended meanwhile is ignored.
    if (found === null || epoch !== this.#minEpoch || found.chain.epoch < epoch) return;
    const { chain, trusted } = found;
    const isReplaced = chain.epoch > epoch;
    if (isReplaced) this.#enter(chain.epoch);
    const isChanged = known === null || serializeChain(chain) !== serializeChain(known);
    this.#found = found;
    this.#publish();
    this.#rate(found);
    const version = this.#pool.trusted?.ledger.version ?? -1n;
    if (trusted !== null && trusted.ledger.version >= version) this.#pool.trusted = trusted;
    if (isChanged) this.#ports.save(chain);
    if (isReplaced) this.#ports.onReplaced(chain);
  }

  /**
   * What is known about the upstreams belongs to the old chain, except that one does not respond or limits requests.
   */
  #enter(epoch: number): void {
    this.#minEpoch = epoch;
    this.#found = null;
    this.#pool.trusted = null;
    for (const upstream of this.#pool.upstreams) {
      const { wrong_chain: _chain, contradicts: _ledger, lagging: _version, ...pauses } = upstream.state.pauses;
      upstream.state = { ...upstream.state, pauses, ledger: null };
    }
    this.#publish();
  }

  #publish(): void {
    const chainId = this.#found?.chain.chainId ?? this.#configuredChainId;
    this.#pool.chain = chainId === null ? null : { epoch: this.#minEpoch, chainId };
  }

  /** Excludes the upstreams of another chain and prefers those that follow this one. */
  #rate({ wrongChain, outdated }: Recognition): void {
    for (const upstream of this.#pool.upstreams) {
      const state = { ...upstream.state, isOutdated: outdated.includes(upstream.index) };
      const isExcluded = wrongChain.includes(upstream.index);
      upstream.state = isExcluded ? onExclusion(state, "wrong_chain", this.#ports.now()) : state;
    }
  }
}

import { type Chain, type ChainReport, chainAfterReport } from "../../chain/chain-record.ts";
import type { Ledger } from "../model/ledger.ts";
import type { Upstream } from "./upstreams.ts";

interface ChainWatchPorts {
  readonly now: () => number;
  /** `CHAIN_ID`. */
  readonly chainId: number | null;
  readonly upstreams: readonly Upstream[];
  /**
   * Reports to the home object; a report of null only asks. The result is null when the home object does not respond.
   */
  readonly report: (report: ChainReport | null) => Promise<Chain | null>;
  readonly background: (work: Promise<unknown>) => void;
  /** Receives the beginning of another era, after which everything known of the old one is void. */
  readonly onEra: () => void;
}

/**
 * Time for which all upstreams must have been below what reads need before the chain counts as replaced. Consistency
 * comes first, then availability.
 */
const BEHIND_MS = 45_000;
/** Least time between two reports of another chain id before it is accepted. */
const CONFIRM_AFTER_MS = 1_000;

/** An object's view of the chain, and its evidence that the chain was replaced. */
export class ChainWatch {
  readonly #ports: ChainWatchPorts;
  #chain: Chain;
  /** Whether the home object, or an isolate with a recent ledger, has reported the era. */
  #isKnown = false;
  #asking: Promise<void> | null = null;
  readonly #others = new Map<Upstream, { readonly chainId: number; readonly sinceMs: number; seenMs: number }>();
  #behind: { readonly version: bigint; readonly sinceMs: number } | null = null;

  constructor(ports: ChainWatchPorts) {
    this.#ports = ports;
    this.#chain = { era: 0, chainId: ports.chainId, servedBy: [], replaced: null };
  }

  get era(): number {
    return this.#chain.era;
  }

  /**
   * Takes over an era that an isolate or caller knows, and from a ledger confirmed a moment ago also the chain's id.
   */
  learn(era: number, recent: Ledger | null): void {
    if (era > this.#chain.era) this.#adopt({ era, chainId: null, servedBy: [], replaced: null });
    if (recent === null || era < this.#chain.era) return;
    this.#isKnown = true;
    if (this.#chain.chainId === null) this.#chain = { ...this.#chain, chainId: recent.chainId };
  }

  /** Resolves when the home object has answered, or does not respond. */
  async whenKnown(): Promise<void> {
    if (this.#isKnown) return;
    this.#asking ??= this.#report(null).finally(() => {
      [this.#isKnown, this.#asking] = [true, null];
    });
    await this.#asking;
  }

  /** Whether an upstream that reports this ledger follows the chain. */
  async follows(upstream: Upstream, { chainId, version }: Ledger): Promise<boolean> {
    await this.whenKnown();
    if (this.#chain.chainId === null) await this.#report({ chainId, servedBy: upstream.origin, ended: null });
    const chain = this.#chain;
    if (chain.chainId !== null && chain.chainId !== chainId) {
      this.#sawOther(upstream, chainId, version);
      return this.#chain.chainId === chainId;
    }
    this.#others.delete(upstream);
    if (!chain.servedBy.includes(upstream.origin)) {
      this.#chain = { ...chain, chainId, servedBy: [...chain.servedBy, upstream.origin] };
      this.#ports.background(this.#report({ chainId, servedBy: upstream.origin, ended: null }));
    }
    return true;
  }

  /** Records that a response at this version was accepted. */
  reached(version: bigint): void {
    if (this.#behind !== null && version >= this.#behind.version) this.#behind = null;
  }

  /**
   * Records that a read in `era` needed this version, and that every upstream that answered was below it. `newest`: the
   * highest of their ledgers.
   */
  lagged(version: bigint, newest: Ledger | null, era = this.era): void {
    if (newest === null || era !== this.era) return;
    this.reached(newest.version);
    const nowMs = this.#ports.now();
    // Another object may have reported the end of the era.
    if (this.#behind === null) this.#ports.background(this.#report(null));
    // If the clock was set back, the count starts anew.
    const sinceMs = Math.min(this.#behind?.sinceMs ?? nowMs, nowMs);
    this.#behind = { version: this.#behind?.version ?? version, sinceMs };
    if (nowMs - sinceMs < BEHIND_MS) return;
    this.#behind = null;
    this.#end(newest.chainId, `version ${version} was needed, and every node that answers is at ${newest.version}`);
  }

  /** Ends the era when most upstreams that have served the chain report one other id, each twice. */
  #sawOther(upstream: Upstream, chainId: number, version: bigint): void {
    const nowMs = this.#ports.now();
    const before = this.#others.get(upstream);
    const sinceMs = before?.chainId === chainId ? Math.min(before.sinceMs, nowMs) : nowMs;
    this.#others.set(upstream, { chainId, sinceMs, seenMs: nowMs });
    if (this.#ports.chainId !== null) return;
    // An isolate has reported the chain's id, but not which upstreams have served it.
    if (this.#chain.servedBy.length === 0) this.#ports.background(this.#report(null));
    const served = this.#ports.upstreams.filter(({ origin }) => this.#chain.servedBy.includes(origin));
    const moved = served.filter((each) => {
      const other = this.#others.get(each);
      return other?.chainId === chainId && other.seenMs - other.sinceMs >= CONFIRM_AFTER_MS;
    });
    if (moved.length * 2 > served.length) this.#end(chainId, `the nodes report chain ${chainId} at version ${version}`);
  }

  #end(chainId: number, replaced: Chain["replaced"]): void {
    this.#ports.background(this.#report({ chainId, servedBy: null, ended: { era: this.era, replaced } }));
  }

  async #report(report: ChainReport | null): Promise<void> {
    const current = this.#chain;
    const answer = await this.#ports.report(report);
    // Without the home object this object decides alone, and adopts the home object's era when that responds again.
    this.#adopt(answer ?? (report === null ? current : chainAfterReport(current, report, this.#ports.now())));
  }

  /** Takes over a chain. An older era changes nothing; a newer one voids what was known. */
  #adopt(chain: Chain): void {
    const { era } = this.#chain;
    if (chain.era >= era) this.#chain = { ...chain, chainId: this.#ports.chainId ?? chain.chainId };
    if (chain.era <= era) return;
    this.#others.clear();
    this.#behind = null;
    this.#ports.onEra();
  }
}

/** One chain node: a label, never its address. Versions are decimal strings; null means unknown. */
export interface UpstreamReport {
  readonly label: string;
  readonly reachable: boolean;
  readonly ledgerVersion: string | null;
  /** Versions behind the trusted ledger. */
  readonly lag: string | null;
  readonly breaker: "closed" | "open";
  /** Why it is not called for a while; null: it is called in its order. */
  readonly exclusion: "wrong_chain" | "contradicts" | "throttled" | null;
  /** What it does instead of answering our probe, with the remedy, as in "answers with status 402". */
  readonly cause?: string | null;
  /** It responds, but its newest ledger is outdated. */
  readonly isOutdated: boolean;
  /** Time of its newest version where the chain is read at that one and it is long past; null or absent: neither. */
  readonly readsAtMs?: number | null;
}

/** The nodes behind the gateway, each checked at most once a second. */
export interface UpstreamsReport {
  readonly upstreams: readonly UpstreamReport[];
  /** When the chain behind them was last replaced, and how that was noticed; null if never. */
  readonly chainReplaced: { readonly atMs: number; readonly why: string } | null;
  /** What nodes say differently of the figures. */
  readonly disagreements: readonly Disagreement[];
  /** When the store that keeps what was read last refused a write, some minutes ago; null: it has not. */
  readonly storeRefusedAtMs: number | null;
  /** Tables of that store that could not be read in the last days: what they had is absent. */
  readonly damagedTables: readonly { readonly table: string; readonly day: string }[];
}

/** Two nodes that say different things at one ledger version. */
export interface Disagreement {
  /** Labels, in the order of `values`. */
  readonly nodes: readonly string[];
  /** The number, as `minted` or the holding that it belongs to; and what each of them says. */
  readonly member: string;
  readonly values: readonly string[];
  /** Decimal. */
  readonly ledgerVersion: string;
  readonly atMs: number;
  /** The one of them that a third node contradicts; null: there is no third. */
  readonly outvoted: string | null;
}

/** The source of a read of the newest ledger: the chain, the last good response, or none. */
export type TipRead = "current" | "stale" | "unavailable";

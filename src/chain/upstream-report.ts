/** State of one chain node in health: a label, never its address. Versions are decimal strings; null: not known. */
export interface UpstreamReport {
  readonly label: string;
  readonly reachable: boolean;
  readonly ledgerVersion: string | null;
  /** Versions behind the trusted ledger. */
  readonly lag: string | null;
  readonly breaker: "closed" | "open";
  /** Reason why the node is not called for a while; null: it is called in its order. */
  readonly exclusion: "wrong_chain" | "contradicts" | "throttled" | null;
  /** Behaviour of the node in place of an answer to our probe, with the remedy, as in "answers with status 402". */
  readonly cause?: string | null;
  /** Whether the node responds with an outdated newest ledger. */
  readonly isOutdated: boolean;
  /**
   * Time of the node's newest version if the chain is read at that version and it is outdated; otherwise null or
   * absent.
   */
  readonly readsAtMs?: number | null;
}

/** State of all chain nodes, each probed at most once a second, and of the store. */
export interface NodesAndStoreReport {
  readonly upstreams: readonly UpstreamReport[];
  /** Time at which the chain was last replaced, and the evidence for it; null: it never was. */
  readonly chainReplaced: { readonly atMs: number; readonly why: string } | null;
  /** Disagreements of nodes about figures. */
  readonly disagreements: readonly Disagreement[];
  /** Time of the store's last refused write, if within the last few minutes; otherwise null. */
  readonly storeRefusedAtMs: number | null;
  /** Tables of the store that could not be read in the last days; their rows count as absent. */
  readonly damagedTables: readonly { readonly table: string; readonly day: string }[];
}

/** Two nodes that reported different values at one ledger version. */
export interface Disagreement {
  /** Labels of the nodes, in the order of `values`. */
  readonly nodes: readonly string[];
  /** Name of the value: `minted`, `staking`, `time`, or the key of a holding. */
  readonly member: string;
  readonly values: readonly string[];
  /** Ledger version as a decimal. */
  readonly ledgerVersion: string;
  readonly atMs: number;
  /** Label of the node that a majority contradicts; null: no majority decided. */
  readonly outvoted: string | null;
}

/** Source of a read of the newest ledger: the chain, the last good response, or neither. */
export type TipRead = "current" | "stale" | "unavailable";

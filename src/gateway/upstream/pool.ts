import type { NodeRequest } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { Dialect, Upstream, UpstreamResult } from "./state.ts";

/** Which chain the upstreams must be of. */
export interface KnownChain {
  /** Milliseconds since 1970 at which it replaced another one behind the same upstreams; 0 for the first. */
  readonly epoch: number;
  readonly chainId: number;
}

/** The newest ledger that is believed, and how fast it has been seen to grow. */
export interface BelievedLedger {
  readonly ledger: Ledger;
  /** The last report that the speed was measured from; jumps are measured from there too. */
  readonly sample: { readonly version: bigint; readonly atMs: number };
  readonly versionsPerSecond: number;
}

/** The upstreams of one object or isolate with what it knows of them. Holds values only, never a promise. */
export interface UpstreamPool {
  readonly upstreams: readonly Upstream[];
  /** Null until it is learned. */
  chain: KnownChain | null;
  believed: BelievedLedger | null;
  /** Since when some request has been finding out what to believe. */
  learningSinceMs: number | null;
  /** When an upstream last reported less than before, as after a reset. */
  fellBackAtMs: number | null;
}

export function poolOf(upstreams: readonly Upstream[], chain: KnownChain | null): UpstreamPool {
  return { upstreams, chain, believed: null, learningSinceMs: null, fellBackAtMs: null };
}

export interface UpstreamPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Lets work go on after the request that began it. */
  readonly background: (work: Promise<unknown>) => void;
  readonly send: (
    upstream: Upstream,
    request: NodeRequest,
    dialect: Dialect,
    deadlineMs: number,
  ) => Promise<UpstreamResult>;
}

/** What a probe asks. */
export const LEDGER_INFO: NodeRequest = {
  endpoint: "ledger_info",
  mode: "read",
  method: "GET",
  path: "",
  accept: "json",
  contentType: null,
  body: null,
  key: "GET  json ",
  params: {},
};

import type { NodeRequest } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { Upstream } from "./state.ts";
import type { Exchange } from "./upstream-result.ts";

/** The chain that the upstreams must follow. */
export interface KnownChain {
  /** Milliseconds since 1970 when it replaced another chain behind the same upstreams; 0 for the first. */
  readonly epoch: number;
  readonly chainId: number;
}

/** The newest ledger accepted as true, and how fast it has been seen to grow. */
export interface TrustedLedger {
  readonly ledger: Ledger;
  /** The report from which the growth rate was last measured; plausible jumps are measured from it too. */
  readonly sample: { readonly version: bigint; readonly atMs: number };
  readonly versionsPerSecond: number;
}

/** The upstreams as seen by one object or isolate. Contains values only, never a promise. */
export interface UpstreamPool {
  readonly upstreams: readonly Upstream[];
  /** Null until known. */
  chain: KnownChain | null;
  trusted: TrustedLedger | null;
}

export function poolOf(upstreams: readonly Upstream[], chain: KnownChain | null): UpstreamPool {
  return { upstreams, chain, trusted: null };
}

/** The upstreams, and what calling them needs of the platform. */
export interface UpstreamPorts {
  readonly pool: UpstreamPool;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Lets work continue after the request that started it. */
  readonly background: (work: Promise<unknown>) => void;
  /** Resolves when the pool has another object's knowledge of the ledger, if there is such an object. */
  readonly learn: () => Promise<void>;
  readonly send: Exchange;
}

/** The request of a probe. */
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

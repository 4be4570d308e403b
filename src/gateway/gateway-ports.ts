import type { LedgerMark } from "../chain/ledger-point.ts";
import type { Admission } from "../http/handler.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import type { DataCentreCache } from "./cache/data-centre-cache.ts";
import type { ResponseMemory } from "./cache/lru.ts";
import type { CachedResponse, NodeRequest } from "./node-types.ts";
import type { CacheSource } from "./response-headers.ts";
import type { ShieldRequest, ShieldResult } from "./shield/messages.ts";
import type { KnownTip } from "./tip/known-tip.ts";
import type { Attempt, FailoverResult } from "./upstream/failover.ts";
import type { UpstreamFindings } from "./upstream/learn-upstreams.ts";

/** What the gateway needs of the platform. Only `shield` may reject. */
export interface GatewayPorts extends DataCentreCache {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly memory: ResponseMemory;
  /** Calls the object that owns this key in this region. Rejects while the object is being replaced. */
  readonly shield: (region: string, read: ShieldRequest) => Promise<ShieldResult>;
  readonly call: (
    request: NodeRequest,
    floor: bigint,
    tip: KnownTip | null,
    waitUntil: GatewayContext["waitUntil"],
  ) => Promise<FailoverResult>;
  /** Applies what the shield found out about the upstreams to this isolate's state. */
  readonly learnUpstreams: (findings: UpstreamFindings) => void;
  readonly log: Log;
  readonly count: RecordMetric | null;
  readonly staleIfErrorSeconds: number;
}

/** What a caller's request adds to a node request. */
export interface GatewayContext {
  readonly region: string;
  readonly admission: Admission;
  /** `X-Min-Ledger-Version`. */
  readonly minVersion: bigint | null;
  readonly requestId: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** A response that may still be too old for its caller. */
export interface Candidate {
  readonly value: CachedResponse;
  readonly source: CacheSource;
  readonly ageMs: number;
  /** The point that the shield recorded for the caller, to be named in a timeless response. */
  readonly shows: LedgerMark | null;
  /** Everything that the response reveals is recorded at the caller's object. */
  readonly isNoted: boolean;
  readonly attempts: readonly Attempt[];
}

export const NOT_NOTED = { shows: null, isNoted: false, attempts: [] } as const;

import type { RecordTarget } from "../../admission.ts";
import { fnv1a } from "../../base/hash/fnv1a.ts";
import type { LedgerPoint } from "../../chain/ledger-point.ts";
import type { Ledger, Tip } from "../model/ledger.ts";
import type { LocatedResponse, NodeRequest, UpstreamsDown } from "../model/node-types.ts";

/** A read that an isolate sends to the shield. Plain data. */
export interface ShieldRequest {
  readonly request: NodeRequest;
  /** Highest era known to the isolate. */
  readonly era: number;
  /** The newest ledger of that era that the isolate saw confirmed in the last seconds; null: there is none. */
  readonly recent: Ledger | null;
  /** Point that the caller has already seen. A response with a place in the chain's history must be at or above it. */
  readonly floor: LedgerPoint | null;
  /** Point offered to the limiter with the same request; nothing at or below it needs to be recorded again. */
  readonly offered: LedgerPoint | null;
  /**
   * Address at which to record the point that the response reveals; null without a caller, and while its object does
   * not respond.
   */
  readonly recordTarget: RecordTarget | null;
}

/** Result of a read. Plain data, with ages and durations only, because the isolate's clock is another one. */
export interface ShieldResult {
  readonly found: LocatedResponse | UpstreamsDown;
  readonly tip: Tip | null;
  /** Milliseconds since an upstream last reported the tip. */
  readonly tipAgeMs: number;
  /** Time spent in the shield; the rest of the call was network. */
  readonly elapsedMs: number;
}

/** Objects per region. Each data centre calls the object of a key about once a second while the key is read. */
const SHARDS = 6;

/**
 * Name of the shield object of a key in a region. A higher generation begins with new objects, which are placed anew.
 */
export function shieldName(generation: number, region: string, key: string): string {
  return `v${generation}:shield:${region}:${fnv1a(key) % SHARDS}`;
}

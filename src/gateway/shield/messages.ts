import type { LedgerMark, LedgerPoint } from "../../chain/ledger-point.ts";
import type { NoteTarget } from "../../http/handler.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import type { KnownTip } from "../tip/known-tip.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { UpstreamsDown } from "../upstream/failover.ts";
import type { UpstreamFindings } from "../upstream/learn-upstreams.ts";

/** One read that an isolate sends to the shield. Plain data. */
export interface ShieldRequest {
  readonly request: NodeRequest;
  /** The highest chain epoch known to the isolate. */
  readonly epoch: number;
  /** The newest ledger of that epoch that the isolate saw confirmed in the last seconds; null when there is none. */
  readonly recent: Ledger | null;
  /** The caller has already seen this point; a response with a place in the chain's history must be at or above it. */
  readonly floor: LedgerPoint | null;
  /** `X-Min-Ledger-Version`. */
  readonly minVersion: bigint | null;
  /** Already recorded as seen by the caller; nothing at or below it is recorded again. */
  readonly noted: LedgerPoint | null;
  /** Where to record what the response reveals; null without a caller, and while its object does not respond. */
  readonly noteTarget: NoteTarget | null;
  /** What the isolate's own long poll returned, to be stored and recorded instead of sending the request; else null. */
  readonly polled: CachedResponse | null;
}

interface ResultFacts extends UpstreamFindings {
  readonly tip: KnownTip | null;
  /** Milliseconds since an upstream last reported the tip. */
  readonly tipAgeMs: number;
  /** Time spent in the shield; the rest of the call was network. */
  readonly elapsedMs: number;
}

export type ShieldResult =
  | (ResultFacts & {
      readonly kind: "value";
      readonly value: CachedResponse;
      readonly source: "shield" | "upstream" | "collapsed" | "stale";
      readonly ageMs: number;
      /**
       * The point to report with the value, recorded for the caller unless `isNoted` is false. Null: `request.noted`
       * covers it.
       */
      readonly shows: LedgerMark | null;
      readonly isNoted: boolean;
    })
  | (ResultFacts & UpstreamsDown);

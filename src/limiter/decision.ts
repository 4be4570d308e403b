import type { Policy } from "../config.ts";
import type { Admission } from "../http/handler.ts";
import type { DecisionTrace } from "../metrics.ts";
import type { Region } from "../placement/location-hint.ts";

/** Why a caller cannot be told apart from others of its kind: the front's header was not there, or held no address. */
export type MissingKind = "absent" | "malformed";

/** Who is counted: one key per IPv4 address or IPv6 /64, and the region whose objects hold its log. */
export interface Caller {
  readonly key: string;
  /** Why the key is shared by all callers of its kind; null for a caller that named itself. */
  readonly missing: MissingKind | null;
  readonly region: Region;
}

/** What the limiter said of one request. */
export interface Decision {
  readonly admitted: boolean;
  /** Admissions left in the window that ends now. */
  readonly remaining: number;
  /** Whole seconds until more quota is available, rounded up; at least 1 when denied. */
  readonly resetSeconds: number;
}

/** One request's side of the limiter: `decision` counts it unless {@link Admission.admit} has. */
export interface RequestAdmission extends Admission {
  readonly decision: () => Decision | Promise<Decision>;
  /** Null before a decision. */
  readonly trace: () => DecisionTrace | null;
}

/** Counts requests. `peek` counts nothing. Nothing here rejects; what is known without a call is not a promise. */
export interface Limiter {
  open(policy: Policy, caller: Caller): RequestAdmission;
  peek(policy: Policy, caller: Caller): Decision | Promise<Decision>;
}

import type { Policy } from "../config.ts";

/** Who is counted: one key per IPv4 address or IPv6 /64, and the region whose objects hold its log. */
export interface Caller {
  readonly key: string;
  readonly region: string;
}

/** What the limiter said of one request. */
export interface Decision {
  readonly admitted: boolean;
  /** Admissions left in the window that ends now. */
  readonly remaining: number;
  /** Whole seconds until more quota is available, rounded up; at least 1 when denied. */
  readonly resetSeconds: number;
}

/** Counts requests. `take` spends one admission if there is one; `look` counts nothing. Neither ever rejects. */
export interface Limiter {
  take(policy: Policy, caller: Caller): Promise<Decision>;
  look(policy: Policy, caller: Caller): Promise<Decision>;
}

import type { Policy } from "../config.ts";
import { memoByObject } from "../memo.ts";
import { OneAdmission } from "./admission.ts";
import type { Caller, Limiter } from "./decision.ts";
import { clockAt } from "./monotonic-clock.ts";
import { PolicyState } from "./policy-state.ts";
import { type LimiterPorts, OUTAGE_GAP_MS } from "./shard-link.ts";

/**
 * The isolate's side of the limiter: one call to one object per request, none for a caller known to be refused. Exact
 * while the object responds; at most one quota per isolate while it does not.
 */
export class EdgeLimiter implements Limiter {
  readonly #ports: LimiterPorts;
  readonly #clock;
  readonly #stateOf: (policy: Policy) => PolicyState;
  readonly #quietUntilMs = new Map<string, number>();

  constructor(ports: LimiterPorts) {
    this.#clock = clockAt(ports.now());
    this.#ports = { ...ports, now: () => this.#clock.advance(ports.now()) };
    this.#stateOf = memoByObject((policy) => new PolicyState(this.#ports, policy, ports.now));
  }

  open(policy: Policy, caller: Caller): OneAdmission {
    if (caller.missing !== null) this.#logOnce(caller.missing);
    return new OneAdmission(this.#stateOf(policy), caller);
  }

  #logOnce(kind: string): void {
    const nowMs = this.#ports.now();
    if (nowMs < (this.#quietUntilMs.get(kind) ?? 0)) return;
    this.#quietUntilMs.set(kind, nowMs + OUTAGE_GAP_MS);
    this.#ports.log("caller_without_address", { kind });
  }
}

import type { Policy } from "../config.ts";
import type { Decision } from "./decision.ts";

/** `default;r=59;t=60` and `default;q=60;w=60`, exactly as the specification writes them: tokens, not quoted strings. */
export function rateLimitFields(policy: Policy, decision: Decision): Record<string, string> {
  return {
    RateLimit: `${policy.name};r=${decision.remaining};t=${decision.resetSeconds}`,
    "RateLimit-Policy": `${policy.name};q=${policy.quota};w=${policy.windowSeconds}`,
  };
}

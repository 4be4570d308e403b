import type { Policy } from "../config.ts";
import type { Decision } from "./decision.ts";

const policyFields = new WeakMap<Policy, Readonly<Record<string, string>>>();

/** `RateLimit-Policy: default;q=60;w=60`, as the specification writes it: a token, not a quoted string. Built once. */
export function policyHeaders(policy: Policy): Readonly<Record<string, string>> {
  const known = policyFields.get(policy);
  if (known !== undefined) return known;
  const fields = { "RateLimit-Policy": `${policy.name};q=${policy.quota};w=${policy.windowSeconds}` };
  policyFields.set(policy, fields);
  return fields;
}

/** The value of `RateLimit`: `default;r=59;t=60`. */
export function rateLimitValue(policy: Policy, { remaining, resetSeconds }: Decision): string {
  return `${policy.name};r=${remaining};t=${resetSeconds}`;
}

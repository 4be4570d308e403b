import type { Policy } from "../config.ts";
import { memoByObject } from "../memo.ts";
import type { Decision } from "./decision.ts";

/** `RateLimit-Policy: default;q=60;w=60`, in the specification's notation: a token, not a quoted string. */
export const policyHeaders = memoByObject(
  ({ name, quota, windowSeconds }: Policy): Readonly<Record<string, string>> => ({
    "RateLimit-Policy": `${name};q=${quota};w=${windowSeconds}`,
  }),
);

/** The value of `RateLimit`: `default;r=59;t=60`. */
export function rateLimitValue(
  policy: Policy,
  { remaining, resetSeconds }: Pick<Decision, "remaining" | "resetSeconds">,
): string {
  return `${policy.name};r=${remaining};t=${resetSeconds}`;
}

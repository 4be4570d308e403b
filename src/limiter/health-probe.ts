import type { Policy } from "../config.ts";
import { DEADLINE_MS, type LimiterPorts, shardName } from "./shard-link.ts";

/**
 * Whether the counting objects answer within their deadline. Counts nothing. Never rejects. Asks under the policy that
 * the object counts under: under another it would begin anew from its journal, twice for each question.
 */
export function limiterIsReachable(
  { shardStub: reach, later }: Pick<LimiterPorts, "shardStub" | "later">,
  { name, quota, windowSeconds }: Policy,
): Promise<boolean> {
  return new Promise((resolve) => {
    later(() => resolve(false), DEADLINE_MS);
    reach(shardName(name, "world", 0), "world")()
      .peek("health", quota, windowSeconds)
      .then(
        () => resolve(true),
        () => resolve(false),
      );
  });
}

import type { Policy } from "../config.ts";
import { DEADLINE_MS, type LimiterPorts, shardName } from "./shard-link.ts";

/** Whether the limiter's objects respond within their deadline. Counts nothing. Never rejects. */
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
